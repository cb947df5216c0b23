#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

summary::RunSummary stepping(const std::string& algorithm, std::vector<std::pair<std::int64_t, std::int64_t>> fast,
                    std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.nodes = {madeNode("w0", "local", "cpu", 1, 1), madeNode("w1", "local", "cpu", 1, 1)};
  run.nodes[0].localSteps = std::move(fast);
  run.nodes[1].localSteps = {{1, 1}, {2, 1}};
  return run;
}

TEST(LocalStepsFigure, HasALinePerWorker) {
  const Figure figure = built("local_steps", {stepping("esync", {{1, 10}, {2, 12}})});
  EXPECT_THAT(labels(figure), ElementsAre("w0", "w1"));
  EXPECT_THAT(figure.lines[0].x, ElementsAre(1, 2));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(10, 12));
  EXPECT_THAT(figure.lines[1].y, ElementsAre(1, 1));
  EXPECT_EQ(figure.title, "Local steps per round, ESync");
}

TEST(LocalStepsFigure, PublishedCountsOneEntryMoreForESync) {
  EXPECT_THAT(built("local_steps", {stepping("esync", {{1, 10}, {2, 12}})}, published()).lines[0].y, ElementsAre(11, 13));
  EXPECT_THAT(built("local_steps", {stepping("local_sgd", {{1, 10}, {2, 12}})}, published()).lines[0].y, ElementsAre(10, 12));
}

TEST(LocalStepsFigure, LeavesOutRunsOfSingleSteps) {
  const Figure figure = built("local_steps", {stepping("esync", {{1, 10}, {2, 12}}), stepping("ssgd", {{1, 1}, {2, 1}})});
  EXPECT_EQ(figure.lines.size(), 2u);
  EXPECT_TRUE(notes(figure, "SSGD: left out, one step in every round"));
}

TEST(LocalStepsFigure, DrawsSingleStepsWhenThereIsNothingElse) {
  EXPECT_EQ(built("local_steps", {stepping("ssgd", {{1, 1}, {2, 1}})}).lines.size(), 2u);
}

TEST(LocalStepsFigure, DrawsOneSeed) {
  const Figure figure = built("local_steps", {stepping("esync", {{1, 10}}, 1), stepping("esync", {{1, 11}}, 2)});
  EXPECT_THAT(figure.lines[0].y, ElementsAre(10));
  EXPECT_TRUE(notes(figure, "ESync, seed 2: left out"));
}

}  // namespace
}  // namespace paceline::tests
