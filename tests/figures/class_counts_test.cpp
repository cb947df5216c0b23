#include "app/figures/class_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

TEST(ClassCounts, AreABarForEachClassAndSplit) {
  const Figure figure = classCounts("Made", {"cat", "dog"}, {{.split = "train", .perClass = {30, 10}}, {.split = "test", .perClass = {5, 5}}});
  EXPECT_THAT(figure.x.categories, ElementsAre("cat", "dog"));
  ASSERT_EQ(figure.bars.size(), 2U);
  EXPECT_EQ(figure.bars[0].label, "to train");
  EXPECT_THAT(figure.bars[0].values, ElementsAre(30, 10));
  EXPECT_THAT(figure.bars[1].values, ElementsAre(5, 5));
  EXPECT_THAT(figure.notes, ElementsAre("40 samples to train, 10 to 30 of each class", "10 samples to test, 5 of each class"));
}

TEST(ClassCounts, ManyClassesShareBarsAndNoneIsLost) {
  std::vector<std::int64_t> counts(1000);
  std::iota(counts.begin(), counts.end(), 1);
  const Figure figure = classCounts("Many", {}, {{.split = "train", .perClass = counts}});
  EXPECT_EQ(figure.x.categories.size(), 25U);
  EXPECT_EQ(figure.x.categories.front(), "0 to 39");
  EXPECT_EQ(figure.x.categories.back(), "960 to 999");
  EXPECT_EQ(std::accumulate(figure.bars[0].values.begin(), figure.bars[0].values.end(), 0.0), 500500);
  EXPECT_EQ(figure.notes.back(), "1000 classes are drawn in 25 bars of 40");
  const Figure odd = classCounts("Odd", {}, {{.split = "train", .perClass = std::vector<std::int64_t>(26, 1)}});
  EXPECT_EQ(odd.x.categories.back(), "24 to 25");
  EXPECT_EQ(odd.x.categories.size(), 13U);
}

TEST(ClassCounts, OfNothingSaysWhy) {
  const Figure figure = classCounts("None", {}, {});
  EXPECT_TRUE(figure.empty());
  EXPECT_THAT(figure.notes, ElementsAre("nothing to draw: the set has no samples"));
}

}  // namespace
}  // namespace paceline::tests
