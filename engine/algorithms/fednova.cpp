// FedNova: workers take as many local steps as their speed allows, and their changes count per step.
// w += mean(a_i) mean((w_i - w) / a_i), a_i the number of local steps, or what momentum and proximal term make of it (local_round.h). Wang et al. 2020, "Tackling the
// Objective Inconsistency Problem in Heterogeneous Federated Optimization" (arXiv 2007.07481), with equal shares of the data. Where all take the same number of steps it is
// local SGD. The momentum of a round begins at zero, as published; other optimizers have no a_i.
// On the wire per round: every element once to the aggregation and once back, and one number more, nothing but headers from who does not take part (local_round.h);
// once at the start a number a worker: who is how fast. Batch-norm statistics are averaged as they are. Nothing overlaps (wire.overlap): the change is there after the last step only.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

class FednovaWorker final : public WorkerAlgorithm {
 public:
  explicit FednovaWorker(const Params& params)
      : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")), bySpeed_(params.boolean("by_speed")),
        round_({.proximal = params.real("proximal"), .normalised = true, .participation = params.real("participation")}) {}

  void start(WorkerContext& ctx) override {
    if (!bySpeed_) return;
    const double own = ctx.warmUpStep();
    steps_ = stepsBySpeed(own, fastestStep(ctx, own), steps_);
    ctx.note(strCat(steps_, " local steps a round: a warm-up step took ", own, " s"));
  }

  void round(WorkerContext& ctx) override {
    round_.begin(ctx);
    round_.steps(ctx, ctx.learningRate(rate_), steps_);
    const std::span<Real> change = round_.meanChange(ctx);
    setTrainable(ctx.blocks(), ctx.parameters(), round_.base(), Real{1}, change);
  }

  void state(Archive& archive, const StateSizes&) override {
    archive.number("local_steps", steps_);
    if (steps_ < 1) throw Error(Errc::kFormat, strCat("\"local_steps\" in the checkpoint is ", steps_));
  }

 private:
  double rate_;
  std::int64_t steps_;  // of this worker
  bool bySpeed_;
  LocalRound round_;
};

}  // namespace

AlgorithmDef fednova() {
  AlgorithmDef def;
  def.id = "fednova";
  def.title = "FedNova";
  def.summary = "Fast workers take more local steps; changes count per step, so that none pulls the model to its own optimum.";
  def.reference = "J. Wang et al., Tackling the Objective Inconsistency Problem in Heterogeneous Federated Optimization, NeurIPS 2020";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.own = {"local_steps"};
  def.statistics = Statistics::kAveraged;
  def.adaptive = false;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 8, 1, 1e9, "Local steps of the fastest worker between two averagings."),
                booleanParam("by_speed", true, "Slower workers take fewer steps, measured by a warm-up step. No: all take the same number, which is local SGD."),
                realParam({"proximal", "Proximal term (mu)"}, 0, 0, std::nullopt, "FedProx' pull to where the round began; 0: none."),
                participationParam()};
  def.partialBy = "participation";
  def.makeWorker = [](const Params& params) { return std::make_unique<FednovaWorker>(params); };
  return def;
}

}  // namespace paceline
