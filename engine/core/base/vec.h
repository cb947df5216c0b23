// Arithmetic on flat vectors, for float and double. Sizes must agree (PACELINE_CHECK).
#pragma once

#include <cstddef>
#include <span>

namespace paceline {

// out = (inputs[0] + inputs[1] + ...) * scale, summed in the given order, one pass over memory; AVX2 and non-temporal
// stores where the CPU has them and the vector is larger than the cache. Every input has out.size() elements.
template <class T>
void sumOf(std::span<const T* const> inputs, T scale, std::span<T> out);

template <class T>
void addScaled(std::span<T> y, T a, std::span<const T> x) {  // y += a * x
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

}  // namespace paceline
