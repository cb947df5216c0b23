#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::pair<double, double>> kPoints = {{60, 0.5}, {120, 0.7}, {240, 0.8}};

TEST(AccuracyFigure, DrawsRawPointsOverMinutes) {
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), kPoints)});
  ASSERT_EQ(figure.lines.size(), 1u);
  EXPECT_EQ(figure.lines[0].label, "ESync");
  EXPECT_EQ(figure.lines[0].series, 0);
  EXPECT_EQ(figure.lines[0].runId, "esync-1");
  EXPECT_THAT(figure.lines[0].x, ElementsAre(1, 2, 4));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(0.5, 0.7, 0.8));
  EXPECT_EQ(figure.x.title, "time (minutes)");
  EXPECT_EQ(figure.y.min, 0.0);
  EXPECT_EQ(figure.y.max, 1.0);
}

TEST(AccuracyFigure, CountsShortRunsInSeconds) {
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{1.5, 0.5}, {3, 0.7}})});
  EXPECT_EQ(figure.x.title, "time (s)");
  EXPECT_THAT(figure.lines[0].x, ElementsAre(1.5, 3));
}

TEST(AccuracyFigure, HasFiveAxes) {
  const std::vector<summary::RunSummary> runs = {withCurve(madeRun("ssgd"), kPoints)};
  const auto over = [&](XAxis x) {
    FigureOptions options;
    options.x = x;
    return built("accuracy", runs, options);
  };
  EXPECT_THAT(over(XAxis::kRounds).lines[0].x, ElementsAre(1, 2, 3));
  EXPECT_THAT(over(XAxis::kSamples).lines[0].x, ElementsAre(600, 1200, 1800));
  EXPECT_THAT(over(XAxis::kEpochs).lines[0].x, ElementsAre(0.01, 0.02, 0.03));
  EXPECT_THAT(over(XAxis::kBytes).lines[0].x, ElementsAre(2, 4, 6));
  EXPECT_EQ(over(XAxis::kBytes).x.title, "traffic (MB)");
}

TEST(AccuracyFigure, LeavesOutEpochsOfUnknownSize) {
  summary::RunSummary run = withCurve(madeRun("ssgd"), kPoints);
  run.dataset = "synthetic";
  FigureOptions options;
  options.x = XAxis::kEpochs;
  const Figure figure = built("accuracy", {run}, options);
  EXPECT_TRUE(figure.empty());
  EXPECT_TRUE(notes(figure, "did not record how many samples its workers train on"));
  EXPECT_EQ(figure.notes.front(), "nothing to draw: no run recorded how many samples its workers train on, so an epoch is not known");
}

TEST(AccuracyFigure, DashesTheLastStandaloneAccuracy) {
  const std::vector<summary::RunSummary> runs = {withCurve(madeRun("standalone"), {{1, 0.8}, {2, 0.91}}),
                                        withCurve(madeRun("esync"), kPoints)};
  const Figure figure = built("accuracy", runs);
  EXPECT_THAT(labels(figure), ElementsAre("ESync"));
  ASSERT_EQ(figure.references.size(), 1u);
  EXPECT_EQ(figure.references[0].label, "stand-alone");
  EXPECT_EQ(figure.references[0].value, 0.91);
}

TEST(AccuracyFigure, TakesTheStandaloneAccuracyThatIsGiven) {
  FigureOptions options;
  options.standaloneAccuracy = 0.926;
  EXPECT_EQ(built("accuracy", {withCurve(madeRun("esync"), kPoints)}, options).references[0].value, 0.926);
}

TEST(AccuracyFigure, DrawsStandaloneRunsThatAreAlone) {
  EXPECT_THAT(labels(built("accuracy", {withCurve(madeRun("standalone"), kPoints)})), ElementsAre("stand-alone"));
}

TEST(AccuracyFigure, SmoothsOverTheLastPointsAndKeepsTheRaw) {
  FigureOptions options;
  options.smoothing = 2;
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{1, 0.2}, {2, 0.4}, {3, 0.8}})}, options);
  EXPECT_DOUBLE_EQ(figure.lines[0].y[0], 0.2);
  EXPECT_DOUBLE_EQ(figure.lines[0].y[1], (0.2 + 0.4) / 2);
  EXPECT_DOUBLE_EQ(figure.lines[0].y[2], (0.4 + 0.8) / 2);
  EXPECT_THAT(figure.lines[0].rawY, ElementsAre(0.2, 0.4, 0.8));
  EXPECT_TRUE(notes(figure, "mean of the last 2 points"));
}

TEST(AccuracyFigure, MakesGapsOfWhatIsNotFinite) {
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{1, 0.2}, {2, NAN}, {3, INFINITY}, {4, 0.5}})});
  EXPECT_TRUE(std::isnan(figure.lines[0].y[1]));
  EXPECT_TRUE(std::isnan(figure.lines[0].y[2]));
  EXPECT_EQ(figure.lines[0].y[3], 0.5);
  EXPECT_TRUE(notes(figure, "ESync: 2 of 4 points are not finite"));
}

TEST(AccuracyFigure, SmoothingSkipsGaps) {
  FigureOptions options;
  options.smoothing = 3;
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{1, 0.2}, {2, NAN}, {3, 0.4}})}, options);
  EXPECT_TRUE(std::isnan(figure.lines[0].y[1]));
  EXPECT_DOUBLE_EQ(figure.lines[0].y[2], (0.2 + 0.4) / 2);
}

TEST(AccuracyFigure, LogAxesTakePositiveValuesOnly) {
  FigureOptions options;
  options.logY = true;
  const Figure figure = built("loss", {withCurve(madeRun("esync"), {{1, 0.5}, {2, 1.0}})}, options);
  EXPECT_TRUE(figure.y.log);
  EXPECT_TRUE(std::isnan(figure.lines[0].y[1]));
  EXPECT_TRUE(notes(figure, "no place on a log axis"));
}

TEST(AccuracyFigure, TellsConfigurationsOfOneAlgorithmApart) {
  summary::RunSummary slow = withCurve(madeRun("esync"), kPoints), fast = withCurve(madeRun("esync", 2), kPoints);
  fast.groupHash = "another";
  fast.model = "mlp";
  const Figure figure = built("accuracy", {slow, fast, withCurve(madeRun("ssgd"), kPoints)});
  EXPECT_THAT(labels(figure), ElementsAre("ESync, lenet", "ESync, mlp", "SSGD, lenet"));
  EXPECT_EQ(figure.lines[0].series, 0);
  EXPECT_EQ(figure.lines[1].series, 4);  // free: the published four keep theirs
  EXPECT_EQ(figure.lines[2].series, 1);
}

TEST(AccuracyNonIidFigure, TakesOnlySkewedPartitions) {
  summary::RunSummary skewed = withCurve(madeRun("asgd"), kPoints);
  skewed.partition = "by_class";
  summary::RunSummary contiguous = withCurve(madeRun("dc_asgd"), kPoints);
  contiguous.partition = "contiguous";
  EXPECT_THAT(labels(built("accuracy_non_iid", {withCurve(madeRun("esync"), kPoints), skewed, contiguous})), ElementsAre("ASGD"));
  const Figure none = built("accuracy_non_iid", {contiguous});
  EXPECT_THAT(labels(none), IsEmpty());
  EXPECT_EQ(none.notes.front(), "nothing to draw: no run has a partition that is not i.i.d.");
}

TEST(LossFigure, DrawsTheTestLoss) {
  const Figure figure = built("loss", {withCurve(madeRun("esync"), {{1, 0.25}, {2, 0.75}})});
  EXPECT_THAT(figure.lines[0].y, ElementsAre(0.75, 0.25));
  EXPECT_TRUE(
      notes(built("loss", {withCurve(madeRun("esync"), {{1, 0.25}})}, published()), "no published script draws the loss"));
}

}  // namespace
}  // namespace paceline::tests
