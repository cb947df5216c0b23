#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

const Line& meanOf(const Figure& figure) {
  for (const Line& line : figure.lines)
    if (line.runId.empty()) return line;
  throw std::logic_error("no mean");
}

TEST(Seeds, BecomeMeanAndBandOfTheSampleDeviation) {
  const Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}, {2, 0.5}}), withCurve(madeRun("esync", 2), {{1, 0.4}, {2, 0.5}}),
                   withCurve(madeRun("esync", 3), {{1, 0.6}, {2, 0.5}})});
  const Line& mean = meanOf(figure);
  EXPECT_EQ(mean.label, "ESync, 3 seeds");
  EXPECT_DOUBLE_EQ(mean.y[0], 0.4);
  EXPECT_DOUBLE_EQ(mean.y[1], 0.5);
  ASSERT_EQ(figure.bands.size(), 1u);
  EXPECT_EQ(figure.bands[0].label, "ESync, 3 seeds ± std");
  EXPECT_NEAR(figure.bands[0].lower[0], 0.2, 1e-12);  // sample std of 0.2, 0.4, 0.6 is 0.2
  EXPECT_NEAR(figure.bands[0].upper[0], 0.6, 1e-12);
  EXPECT_DOUBLE_EQ(figure.bands[0].upper[1], 0.5);
}

TEST(Seeds, StayReachableAsFaintLines) {
  const Figure figure =
      built("accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}}), withCurve(madeRun("esync", 2), {{1, 0.4}})});
  ASSERT_EQ(figure.lines.size(), 3u);
  EXPECT_EQ(figure.lines[0].label, "ESync, seed 1");
  EXPECT_EQ(figure.lines[0].runId, "esync-1");
  EXPECT_TRUE(figure.lines[0].faint);
  EXPECT_FALSE(figure.lines[2].faint);
  EXPECT_TRUE(notes(figure, "ESync: mean and sample std of 2 seeds (seed 1: esync-1, seed 2: esync-2)"));
}

TEST(Seeds, AreInterpolatedWhereTheirTimesDiffer) {
  const Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{0, 0.0}, {10, 1.0}}), withCurve(madeRun("esync", 2), {{0, 0.0}, {5, 1.0}})});
  const Line& mean = meanOf(figure);
  EXPECT_THAT(mean.x, ElementsAre(0, 5));  // to the end of the shorter one
  EXPECT_THAT(mean.y, ElementsAre(0, 0.75));
  EXPECT_TRUE(notes(figure, "the mean ends where the shortest ends"));
}

TEST(Seeds, LeaveAGapWhereOneHasNoNumber) {
  const Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}, {2, NAN}}), withCurve(madeRun("esync", 2), {{1, 0.4}, {2, 0.6}})});
  EXPECT_TRUE(std::isnan(meanOf(figure).y[1]));
  EXPECT_TRUE(std::isnan(figure.bands[0].upper[1]));
}

TEST(Seeds, HaveAMeanWhereOneTimeIsNotKnown) {
  const Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{NAN, 0.2}, {2, 0.5}}), withCurve(madeRun("esync", 2), {{1, 0.4}, {3, 0.6}})});
  EXPECT_THAT(meanOf(figure).x, ElementsAre(1, 2));
}

TEST(Seeds, CanBeDrawnApart) {
  FigureOptions options;
  options.groupSeeds = false;
  const Figure figure =
      built("accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}}), withCurve(madeRun("esync", 2), {{1, 0.4}})}, options);
  EXPECT_THAT(labels(figure), ElementsAre("seed 1", "seed 2"));
  EXPECT_EQ(figure.lines[0].series, figure.lines[1].series);  // one configuration, one colour
  EXPECT_TRUE(figure.bands.empty());
}

TEST(Seeds, WithoutACommonRangeHaveNoMean) {
  const Figure figure = built(
      "accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}, {2, 0.3}}), withCurve(madeRun("esync", 2), {{5, 0.4}, {6, 0.5}})});
  EXPECT_EQ(figure.lines.size(), 2u);
  EXPECT_TRUE(notes(figure, "share no range of x"));
}

TEST(Seeds, RunTwiceAreCalledRuns) {
  summary::RunSummary again = withCurve(madeRun("esync", 1), {{1, 0.4}});
  again.id = "again";
  EXPECT_EQ(meanOf(built("accuracy", {withCurve(madeRun("esync", 1), {{1, 0.2}}), again})).label, "ESync, 2 runs");
}

TEST(Seeds, TheSameRunTwiceCountsOnce) {
  const summary::RunSummary run = withCurve(madeRun("esync", 1), {{1, 0.2}});
  EXPECT_EQ(built("accuracy", {run, run}).lines.size(), 1u);
}

TEST(Seeds, ImportsWithoutAConfigurationStayApart) {
  summary::RunSummary one = withCurve(madeRun("esync", 0), {{1, 0.2}}), two = one;
  one.groupHash = two.groupHash = "";
  two.id = "other";
  two.name = "other";
  EXPECT_THAT(labels(built("accuracy", {one, two})), ElementsAre("demo esync", "other"));
}

TEST(Seeds, GiveBarsTheirMeanAndDeviation) {
  summary::RunSummary one = madeRun("esync", 1), two = madeRun("esync", 2);
  one.throughputSamplesPerSecond = 100;
  two.throughputSamplesPerSecond = 300;
  const Figure figure = built("throughput", {one, two});
  ASSERT_EQ(figure.bars.size(), 1u);
  EXPECT_THAT(figure.bars[0].values, ElementsAre(200));
  EXPECT_THAT(figure.bars[0].texts, ElementsAre("200 ± 141"));
}

TEST(Seeds, HaveNoDeviationWhereOnlyRoundingIsLeft) {
  summary::RunSummary one = madeRun("esync", 1), two = madeRun("esync", 2);
  one.throughputSamplesPerSecond = 320.0 / 3, two.throughputSamplesPerSecond = 320.0 / 3 + 2e-14;
  EXPECT_THAT(built("throughput", {one, two}).bars[0].texts, ElementsAre("107 ± 0"));
}

TEST(Seeds, ManyPointsKeepABandOfSixHundred) {
  std::vector<summary::RunSummary> runs;
  for (int seed = 1; seed <= 20; ++seed) {
    std::vector<std::pair<double, double>> points;
    for (int i = 0; i < 10000; ++i) points.emplace_back(i, 0.5);
    runs.push_back(withCurve(madeRun("esync", static_cast<std::uint64_t>(seed)), points));
  }
  const Figure figure = built("accuracy", runs);
  EXPECT_EQ(meanOf(figure).x.size(), 10000u);
  EXPECT_LE(figure.bands[0].x.size(), 601u);
  EXPECT_EQ(figure.bands[0].x.back(), meanOf(figure).x.back());
}

}  // namespace
}  // namespace paceline::tests
