
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/comm/codecs/codec.h"
#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN(), kInfinity = std::numeric_limits<Real>::infinity();
const Packing kBoth[] = {Packing::kHalf, Packing::kInt8};

std::vector<Real> sentAs(Packing packing, std::span<const Real> values, std::span<Real> residual = {}) {
  const Dense dense = codecs::unpackDense(codecs::packDense(packing, values, residual), "w0");
  return {dense.values().begin(), dense.values().end()};
}

std::vector<Real> randomValues(std::size_t count, std::uint64_t seed, double size = 1) {
  Rng rng = Rng::stream(seed, "values");
  std::vector<Real> values(count);
  for (Real& value : values) value = static_cast<Real>(rng.uniform(-size, size));
  return values;
}

TEST(DenseCodec, HalfIsTheConversionBitForBit) {
  std::vector<Real> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) all.push_back(static_cast<Real>(fromHalf(static_cast<HalfBits>(bits))));
  const std::vector<Real> sent = sentAs(Packing::kHalf, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(all[i])) {
      EXPECT_TRUE(std::isnan(sent[i])) << i;
    } else {
      EXPECT_EQ(sent[i], all[i]) << i;  // representable values, infinities and zeros arrive as they are
      EXPECT_EQ(std::signbit(sent[i]), std::signbit(all[i])) << i;
    }
  }
}

TEST(DenseCodec, HalfRoundsToNearestEven) {
  const std::vector<Real> values{2049, 2051, 1 + Real(0x1p-11), 1 + 3 * Real(0x1p-11), Real(0x1p-25), Real(0x1.8p-24)};
  const std::vector<Real> expected{2048, 2052, 1, 1 + Real(0x1p-9), 0, Real(0x1p-23)};
  EXPECT_EQ(sentAs(Packing::kHalf, values), expected);
}

TEST(DenseCodec, HalvesAndQuartersTheBytes) {
  const std::vector<Real> values = randomValues(2050, 1);
  EXPECT_EQ(codecs::packDense(Packing::kHalf, values, {}).bytes.size(), 2u * 2050);
  EXPECT_EQ(codecs::packDense(Packing::kInt8, values, {}).bytes.size(), 2050u + 3 * sizeof(float));
}

TEST(DenseCodec, Int8IsWithinHalfAStepOfItsBlock) {
  std::vector<Real> values = randomValues(3000, 2);
  for (std::size_t i = 1024; i < 2048; ++i) values[i] *= Real(1e-6);  // a block of its own scale
  const std::vector<Real> sent = sentAs(Packing::kInt8, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double step = (i >= 1024 && i < 2048 ? 1e-6 : 1.0) / 127;
    EXPECT_NEAR(static_cast<double>(sent[i]), static_cast<double>(values[i]), 0.501 * step) << i;
  }
}

TEST(DenseCodec, Int8CarriesMultiplesOfItsStepExactly) {
  std::vector<Real> values;
  for (int code = -127; code <= 127; ++code) values.push_back(static_cast<Real>(code) / 4);
  EXPECT_EQ(sentAs(Packing::kInt8, values), values);
}

TEST(DenseCodec, ZerosAndNothingAreFine) {
  for (const Packing packing : kBoth) {
    const std::vector<Real> zeros(1500);
    EXPECT_EQ(sentAs(packing, zeros), zeros);
    EXPECT_TRUE(sentAs(packing, {}).empty());
  }
}

TEST(DenseCodec, WhatIsNotFiniteArrivesAndLeavesNothingWaiting) {
  const std::vector<Real> values{1, kNaN, kInfinity, -kInfinity, -1};
  for (const Packing packing : kBoth) {
    std::vector<Real> residual(values.size());
    const std::vector<Real> sent = sentAs(packing, values, residual);
    EXPECT_EQ(sent[0], 1);
    EXPECT_EQ(sent[4], -1);
    EXPECT_TRUE(std::isnan(sent[1]));
    for (const int i : {2, 3}) EXPECT_FALSE(std::isfinite(sent[static_cast<std::size_t>(i)]));
    EXPECT_EQ(residual, std::vector<Real>(values.size()));
  }
  EXPECT_EQ(sentAs(Packing::kHalf, values)[3], -kInfinity);
}

TEST(DenseCodec, WhatHalfCannotHoldWaitsOrBecomesInfinite) {
  const std::vector<Real> values{100000, -70000};
  std::vector<Real> residual(2);
  EXPECT_EQ(sentAs(Packing::kHalf, values, residual), (std::vector<Real>{65504, -65504}));
  EXPECT_EQ(residual, (std::vector<Real>{100000 - 65504, 65504 - 70000}));
  EXPECT_EQ(sentAs(Packing::kHalf, values), (std::vector<Real>{kInfinity, -kInfinity}));
}

TEST(DenseCodec, TinyAndHugeBlocksStayFinite) {
  for (const Real size : {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min(), 1e-35F, 1e38F,
                          std::numeric_limits<float>::max()}) {
    const std::vector<Real> values{size, -size, size / 2};
    std::vector<Real> residual(3);
    const std::vector<Real> sent = sentAs(Packing::kInt8, values, residual);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isfinite(sent[i])) << size;
      EXPECT_EQ(sent[i] + residual[i], values[i]) << size;
    }
  }
}

// Integers below 2^24 keep every sum exact, so nothing may be missing, whatever was rounded when. The largest of a block is 127 times a
// power of two, so that its step is one.
TEST(DenseCodec, WhatWasSentAndWhatWaitsIsWhatWasPutIn) {
  for (const Packing packing : kBoth) {
    std::vector<double> in(3000), out(3000);
    std::vector<Real> residual(3000);
    Rng rng = Rng::stream(3, "integers");
    for (int step = 0; step < 50; ++step) {
      std::vector<Real> values(3000);
      for (Real& value : values) value = static_cast<Real>(static_cast<int>(rng.below(8001)) - 4000);
      for (std::size_t block = 0; block < 3000; block += 1024) values[block] = Real(127 * 64) - residual[block];
      const std::vector<Real> sent = sentAs(packing, values, residual);
      for (std::size_t i = 0; i < 3000; ++i) {
        in[i] += static_cast<double>(values[i]);
        out[i] += static_cast<double>(sent[i]);
        ASSERT_EQ(out[i] + static_cast<double>(residual[i]), in[i]) << "element " << i << ", step " << step;
      }
    }
    EXPECT_NE(residual, std::vector<Real>(3000));  // something was rounded
  }
}

TEST(DenseCodec, EveryCpuPathGivesTheSameBits) {
  for (const Packing packing : kBoth) {
    std::vector<Real> best(3001), portable(3001);
    for (std::uint64_t step = 0; step < 5; ++step) {
      std::vector<Real> values = randomValues(3001, step, step == 3 ? 1e6 : 1);
      values[7] = kNaN, values[2000] = kInfinity;
      const Packed a = codecs::packDense(packing, values, best), b = codecs::packDense(packing, values, portable, CpuPath::kPortable);
      ASSERT_TRUE(std::ranges::equal(a.bytes, b.bytes));
      ASSERT_EQ(best, portable);
    }
  }
}

TEST(DenseCodec, FeedbackMakesSmallElementsArriveInTheEnd) {
  const std::vector<Real> values{1, Real(0.001)};  // below half a step of 1 / 127
  std::vector<Real> residual(2);
  double arrived = 0;
  for (int step = 0; step < 1000; ++step) arrived += static_cast<double>(sentAs(Packing::kInt8, values, residual)[1]);
  EXPECT_NEAR(arrived, 1.0, 0.01);
  EXPECT_EQ(sentAs(Packing::kInt8, values)[1], 0);
}

std::string refusal(const Packed& packed) {
  try {
    (void)codecs::unpackDense(packed, "node 3");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kFormat);
    return error.what();
  }
  return "";
}

TEST(DenseCodec, RefusesBytesThatAreNone) {
  EXPECT_EQ(refusal(Packed::of(Packing::kHalf, 3, std::vector<std::byte>(5))), "node 3 sent 5 bytes for 3 values in packing 1");
  EXPECT_EQ(refusal(Packed::of(Packing::kInt8, 3, std::vector<std::byte>(6))), "node 3 sent 6 bytes for 3 values in packing 2");
  EXPECT_EQ(refusal(Packed::of(Packing::kSparse, 3, std::vector<std::byte>(6))), "node 3 sent 6 bytes for 3 values in packing 3");
  EXPECT_NE(refusal(Packed::of(Packing::kHalf, kMaxDenseBytes, std::vector<std::byte>(2 * kMaxDenseBytes))), "");
  for (const float scale : {-1.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<std::byte> bytes(7);
    std::memcpy(bytes.data(), &scale, sizeof scale);
    EXPECT_NE(refusal(Packed::of(Packing::kInt8, 3, bytes)).find("node 3 sent 8-bit values with the scale"), std::string::npos);
  }
}

TEST(DenseCodec, ReadsBytesThatAreNotAligned) {
  const std::vector<Real> values{1, 2, 3};
  for (const Packing packing : kBoth) {
    const Packed packed = codecs::packDense(packing, values, {});
    std::vector<std::byte> shifted(packed.bytes.size() + 1);
    std::copy(packed.bytes.begin(), packed.bytes.end(), shifted.begin() + 1);
    const Packed at1{.packing = packing, .count = 3, .owner = {}, .bytes = std::span(shifted).subspan(1)};
    EXPECT_TRUE(std::ranges::equal(codecs::unpackDense(at1, "w0").values(), codecs::unpackDense(packed, "w0").values()));
  }
}

}  // namespace
}  // namespace paceline::tests
