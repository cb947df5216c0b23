#include "engine/algorithms/local_round.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/core/base/vec.h"

namespace paceline {
namespace {

void scale(std::span<Real> values, double factor) {
  if (isHollow(values)) return;
  for (Real& value : values) value *= static_cast<Real>(factor);
}

}  // namespace

int participants(double share, int world) {
  constexpr double kRounding = 1e-9;  // 0.6 of 5 are 3
  return std::clamp(static_cast<int>(std::ceil(share * world - kRounding)), 1, world);
}

bool takesPart(const WorkerContext& ctx, double share) {
  const int count = participants(share, ctx.world());
  if (count == ctx.world()) return true;
  std::vector<int> ranks(static_cast<std::size_t>(ctx.world()));
  std::iota(ranks.begin(), ranks.end(), 0);
  Rng rng = Rng::stream(ctx.seed(), "participation", static_cast<std::uint64_t>(ctx.round()));
  rng.shuffle(std::span(ranks));
  return std::ranges::find(ranks.begin(), ranks.begin() + count, ctx.rank()) != ranks.begin() + count;
}

ParamSpec participationParam() {
  return younger(realParam("participation", 1, 0.001, 1,
                           "Share of the workers that take part in a round, drawn anew in each; rounded up. The others wait, send no values and take the result. "
                           "Below 1 the aggregation must have a server."));
}

void LocalRound::mean(WorkerContext& ctx, std::span<Real> values, std::int32_t vector) const {
  if (participants(rules_.participation, ctx.world()) == ctx.world()) ctx.aggregateMean(values, vector);
  else ctx.aggregate(values, {.how = aggregators::Combining::kMean}, here_, vector);
}

void LocalRound::begin(WorkerContext& ctx) {
  base_.assign(ctx.parameters());
  here_ = takesPart(ctx, rules_.participation);
  counted_ = velocity_ = 0;
  if (rules_.normalised && here_) ctx.forgetSteps();
}

void LocalRound::step(WorkerContext& ctx, double rate) {
  const std::span<Real> g = ctx.gradient();
  const double mu = rules_.proximal;
  if (mu != 0) {
    addScaledTrainable(ctx.blocks(), g, static_cast<Real>(mu), ctx.parameters());
    addScaledTrainable(ctx.blocks(), g, -static_cast<Real>(mu), base_);
  }
  ctx.applyGradient(rate, g);
  const double one = 1 - rate * mu * counted_, momentum = ctx.optimizer().momentum;
  velocity_ = momentum * velocity_ + one;
  counted_ += ctx.optimizer().nesterov ? one + momentum * velocity_ : velocity_;
}

std::span<Real> LocalRound::change(WorkerContext& ctx) {
  const std::span<Real> w = ctx.parameters();
  if (change_.size() != w.size()) change_ = Owned<Real>::zeros(w);
  setTrainable(ctx.blocks(), change_, w, Real{-1}, base_);
  return change_;
}

std::span<Real> LocalRound::meanChange(WorkerContext& ctx) {
  const std::span<Real> changed = change(ctx);
  if (rules_.normalised && here_) scale(changed, 1 / counted_);
  mean(ctx, changed);
  if (!rules_.normalised) return changed;
  Real counted = static_cast<Real>(counted_);
  mean(ctx, {&counted, 1});
  scale(changed, static_cast<double>(counted));
  return changed;
}

std::int64_t stepsBySpeed(double ownSeconds, double fastestSeconds, std::int64_t most) {
  constexpr double kRounding = 1e-9;  // a worker that is as fast as the fastest takes as many steps
  const double steps = fastestSeconds / ownSeconds * static_cast<double>(most) * (1 + kRounding);
  return steps >= 1 ? std::min(most, static_cast<std::int64_t>(steps)) : 1;
}

// Each has a place of its own, the others add zero: the mean times their number is every worker's, exactly.
double fastestStep(WorkerContext& ctx, double ownSeconds) {
  std::vector<Real> all(static_cast<std::size_t>(ctx.world()));
  all[static_cast<std::size_t>(ctx.rank())] = static_cast<Real>(ownSeconds);
  ctx.aggregateMean(all, kExactVector);
  return static_cast<double>(*std::ranges::min_element(all)) * ctx.world();
}

}  // namespace paceline
