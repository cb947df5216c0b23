// Robust SSGD: synchronous SGD whose servers combine gradients by a rule that a few arbitrary ones do not move far.
// w -= lr * rule(g_1 ... g_N). median and trimmed_mean by coordinate (without the b largest and b smallest): Yin et al. 2018, "Byzantine-Robust Distributed Learning: Towards
// Optimal Statistical Rates"; krum: the gradient whose N - b - 2 nearest others are nearest in sum, multi_krum: the mean of the N - b best ones: Blanchard et al. 2017,
// "Machine Learning with Adversaries: Byzantine Tolerant Gradient Descent". trimmed_mean with b = 0 is SSGD, to the last bit.
// The document's clipping bounds each gradient; its momentum is the same on every worker. Batch-norm statistics are combined with the gradient.
// On the wire per round: every element once to the servers and once back, and the rule with each shard. Krum needs distances of whole gradients: each shard's server keeps the
// contributions and answers N x N numbers, workers add them up over the shards and name the ranks, alike on all; a second answer is the mean of those.
// Nothing overlaps (wire.overlap): Krum needs the whole gradient first. Aggregations without a server are refused: nobody has the contributions one by one there.
#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/combining.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

using aggregators::Combining;

class RobustSsgdWorker final : public WorkerAlgorithm {
 public:
  explicit RobustSsgdWorker(const Params& params) : rate_(params.real("learning_rate")), rule_(params.text("rule")), byzantine_(static_cast<int>(params.integer("byzantine"))) {}

  void start(WorkerContext& ctx) override {
    const int least = 2 * byzantine_ + (krum() ? 3 : 1);
    if (byzantine_ > 0 && ctx.world() < least) throw Error(Errc::kSpec, strCat("robust_ssgd: ", rule_, " against ", byzantine_, byzantine_ == 1 ? " Byzantine worker" : " Byzantine workers", " needs at least ", least, " workers; there are ", ctx.world()));
    constexpr int kMost = sizeof(Real) == 8 ? 362 : 512;  // N x N distances are one message
    if (krum() && ctx.world() > kMost) throw Error(Errc::kSpec, strCat("robust_ssgd: ", rule_, " is for at most ", kMost, " workers; there are ", ctx.world()));
  }

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    if (krum()) {
      const std::vector<int> ranks = aggregators::krum(ctx.distances(g), byzantine_, rule_ == "krum" ? 1 : ctx.world() - byzantine_);
      ctx.aggregate(g, {.how = Combining::kKept, .numbers = ranks}, false);
    } else if (rule_ == "median") {
      ctx.aggregate(g, {.how = Combining::kMedian});
    } else {
      ctx.aggregate(g, {.how = Combining::kTrimmedMean, .numbers = {byzantine_}});
    }
    ctx.applyGradient(ctx.learningRate(rate_), g);
  }

 private:
  bool krum() const { return rule_ == "krum" || rule_ == "multi_krum"; }

  double rate_;
  std::string rule_;
  int byzantine_;
};

}  // namespace

AlgorithmDef robust_ssgd() {
  AlgorithmDef def;
  def.id = "robust_ssgd";
  def.title = "Robust SSGD";
  def.summary = "Synchronous SGD by the median, trimmed mean or Krum's choice of the gradients: a few wrong workers do not spoil it.";
  def.reference = "D. Yin et al., Byzantine-Robust Distributed Learning: Towards Optimal Statistical Rates, ICML 2018";
  def.topology = Topology::kAggregated;
  def.statistics = Statistics::kAveraged;
  def.combines = true;
  def.needsTwoMore = {.param = "rule", .values = {"krum", "multi_krum"}};
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size on the combined gradient."),
                worded(choiceParam("rule", "median", {"median", "trimmed_mean", "krum", "multi_krum"},
                                   "How servers combine gradients: by coordinate the median, or the mean without the largest and smallest; the gradient that is nearest to the others, or the mean of the nearest."),
                       {"median", "trimmed mean", "Krum", "multi-Krum"}),
                limited(integerParam({"byzantine", "Byzantine workers"}, 0, 0, 1e6, "Workers that may send anything: so many values a coordinate are left out at either end, and Krum looks at so many fewer neighbours."),
                        Limit::kMinority)};
  def.makeWorker = [](const Params& params) { return std::make_unique<RobustSsgdWorker>(params); };
  return def;
}

}  // namespace paceline
