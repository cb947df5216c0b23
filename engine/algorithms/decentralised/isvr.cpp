#include "engine/algorithms/decentralised/isvr.h"

#include <numeric>

#include "engine/algorithms/exchange/neighbours.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

class IsvrWorker final : public WorkerAlgorithm {
 public:
  explicit IsvrWorker(const Params& params)
      : rate_(params.real("learning_rate")),
        alpha_(static_cast<Real>(params.real("relaxation"))),
        stepSize_(params.text("step_size")),
        startsAtParameters_(params.text("start") == "parameters"),
        plan_(exchange::exchangePlanOf(params)) {}

  void start(WorkerContext& ctx) override {
    mean_ = Owned<Real>::zeros(ctx.parameters());
    if (startsAtParameters_) mean_.assign(ctx.parameters());
    u_.assign(ctx.neighbourhood().neighbours.size(), mean_);
    weigh(ctx.neighbourhood());
  }

  void round(WorkerContext& ctx) override {
    if (weights_.empty()) weigh(ctx.neighbourhood());  // after a resume
    const std::span<const Real> g = ctx.gradient();
    proximalStep(ctx, static_cast<Real>(ctx.learningRate(rate_)), g);
    bool crossed = false;
    const auto compose = [&](std::size_t j, std::span<Real> v) { composeFor(ctx, u_[j], v); };
    ctx.exchange(plan_, compose, [&](const exchange::Crossing& crossing) {
      replaceDual(ctx, crossing);
      crossed = true;
    });
    if (crossed) average();
  }

  void state(Archive& archive, const StateSizes& sizes) override {
    exchange::archiveEach(archive, {"neighbours", "dual "}, u_, sizes.neighbours, sizes.parameters);
    archive.fixed("mean_dual", mean_.values(), sizes.parameters);
  }

 private:
  void weigh(const exchange::Neighbourhood& hood) {
    weights_ = isvrWeights(stepSize_, hood);
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    theta_ = static_cast<Real>(sum / (1 + sum));
    for (double& weight : weights_) weight /= sum;
    if (weights_.empty()) weights_ = {0};  // alone: theta is 0, plain SGD
  }

  void proximalStep(WorkerContext& ctx, Real mu, std::span<const Real> g) const {
    const std::span<Real> w = ctx.parameters();
    if (isHollow(w)) return;
    const std::span<const Real> mean = mean_;
    for (const Block& block : ctx.blocks())
      for (std::size_t i = block.offset; block.trainable && i < block.offset + block.size; ++i)
        w[i] = (1 - theta_) * (w[i] - mu * g[i]) + theta_ * mean[i];
  }

  static void composeFor(WorkerContext& ctx, std::span<const Real> u, std::span<Real> v) {
    const std::span<const Real> w = ctx.parameters();
    for (std::size_t i = 0; i < w.size() && !isHollow(w); ++i) v[i] = 2 * w[i] - u[i];
    copyStatistics(ctx.blocks(), w, v);
  }

  void replaceDual(WorkerContext& ctx, const exchange::Crossing& crossing) {
    std::span<Real> u = u_[crossing.neighbour];
    for (const Block& block : ctx.blocks())
      for (std::size_t i = block.offset; block.trainable && !isHollow(u) && i < block.offset + block.size; ++i)
        u[i] = (1 - alpha_) * u[i] + alpha_ * crossing.received[i];
    exchange::mixStatistics(ctx.blocks(), ctx.parameters(), crossing, exchange::metropolisWeight(crossing));
  }

  // Summed anew, so that rounding does not pile up over a run.
  void average() {
    mean_ = Owned<Real>::zeros(mean_.span());
    for (std::size_t j = 0; j < u_.size(); ++j) addScaled(mean_.span(), static_cast<Real>(weights_[j]), std::as_const(u_[j]).span());
  }

  double rate_;
  Real alpha_;
  std::string stepSize_;
  bool startsAtParameters_;
  exchange::ExchangePlan plan_;
  std::vector<Owned<Real>> u_;    // by neighbour
  Owned<Real> mean_;              // of u_, weighted
  std::vector<double> weights_;       // sum to 1
  Real theta_ = 0;
};

}  // namespace

AlgorithmDef isvrDef(std::string id, double relaxation) {
  AlgorithmDef def;
  def.id = std::move(id);
  def.reference = "K. Niwa et al., Asynchronous Decentralized Optimization with Implicit Stochastic Variance Reduction, ICML 2021";
  def.topology = Topology::kDecentralised;
  def.statistics = Statistics::kAveraged;
  def.momentum = false;
  def.densePushes = false;
  def.needsLongEdges = {.param = "step_size", .values = {"paper", "common"}};  // they divide by every - 1
  def.params = exchange::withExchangeParams(
      {realParam("learning_rate", 0.02, 0, std::nullopt, "Step size mu of the local steps."),
       choiceParam("step_size", "common", {"paper", "published", "common"},
                   "How strongly a step is drawn to the neighbours: common (the same at both ends of an edge) reaches the optimum of the mean cost on "
                   "every graph; the paper's and the published program's weigh workers by their number of neighbours unless all have the same."),
       realParam("relaxation", relaxation, 0.01, 1, "alpha in u <- (1 - alpha) u + alpha v: 1 is PDMM, 1/2 is ADMM; smaller damps more."),
       advanced(choiceParam({"start", "Start of the duals"}, "zero", {"zero", "parameters"},
                   "The dual vectors' start: zero, as the paper has it, first draws the parameters towards 0; parameters starts at the fixed point of "
                   "no gradient, gentler on deep networks."))});
  def.makeWorker = [](const Params& params) { return std::make_unique<IsvrWorker>(params); };
  return def;
}

std::vector<double> isvrWeights(const std::string& stepSize, const exchange::Neighbourhood& hood) {
  const auto degree = static_cast<double>(hood.neighbours.size());
  std::vector<double> intervals;
  double rate = 0;  // exchanges per step
  for (std::size_t j = 0; j < hood.neighbours.size(); ++j) {
    intervals.push_back(hood.neighbours[j].slots.front().every);
    rate += 1 / intervals.back();
    if (stepSize != "published" && intervals.back() <= 1)
      throw Error(Errc::kSpec, strCat("step_size \"", stepSize, "\" divides by every - 1: the edge with \"", hood.ids[j],
                                      "\" must have an interval of at least 2 steps, got ", intervals.back()));
  }
  std::vector<double> weights;
  for (const double interval : intervals) {
    const double k = degree / rate;  // harmonic mean: exchanges per step are the same
    const double theta = stepSize == "paper" ? 1 / k : degree / (k * (degree + 1));
    weights.push_back(stepSize == "common" ? 1 / (hood.largestDegree * (interval - 1)) : theta / (1 - theta) / degree);
  }
  return weights;
}

}  // namespace paceline
