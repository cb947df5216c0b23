#include "engine/algorithms/exchange/sparse_push.h"

#include <utility>

#include "engine/algorithms/exchange/push_pull.h"
#include "engine/algorithms/exchange/sparse_answers.h"
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

AlgorithmDef sparseDef(std::string id, double rate, double fraction, std::vector<ParamSpec> own) {
  AlgorithmDef def;
  def.id = std::move(id);
  def.topology = Topology::kServer;
  def.synchronous = false;
  def.serverHoldsParameters = true;
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
  def.makeServer = [](const ServerSetup& setup) { return makeDescentServer(setup, std::make_unique<SparseAnswers>(setup)); };
  return def;
}

}  // namespace paceline::exchange
