#include "engine/algorithms/context/round_norms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace paceline {
namespace {

constexpr std::size_t kLanes = 4;  // sums side by side: one addition need not wait for the one before
using Lanes = std::array<double, kLanes>;

double sumOf(const Lanes& lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

double squaresOf(std::span<const Real> values) {
  Lanes sums{};
  const auto add = [&](std::size_t lane, std::size_t i) { sums[lane] += static_cast<double>(values[i]) * static_cast<double>(values[i]); };
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, i + lane);
  for (; i < values.size(); ++i) add(0, i);
  return sumOf(sums);
}

// Of u = before - after and g: u u, g g and u g, in one pass over memory.
struct Products {
  double update = 0, gradient = 0, both = 0;
  Products& operator+=(const Products& other) {
    update += other.update, gradient += other.gradient, both += other.both;
    return *this;
  }
};

Products productsOf(std::span<const Real> before, std::span<const Real> after, std::span<const Real> gradient) {
  Lanes updates{}, gradients{}, both{};
  const auto add = [&](std::size_t lane, std::size_t i) {
    const auto u = static_cast<double>(before[i] - after[i]), g = static_cast<double>(gradient[i]);
    updates[lane] += u * u, gradients[lane] += g * g, both[lane] += u * g;
  };
  std::size_t i = 0;
  for (; i + kLanes <= before.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, i + lane);
  for (; i < before.size(); ++i) add(0, i);
  return {.update = sumOf(updates), .gradient = sumOf(gradients), .both = sumOf(both)};
}

}  // namespace

RoundNorms::RoundNorms(const RecordPlan& plan, std::span<const Block> blocks) : plan_(plan), blocks_(blocks), squares_(blocks.size()), blockNorms_(blocks.size()) {}

void RoundNorms::plan(std::int64_t round) { planned_ = plan_.normsEveryRounds > 0 && round % plan_.normsEveryRounds == 0; }

void RoundNorms::begin(std::span<const Real> w) {
  if (!planned_ || isHollow(w)) return;
  planned_ = false, open_ = true;
  steps_ = 0, norms_ = 0;
  std::ranges::fill(blockNorms_, 0.0);
  before_.assign(w.begin(), w.end());
}

void RoundNorms::take(std::size_t block, std::span<const Real> gradient) {
  if (!open_ || !blocks_[block].trainable) return;
  const std::span<const Real> part = gradient.subspan(blocks_[block].offset, blocks_[block].size);
  squares_[block] = squaresOf(part);
  sum_.resize(gradient.size());
  const auto sum = sum_.begin() + static_cast<std::ptrdiff_t>(blocks_[block].offset);
  if (steps_ == 0) std::copy(part.begin(), part.end(), sum);
  else std::transform(part.begin(), part.end(), sum, sum, std::plus<>());
}

void RoundNorms::endStep() {
  if (!open_) return;
  ++steps_;
  norms_ += std::sqrt(std::accumulate(squares_.begin(), squares_.end(), 0.0));
  for (std::size_t block = 0; block < squares_.size(); ++block) blockNorms_[block] += std::sqrt(squares_[block]);
}

void RoundNorms::end(std::span<const Real> w, std::map<std::string, double>& metrics) {
  if (!open_) return;
  open_ = false;
  if (steps_ == 0) sum_.assign(w.size(), Real{0});  // a round without steps has no gradient
  const auto tell = [&](const std::string& part, double gradientNorm, const Products& of) {
    if (steps_ > 0) metrics[kGradientNorm + part] = gradientNorm / static_cast<double>(steps_);
    metrics[kUpdateNorm + part] = std::sqrt(of.update);
    const double lengths = std::sqrt(of.gradient) * std::sqrt(of.update);
    if (lengths > 0) metrics[kGradientCosine + part] = std::clamp(of.both / lengths, -1.0, 1.0);
  };
  Products all;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (!block.trainable) continue;
    const auto partOf = [&block](std::span<const Real> whole) { return whole.subspan(block.offset, block.size); };
    const Products part = productsOf(partOf(before_), partOf(w), partOf(sum_));
    all += part;
    if (plan_.perLayer) tell("." + block.name, blockNorms_[i], part);
  }
  tell("", norms_, all);
}

}  // namespace paceline
