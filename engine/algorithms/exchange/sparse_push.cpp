#include "engine/algorithms/exchange/sparse_push.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"

namespace paceline::exchange {

codecs::TopK topKOf(const Params& params) {
  return {static_cast<std::size_t>(params.integer("dense_below")), params.text("values") == "fp16" ? codecs::SparseValues::kHalf : codecs::SparseValues::kReal};
}

SparsePush::SparsePush(const Params& params) : topK_(topKOf(params)), feedback_(topK_) {}

const codecs::SparseVector& SparsePush::exchange(WorkerContext& ctx, std::span<const Real> values, double fraction, double scale) {
  if (!topK_.hasLayers()) {
    std::vector<codecs::Layer> layers;
    for (const Block& block : ctx.blocks())
      if (block.trainable)
        layers.push_back({.begin = block.offset, .size = block.size, .name = strCat("what worker ", ctx.rank(), " has not sent of \"", block.name, "\"")});
    topK_.setLayers(std::move(layers));
  }
  topK_.setFraction(fraction);
  ctx.pushPull(values, {.compressor = &feedback_, .scale = scale});
  return topK_.sent();
}

AlgorithmDef sparseDef(std::string id, double fraction, std::vector<ParamSpec> own, std::string values) {
  own.insert(own.begin(), realParam("kept_fraction", fraction, 1e-6, 1, "Part of every layer's entries that a push sends, the largest first."));
  AlgorithmDef def = pushDef(std::move(id), std::move(own));
  def.momentum = false;
  def.densePushes = false;
  def.trafficByValue = true;
  const std::vector<ParamSpec> exchange = {
      advanced(integerParam("dense_below", 256, 0, 1e9, "Layers with fewer entries are sent whole: biases and norms cost next to nothing.")),
      advanced(choiceParam("values", std::move(values), {"fp32", "fp16"},
                  "How kept values travel, both ways. What fp16 rounds off a push stays with the worker for the next.")),
      advanced(choiceParam("answer", "difference", {"difference", "whole"},
                  "What a push is answered with: the largest entries of what the worker lacks, or all parameters.")),
      advanced(realParam({"down_fraction", "Kept of the answer"}, 0.01, 1e-6, 1, "Part of every layer's entries that an answer sends.")),
      advanced(integerParam({"resync_every", "Whole answer every"}, 0, 0, 1e15, "After so many exchanges of a worker its answer is whole; 0: never. Published code: 150."))};
  def.params.insert(def.params.end(), exchange.begin(), exchange.end());
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<PushServer>(setup, 0, std::make_unique<SparseAnswers>(setup)); };
  return def;
}

SparseAnswers::SparseAnswers(const ServerSetup& setup)
    : topK_(topKOf(setup.params)),
      whole_(setup.params.text("answer") == "whole"),
      resyncEvery_(setup.params.integer("resync_every")),
      replicas_(setup.workers.size()),
      exchanges_(setup.workers.size()) {
  topK_.setFraction(setup.params.real("down_fraction"));
}

void SparseAnswers::takeLayers(std::vector<double> ends, std::size_t size, const std::string& source) {
  double before = 0;
  for (const double end : ends) {
    if (!(end > before && end == std::floor(end))) throw Error(Errc::kFormat, strCat(source, " has a layer from ", before, " to ", end));
    before = end;
  }
  if (before != static_cast<double>(size)) throw Error(Errc::kFormat, strCat(source, " has ", size, " values and layers up to ", before));
  layerEnds_ = std::move(ends);
  topK_.setLayers({});
}

void SparseAnswers::start(const Message& init) {
  const std::span<const Real> values = init.dense.values();
  takeLayers(fieldsOf<LayerFields>(init).ends, values.size(), strCat("shard ", init.shard, " as node ", init.from, " gives it"));
  for (std::vector<Real>& replica : replicas_)
    if (!whole_) replica.assign(values.begin(), values.end());
  std::fill(exchanges_.begin(), exchanges_.end(), 0);
}

void SparseAnswers::fill(Message& reply, std::size_t rank, const Dense& values) {
  exchanges_[rank] += 1;
  std::vector<Real>& replica = replicas_[rank];
  const std::span<const Real> now = values.values();
  const bool resync = resyncEvery_ > 0 && std::fmod(exchanges_[rank], static_cast<double>(resyncEvery_)) == 0;
  if (whole_ || resync) reply.dense = Dense::copied(now);
  if (whole_) return;
  if (resync) return replica.assign(now.begin(), now.end());

  if (!topK_.hasLayers()) {  // also after a resume
    std::vector<codecs::Layer> layers;
    for (std::size_t begin = 0; const double end : layerEnds_) {
      layers.push_back({.begin = begin, .size = static_cast<std::size_t>(end) - begin, .name = "what a worker lacks at the server"});
      begin = static_cast<std::size_t>(end);
    }
    topK_.setLayers(std::move(layers));
  }
  lacking_.resize(now.size());
  for (std::size_t i = 0; i < lacking_.size(); ++i) lacking_[i] = now[i] - replica[i];
  const ShardRange shard{.offset = 0, .size = now.size(), .server = 0};
  reply.packed = std::move(topK_.compress(lacking_, {&shard, 1}, {}).front());
  const codecs::SparseVector& sent = topK_.sent();
  for (std::size_t i = 0; i < sent.indices.size(); ++i) replica[sent.indices[i]] += sent.values[i];
}

void SparseAnswers::state(Archive& archive, std::size_t size) {
  for (std::size_t rank = 0; rank < replicas_.size(); ++rank) archive.fixed(strCat("replica ", rank), replicas_[rank], whole_ ? 0 : size);
  std::vector<double> ends = layerEnds_;
  archive.numbers("layer ends", ends);
  if (archive.loading()) takeLayers(std::move(ends), size, "the checkpoint's shard");
  archive.fixedNumbers("exchanges", exchanges_);
}

}  // namespace paceline::exchange
