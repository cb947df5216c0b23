// The kernels' arithmetic, walked through on the CPU tile by tile: that they need no GPU to be right in. What the GPU adds, threads and
// scans, device_select_test.cpp checks where there is one.
#include "engine/cuda/select_steps.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/cuda/vectors.h"

namespace paceline::tests {
namespace {

using namespace select_steps;

Cut cutOf(const std::vector<float>& values, std::size_t k) {
  Cut cut{0, static_cast<std::uint32_t>(k)};
  for (int digit = 0; digit < kDigits; ++digit) {
    std::vector<std::uint32_t> counted(bucketsOf(digit));
    for (const float value : values)
      if (counts(keyOf(value), cut, digit)) ++counted[bucketOf(keyOf(value), digit)];
    int found = 0;
    Cut next = cut;
    std::uint32_t suffix = 0;
    for (std::uint32_t bucket = bucketsOf(digit); bucket-- > 0;) {
      const std::uint32_t above = suffix;
      suffix += counted[bucket];
      if (!isNextDigit(suffix, above, cut)) continue;
      ++found;
      next = withDigit(cut, digit, bucket, above);
    }
    EXPECT_EQ(found, 1);  // one thread writes it
    cut = next;
  }
  return withoutZeros(cut);
}

std::vector<std::uint32_t> places(const std::vector<float>& values, std::size_t k, std::size_t tile) {
  const Cut cut = cutOf(values, std::min(k, values.size()));  // as select.cu begins
  std::vector<Counts> before;  // of each tile
  Counts all{0, 0};
  for (std::size_t from = 0; from < values.size(); from += tile) {
    before.push_back(all);
    for (std::size_t i = from; i < std::min(values.size(), from + tile); ++i) all = plus(all, of(keyOf(values[i]), cut));
  }
  constexpr std::uint32_t kNothing = ~0U;
  std::vector<std::uint32_t> written(placeInOutput(all, cut), kNothing);
  for (std::size_t t = before.size(); t-- > 0;)  // tiles run in any order
    for (std::size_t i = t * tile; i < std::min(values.size(), (t + 1) * tile); ++i) {
      const Counts self = of(keyOf(values[i]), cut);
      if (keeps(self, before[t], cut)) {
        std::uint32_t& place = written.at(placeInOutput(before[t], cut));
        EXPECT_EQ(place, kNothing);
        place = static_cast<std::uint32_t>(i);
      }
      before[t] = plus(before[t], self);
    }
  return written;
}

TEST(SelectSteps, FindWhatTheCpuFinds) {
  forHardVectors({1, 2, 31, 100, 4097}, [](const std::vector<float>& values, std::size_t k, const std::string& name) {
    for (const std::size_t tile : {1, 8, 64, 2048}) EXPECT_EQ(places(values, k, tile), placesOnTheCpu(values, k)) << name;
  });
}

TEST(SelectSteps, InfinityAndNanCountAsLargest) {
  std::vector<float> values(100, 1.0F);
  values[7] = std::numeric_limits<float>::quiet_NaN();
  values[70] = -std::numeric_limits<float>::infinity();
  values[80] = std::numeric_limits<float>::max();
  EXPECT_EQ(places(values, 3, 16), (std::vector<std::uint32_t>{7, 70, 80}));
}

TEST(SelectSteps, DigitsTileTheKeyWithoutItsSign) {
  EXPECT_EQ(keyOf(-0.0F), 0U);
  for (const float value : {1.0F, -3.25e-7F, std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}) {
    Cut cut{0, 1};
    for (int digit = 0; digit < kDigits; ++digit) {
      EXPECT_TRUE(counts(keyOf(value), cut, digit));
      EXPECT_LT(bucketOf(keyOf(value), digit), bucketsOf(digit));
      cut = withDigit(cut, digit, bucketOf(keyOf(value), digit), 0);
    }
    EXPECT_EQ(cut.key, keyOf(value));
  }
}

}  // namespace
}  // namespace paceline::tests
