#include "engine/algorithms/context/optimizer.h"

#include <cmath>

#include "engine/core/base/error.h"

namespace paceline {

void addWeightDecay(const Optimizer& optimizer, std::span<const Block> blocks, std::span<const Real> w, std::span<Real> g) {
  if (optimizer.weightDecay == 0) return;
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

void Momentum::turn(std::span<Real> g, std::span<const Block> blocks) {
  if (blocks.empty()) turnPart(g, 0, g.size());
  for (const Block& block : blocks)
    if (block.trainable) turnPart(g, block.offset, block.size);
}

void Momentum::turnPart(std::span<Real> g, std::size_t offset, std::size_t size) {
  if (momentum_ == 0 || isHollow(g)) return;
  if (velocity_.empty()) velocity_.resize(g.size());
  PACELINE_CHECK(velocity_.size() == g.size(), "a velocity belongs to one vector");
  turnRange(g.subspan(offset, size), std::span(velocity_).subspan(offset, size));
}

void Momentum::turnRange(std::span<Real> g, std::span<Real> velocity) const {
  for (std::size_t i = 0; i < g.size(); ++i) {
    velocity[i] = momentum_ * velocity[i] + g[i];
    g[i] = nesterov_ ? g[i] + momentum_ * velocity[i] : velocity[i];
  }
}

}  // namespace paceline
