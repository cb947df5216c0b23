// SCAFFOLD: local steps corrected by what the worker's gradients differ from everybody's.
// y -= eta (g - c_i + c), K times from y = x; c_i' = c_i - c + (x - y) / (K eta); x += eta_g mean(y - x); c += |S|/N mean(c_i' - c_i), means over the set S of those who take part (local_round.h). Karimireddy et al. 2020, "SCAFFOLD:
// Stochastic Controlled Averaging for Federated Learning" (its option II). With the controls frozen at zero and eta_g = 1 it is local SGD; with
// K = 1 SSGD, because the corrections of a step cancel in the mean. The paper's steps are plain SGD, so there is no other optimizer.
// On the wire per round: every element twice to the aggregation and twice back; nothing but headers from who does not take part. Batch-norm statistics are averaged as they are. Nothing overlaps (wire.overlap): the
// change is there after the last step only.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "engine/core/base/vec.h"

namespace paceline {
namespace {

class ScaffoldWorker final : public WorkerAlgorithm {
 public:
  explicit ScaffoldWorker(const Params& params)
      : rate_(params.real("learning_rate")), steps_(params.integer("local_steps")), globalRate_(static_cast<Real>(params.real("global_lr"))), frozen_(params.boolean("frozen")),
        participation_(params.real("participation")), round_({.participation = participation_}) {}

  void start(WorkerContext& ctx) override { own_ = Owned<Real>::zeros(ctx.parameters()), all_ = own_; }

  void round(WorkerContext& ctx) override {
    const double rate = ctx.learningRate(rate_);
    const std::span<const Block> blocks = ctx.blocks();
    const std::span<Real> w = ctx.parameters();
    round_.begin(ctx);
    for (std::int64_t k = 0; round_.here() && k < steps_; ++k) {
      const std::span<Real> g = ctx.gradient();
      addScaledTrainable(blocks, g, Real{-1}, own_);
      addScaledTrainable(blocks, g, Real{1}, all_);
      addScaledTrainable(blocks, w, -static_cast<Real>(rate), g);
    }
    if (!frozen_ && rate > 0) exchangeControls(ctx, rate);
    const std::span<Real> change = round_.meanChange(ctx);
    setTrainable(blocks, w, round_.base(), globalRate_, change);
  }

  void state(Archive& archive, const StateSizes& sizes) override {
    archive.fixed("own_control", own_.values(), sizes.parameters);
    archive.fixed("control", all_.values(), sizes.parameters);
  }

 private:
  // Before the parameters' own mean: the statistics in them are still this worker's.
  void exchangeControls(WorkerContext& ctx, double rate) {
    const std::span<Real> moved = round_.change(ctx);
    moved_.assign(all_);  // -(c_i' - c_i) = c + (y - x) / (K eta)
    addScaledTrainable(ctx.blocks(), moved_, static_cast<Real>(1 / (rate * static_cast<double>(steps_))), moved);
    if (round_.here()) addScaledTrainable(ctx.blocks(), own_, Real{-1}, moved_);
    round_.mean(ctx, moved_, 1);
    const double share = static_cast<double>(participants(participation_, ctx.world())) / ctx.world();
    addScaledTrainable(ctx.blocks(), all_, -static_cast<Real>(share), moved_);
  }

  double rate_;
  std::int64_t steps_;
  Real globalRate_;
  bool frozen_;
  double participation_;
  LocalRound round_;
  Owned<Real> own_, all_, moved_;  // c_i, c
};

}  // namespace

AlgorithmDef scaffold() {
  AlgorithmDef def;
  def.id = "scaffold";
  def.title = "SCAFFOLD";
  def.summary = "Local steps corrected by how a worker's gradients differ from everybody's; two vectors a round.";
  def.reference = "S. P. Karimireddy et al., SCAFFOLD: Stochastic Controlled Averaging for Federated Learning, ICML 2020";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.owed = {"own_control"};  // as c_i begins
  def.statistics = Statistics::kAveraged;
  def.momentum = false;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of the local steps."),
                integerParam("local_steps", 4, 1, 1e9, "Local steps between two averagings."),
                realParam({"global_lr", "Global learning rate"}, 1.0, 0, std::nullopt, "Share of the workers' mean change that the global model takes."),
                advanced(booleanParam("frozen", false, "The corrections stay zero, which is local SGD.")),
                participationParam()};
  def.partialBy = "participation";
  def.makeWorker = [](const Params& params) { return std::make_unique<ScaffoldWorker>(params); };
  return def;
}

}  // namespace paceline
