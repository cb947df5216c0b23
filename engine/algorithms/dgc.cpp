// Deep gradient compression: gradient dropping of velocities instead of gradients, so that momentum is not lost with what waits.
//   g *= min(1, clip / sqrt(N) / |g|);  u = m * u + g (momentum correction);  v += u;  send the largest v of every layer;
//   v = 0 where sent, u = 0 too (momentum factor masking).  Server: w -= lr * sent.  v is the residual of error feedback on u.
// Lin et al. 2018, "Deep Gradient Compression", pushed asynchronously as in the published comparison of DGS. The kept part falls while it
// warms up, 25 % in the first stage, then a quarter of it in each (paper: a stage is an epoch; final part 0.1 %). Momentum 0, masking
// off, clip 0 and warm-up 0 switch each piece off. Everything kept: momentum SGD without masking, plain SGD with it (masking then
// clears all of u every round). Bytes: see sparse_push.h. Batch-norm statistics stay local.
#include <algorithm>
#include <cmath>

#include "engine/algorithms/context/optimizer.h"
#include "engine/algorithms/exchange/sparse_push.h"

namespace paceline {
namespace {

class DgcWorker final : public WorkerAlgorithm {
 public:
  explicit DgcWorker(const Params& params)
      : rate_(params.real("learning_rate")),
        fraction_(params.real("kept_fraction")),
        clip_(params.real("clip_norm")),
        momentum_(static_cast<Real>(params.real("momentum"))),
        masking_(params.boolean("factor_masking")),
        warmUp_(params.integer("warm_up_rounds")),
        push_(params) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    if (clip_ > 0) clipToNorm({.clipNorm = clip_ / std::sqrt(static_cast<double>(ctx.world()))}, ctx.blocks(), g);
    u_.resize(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) u_[i] = momentum_ * u_[i] + g[i];
    const codecs::SparseVector& sent = push_.exchange(ctx, u_, keptIn(ctx.round()), ctx.learningRate(rate_));
    if (!masking_) return;
    for (const std::uint32_t i : sent.indices) u_[i] = 0;
  }

  void state(Archive& archive, const StateSizes& sizes) override {
    archive.fixedOrNone("velocity", u_, sizes.parameters);
    push_.state(archive, "residual", sizes.parameters);
  }

 private:
  double keptIn(std::int64_t round) const {
    if (warmUp_ == 0) return fraction_;
    return std::max(fraction_, std::pow(0.25, static_cast<double>((round - 1) / warmUp_ + 1)));
  }

  double rate_, fraction_, clip_;
  Real momentum_;
  bool masking_;
  std::int64_t warmUp_;  // rounds of a stage
  exchange::SparsePush push_;
  std::vector<Real> u_;
};

}  // namespace

AlgorithmDef dgc() {
  AlgorithmDef def = exchange::sparseDef(
      "dgc", 0.001,
      {realParam("momentum", 0.9, 0, 0.999, "Of the velocity that piles up instead of the gradient; 0: no momentum correction."),
       advanced(booleanParam("factor_masking", true, "The velocity of what was sent starts at zero again, so that stale momentum does not push on.")),
       advanced(realParam({"clip_norm", "Clip to norm"}, 0, 0, std::nullopt, "Before it piles up, a gradient is scaled down to this norm / sqrt(workers); 0: never.")),
       advanced(integerParam({"warm_up_rounds", "Warm-up rounds"}, 100, 0, 1e15, "Rounds of a warm-up stage: 25 % kept, then a quarter of it each; 0: none. Paper: an epoch."))});
  def.owed = {"velocity", "residual"};
  def.title = "DGC";
  def.summary = "Deep gradient compression: velocities pile up and the largest are sent.";
  def.reference = "Y. Lin et al., Deep Gradient Compression, ICLR 2018";
  def.makeWorker = [](const Params& params) { return std::make_unique<DgcWorker>(params); };
  return def;
}

}  // namespace paceline
