// Flat vectors of float and double: sums, and fp16 to and from them. Sizes must agree (PACELINE_CHECK). Of hollow vectors (hollow.h) nothing is read or
// written. Pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/base/hollow.h"

#ifndef PACELINE_REAL
#define PACELINE_REAL float
#endif

namespace paceline {

// The element type of everything an algorithm computes with: float, or double in the *_f64 twins of the equivalence tests.
using Real = PACELINE_REAL;

// Which of two paths a loop takes: the one that the CPU's instructions allow (asked at run time), or the portable one. Both give the
// same bits; tests force the portable one to see that.
enum class CpuPath { kBest, kPortable };

// out = (inputs[0] + inputs[1] + ...) * scale, summed in the given order, one pass over memory; AVX2 and non-temporal
// stores where the CPU has them and the vector is larger than the cache. Every input has out.size() elements.
template <class T>
void sumOf(std::span<const T* const> inputs, T scale, std::span<T> out);

template <class T>
void addScaled(std::span<T> y, T a, std::span<const T> x) {  // y += a * x
  for (std::size_t i = 0; i < y.size() && !isHollow(y); ++i) y[i] += a * x[i];
}

template <class T>
void scaleBy(std::span<T> y, T a) {  // y *= a
  if (isHollow(y)) return;
  for (T& value : y) value *= a;
}

template <class T>
void copyValues(std::span<const T> from, std::span<T> to) {  // to = from
  if (!isHollow(to)) std::copy(from.begin(), from.end(), to.begin());
}

// IEEE 754 binary16 ("fp16") as bits. Rounds to nearest, ties to even; what is too large becomes an infinity, infinities and signs stay, a NaN
// stays one (quiet, the payload's upper bits kept). The bits are those of the F16C instructions, which the bulk functions use where the CPU has them.
using HalfBits = std::uint16_t;
inline constexpr float kLargestHalf = 65504;

HalfBits toHalf(float value);
HalfBits toHalf(double value);  // rounded once, not by way of float
float fromHalf(HalfBits bits);  // exact

template <class T>  // float or double
void toHalf(std::span<const T> values, std::span<HalfBits> bits, CpuPath path = CpuPath::kBest);
template <class T>
void fromHalf(std::span<const HalfBits> bits, std::span<T> values, CpuPath path = CpuPath::kBest);

}  // namespace paceline
