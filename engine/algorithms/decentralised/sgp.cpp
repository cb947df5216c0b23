// SGP, stochastic gradient push: a worker gives shares of its parameters to those ahead of it, who need not give any back. M. Assran, N. Loizou, N. Ballas,
// M. Rabbat, "Stochastic Gradient Push for Distributed Deep Learning", ICML 2019. Of worker i, with weight o_i = 1 and x_i = z_i at first:
//
//   x_i <- x_i - lr g_i(z_i)
//   x_i <- sum_j p_ij x_j,   o_i <- sum_j p_ij o_j     over itself and those that send to it
//   z_i  = x_i / o_i                                   the parameters that it trains and is evaluated with
//
// p_ji = 1/(1 + d_i) for itself and the d_i neighbours to whom i sends at this step: what a worker gives away adds up to what it had, so the sums of x and o over
// the workers stay what they were, whatever the graph. Where also as much comes in (complete graph, directed exponential graph) all o are 1 and z is
// x: decentralised SGD. Elsewhere x alone would drift to those to whom much is sent; o drifts with it, and z does not.
// Who sends to whom: along arrows (topologies.h), one neighbour a step on the directed exponential graph, as in the paper. What was on its way to or from a
// worker that is lost is lost from both sums alike.
// Batch-norm statistics are part of x. `push_sum_weight` is recorded: o after the round. On the wire: one vector per arrow and o (neighbours.h).
// Nothing overlaps (wire.overlap), as in d_sgd.cpp: vectors are taken at the step boundary.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/exchange/neighbours.h"
#include "engine/core/base/vec.h"

namespace paceline {
namespace {

class SgpWorker final : public WorkerAlgorithm {
 public:
  explicit SgpWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    const std::span<Real> x = ctx.parameters();
    scaleBy(x, static_cast<Real>(weight_));  // z to x
    ctx.applyGradient(ctx.learningRate(rate_), g);
    const Real share = 1 / static_cast<Real>(1 + ctx.leaving());
    scaleBy(x, share);
    weight_ *= static_cast<double>(share);
    ctx.push(weight_, [&](std::size_t, std::span<Real> message) { copyValues<Real>(x, message); },
             [&](std::span<const Real> received, double weight) {
               addScaled(x, Real{1}, received);
               weight_ += weight;
             });
    scaleBy(x, static_cast<Real>(1 / weight_));
    if (!isHollow(x)) ctx.record("push_sum_weight", weight_);
  }

  void state(Archive& archive, const StateSizes&) override { archive.number("weight", weight_); }

 private:
  double rate_;
  double weight_ = 1;
};

}  // namespace

AlgorithmDef sgp() {
  AlgorithmDef def;
  def.id = "sgp";
  def.title = "SGP";
  def.summary = "Decentralised: each worker pushes shares of its parameters one way, and a weight with them that takes out the graph's bias.";
  def.reference = "M. Assran et al., Stochastic Gradient Push for Distributed Deep Learning, ICML 2019";
  def.topology = Topology::kDecentralised;
  def.statistics = Statistics::kAveraged;
  def.densePushes = false;
  def.oneWay = true;
  def.params = {realParam("learning_rate", 0.02, 0, std::nullopt, "Step size of the local steps.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<SgpWorker>(params); };
  return def;
}

}  // namespace paceline
