// Decentralised SGD: w_i <- w_i - lr g_i, then where edges exchange w_i <- sum_j W_ij w_j. X. Lian et al., "Can Decentralized Algorithms
// Outperform Centralized Algorithms?", NIPS 2017. Here a worker steps first and averages after the step; the paper's D-PSGD computes the gradient
// at w_i, averages, and steps from the average: w_i <- sum_j W_ij w_j - lr g_i. W over the edges that exchange at the step:
//   metropolis    W_ij = 1/(1 + max(d_i, d_j)): symmetric, so the mean over the workers follows SGD on the mean gradient on every graph
//   uniform       W_ij = 1/(1 + d_i): doubly stochastic on regular graphs only
//   as_published  what ECL's baseline runs: after every local step w_i <- (w_i + sum_j c_ij)/(1 + E_i) with c_ij the copy of w_j received
//                 last; exchanges only renew the copies, which are sent after the average.
// Batch-norm statistics are part of the averaged vector. On the wire: one vector per exchange each way (neighbours.h).
// Nothing overlaps (wire.overlap): a worker takes what its neighbours send at its step boundary alone, so a block that left earlier would wait there.
#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/exchange/neighbours.h"
#include "engine/core/base/vec.h"

namespace paceline {
namespace {

class DSgdWorker final : public WorkerAlgorithm {
 public:
  explicit DSgdWorker(const Params& params)
      : rate_(params.real("learning_rate")),
        uniform_(params.text("mixing") == "uniform"),
        keepsCopies_(params.text("mixing") == "as_published"),
        plan_(exchange::exchangePlanOf(params)) {}

  void start(WorkerContext& ctx) override {
    copies_.resize(keepsCopies_ ? ctx.neighbourhood().neighbours.size() : 0);
    for (Owned<Real>& copy : copies_) copy.assign(ctx.parameters());
  }

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    const std::span<Real> w = ctx.parameters();
    ctx.applyGradient(ctx.learningRate(rate_), g);
    if (keepsCopies_) averageWithCopies(w);
    ctx.exchange(
        plan_, [&](std::size_t, std::span<Real> message) { copyValues<Real>(w, message); },
        [&](const exchange::Crossing& crossing) {
          if (keepsCopies_)
            copies_[crossing.neighbour].assign(crossing.received);
          else
            exchange::mix(w, crossing, uniform_ ? static_cast<Real>(1 / (1 + crossing.ownContacts)) : exchange::metropolisWeight(crossing));
        });
  }

  void state(Archive& archive, const StateSizes& sizes) override {
    exchange::archiveEach(archive, {"copies", "copy "}, copies_, keepsCopies_ ? sizes.neighbours : 0, sizes.parameters);
  }

 private:
  void averageWithCopies(std::span<Real> w) const {
    const Real scale = 1 / static_cast<Real>(copies_.size() + 1);
    for (const Owned<Real>& copy : copies_) addScaled(w, Real{1}, copy.span());
    scaleBy(w, scale);
  }

  double rate_;
  bool uniform_, keepsCopies_;
  exchange::ExchangePlan plan_;
  std::vector<Owned<Real>> copies_;  // by neighbour, as received last
};

}  // namespace

AlgorithmDef d_sgd() {
  AlgorithmDef def;
  def.id = "d_sgd";
  def.title = "D-SGD";
  def.summary = "Decentralised SGD: local steps, and averages with the neighbours where edges exchange.";
  def.reference = "X. Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017";
  def.topology = Topology::kDecentralised;
  def.statistics = Statistics::kAveraged;
  def.densePushes = false;
  def.params = exchange::withExchangeParams(
      {realParam("learning_rate", 0.02, 0, std::nullopt, "Step size of the local steps."),
       choiceParam("mixing", "metropolis", {"metropolis", "uniform", "as_published"},
                   "Metropolis weights, averaged at exchanges (the method of the papers on any graph); uniform weights 1/(1 + neighbours); as_published "
                   "averages stale copies at every step as ECL's program does: that, and its evaluation inside the training loop, is where the "
                   "published gap to PDMM-ISVR comes from.")});
  def.makeWorker = [](const Params& params) { return std::make_unique<DSgdWorker>(params); };
  return def;
}

}  // namespace paceline
