#include "engine/algorithms/exchange/sparse_push.h"

#include <algorithm>
#include <utility>

#include "engine/algorithms/exchange/sparse_server.h"
#include "engine/algorithms/context/statistics.h"
#include "engine/core/base/error.h"

namespace paceline::exchange {

SparsePush::SparsePush(const Params& params)
    : denseBelow_(static_cast<std::size_t>(params.integer("dense_below"))),
      values_(params.text("values") == "fp16" ? codecs::SparseValues::kHalf : codecs::SparseValues::kReal) {}

const codecs::SparseVector& SparsePush::exchange(WorkerContext& ctx, std::span<const Real> from, double fraction, double scale) {
  select(ctx, from, fraction);
  const bool keepsOwn = hasStatistics(ctx.blocks());
  if (keepsOwn) own_.resize(from.size());
  if (keepsOwn) copyStatistics(ctx.blocks(), ctx.parameters(), own_);
  ctx.pushPullSparse(sent_, values_, scale, ctx.parameters());
  if (keepsOwn) copyStatistics(ctx.blocks(), own_, ctx.parameters());
  return sent_;
}

void SparsePush::select(const WorkerContext& ctx, std::span<const Real> from, double fraction) {
  const std::span<const Block> blocks = ctx.blocks();
  for (std::size_t b = names_.size(); b < blocks.size(); ++b)
    names_.push_back(strCat("what worker ", ctx.rank(), " has not sent of \"", blocks[b].name, "\""));
  sent_.indices.clear();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    if (!block.trainable) continue;
    const std::size_t k = block.size < denseBelow_ ? block.size : keptOf(block.size, fraction);
    selector_.largest(from.subspan(block.offset, block.size), k, block.offset, names_[b], sent_.indices);
  }
  sent_.values.resize(sent_.indices.size());
  for (std::size_t i = 0; i < sent_.indices.size(); ++i) sent_.values[i] = from[sent_.indices[i]];
}

AlgorithmDef sparseDef(std::string id, double rate, double fraction, std::vector<ParamSpec> own) {
  AlgorithmDef def;
  def.id = std::move(id);
  def.topology = Topology::kServer;
  def.synchronous = false;
  def.serverHoldsParameters = true;
  def.statistics = Statistics::kLocal;
  def.momentum = false;
  def.densePushes = false;
  def.params = {realParam("learning_rate", rate, 0, std::nullopt, "Step size of every single push."),
                realParam("kept_fraction", fraction, 1e-6, 1, "Part of every layer's entries that a push sends, the largest first.")};
  def.params.insert(def.params.end(), own.begin(), own.end());
  const std::vector<ParamSpec> exchange = {
      integerParam("dense_below", 256, 0, 1e9, "Layers with fewer entries are sent whole: biases and norms cost next to nothing."),
      choiceParam("values", "fp32", {"fp32", "fp16"},
                  "How kept values travel, both ways. What fp16 rounds off a push stays with the worker for the next."),
      choiceParam("answer", "difference", {"difference", "whole"},
                  "What a push is answered with: the largest entries of what the worker lacks, or all parameters."),
      realParam("down_fraction", 0.01, 1e-6, 1, "Part of every layer's entries that an answer sends."),
      integerParam("resync_every", 0, 0, 1e15, "After so many exchanges of a worker its answer is whole; 0: never. Published code: 150.")};
  def.params.insert(def.params.end(), exchange.begin(), exchange.end());
  def.makeServer = makeSparseServer;
  return def;
}

}  // namespace paceline::exchange
