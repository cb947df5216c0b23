#include "engine/core/base/half.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "engine/core/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace paceline {
namespace {

// What the two source types differ in. A half has 5 exponent bits (bias 15) and 10 of mantissa.
template <class T>
struct Layout;
template <>
struct Layout<float> {
  using Bits = std::uint32_t;
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr float kUlpIsLeastHalf = 0.5F;  // its unit in the last place is 2^-24, the least half above zero
};
template <>
struct Layout<double> {
  using Bits = std::uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kUlpIsLeastHalf = 0x1p28;
};

template <class T>
HalfBits rounded(T value) {
  using L = Layout<T>;
  using Bits = typename L::Bits;
  constexpr int kDrop = L::kMantissa - 10;
  constexpr Bits kOne = 1;
  constexpr Bits kInfinity = static_cast<Bits>(2 * L::kBias + 1) << L::kMantissa;
  constexpr Bits kTooLarge = static_cast<Bits>(L::kBias + 16) << L::kMantissa;       // 2^16
  constexpr Bits kLeastNormal = static_cast<Bits>(L::kBias - 14) << L::kMantissa;    // 2^-14
  constexpr Bits kRebias = static_cast<Bits>(L::kBias - 15) << L::kMantissa;

  const Bits all = std::bit_cast<Bits>(value);
  const auto sign = static_cast<HalfBits>(all >> (8 * sizeof(T) - 16) & 0x8000U);
  const Bits size = all & ~(kOne << (8 * sizeof(T) - 1));
  Bits half = 0;
  if (size > kInfinity) {
    half = 0x7e00U | (size >> kDrop & 0x3ffU);
  } else if (size >= kTooLarge) {
    half = 0x7c00U;
  } else if (size < kLeastNormal) {  // the addition rounds at 2^-24, to even
    half = std::bit_cast<Bits>(std::bit_cast<T>(size) + L::kUlpIsLeastHalf) - std::bit_cast<Bits>(L::kUlpIsLeastHalf);
  } else {  // a carry out of the mantissa raises the exponent, up to infinity
    half = (size - kRebias + ((kOne << (kDrop - 1)) - 1) + (size >> kDrop & 1U)) >> kDrop;
  }
  return static_cast<HalfBits>(sign | static_cast<HalfBits>(half));
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

float fromHalf(HalfBits bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fU, mantissa = bits & 0x3ffU;
  if (exponent == 0) return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24F) | sign);
  if (exponent < 31) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const std::uint32_t quiet = mantissa == 0 ? 0 : 0x400000U;
  return std::bit_cast<float>(sign | 0x7f800000U | quiet | mantissa << 13);
}

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
