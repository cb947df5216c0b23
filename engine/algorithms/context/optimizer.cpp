#include "engine/algorithms/context/optimizer.h"

#include <algorithm>
#include <cmath>

#include "engine/core/base/error.h"

namespace paceline {

void addWeightDecay(const Optimizer& optimizer, std::span<const Block> blocks, std::span<const Real> w, std::span<Real> g) {
  if (optimizer.weightDecay == 0 || optimizer.decaysApart()) return;
  for (const Block& block : blocks)
    if (block.trainable && (optimizer.decayAll || block.decays))
      addScaled(g.subspan(block.offset, block.size), static_cast<Real>(optimizer.weightDecay), w.subspan(block.offset, block.size));
}

void clipToNorm(const Optimizer& optimizer, std::span<const Block> blocks, std::span<Real> g) {
  if (!optimizer.clipNorm || isHollow(g)) return;
  double squares = 0;
  for (const Block& block : blocks)
    if (block.trainable)
      for (const Real x : g.subspan(block.offset, block.size)) squares += static_cast<double>(x) * static_cast<double>(x);
  const double norm = std::sqrt(squares);
  if (!(norm > *optimizer.clipNorm)) return;  // a norm that is not a number is nothing to scale by
  const Real scale = static_cast<Real>(*optimizer.clipNorm / norm);
  for (const Block& block : blocks)
    if (block.trainable)
      for (Real& x : g.subspan(block.offset, block.size)) x *= scale;
}

// Each part has its share of each block. A step of 11 million values takes one thread 7 ms.
void addScaledTrainable(std::span<const Block> blocks, std::span<Real> y, Real a, std::span<const Real> x, Cores* helpers, int parts) {
  constexpr std::size_t kLong = std::size_t{1} << 20;
  if (helpers == nullptr || y.size() < kLong || isHollow(y)) return addScaledTrainable(blocks, y, a, x);
  const auto count = static_cast<std::size_t>(std::max(1, parts));
  inParts(helpers, count, [&](std::size_t part) {
    for (const Block& block : blocks) {
      if (!block.trainable) continue;
      const std::size_t begin = block.offset + block.size * part / count, end = block.offset + block.size * (part + 1) / count;
      addScaled(y.subspan(begin, end - begin), a, x.subspan(begin, end - begin));
    }
  });
}

Direction::Direction(const Optimizer& optimizer)
    : nesterov_(optimizer.nesterov),
      decayAll_(optimizer.decayAll),
      momentum_(static_cast<Real>(optimizer.momentum)),
      beta1_(static_cast<Real>(optimizer.beta1)),
      beta2_(static_cast<Real>(optimizer.beta2)),
      decay_(optimizer.decaysApart() ? static_cast<Real>(optimizer.weightDecay) : Real(0)) {
  if (optimizer.hasMoments()) kind_ = Kind::kAdam;
  else if (optimizer.id == "adagrad") kind_ = Kind::kAdagrad;
  else if (optimizer.momentum != 0) kind_ = Kind::kMomentum;
  epsilon_ = static_cast<Real>(optimizer.epsilon.value_or(kind_ == Kind::kAdagrad ? 1e-10 : 1e-8));
}

void Direction::turn(std::span<Real> g, std::span<const Real> w, std::span<const Block> blocks) {
  begin();
  if (blocks.empty()) turnPart(g, w, 0, g.size(), false);
  for (const Block& block : blocks)
    if (block.trainable) turnPart(g, w, block.offset, block.size, block.decays);
}

void Direction::turnPart(std::span<Real> g, std::span<const Real> w, std::size_t offset, std::size_t size, bool decays) {
  if (!turns() || isHollow(g)) return;
  const auto partOf = [&](std::vector<Real>& memory) {
    if (memory.empty()) memory.resize(g.size());
    PACELINE_CHECK(memory.size() == g.size(), "what an optimizer remembers belongs to one vector");
    return std::span(memory).subspan(offset, size);
  };
  const std::span<Real> part = g.subspan(offset, size);
  if (kind_ == Kind::kMomentum) return turnVelocity(part, partOf(velocity_));
  if (kind_ == Kind::kAdagrad) return turnSum(part, partOf(square_));
  turnMoments(part, partOf(velocity_), partOf(square_));
  if (decay_ != 0 && (decays || decayAll_)) addScaled<Real>(part, decay_, w.subspan(offset, size));
}

void Direction::turnVelocity(std::span<Real> g, std::span<Real> velocity) const {
  for (std::size_t i = 0; i < g.size(); ++i) {
    velocity[i] = momentum_ * velocity[i] + g[i];
    g[i] = nesterov_ ? g[i] + momentum_ * velocity[i] : velocity[i];
  }
}

void Direction::turnMoments(std::span<Real> g, std::span<Real> mean, std::span<Real> square) const {
  const auto t = static_cast<double>(steps_);
  const auto meanScale = static_cast<Real>(1 / (1 - std::pow(static_cast<double>(beta1_), t)));
  const auto rootScale = static_cast<Real>(1 / std::sqrt(1 - std::pow(static_cast<double>(beta2_), t)));
  for (std::size_t i = 0; i < g.size(); ++i) {
    mean[i] = beta1_ * mean[i] + (1 - beta1_) * g[i];
    square[i] = beta2_ * square[i] + (1 - beta2_) * g[i] * g[i];
    g[i] = mean[i] * meanScale / (std::sqrt(square[i]) * rootScale + epsilon_);
  }
}

void Direction::turnSum(std::span<Real> g, std::span<Real> square) const {
  for (std::size_t i = 0; i < g.size(); ++i) {
    square[i] += g[i] * g[i];
    g[i] /= std::sqrt(square[i]) + epsilon_;
  }
}

void Direction::forget() { steps_ = 0, velocity_.clear(), square_.clear(); }

void Direction::state(Archive& archive, std::size_t size) {
  archive.fixedOrNone("velocity", velocity_, size);
  if (kind_ != Kind::kAdam && kind_ != Kind::kAdagrad) return;  // checkpoints of earlier versions have no more
  archive.fixedOrNone("squares", square_, size);
  archive.number("steps", steps_);
}

}  // namespace paceline
