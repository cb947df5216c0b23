// The element type of everything an algorithm computes with: float, or double in the *_f64 twins of the equivalence tests.
#pragma once

#ifndef PACELINE_REAL
#define PACELINE_REAL float
#endif

namespace paceline {
using Real = PACELINE_REAL;
}  // namespace paceline
