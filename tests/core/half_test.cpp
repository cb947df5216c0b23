// E21: the bits of fp16. The oracle is the standard's definition, worked out in double, where every half and every tie is exact.
#include "engine/core/base/vec.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The value of a half by its definition; NaN for the NaNs.
double valueOf(unsigned bits) {
  const unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(mantissa, -24)
                      : exponent < 31  ? std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25)
                      : mantissa == 0  ? kInfinity
                                       : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x8000 ? -size : size;
}

std::vector<float> toFloats(const std::vector<HalfBits>& bits, CpuPath path) {
  std::vector<float> values(bits.size());
  fromHalf<float>(bits, values, path);
  return values;
}

TEST(Half, EveryBitPatternHasTheStandardsValue) {
  std::vector<HalfBits> all(65536);
  for (unsigned bits = 0; bits < 65536; ++bits) all[bits] = static_cast<HalfBits>(bits);
  for (const CpuPath path : {CpuPath::kBest, CpuPath::kPortable}) {
    const std::vector<float> values = toFloats(all, path);
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const double expected = valueOf(bits), got = static_cast<double>(values[bits]);
      ASSERT_EQ(std::isnan(got), std::isnan(expected)) << bits;
      if (!std::isnan(expected)) {
        ASSERT_EQ(got, expected) << bits;
      }
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
    }
  }
}

TEST(Half, RepresentableValuesComeBackBitForBit) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<HalfBits>(bits);
    const bool isNan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
    const HalfBits expected = isNan ? static_cast<HalfBits>(half | 0x200) : half;  // quiet
    ASSERT_EQ(toHalf(fromHalf(half)), expected) << bits;
    ASSERT_EQ(toHalf(static_cast<double>(fromHalf(half))), expected) << bits;
  }
}

// Between two neighbours: below the middle goes down, above it up, the middle to the even one. The least half above zero and the
// step to infinity (as if 65536 were a half) included.
TEST(Half, RoundsToNearestTiesToEven) {
  for (unsigned low = 0; low < 0x7c00; ++low) {
    const unsigned high = low + 1;
    const double a = valueOf(low), b = high == 0x7c00 ? 65536.0 : valueOf(high), middle = (a + b) / 2;
    const auto even = static_cast<HalfBits>(low % 2 == 0 ? low : high);
    for (const double sign : {1.0, -1.0}) {
      const auto flag = static_cast<HalfBits>(sign < 0 ? 0x8000 : 0);
      const auto expect = [&](double value, unsigned bits) {
        ASSERT_EQ(toHalf(sign * value), flag | bits) << value;
        const auto f = static_cast<float>(value);
        if (static_cast<double>(f) == value) {
          ASSERT_EQ(toHalf(static_cast<float>(sign) * f), flag | bits) << value;
        }
      };
      expect(middle, even);
      expect(std::nextafter(middle, 0), low);
      expect(std::nextafter(middle, kInfinity), high);
      expect(static_cast<double>(std::nextafter(static_cast<float>(middle), 0.0F)), low);
      expect(static_cast<double>(std::nextafter(static_cast<float>(middle), 1e30F)), high);
    }
  }
}

TEST(Half, InfinitiesAndNansStay) {
  for (const double sign : {1.0, -1.0}) {
    const HalfBits flag = sign < 0 ? 0x8000 : 0;
    EXPECT_EQ(toHalf(sign * kInfinity), flag | 0x7c00);
    EXPECT_EQ(toHalf(static_cast<float>(sign * kInfinity)), flag | 0x7c00);
    EXPECT_EQ(toHalf(sign * 1e300), flag | 0x7c00);
    EXPECT_EQ(toHalf(sign * 1e-300), flag);
    EXPECT_EQ(toHalf(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign)), flag | 0x7e00);
    EXPECT_EQ(toHalf(std::copysign(std::numeric_limits<float>::quiet_NaN(), static_cast<float>(sign))), flag | 0x7e00);
  }
  // All its payload is in bits that a half does not have: still a NaN.
  EXPECT_EQ(toHalf(std::bit_cast<float>(0x7f800001U)), 0x7e00);
}

TEST(Half, TheCpusInstructionsGiveThePortableBits) {
  Rng rng = Rng::stream(5, "half");
  for (const std::size_t size : {0, 1, 7, 8, 9, 31, 100'003}) {
    std::vector<float> values(size);
    for (float& value : values) value = std::bit_cast<float>(static_cast<std::uint32_t>(rng.next()));
    for (std::size_t i = 0; i < size; i += 2) values[i] = static_cast<float>(rng.uniform(-70000, 70000) * std::pow(2.0, -static_cast<double>(rng.below(45))));
    std::vector<HalfBits> best(size), portable(size);
    toHalf<float>(values, best);
    toHalf<float>(values, portable, CpuPath::kPortable);
    ASSERT_EQ(best, portable);
    const std::vector<float> a = toFloats(best, CpuPath::kBest), b = toFloats(best, CpuPath::kPortable);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i]), std::bit_cast<std::uint32_t>(b[i]));
  }
}

TEST(Half, SizesMustAgree) {
  std::vector<float> three(3);
  std::vector<HalfBits> two(2);
  EXPECT_THROW(toHalf<float>(three, two), InvariantError);
  EXPECT_THROW(fromHalf<float>(two, three), InvariantError);
}

}  // namespace
}  // namespace paceline::tests
