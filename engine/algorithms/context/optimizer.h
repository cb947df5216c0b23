// The document's optimizer section, in the conventions of PyTorch:
//   g += weight_decay * w;   g *= min(1, clip_norm / |g|);   w -= rate * d, where d is
//   sgd       g; with momentum v = momentum * v + g, or g + momentum * v (Nesterov)
//   adam      (m / (1 - beta1^t)) / (sqrt(s / (1 - beta2^t)) + epsilon), m = beta1 * m + (1 - beta1) * g, s = beta2 * s + (1 - beta2) * g * g: Kingma & Ba 2015
//   adamw     the same plus weight_decay * w, which is not added to g: Loshchilov & Hutter 2019
//   adagrad   g / (sqrt(s) + epsilon), s += g * g: Duchi, Hazan & Singer 2011
// Batch-norm running statistics inside a flat vector, the blocks with trainable = false, are never decayed, clipped or moved. One thread, where nothing else is said.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/core/base/archive.h"
#include "engine/core/base/cores.h"
#include "engine/core/base/objective.h"
#include "engine/core/base/vec.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// g += weightDecay * w where the blocks are trainable, and decay when only some do (Optimizer::decayAll is false).
void addWeightDecay(const Optimizer& optimizer, std::span<const Block> blocks, std::span<const Real> w, std::span<Real> g);

// Scales g down to the Euclidean norm clipNorm over all trainable blocks together; shorter ones, and all without a clipNorm, stay.
// PyTorch's clip_grad_norm_ divides by norm + 1e-6, this by the norm.
void clipToNorm(const Optimizer& optimizer, std::span<const Block> blocks, std::span<Real> g);

// What the optimizer remembers of one flat vector, or of one server's shard; it begins at zero with the first gradient.
class Direction {
 public:
  explicit Direction(const Optimizer& optimizer);

  // Turns a gradient into the direction of the step, in place: w -= rate * g is the step then. `blocks`: only where they are trainable; none: everywhere, and
  // nothing decays, as in a server's shard, where statistics have zero gradient.
  void turn(std::span<Real> g, std::span<const Real> w, std::span<const Block> blocks = {});
  bool turns() const { return kind_ != Kind::kPlain; }  // false: g stays as it is
  // The same in parts, after begin(): of the elements [offset, offset + size) alone; every element once a step.
  void begin() { ++steps_; }
  void turnPart(std::span<Real> g, std::span<const Real> w, std::size_t offset, std::size_t size, bool decays);
  void forget();  // as if no step had been taken
  void state(Archive& archive, std::size_t size);

 private:
  enum class Kind { kPlain, kMomentum, kAdam, kAdagrad };
  void turnVelocity(std::span<Real> g, std::span<Real> velocity) const;
  void turnMoments(std::span<Real> g, std::span<Real> mean, std::span<Real> square) const;
  void turnSum(std::span<Real> g, std::span<Real> square) const;

  Kind kind_ = Kind::kPlain;
  bool nesterov_, decayAll_;
  Real momentum_, beta1_, beta2_, epsilon_, decay_;
  std::int64_t steps_ = 0;
  std::vector<Real> velocity_, square_;  // empty: zero. Of adam: the mean gradient, the mean square
};

// What a method does with batch-norm statistics; WorkerContext carries it out. kAveraged: averaged over the workers whenever the method aggregates (decentralised:
// mixes) a whole vector. kLocal: each worker keeps its own, whatever the servers answer.
enum class Statistics { kAveraged, kLocal };

// The statistics of `from` into the same places of `to`; nothing else is touched.
inline void copyStatistics(std::span<const Block> blocks, std::span<const Real> from, std::span<Real> to) {
  for (const Block& block : blocks)
    if (!block.trainable) copyValues(from.subspan(block.offset, block.size), to.subspan(block.offset, block.size));
}

// y += a * x where the blocks are trainable; statistics stay.
inline void addScaledTrainable(std::span<const Block> blocks, std::span<Real> y, Real a, std::span<const Real> x) {
  for (const Block& block : blocks)
    if (block.trainable) addScaled(y.subspan(block.offset, block.size), a, x.subspan(block.offset, block.size));
}

// The same in so many parts at once where the vector is long; the same bits.
void addScaledTrainable(std::span<const Block> blocks, std::span<Real> y, Real a, std::span<const Real> x, Cores* helpers, int parts);

// y = base + a * x where the blocks are trainable; statistics stay.
inline void setTrainable(std::span<const Block> blocks, std::span<Real> y, std::span<const Real> base, Real a, std::span<const Real> x) {
  if (isHollow(y)) return;
  for (const Block& block : blocks)
    for (std::size_t i = block.offset; block.trainable && i < block.offset + block.size; ++i) y[i] = base[i] + a * x[i];
}

inline bool hasStatistics(std::span<const Block> blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return !block.trainable; });
}

}  // namespace paceline
