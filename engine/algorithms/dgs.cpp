// DGS: both ways sparse, with a momentum that needs no second vector (SAMomentum).
//   u += lr * g;  send the largest u of every layer;  u = m * u where sent.
// An entry that waits adds up plain gradients; one that is sent goes on like momentum SGD: u = (sent last time ? m * u : u) + lr * g.
// Published code keeps u where sent and divides it by m elsewhere, which is the same but for m = 0. The server answers with the largest
// entries of what the worker lacks (sparse_push.h). Yan et al., "Dual-Way Gradient Sparsification for Asynchronous Distributed Deep
// Learning", ICPP 2020. The kept part follows the learning rate as published (0.01 * lr / lr_0 up, 0.01 down), or is fixed. The
// published momenta shrink as workers grow: 0.7 at 4, 0.45 at 16, 0.3 at 32. Bytes: see sparse_push.h. Batch-norm statistics stay local.
#include <algorithm>

#include "engine/algorithms/exchange/sparse_push.h"

namespace paceline {
namespace {

class DgsWorker final : public WorkerAlgorithm {
 public:
  explicit DgsWorker(const Params& params)
      : rate_(params.real("learning_rate")),
        fraction_(params.real("kept_fraction")),
        momentum_(static_cast<Real>(params.real("momentum"))),
        followsRate_(params.text("fraction_follows") == "learning_rate"),
        push_(params) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    const Real rate = static_cast<Real>(ctx.learningRate(rate_));
    for (Real& x : g) x *= rate;
    const double fraction = followsRate_ ? std::min(1.0, fraction_ * ctx.scheduleFactor()) : fraction_;
    const codecs::SparseVector& sent = push_.exchange(ctx, g, fraction);
    const std::span<Real> u = push_.residual();  // 0 where sent, or the rest of the rounding, which waits like anything unsent
    for (std::size_t i = 0; i < sent.indices.size(); ++i) u[sent.indices[i]] += momentum_ * sent.values[i];
  }

  void state(Archive& archive, const StateSizes& sizes) override { push_.state(archive, "velocity", sizes.parameters); }

 private:
  double rate_, fraction_;
  Real momentum_;
  bool followsRate_;
  exchange::SparsePush push_;
};

}  // namespace

AlgorithmDef dgs() {
  AlgorithmDef def = exchange::sparseDef(
      "dgs", 0.01,
      {realParam("momentum", 0.7, 0, 0.999, "SAMomentum: what is left of an entry when it has been sent."),
       advanced(choiceParam({"fraction_follows", "Kept part follows"}, "learning_rate", {"learning_rate", "nothing"},
                   "Whether the kept part falls with the learning-rate schedule, as published, or stays."))},
      "fp16");
  def.owed = {"velocity"};
  def.title = "DGS";
  def.summary = "Dual-way gradient sparsification: the largest entries go up, the largest of what a worker lacks come down.";
  def.reference = "Z. Yan et al., Dual-Way Gradient Sparsification for Asynchronous Distributed Deep Learning, ICPP 2020";
  def.makeWorker = [](const Params& params) { return std::make_unique<DgsWorker>(params); };
  return def;
}

}  // namespace paceline
