#include "engine/core/base/half.h"

#include <bit>
#include <cstddef>
#include <type_traits>

#include "engine/core/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace paceline {
namespace {

// The compiler's own fp16: rounds once, to nearest even.
template <class T>
HalfBits rounded(T value) {
  return std::bit_cast<HalfBits>(static_cast<_Float16>(value));
}

#if defined(__x86_64__)

bool hasF16c() {
  static const bool has = __builtin_cpu_supports("avx") != 0 && __builtin_cpu_supports("f16c") != 0;
  return has;
}

// Both return how many elements they did; the rest is the portable loop's.
__attribute__((target("avx,f16c"))) std::size_t toHalfVectors(const float* values, HalfBits* bits, std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bits + i), _mm256_cvtps_ph(_mm256_loadu_ps(values + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}

__attribute__((target("avx,f16c"))) std::size_t fromHalfVectors(const HalfBits* bits, float* values, std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(values + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bits + i))));
  return i;
}

#else

bool hasF16c() { return false; }
std::size_t toHalfVectors(const float*, HalfBits*, std::size_t) { return 0; }
std::size_t fromHalfVectors(const HalfBits*, float*, std::size_t) { return 0; }

#endif

}  // namespace

HalfBits toHalf(float value) { return rounded(value); }
HalfBits toHalf(double value) { return rounded(value); }

float fromHalf(HalfBits bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

template <class T>
void toHalf(std::span<const T> values, std::span<HalfBits> bits, CpuPath path) {
  PACELINE_CHECK(values.size() == bits.size(), "toHalf needs as many places as values");
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, float>)
    if (path == CpuPath::kBest && hasF16c()) i = toHalfVectors(values.data(), bits.data(), bits.size());
  for (; i < bits.size(); ++i) bits[i] = rounded(values[i]);
}

template <class T>
void fromHalf(std::span<const HalfBits> bits, std::span<T> values, CpuPath path) {
  PACELINE_CHECK(values.size() == bits.size(), "fromHalf needs as many places as values");
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, float>)
    if (path == CpuPath::kBest && hasF16c()) i = fromHalfVectors(bits.data(), values.data(), bits.size());
  for (; i < bits.size(); ++i) values[i] = fromHalf(bits[i]);
}

template void toHalf<float>(std::span<const float>, std::span<HalfBits>, CpuPath);
template void toHalf<double>(std::span<const double>, std::span<HalfBits>, CpuPath);
template void fromHalf<float>(std::span<const HalfBits>, std::span<float>, CpuPath);
template void fromHalf<double>(std::span<const HalfBits>, std::span<double>, CpuPath);

}  // namespace paceline
