#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

summary::RunSummary splitRun(const std::string& algorithm, const std::vector<LabelCounts>& counts, std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    run.nodes.push_back(madeNode(strCat("w", i), "local", "cpu", 0.5, 0.5));
    run.nodes.back().labelCounts = counts[i];
  }
  return run;
}

TEST(LabelDistribution, StacksTheClassesOfEveryWorker) {
  const Figure figure = built("label_distribution", {splitRun("esync", {{6000, 4000, 0}, {0, 2000, 6000}})});
  EXPECT_TRUE(figure.stacked);
  EXPECT_THAT(figure.x.categories, ElementsAre("w0", "w1"));
  EXPECT_THAT(labels(figure), ElementsAre("class 0", "class 1", "class 2"));
  EXPECT_THAT(figure.bars[1].values, ElementsAre(4000, 2000));
  EXPECT_THAT(figure.bars[2].texts, ElementsAre("10000", "8000"));  // above the whole bar
  EXPECT_TRUE(notes(figure, "a worker has 2 classes; mean Jensen-Shannon distance"));
  EXPECT_THAT(figureToCsv(figure), HasSubstr("class 1,w1,2000\r\n"));
}

TEST(LabelDistribution, DrawsRunsOfOneSplitOnceAndOthersBesideIt) {
  const std::vector<LabelCounts> iid{{5, 5}, {5, 5}}, skewed{{10, 0}, {0, 10}};
  EXPECT_EQ(built("label_distribution", {splitRun("esync", iid), splitRun("ssgd", iid)}).x.categories.size(), 2U);
  const Figure both = built("label_distribution", {splitRun("esync", iid), splitRun("ssgd", skewed)});
  EXPECT_THAT(both.x.categories, ElementsAre("ESync, w0", "ESync, w1", "SSGD, w0", "SSGD, w1"));
  EXPECT_THAT(both.bars[0].values, ElementsAre(5, 5, 10, 0));
  EXPECT_TRUE(notes(both, "ESync: a worker has 2 classes; mean Jensen-Shannon distance of its classes from everyone's 0.000"));
  EXPECT_TRUE(notes(both, "SSGD: a worker has 1 class; mean Jensen-Shannon distance of its classes from everyone's 0.558"));
}

TEST(LabelDistribution, ManyClassesAreDrawnInTenRanges) {
  LabelCounts counts(100, 3);
  counts[99] = 50;
  const Figure figure = built("label_distribution", {splitRun("esync", {counts})});
  EXPECT_THAT(labels(figure), Contains("classes 90 to 99"));
  EXPECT_EQ(figure.bars.size(), 10U);
  EXPECT_THAT(figure.bars[9].values, ElementsAre(77));
  EXPECT_TRUE(notes(figure, "100 classes are drawn in 10 ranges of 10"));
  const Figure eleven = built("label_distribution", {splitRun("esync", {LabelCounts(11, 1)})});
  EXPECT_THAT(labels(eleven), ElementsAre("classes 0 to 1", "classes 2 to 3", "classes 4 to 5", "classes 6 to 7", "classes 8 to 9", "class 10"));
}

TEST(LabelDistribution, SaysHowManyWorkersAreNotDrawn) {
  const Figure figure = built("label_distribution", {splitRun("esync", std::vector<LabelCounts>(60, {1, 2}))});
  EXPECT_EQ(figure.x.categories.size(), 48U);
  EXPECT_EQ(figure.bars[0].values.size(), 48U);
  EXPECT_TRUE(notes(figure, "the first 48 of 60 workers are drawn"));
}

TEST(LabelDistribution, NamesRunsWithoutRecordedLabelsAndOtherSeeds) {
  summary::RunSummary other = splitRun("ssgd", {{9, 1}, {1, 9}}, 2);
  const Figure figure = built("label_distribution", {madeRun("esync"), splitRun("ssgd", {{5, 5}, {5, 5}}, 1), other});
  EXPECT_TRUE(notes(figure, "ESync: left out, its workers' labels were not recorded"));
  EXPECT_TRUE(notes(figure, "seed 2: left out, one seed of a configuration is drawn"));
}

TEST(LabelDistribution, StackingSurvivesTheDocument) {
  const Figure figure = built("label_distribution", {splitRun("esync", {{1, 2}})});
  EXPECT_TRUE(parseFigure(figureToJson(figure)).stacked);
  std::string old = figureToJson(figure);
  const std::size_t at = old.find("\"stacked\": true,");
  ASSERT_NE(at, std::string::npos);
  old.erase(at, 16);
  EXPECT_FALSE(parseFigure(old).stacked);
}

TEST(Epochs, AreTheSamplesThatWorkersRecorded) {
  summary::RunSummary run = withCurve(splitRun("esync", {{100, 200}, {300, 0}}), {{1, 0.1}, {2, 0.2}});
  run.dataset = "synthetic", run.epochSamples = 1200;  // 600 samples a round
  FigureOptions options;
  options.x = XAxis::kEpochs;
  EXPECT_THAT(built("accuracy", {run}, options).lines.at(0).x, ElementsAre(0.5, 1));
}

}  // namespace
}  // namespace paceline::tests
