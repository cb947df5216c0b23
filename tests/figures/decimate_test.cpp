#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

TEST(Decimate, KeepsFewPointsAsTheyAre) {
  const Decimated out = decimate({1, 2, 3, 4}, {5, 6, 7, 8}, 2);
  EXPECT_THAT(out.x, ElementsAre(1, 2, 3, 4));
}

TEST(Decimate, KeepsLeastAndGreatestOfEachColumnInOrder) {
  const Decimated out = decimate({1, 2, 3, 4, 5, 6}, {3, 9, 1, 4, 4, 8}, 2);
  EXPECT_THAT(out.x, ElementsAre(2, 3, 4, 6));
  EXPECT_THAT(out.y, ElementsAre(9, 1, 4, 8));
}

TEST(Decimate, KeepsTheExactExtremesOfManyPoints) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(i * 0.37) * i);
  }
  const Decimated out = decimate(x, y, 300);
  EXPECT_LE(out.x.size(), 600u);
  EXPECT_EQ(std::ranges::max(out.y), std::ranges::max(y));
  EXPECT_EQ(std::ranges::min(out.y), std::ranges::min(y));
  EXPECT_TRUE(std::ranges::is_sorted(out.x));
}

TEST(Decimate, KeepsAGapAndIgnoresSingleMissingNumbers) {
  const Decimated out = decimate({1, 2, 3, 4, 5, 6}, {NAN, 2, 3, NAN, NAN, NAN}, 2);
  EXPECT_EQ(out.x.size(), 3u);
  EXPECT_EQ(out.y[0], 2);
  EXPECT_EQ(out.y[1], 3);
  EXPECT_TRUE(std::isnan(out.y[2]));
}

TEST(Decimate, TakesNothing) { EXPECT_TRUE(decimate({}, {}, 10).x.empty()); }

}  // namespace
}  // namespace paceline::tests
