// Local SGD (federated averaging): k local steps, then all workers average their parameters.
// w_i -= lr * g_i, k times; w = (w_1 + ... + w_N) / N. McMahan et al. 2017; Stich 2019, "Local SGD Converges Fast and
// Communicates Little". Batch-norm statistics are part of the averaged vector; a worker's momentum is its own and
// outlives the averaging. Recorded: "drift", |w_i - w| at the averaging, over trainable blocks and statistics alike.
#include "engine/algorithms/algorithm.h"

namespace paceline {
namespace {

class LocalSgdWorker final : public WorkerAlgorithm {
 public:
  explicit LocalSgdWorker(const Params& params) : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")) {}

  void round(WorkerContext& ctx) override {
    const double rate = ctx.learningRate(rate_);
    for (std::int64_t k = 1; k < steps_; ++k) ctx.applyGradient(rate, ctx.gradient());
    ctx.stepToMean(rate, "drift");
  }

 private:
  double rate_;
  std::int64_t steps_;
};

}  // namespace

AlgorithmDef local_sgd() {
  AlgorithmDef def;
  def.id = "local_sgd";
  def.title = "Local SGD";
  def.summary = "Every worker takes the same number of local steps before all average their parameters.";
  def.reference = "S. U. Stich, Local SGD Converges Fast and Communicates Little, ICLR 2019";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.overlaps = true;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 4, 1, 1e9, "Local steps between two averagings.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<LocalSgdWorker>(params); };
  return def;
}

}  // namespace paceline
