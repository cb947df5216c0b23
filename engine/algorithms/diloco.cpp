// DiLoCo: many local steps by one optimizer, then one step by another on the workers' mean change, which has a Nesterov momentum of its own.
// w_i -= inner step, H times; d = mean(w - w_i); u = mu u + d; w -= eta (d + mu u). Douillard et al. 2023, "DiLoCo: Distributed Low-Communication Training of Language
// Models" (arXiv 2311.08105): inner AdamW, H = 500, eta = 0.7, mu = 0.9. The inner optimizer is the document's, with its schedule; what it remembers is a worker's own and
// outlives the averaging, as published. With one plain local step, eta = 1 and mu = 0 it is SSGD.
// On the wire per round: every element once to the aggregation and once back. Batch-norm statistics are averaged as they are. Nothing overlaps (wire.overlap): the change
// is there after the last step only.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "engine/core/base/vec.h"

namespace paceline {
namespace {

class DilocoWorker final : public WorkerAlgorithm {
 public:
  explicit DilocoWorker(const Params& params)
      : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")), outerRate_(static_cast<Real>(params.real("outer_lr"))), momentum_(static_cast<Real>(params.real("outer_momentum"))) {}

  void start(WorkerContext& ctx) override { velocity_ = Owned<Real>::zeros(ctx.parameters()); }

  void round(WorkerContext& ctx) override {
    round_.begin(ctx);
    round_.steps(ctx, ctx.learningRate(rate_), steps_);
    const std::span<Real> change = round_.meanChange(ctx);  // -d
    outerStep(change);
    setTrainable(ctx.blocks(), ctx.parameters(), round_.base(), outerRate_, change);
  }

  void state(Archive& archive, const StateSizes& sizes) override { archive.fixed("outer_velocity", velocity_.values(), sizes.parameters); }

 private:
  // u = mu u + change; change += mu u.
  void outerStep(std::span<Real> change) {
    if (isHollow(change)) return;
    const std::span<Real> u = velocity_;
    for (std::size_t i = 0; i < change.size(); ++i) {
      u[i] = momentum_ * u[i] + change[i];
      change[i] += momentum_ * u[i];
    }
  }

  double rate_;
  std::int64_t steps_;
  Real outerRate_, momentum_;
  LocalRound round_;
  Owned<Real> velocity_;  // u, of changes: points downhill
};

}  // namespace

AlgorithmDef diloco() {
  AlgorithmDef def;
  def.id = "diloco";
  def.title = "DiLoCo";
  def.summary = "Many local steps between two exchanges, then an outer step with Nesterov momentum on the mean change.";
  def.reference = "A. Douillard et al., DiLoCo: Distributed Low-Communication Training of Language Models, 2023";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 50, 1, 1e9, "Local steps between two exchanges. Published: 500."),
                realParam({"outer_lr", "Outer learning rate"}, 0.7, 0, std::nullopt, "Step size on the mean change of a round."),
                realParam({"outer_momentum", "Outer momentum"}, 0.9, 0, 0.9999, "Nesterov momentum of the outer steps.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<DilocoWorker>(params); };
  return def;
}

}  // namespace paceline
