// Synchronous data-parallel SGD: every round all workers average their gradients and take the same step.
// w -= lr * (g_1 + ... + g_N) / N. Chen et al. 2016, "Revisiting Distributed Synchronous SGD", without backup workers.
// The document's clipping bounds the mean, and its momentum is the same on every worker: N workers with B samples do what one with N B
// does. Batch-norm statistics are averaged with the gradient.
#include "engine/algorithms/algorithm.h"

namespace paceline {
namespace {

class SsgdWorker final : public WorkerAlgorithm {
 public:
  explicit SsgdWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradientForMean();
    ctx.aggregateMean(g);
    ctx.clip(g);
    ctx.applyGradient(ctx.learningRate(rate_), g);
  }

 private:
  double rate_;
};

}  // namespace

AlgorithmDef ssgd() {
  AlgorithmDef def;
  def.id = "ssgd";
  def.title = "SSGD";
  def.summary = "Synchronous SGD: gradients are averaged every step, so the slowest worker sets the pace.";
  def.reference = "J. Chen et al., Revisiting Distributed Synchronous SGD, 2016";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.overlaps = true;
  def.params = {
      realParam("learning_rate", 0.032, 0, std::nullopt, "Step size on the mean of all workers' batch-mean gradients.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<SsgdWorker>(params); };
  return def;
}

}  // namespace paceline
