// Gradient dropping: a push sends the largest entries of what has piled up since they were last sent; the rest waits.
//   v += lr * g;  send the largest v of every layer;  v = 0 where sent: error feedback with v as residual.
// Aji & Heafield 2017, "Sparse Communication for Distributed Gradient Descent", per layer as in the published comparison of DGS. Bytes: see
// sparse_push.h. Batch-norm statistics stay local. What was sent plus v is the sum of lr * g, always. Published code keeps one entry
// less per layer than it says, so that layers of one kept entry are never sent; here exactly k are.
#include "engine/algorithms/exchange/sparse_push.h"

namespace paceline {
namespace {

class GradientDroppingWorker final : public WorkerAlgorithm {
 public:
  explicit GradientDroppingWorker(const Params& params)
      : rate_(params.real("learning_rate")), fraction_(params.real("kept_fraction")), push_(params) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    const Real rate = static_cast<Real>(ctx.learningRate(rate_));
    for (Real& x : g) x *= rate;
    push_.exchange(ctx, g, fraction_);
  }

  void state(Archive& archive, const StateSizes& sizes) override { push_.state(archive, "residual", sizes.parameters); }

 private:
  double rate_, fraction_;
  exchange::SparsePush push_;
};

}  // namespace

AlgorithmDef gradient_dropping() {
  AlgorithmDef def = exchange::sparseDef("gradient_dropping", 0.01, {});
  def.owed = {"residual"};
  def.title = "Gradient dropping";
  def.summary = "ASGD that sends the largest entries of every layer and lets the rest add up.";
  def.reference = "A. F. Aji and K. Heafield, Sparse Communication for Distributed Gradient Descent, EMNLP 2017";
  def.makeWorker = [](const Params& params) { return std::make_unique<GradientDroppingWorker>(params); };
  return def;
}

}  // namespace paceline
