// Batch-norm running statistics inside a flat vector: the blocks with trainable = false. Methods that average parameters average
// them as they are; they are never multiplied by a learning rate. Pure functions.
#pragma once

#include <algorithm>
#include <span>

#include "engine/core/base/objective.h"
#include "engine/core/base/vec.h"

namespace paceline {

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

inline bool hasStatistics(std::span<const Block> blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return !block.trainable; });
}

}  // namespace paceline
