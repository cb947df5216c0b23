#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/figures/thumbnail.h"
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

TEST(Thumbnail, HasFewPointsOfEachCurveAndItsExtremes) {
  Figure figure{.id = "accuracy", .title = "", .lines = {{.label = "a"}, {.label = "seed", .faint = true}}, .bands = {{.label = "± std"}}, .notes = {"a note"}};
  for (int i = 0; i < 10'000; ++i)
    for (Line& line : figure.lines) line.x.push_back(i), line.y.push_back(i == 5000 ? 7 : 1), line.rawX.push_back(i), line.rawY.push_back(0);
  figure.bands[0].x = figure.lines[0].x, figure.bands[0].lower = figure.bands[0].upper = figure.lines[0].y;
  const Figure stamp = thumbnailOf(figure);
  ASSERT_EQ(stamp.lines.size(), 2u);
  EXPECT_LE(stamp.lines[0].x.size(), 120u);
  EXPECT_EQ(*std::ranges::max_element(stamp.lines[0].y), 7);
  EXPECT_TRUE(stamp.lines[0].rawX.empty());
  EXPECT_LE(stamp.bands[0].x.size(), 121u);
  EXPECT_EQ(stamp.bands[0].upper.size(), stamp.bands[0].x.size());
  EXPECT_TRUE(stamp.notes.empty());
  EXPECT_FALSE(stamp.empty());
}

TEST(Thumbnail, OfManySeedsHasTheMeansOfManySpansTheLongest) {
  Figure figure{.id = "accuracy", .title = ""};
  for (int i = 0; i < 100; ++i) figure.lines.push_back({.label = std::to_string(i), .x = {0, 1}, .y = {0, 1}, .faint = i % 10 != 0});
  EXPECT_EQ(thumbnailOf(figure).lines.size(), 10u);
  SpanSet set{.label = "compute"};
  for (int i = 0; i < 9000; ++i) set.rows.push_back(0), set.begin.push_back(i), set.end.push_back(i + (i < 5 || i > 8994 ? 0.5 : 0.25)), set.strength.push_back(1);
  const Figure stamp = thumbnailOf({.id = "timeline", .title = "", .y = {.title = "", .categories = {"w0"}}, .spans = {set}});
  ASSERT_EQ(stamp.spans[0].rows.size(), 4000u);
  EXPECT_EQ(stamp.spans[0].strength.size(), 4000u);
  EXPECT_EQ(stamp.spans[0].end.front(), 0.5);
  EXPECT_EQ(stamp.spans[0].end.back(), 8999.5);
}

}  // namespace
}  // namespace paceline::tests
