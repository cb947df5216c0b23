// FedProx: local SGD whose local steps are pulled back to where the round began.
// w_i -= lr (g_i + mu (w_i - w)), k times; w = mean(w_i). Li et al. 2020, "Federated Optimization in Heterogeneous Networks" (arXiv 1812.06127). mu = 0 is local SGD.
// On the wire per round: every element once to the aggregation and once back; nothing but headers from who does not take part (local_round.h). Batch-norm statistics
// are averaged as they are; what the optimizer remembers is a worker's own and outlives the averaging. Nothing overlaps (wire.overlap): the change is there after the last step only.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"

namespace paceline {
namespace {

class FedproxWorker final : public WorkerAlgorithm {
 public:
  explicit FedproxWorker(const Params& params)
      : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")),
        round_({.proximal = params.real("proximal"), .participation = params.real("participation")}) {}

  void round(WorkerContext& ctx) override {
    round_.begin(ctx);
    round_.steps(ctx, ctx.learningRate(rate_), steps_);
    const std::span<Real> change = round_.meanChange(ctx);
    setTrainable(ctx.blocks(), ctx.parameters(), round_.base(), Real{1}, change);
  }

 private:
  double rate_;
  std::int64_t steps_;
  LocalRound round_;
};

}  // namespace

AlgorithmDef fedprox() {
  AlgorithmDef def;
  def.id = "fedprox";
  def.title = "FedProx";
  def.summary = "Local SGD whose local steps are pulled back to where the round began.";
  def.reference = "T. Li et al., Federated Optimization in Heterogeneous Networks, MLSys 2020";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 4, 1, 1e9, "Local steps between two averagings."),
                realParam({"proximal", "Proximal term (mu)"}, 0.01, 0, std::nullopt, "Strength of the pull; 0 is local SGD."),
                participationParam()};
  def.partialBy = "participation";
  def.makeWorker = [](const Params& params) { return std::make_unique<FedproxWorker>(params); };
  return def;
}

}  // namespace paceline
