// Batch-norm running statistics inside a flat vector: the blocks with trainable = false. They are never multiplied by a learning rate.
// Pure functions.
#pragma once

#include <algorithm>
#include <span>

#include "engine/core/base/objective.h"
#include "engine/core/base/vec.h"

namespace paceline {

// What a method does with them; WorkerContext carries it out. kAveraged: averaged over the workers whenever the method aggregates (decentralised:
// mixes) a whole vector. kLocal: each worker keeps its own, whatever the servers answer.
enum class Statistics { kAveraged, kLocal };

// The statistics of `from` into the same places of `to`; nothing else is touched.
inline void copyStatistics(std::span<const Block> blocks, std::span<const Real> from, std::span<Real> to) {
  for (const Block& block : blocks)
    if (!block.trainable)
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(block.offset), block.size,
                  to.begin() + static_cast<std::ptrdiff_t>(block.offset));
}

// y += a * x where the blocks are trainable; statistics stay.
inline void addScaledTrainable(std::span<const Block> blocks, std::span<Real> y, Real a, std::span<const Real> x) {
  for (const Block& block : blocks)
    if (block.trainable) addScaled(y.subspan(block.offset, block.size), a, x.subspan(block.offset, block.size));
}

// y = base + a * x where the blocks are trainable; statistics stay.
inline void setTrainable(std::span<const Block> blocks, std::span<Real> y, std::span<const Real> base, Real a, std::span<const Real> x) {
  for (const Block& block : blocks)
    for (std::size_t i = block.offset; block.trainable && i < block.offset + block.size; ++i) y[i] = base[i] + a * x[i];
}

inline bool hasStatistics(std::span<const Block> blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return !block.trainable; });
}

}  // namespace paceline
