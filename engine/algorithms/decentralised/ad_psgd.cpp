// AD-PSGD: whoever has a gradient averages with one neighbour and goes on; nobody waits. X. Lian, W. Zhang, C. Zhang, J. Liu, "Asynchronous
// Decentralized Parallel Stochastic Gradient Descent", ICML 2018. A worker's step k:
//
//   g      the gradient at w_i
//   w_i, w_j <- (w_i + w_j)/2     with one random neighbour j, both at once
//   w_i    <- w_i - lr g          so g is of parameters before the average
//
// Workers are active or passive (the paper's bipartite graph, topologies.h): active ones begin averages, with passive ones, and have at most one under way; passive
// ones answer. So nobody waits for who waits for him, and w_i changes between an active worker's question and its answer by its own steps alone: adding
// (w_j - w_i)/2 of the two vectors that crossed is the paper's average. The mean over all workers follows SGD on the mean of the workers' gradients.
// Two things differ from the paper, whose workers average in a thread of their own: vectors are taken at step boundaries, so a passive worker answers at its
// next one; and an active worker that has no answer yet takes its next step without an average. Of equally fast workers it averages at every second step.
// Batch-norm statistics are part of the averaged vector. On the wire: one vector each way per average (neighbours.h).
// Nothing overlaps (wire.overlap), as in d_sgd.cpp: vectors are taken at the step boundary.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/exchange/neighbours.h"

namespace paceline {
namespace {

class AdPsgdWorker final : public WorkerAlgorithm {
 public:
  explicit AdPsgdWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    const std::span<Real> w = ctx.parameters();
    ctx.exchange({.synchronous = false, .onePartner = true}, [&](std::size_t, std::span<Real> message) { copyValues<Real>(w, message); },
                 [&](const exchange::Crossing& crossing) { exchange::mix(w, crossing, Real{1} / 2); });
    ctx.applyGradient(ctx.learningRate(rate_), g);
  }

 private:
  double rate_;
};

}  // namespace

AlgorithmDef ad_psgd() {
  AlgorithmDef def;
  def.id = "ad_psgd";
  def.title = "AD-PSGD";
  def.summary = "Decentralised and asynchronous: each worker averages with one random neighbour at a time, and nobody waits.";
  def.reference = "X. Lian et al., Asynchronous Decentralized Parallel Stochastic Gradient Descent, ICML 2018";
  def.topology = Topology::kDecentralised;
  def.synchronous = false;
  def.statistics = Statistics::kAveraged;
  def.densePushes = false;
  def.params = {realParam("learning_rate", 0.02, 0, std::nullopt, "Step size of the local steps.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<AdPsgdWorker>(params); };
  return def;
}

}  // namespace paceline
