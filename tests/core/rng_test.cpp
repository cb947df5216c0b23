#include "engine/core/base/rng.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

// The values come from an independent Python implementation of splitmix64 and xoshiro256**.

TEST(Rng, GivesTheReferenceNumbers) {
  Rng zero(0);
  for (const std::uint64_t expected : {0x99ec5f36cb75f2b4ULL, 0xbf6e1f784956452aULL, 0x1a5f849d4933e6e0ULL, 0x6aa594f1262d2d2cULL})
    EXPECT_EQ(zero.next(), expected);
  Rng rng(42);
  for (const std::uint64_t expected : {0x15780b2e0c2ec716ULL, 0x6104d9866d113a7eULL, 0xae17533239e499a1ULL, 0xecb8ad4703b360a1ULL})
    EXPECT_EQ(rng.next(), expected);
}

TEST(Rng, UniformTakesTheUpper53Bits) {
  Rng rng(42);
  EXPECT_EQ(rng.uniform(), 0x1.5780b2e0c2ec0p-4);
  EXPECT_EQ(rng.uniform(), 0x1.84136619b444ep-2);
  EXPECT_EQ(rng.uniform(), 0x1.5c2ea66473c93p-1);
}

TEST(Rng, BelowAndShuffleArePinned) {
  Rng rng(42);
  for (const std::uint64_t expected : {2, 2, 9, 3, 6, 4, 4, 7, 8, 5}) EXPECT_EQ(rng.below(10), expected);
  Rng other(7);
  std::array<int, 8> items = {0, 1, 2, 3, 4, 5, 6, 7};
  other.shuffle<int>(items);
  EXPECT_EQ(items, (std::array<int, 8>{1, 3, 7, 5, 4, 0, 6, 2}));
  EXPECT_THROW(other.below(0), InvariantError);
}

TEST(Rng, StreamsOfOtherNamesAndIndicesDiffer) {
  EXPECT_EQ(Rng::stream(7, "partition", 1).next(), 0x77f7227133e981d4ULL);
  EXPECT_EQ(Rng::stream(7, "partition", 2).next(), 0x225d1f8867cc4114ULL);
  EXPECT_EQ(Rng::stream(7, "model", 1).next(), 0xc3212869cf9a8b53ULL);
}

TEST(Rng, NormalHasMeanZeroAndVarianceOne) {
  Rng rng(1);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double value = rng.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.02);  // 6 standard errors
  EXPECT_NEAR(squares / kCount, 1, 0.03);
}

}  // namespace
}  // namespace paceline::tests
