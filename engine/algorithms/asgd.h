// ASGD's update formula, apart so that a hand trace can check it.
#pragma once

#include <span>

#include "engine/core/base/real.h"

namespace paceline {

// next = w - rate * g
inline void asgdStep(std::span<const Real> w, std::span<const Real> g, Real rate, std::span<Real> next) {
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = w[i] - rate * g[i];
}

}  // namespace paceline
