#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

// Evaluation i (from 0) after 60 (i + 1) seconds with accuracy (i + 1) / 1000.
summary::RunSummary rising(const std::string& algorithm, int points) {
  std::vector<std::pair<double, double>> curve;
  for (int i = 1; i <= points; ++i) curve.emplace_back(60.0 * i, i / 1000.0);
  return withCurve(madeRun(algorithm), curve);
}

TEST(PublishedAccuracy, TakesEveryFifthPointLedByATenth) {
  const Figure figure = built("accuracy", {rising("esync", 100)}, published());
  ASSERT_EQ(figure.lines[0].x.size(), 21u);
  EXPECT_EQ(figure.lines[0].x[0], 0);
  EXPECT_EQ(figure.lines[0].x[1], 1);
  EXPECT_EQ(figure.lines[0].x[2], 6);
  EXPECT_NEAR(figure.lines[0].y[0], 0.1, 1e-15);
  EXPECT_EQ(figure.x.title, "Time (minutes)");
  EXPECT_EQ(figure.x.min, 0.0);
  EXPECT_EQ(figure.x.max, 120.0);
  EXPECT_EQ(figure.y.title, "Test Accuracy");
  EXPECT_EQ(figure.y.max, 1.0);
}

TEST(PublishedAccuracy, AveragesTenPointsPaddedWithTheFirst) {
  const Figure figure = built("accuracy", {rising("esync", 100)}, published());
  EXPECT_NEAR(figure.lines[0].y[1], (9 * 0.1 + 0.001) / 10, 1e-15);
  EXPECT_NEAR(figure.lines[0].y[2], (8 * 0.1 + 0.001 + 0.006) / 10, 1e-15);
  EXPECT_NEAR(figure.lines[0].y[20], (0.051 + 0.056 + 0.061 + 0.066 + 0.071 + 0.076 + 0.081 + 0.086 + 0.091 + 0.096) / 10, 1e-15);
}

TEST(PublishedAccuracy, RoundsSecondsToEvenAndAccuracyToThreeDigits) {
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{0.5, 0.1234567}, {1.5, 0.5}})}, published());
  EXPECT_EQ(figure.lines[0].x[1], 0);
  EXPECT_EQ(figure.lines[0].x[2], 2.0 / 60);
  EXPECT_NEAR(figure.lines[0].y[1], (9 * 0.1 + 0.123) / 10, 1e-15);
}

TEST(PublishedAccuracy, MarksTheScriptsPoints) {
  const Figure figure =
      built("accuracy", {rising("esync", 400), rising("ssgd", 400), rising("asgd", 400), rising("dc_asgd", 400)}, published());
  EXPECT_THAT(figure.lines[0].markers, ElementsAre(5, 7, 9, 15, 47, 79));
  EXPECT_THAT(figure.lines[1].markers, ElementsAre(5, 15, 31, 47, 63, 79));
  EXPECT_THAT(figure.lines[2].markers, ElementsAre(7, 10, 40, 72));
  EXPECT_THAT(figure.lines[3].markers, ElementsAre(13, 30, 75));
}

TEST(PublishedAccuracy, LeavesOutTheEvaluationBeforeTraining) {
  summary::RunSummary run = rising("esync", 3);
  summary::CurvePoint before = run.curve[0];
  before.round = 0;
  run.curve.set(0, before);
  const Figure figure = built("accuracy", {run}, published());
  EXPECT_THAT(figure.lines[0].x, ElementsAre(0, 2, 3));
}

TEST(PublishedAccuracy, KeepsShortRunsWhole) {
  const Figure figure = built("accuracy", {rising("esync", 49)}, published());
  EXPECT_EQ(figure.lines[0].x.size(), 50u);
  EXPECT_TRUE(notes(figure, "ESync: all 49 points instead of every 5th"));
}

TEST(PublishedAccuracy, EndsTheAxisWithRunsOfAFewMinutes) {
  const Figure figure = built("accuracy", {withCurve(madeRun("esync"), {{60, 0.5}, {180, 0.6}})}, published());
  EXPECT_EQ(figure.x.max, 3.0);
  EXPECT_TRUE(notes(figure, "x axis ends with the runs"));
}

TEST(PublishedAccuracy, HasAFixedOrderAndOneRunOfEach) {
  summary::RunSummary second = rising("esync", 60);
  second.id = "second";
  second.name = "second";
  const Figure figure = built(
      "accuracy", {rising("asgd", 60), rising("local_sgd", 60), rising("esync", 60), second, rising("ssgd", 60)}, published());
  EXPECT_THAT(labels(figure), ElementsAre("ESync", "SSGD", "ASGD"));
  EXPECT_TRUE(notes(figure, "second: left out, the script draws one run of each algorithm"));
  EXPECT_TRUE(notes(figure, "demo local_sgd seed 1: left out"));
}

TEST(PublishedAccuracy, DrawsThePapersStandaloneLineOnlyForItsModel) {
  summary::RunSummary paper = rising("esync", 60);
  paper.model = "resnet18_v1";
  EXPECT_EQ(built("accuracy", {paper}, published()).references.at(0).value, 0.926);
  EXPECT_TRUE(built("accuracy", {rising("esync", 60)}, published()).references.empty());
}

TEST(PublishedAccuracy, NonIidTakesEveryTenthPointAndAWindowOfThirty) {
  summary::RunSummary run = rising("dc_asgd", 700);
  run.partition = "by_class";
  EXPECT_TRUE(built("accuracy", {run}, published()).empty());
  const Figure figure = built("accuracy_non_iid", {run}, published());
  ASSERT_EQ(figure.lines[0].x.size(), 71u);
  EXPECT_EQ(figure.lines[0].x[2], 11);
  EXPECT_NEAR(figure.lines[0].y[2], (28 * 0.1 + 0.001 + 0.011) / 30, 1e-15);
  EXPECT_THAT(figure.lines[0].markers, ElementsAre(40, 64));
  EXPECT_TRUE(notes(figure, "cut at 120 minutes") || figure.lines[0].x.back() <= 120);
}

}  // namespace
}  // namespace paceline::tests
