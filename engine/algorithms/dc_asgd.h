// DC-ASGD's update formula, apart so that a hand trace can check it.
#pragma once

#include <span>

#include "engine/core/base/real.h"

namespace paceline {

// next = w - rate * (g + lambda * g * g * (w - backup)), element by element. The product approximates the Hessian's diagonal.
inline void dcAsgdStep(std::span<const Real> w, std::span<const Real> g, std::span<const Real> backup, Real rate, Real lambda,
                       std::span<Real> next) {
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = w[i] - rate * (g[i] + lambda * g[i] * g[i] * (w[i] - backup[i]));
}

}  // namespace paceline
