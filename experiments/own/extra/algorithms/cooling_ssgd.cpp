// Synchronous SGD whose rate falls with the rounds: w -= lr / (1 + t / tau) * (g_1 + ... + g_N) / N in round t = 0, 1, ...
// H. Robbins and S. Monro, A Stochastic Approximation Method, 1951: the rates' sum is infinite, that of their squares is not.
// An example: a method is one file, and its function has the file's name.
#include "engine/algorithms/algorithm.h"

namespace paceline {
namespace {

class CoolingWorker final : public WorkerAlgorithm {
 public:
  explicit CoolingWorker(const Params& params) : rate_(params.real("learning_rate")), tau_(params.real("tau")) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> mean = ctx.gradientForMean();
    ctx.aggregateMean(mean);
    ctx.clip(mean);
    const double rate = rate_ / (1 + static_cast<double>(done_++) / tau_);
    if (!isHollow(mean)) ctx.record("cooled_rate", rate);  // a curve of its own: paceline figure metric:cooled_rate. Without learning there is none
    ctx.applyGradient(ctx.learningRate(rate), mean);
  }

  void state(Archive& archive, const StateSizes&) override { archive.number("rounds_done", done_); }  // what a checkpoint must bring back

 private:
  double rate_, tau_;
  std::int64_t done_ = 0;
};

}  // namespace

AlgorithmDef cooling_ssgd() {
  AlgorithmDef def;
  def.id = "cooling_ssgd";
  def.title = "Cooling SSGD";
  def.summary = "Synchronous SGD whose rate falls as 1 / (1 + t / tau).";
  def.reference = "H. Robbins and S. Monro, A Stochastic Approximation Method, 1951";
  def.topology = Topology::kAggregated;
  def.statistics = Statistics::kAveraged;
  def.overlaps = true;  // the gradient goes to one exchange as it is
  def.params = {realParam("learning_rate", 0.05, 0, std::nullopt, "Step size of the first round."),
                realParam("tau", 200, 1, std::nullopt, "Rounds after which the rate has halved.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<CoolingWorker>(params); };
  return def;
}

}  // namespace paceline
