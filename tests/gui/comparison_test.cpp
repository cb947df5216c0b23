#include "app/models/compare/comparison.h"

#include <gtest/gtest.h>

#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

summary::RunSummary run(const std::string& algorithm, double accuracy, std::optional<double> toTarget) {
  summary::RunSummary made;
  made.id = made.name = algorithm + std::to_string(accuracy);
  made.algorithm = made.groupHash = algorithm;
  made.accuracyBest = made.accuracyLast = accuracy;
  made.timeToTargetSeconds = toTarget;
  made.targetAccuracy = 0.8;
  made.throughputSamplesPerSecond = 100;
  made.wallSeconds = 10;
  return made;
}

TEST(Results, SeedsBecomeMeanAndSampleDeviation) {
  const compare::Results results = compare::tabulate({run("ssgd", 0.80, 10.0), run("esync", 0.90, 4.0), run("esync", 0.92, 6.0)});
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_EQ(results.rows[0].label, "ESync");
  EXPECT_EQ(results.rows[0].runs, 2);
  EXPECT_EQ(results.rows[0].cells[0].text, "91.00 ± 1.41");
  EXPECT_TRUE(results.rows[0].cells[0].best);
  EXPECT_FALSE(results.rows[1].cells[0].best);
  EXPECT_TRUE(results.rows[0].cells[2].best);  // 5 s before 10 s
}

TEST(Results, NotReachedIsNeverANumberAndNeverBest) {
  const compare::Results results =
      compare::tabulate({run("ssgd", 0.7, std::nullopt), run("esync", 0.9, 4.0), run("asgd", 0.9, 1.0), run("asgd", 0.9, std::nullopt)});
  EXPECT_EQ(results.rows[1].cells[2].text, "not reached");
  EXPECT_EQ(results.rows[2].cells[2].text, "1.0 (1 of 2)");
  EXPECT_FALSE(results.rows[2].cells[2].best);
  EXPECT_TRUE(results.rows[0].cells[2].best);
}

TEST(Comparison, BuildsTheFigureOfTheChosenRunsInTheBackground) {
  testing::application();
  const testing::TempFolder folder;
  const std::string store = folder.path("store.db");
  testing::storeRun(store, testing::madeRow(0), 12);
  testing::storeRun(store, testing::madeRow(1), 12);
  compare::Comparison comparison(store);
  comparison.setRuns({testing::madeRow(0).id, testing::madeRow(1).id});
  ASSERT_TRUE(testing::waitFor([&] { return comparison.figure().lines.size() == 2; }));
  EXPECT_EQ(comparison.results().rows.size(), 2u);
  comparison.setFigure("throughput");
  EXPECT_TRUE(testing::waitFor([&] { return !comparison.figure().bars.empty(); }));
}

TEST(Comparison, AnswersAQuestionThatOutlastsItsRefreshesAndAsksOnceMore) {
  testing::application();
  const testing::TempFolder folder;
  const std::string store = folder.path("store.db");
  testing::storeRun(store, testing::madeRow(0), 12);
  compare::Comparison comparison(store);
  std::vector<std::size_t> lines;  // of each answer
  QObject::connect(&comparison, &compare::Comparison::ready, &comparison, [&] { lines.push_back(comparison.figure().lines.size()); });
  comparison.setRuns({testing::madeRow(0).id, testing::madeRow(1).id});
  for (int i = 0; i < 3; ++i) comparison.refresh();  // no answer arrives in between: this thread takes none
  testing::storeRun(store, testing::madeRow(1), 12);
  ASSERT_TRUE(testing::waitFor([&lines] { return lines.size() >= 2; }));
  EXPECT_EQ(lines.back(), 2u);
}

}  // namespace
}  // namespace paceline::tests
