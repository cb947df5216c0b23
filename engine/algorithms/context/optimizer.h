// The document's optimizer section, in the conventions of PyTorch's SGD:
//   g += weight_decay * w;   g *= min(1, clip_norm / |g|);   v = momentum * v + g;   w -= rate * v, or rate * (g + momentum * v)
// (Nesterov). Batch-norm running statistics inside a flat vector, the blocks with trainable = false, are never decayed, clipped or moved. One thread.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/core/base/archive.h"
#include "engine/core/base/objective.h"
#include "engine/core/base/vec.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// g += weightDecay * w where the blocks are trainable, and decay when only some do (Optimizer::decayAll is false).
void addWeightDecay(const Optimizer& optimizer, std::span<const Block> blocks, std::span<const Real> w, std::span<Real> g);

// Scales g down to the Euclidean norm clipNorm over all trainable blocks together; shorter ones, and all without a clipNorm, stay.
// PyTorch's clip_grad_norm_ divides by norm + 1e-6, this by the norm.
void clipToNorm(const Optimizer& optimizer, std::span<const Block> blocks, std::span<Real> g);

// The velocity of one flat vector, or of one server's shard. It begins at zero with the first gradient.
class Momentum {
 public:
  explicit Momentum(const Optimizer& optimizer) : momentum_(static_cast<Real>(optimizer.momentum)), nesterov_(optimizer.nesterov) {}

  // Turns a gradient into the direction of the step, in place: w -= rate * g is the step then. Without momentum g stays as it is.
  // `blocks`: only where they are trainable; none: everywhere, as in a server's shard, where statistics have zero gradient.
  void turn(std::span<Real> g, std::span<const Block> blocks = {});
  bool turns() const { return momentum_ != 0; }
  // The same of the elements [offset, offset + size) alone; every element once a step.
  void turnPart(std::span<Real> g, std::size_t offset, std::size_t size);
  void state(Archive& archive, std::size_t size) { archive.fixedOrNone("velocity", velocity_, size); }

 private:
  void turnRange(std::span<Real> g, std::span<Real> velocity) const;

  Real momentum_;
  bool nesterov_;
  std::vector<Real> velocity_;  // empty: zero
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
