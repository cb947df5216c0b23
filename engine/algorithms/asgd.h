// The update formulas of ASGD and DC-ASGD, apart so that a hand trace can check them.
#pragma once

#include <cmath>
#include <span>

#include "engine/core/base/vec.h"

namespace paceline {

// next = w - rate * g
inline void asgdStep(std::span<const Real> w, std::span<const Real> g, Real rate, std::span<Real> next) {
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = w[i] - rate * g[i];
}

// next = w - rate * (g + lambda * g * g * (w - backup)), element by element. The product approximates the Hessian's diagonal.
inline void dcAsgdStep(std::span<const Real> w, std::span<const Real> g, std::span<const Real> backup, Real rate, Real lambda,
                       std::span<Real> next) {
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = w[i] - rate * (g[i] + lambda * g[i] * g[i] * (w[i] - backup[i]));
}

// The same with lambda_t = lambda0 / sqrt(meanSquare + 1e-7), element by element, after meanSquare = m * meanSquare + (1 - m) * g * g.
inline void dcAsgdAdaptiveStep(std::span<const Real> w, std::span<const Real> g, std::span<const Real> backup, Real rate, Real lambda0, Real m,
                               std::span<Real> meanSquare, std::span<Real> next) {
  constexpr Real kEpsilon = Real(1e-7);
  for (std::size_t i = 0; i < next.size(); ++i) {
    meanSquare[i] = m * meanSquare[i] + (1 - m) * g[i] * g[i];
    const Real lambda = lambda0 / std::sqrt(meanSquare[i] + kEpsilon);
    next[i] = w[i] - rate * (g[i] + lambda * g[i] * g[i] * (w[i] - backup[i]));
  }
}

}  // namespace paceline
