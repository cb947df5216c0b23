// SlowMo: local SGD whose averages have a slow momentum.
// w_i -= gamma g_i, k times; u = beta u + (w - mean(w_i)) / gamma; w -= alpha gamma u. Wang et al. 2019, "SlowMo: Improving Communication-Efficient Distributed SGD
// with Slow Momentum" (arXiv 1910.00643). gamma is the round's rate, the schedule's factor included. With beta = 0 and alpha = 1 it is local SGD. What the local optimizer
// remembers is a worker's own and outlives the averaging: the paper's "maintain".
// On the wire per round: every element once to the aggregation and once back. Batch-norm statistics are averaged as they are. Nothing overlaps (wire.overlap): the change
// is there after the last step only.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "engine/core/base/vec.h"

namespace paceline {
namespace {

class SlowmoWorker final : public WorkerAlgorithm {
 public:
  explicit SlowmoWorker(const Params& params)
      : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")), slowRate_(params.real("slow_lr")), momentum_(static_cast<Real>(params.real("slow_momentum"))) {}

  void start(WorkerContext& ctx) override { velocity_ = Owned<Real>::zeros(ctx.parameters()); }

  void round(WorkerContext& ctx) override {
    const double gamma = ctx.learningRate(rate_);
    round_.begin(ctx);
    round_.steps(ctx, gamma, steps_);
    const std::span<Real> change = round_.meanChange(ctx), u = velocity_;
    if (gamma == 0) return;  // nothing moved
    if (!isHollow(change))
      for (std::size_t i = 0; i < change.size(); ++i) u[i] = momentum_ * u[i] - change[i] / static_cast<Real>(gamma);
    setTrainable(ctx.blocks(), ctx.parameters(), round_.base(), -static_cast<Real>(slowRate_ * gamma), u);
  }

  void state(Archive& archive, const StateSizes& sizes) override { archive.fixed("slow_velocity", velocity_.values(), sizes.parameters); }

 private:
  double rate_;
  std::int64_t steps_;
  double slowRate_;
  Real momentum_;
  LocalRound round_;
  Owned<Real> velocity_;
};

}  // namespace

AlgorithmDef slowmo() {
  AlgorithmDef def;
  def.id = "slowmo";
  def.title = "SlowMo";
  def.summary = "Local SGD whose averages have a slow momentum.";
  def.reference = "J. Wang et al., SlowMo: Improving Communication-Efficient Distributed SGD with Slow Momentum, ICLR 2020";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 12, 1, 1e9, "Local steps between two averagings."),
                realParam({"slow_lr", "Slow learning rate"}, 1, 0, std::nullopt, "Step size of the slow momentum, in units of the local one."),
                realParam({"slow_momentum", "Slow momentum"}, 0.7, 0, 0.9999, "What a round keeps of the slow velocity; 0 is local SGD.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<SlowmoWorker>(params); };
  return def;
}

}  // namespace paceline
