#include "engine/core/base/vec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/core/base/error.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define PACELINE_AVX2 __attribute__((target("avx2")))
#endif

namespace paceline {
namespace {

// Every path adds inputs[0] + inputs[1] + ... and multiplies last, without fused multiply-add: the results are the same bits.

template <class T, std::size_t kInputs>
void sumScalar(const T* const* inputs, T scale, T* out, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    T sum = inputs[0][i];
    for (std::size_t k = 1; k < kInputs; ++k) sum += inputs[k][i];
    out[i] = sum * scale;
  }
}

#if defined(__x86_64__)

constexpr std::size_t kVectorBytes = 32;
constexpr std::size_t kStreamFromBytes = 256 * 1024;  // larger outputs would only push useful lines out of the cache

template <class T>
struct Vector {
  typedef T Type __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));  // may lie anywhere
};

template <class T, std::size_t kInputs, bool kStream>
PACELINE_AVX2 void sumVectors(const T* const* inputs, T scale, T* out, std::size_t begin, std::size_t end) {
  using V = typename Vector<T>::Type;
  constexpr std::size_t kLanes = kVectorBytes / sizeof(T);
  const V factor = scale - V{};  // in every lane; -0.0 stays -0.0
  for (std::size_t i = begin; i < end; i += 2 * kLanes) {  // two vectors: one cache line
    V low = *reinterpret_cast<const V*>(inputs[0] + i);
    V high = *reinterpret_cast<const V*>(inputs[0] + i + kLanes);
    for (std::size_t k = 1; k < kInputs; ++k) {
      low += *reinterpret_cast<const V*>(inputs[k] + i);
      high += *reinterpret_cast<const V*>(inputs[k] + i + kLanes);
    }
    low *= factor;
    high *= factor;
    if constexpr (kStream) {
      _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i), (__m256i)low);
      _mm256_stream_si256(reinterpret_cast<__m256i*>(out + i + kLanes), (__m256i)high);
    } else {
      *reinterpret_cast<V*>(out + i) = low;
      *reinterpret_cast<V*>(out + i + kLanes) = high;
    }
  }
  if constexpr (kStream) _mm_sfence();  // others may read `out` as soon as we return
}

template <class T, std::size_t kInputs>
void sumFixed(const T* const* inputs, T scale, T* out, std::size_t size) {
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
  constexpr std::size_t kStep = 2 * kVectorBytes / sizeof(T);
  const std::size_t whole = kHasAvx2 ? size - size % kStep : 0;
  const bool stream = size * sizeof(T) > kStreamFromBytes && reinterpret_cast<std::uintptr_t>(out) % kVectorBytes == 0;
  if (whole > 0 && stream) sumVectors<T, kInputs, true>(inputs, scale, out, 0, whole);
  if (whole > 0 && !stream) sumVectors<T, kInputs, false>(inputs, scale, out, 0, whole);
  sumScalar<T, kInputs>(inputs, scale, out, whole, size);
}

bool hasF16c() {  // asked of the processor: clang 14 has no name for it
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") != 0 && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  }();
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

template <class T, std::size_t kInputs>
void sumFixed(const T* const* inputs, T scale, T* out, std::size_t size) { sumScalar<T, kInputs>(inputs, scale, out, 0, size); }

bool hasF16c() { return false; }
std::size_t toHalfVectors(const float*, HalfBits*, std::size_t) { return 0; }
std::size_t fromHalfVectors(const HalfBits*, float*, std::size_t) { return 0; }

#endif

// Any number of inputs: block by block through a small buffer that stays in the first-level cache.
template <class T>
void sumMany(std::span<const T* const> inputs, T scale, std::span<T> out) {
  std::array<T, 1024> block;
  for (std::size_t begin = 0; begin < out.size(); begin += block.size()) {
    const std::size_t count = std::min(block.size(), out.size() - begin);
    std::copy_n(inputs[0] + begin, count, block.begin());
    for (const T* input : inputs.subspan(1))
      for (std::size_t i = 0; i < count; ++i) block[i] += input[begin + i];
    for (std::size_t i = 0; i < count; ++i) out[begin + i] = block[i] * scale;
  }
}

}  // namespace

template <class T>
void sumOf(std::span<const T* const> inputs, T scale, std::span<T> out) {
  PACELINE_CHECK(!inputs.empty(), "sumOf needs at least one input");
  if (isHollow(out)) return;
  const T* const* in = inputs.data();
  switch (inputs.size()) {
    case 1: return sumFixed<T, 1>(in, scale, out.data(), out.size());
    case 2: return sumFixed<T, 2>(in, scale, out.data(), out.size());
    case 3: return sumFixed<T, 3>(in, scale, out.data(), out.size());
    case 4: return sumFixed<T, 4>(in, scale, out.data(), out.size());
    case 5: return sumFixed<T, 5>(in, scale, out.data(), out.size());
    case 6: return sumFixed<T, 6>(in, scale, out.data(), out.size());
    case 7: return sumFixed<T, 7>(in, scale, out.data(), out.size());
    case 8: return sumFixed<T, 8>(in, scale, out.data(), out.size());
    default: return sumMany(inputs, scale, out);
  }
}

template void sumOf<float>(std::span<const float* const>, float, std::span<float>);
template void sumOf<double>(std::span<const double* const>, double, std::span<double>);

// By IEEE 754's definition, because clang 14 has no _Float16 here: the value in units of its last place (2^-24 below 2^-14) is exact in double, and
// adding 2^52 rounds that to a whole number, ties to even. A carry into the exponent is the next power of two, and at last infinity.
HalfBits toHalf(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint64_t>(bits >> 48 & 0x8000);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52, kTooLarge = std::uint64_t{1023 + 16} << 52;  // 65536
  if (magnitude > kInfinity) return static_cast<HalfBits>(sign | 0x7e00 | (magnitude >> 42 & 0x3ff));  // a NaN, quiet
  if (magnitude >= kTooLarge) return static_cast<HalfBits>(sign | 0x7c00);
  const std::uint64_t exponent = std::max<std::uint64_t>(magnitude >> 52, 1023 - 14);
  constexpr double kToWhole = 0x1p52;
  const double units = std::bit_cast<double>(magnitude) * std::bit_cast<double>((2 * 1023 + 10 - exponent) << 52);
  const auto rounded = static_cast<std::uint64_t>(units + kToWhole - kToWhole);
  return static_cast<HalfBits>(sign | (((exponent - (1023 - 14)) << 10) + rounded));
}
HalfBits toHalf(float value) { return toHalf(static_cast<double>(value)); }

float fromHalf(HalfBits bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16, exponent = bits >> 10 & 31U, mantissa = bits & 0x3ffU;
  if (exponent == 0) return std::copysign(static_cast<float>(mantissa) * 0x1p-24F, std::bit_cast<float>(sign | 0x3f800000U));
  if (exponent < 31) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  return std::bit_cast<float>(sign | 0x7f800000U | mantissa << 13 | (mantissa != 0 ? 0x400000U : 0U));
}

template <class T>
void toHalf(std::span<const T> values, std::span<HalfBits> bits, CpuPath path) {
  PACELINE_CHECK(values.size() == bits.size(), "toHalf needs as many places as values");
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, float>)
    if (path == CpuPath::kBest && hasF16c()) i = toHalfVectors(values.data(), bits.data(), bits.size());
  for (; i < bits.size(); ++i) bits[i] = toHalf(values[i]);
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
