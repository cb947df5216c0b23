// Averaging with neighbours when vectors cross: w <- w + weight * (received - sent). Both ends use the same two vectors, so with equal
// weights at both ends the mean over all workers stays the same, whenever either end gets to it. Pure functions.
#pragma once

#include <span>

#include "engine/algorithms/exchange/neighbours.h"
#include "engine/core/base/objective.h"

namespace paceline::exchange {

// 1 / (1 + max(d_i, d_j)) over the graph of the edges that cross at this step (L. Xiao, S. Boyd, S.-J. Kim 2007, time-varying form): both
// ends agree, rows and columns sum to 1. One crossing at a time is the mean of the two.
inline Real metropolisWeight(const Crossing& crossing) { return static_cast<Real>(1 / (1 + crossing.contacts)); }

inline void mix(std::span<Real> w, const Crossing& crossing, Real weight) {
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += weight * (crossing.received[i] - crossing.sent[i]);
}

// The same for batch-norm statistics alone.
inline void mixStatistics(std::span<const Block> blocks, std::span<Real> w, const Crossing& crossing, Real weight) {
  for (const Block& block : blocks)
    for (std::size_t i = block.offset; !block.trainable && i < block.offset + block.size; ++i)
      w[i] += weight * (crossing.received[i] - crossing.sent[i]);
}

}  // namespace paceline::exchange
