// Sequential mini-batch SGD on one worker: the line that the distributed methods are judged by.
// w -= lr * g, Robbins & Monro 1951; with the document's momentum, weight decay and clipping what torch.optim.SGD does. No bytes
// travel, so nothing overlaps (wire.overlap); batch-norm statistics are the one worker's own.
#include "engine/algorithms/algorithm.h"

namespace paceline {
namespace {

class StandaloneWorker final : public WorkerAlgorithm {
 public:
  explicit StandaloneWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void round(WorkerContext& ctx) override { ctx.applyGradient(ctx.learningRate(rate_), ctx.gradient()); }

 private:
  double rate_;
};

}  // namespace

AlgorithmDef standalone() {
  AlgorithmDef def;
  def.id = "standalone";
  def.title = "Stand-alone SGD";
  def.summary = "One worker trains alone; the reference line of every comparison.";
  def.reference = "H. Robbins, S. Monro, A Stochastic Approximation Method, 1951";
  def.topology = Topology::kStandalone;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size on the batch-mean gradient.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<StandaloneWorker>(params); };
  return def;
}

}  // namespace paceline
