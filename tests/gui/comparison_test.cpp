#include "app/models/compare/comparison.h"

#include <gtest/gtest.h>

#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

TEST(Comparison, BuildsTheFigureOfTheChosenRunsInTheBackground) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  storeRun(store, madeRow(1), 12);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  ASSERT_TRUE(waitFor([&] { return comparison.figure().lines.size() == 2; }));
  EXPECT_EQ(comparison.results().rows.size(), 2u);
  comparison.setFigure("throughput");
  EXPECT_TRUE(waitFor([&] { return !comparison.figure().bars.empty(); }));
}

TEST(Comparison, CutsRunsOfUnequalLengthToWhatAllHave) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  storeRun(store, madeRow(1), 5);
  compare::Comparison comparison(store);
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  const auto longest = [&] {
    std::size_t points = 0;
    for (const Line& line : comparison.figure().lines) points = std::max(points, line.x.size());
    return points;
  };
  ASSERT_TRUE(waitFor([&] { return longest() == 12; }));
  comparison.setBudget(Budget{.of = XAxis::kTime});
  ASSERT_TRUE(waitFor([&] { return longest() == 5; }));
  EXPECT_EQ(comparison.results().findings.at(0), "evaluations up to 5 s, as far as every run goes; rates are those of whole runs");
  comparison.setFigure("speedup");  // which needs other columns of a run
  ASSERT_TRUE(waitFor([&] { return comparison.figure().id == "speedup"; }));
  comparison.setBudget(std::nullopt);
  comparison.setFigure("accuracy");
  EXPECT_TRUE(waitFor([&] { return longest() == 12; }));
}

TEST(Comparison, AnswersAQuestionThatOutlastsItsRefreshesAndAsksOnceMore) {
  application();
  const TempFolder folder{};
  const std::string store = folder.path("store.db");
  storeRun(store, madeRow(0), 12);
  compare::Comparison comparison(store);
  std::vector<std::size_t> lines;  // of each answer
  QObject::connect(&comparison, &compare::Comparison::ready, &comparison, [&] { lines.push_back(comparison.figure().lines.size()); });
  comparison.setRuns({madeRow(0).id, madeRow(1).id});
  for (int i = 0; i < 3; ++i) comparison.refresh();  // no answer arrives in between: this thread takes none
  storeRun(store, madeRow(1), 12);
  ASSERT_TRUE(waitFor([&lines] { return lines.size() >= 2; }));
  EXPECT_EQ(lines.back(), 2u);
}

}  // namespace
}  // namespace paceline::tests
