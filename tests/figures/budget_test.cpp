// Runs cut to one budget: what is behind it counts for nothing.
#include "app/figures/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

// Evaluations every 10 s; 600 samples and 2 MB a round.
summary::RunSummary longRun(const std::string& algorithm, int points) {
  std::vector<std::pair<double, double>> curve;
  for (int i = 1; i <= points; ++i) curve.emplace_back(10.0 * i, 0.1 * i);
  summary::RunSummary run = withCurve(madeRun(algorithm), curve);
  run.accuracyBest = run.accuracyLast, run.wallSeconds = 10.0 * points + 1;
  return run;
}

TEST(Budget, IsAsFarAsAllRunsGo) {
  const Cut cut = cutTo({longRun("esync", 9), longRun("ssgd", 5)}, {.of = XAxis::kTime});
  ASSERT_EQ(cut.runs.size(), 2U);
  for (const summary::RunSummary& run : cut.runs) {
    EXPECT_EQ(run.curve.size(), 5U);
    EXPECT_DOUBLE_EQ(*run.accuracyLast, 0.5);
    EXPECT_DOUBLE_EQ(*run.accuracyBest, 0.5);
    EXPECT_FALSE(run.timeToTargetSeconds) << "0.8 lies behind it";
    EXPECT_DOUBLE_EQ(run.wallSeconds, 50);
  }
  EXPECT_EQ(cut.note, "evaluations up to 50 s, as far as every run goes; rates are those of whole runs");
}

TEST(Budget, IsToldAsExactlyAsAReaderWants) {
  summary::RunSummary run = withCurve(madeRun("esync"), {{1, 0.5}, {17.12607266399573, 0.6}});
  EXPECT_THAT(cutTo({run}, {.of = XAxis::kTime}).note, ::testing::StartsWith("evaluations up to 17.1 s, "));
  EXPECT_EQ(cutTo({run}, {.of = XAxis::kTime}).runs.front().curve.size(), 2U) << "the number itself is not rounded";
}

TEST(Budget, MayBeOfRoundsSamplesAndBytes) {
  for (const auto& [text, points] : {std::pair("rounds=3", 3U), std::pair("samples=2400", 4U), std::pair("bytes=5e6", 2U), std::pair("time=85", 8U)}) {
    const Cut cut = cutTo({longRun("esync", 9)}, budgetFrom(text));
    EXPECT_EQ(cut.runs.front().curve.size(), points) << text;
    EXPECT_EQ(cut.runs.front().timeToTargetSeconds.has_value(), points >= 8) << text;
  }
}

TEST(Budget, NamesRunsThatAreShorter) {
  EXPECT_THAT(cutTo({longRun("esync", 9), longRun("ssgd", 5)}, budgetFrom("time=80")).note, HasSubstr("; shorter than that: demo ssgd seed 1"));
}

TEST(Budget, KeepsWhatDetailsDoNotAskFor) {
  summary::RunSummary run = longRun("esync", 9);
  summary::Details details = detailsFor({.of = XAxis::kBytes});
  summary::keepOnly(run, details);
  const Cut cut = cutTo({run}, budgetFrom("bytes=6e6"));
  EXPECT_DOUBLE_EQ(*cut.runs.front().accuracyLast, 0.3);
  EXPECT_DOUBLE_EQ(*cut.runs.front().lossLast, 0.7);
}

TEST(Budget, WithoutEvaluationsCutsNothing) {
  const Cut cut = cutTo({madeRun("esync")}, {.of = XAxis::kTime});
  EXPECT_EQ(cut.note, "");
  EXPECT_EQ(cut.runs.size(), 1U);
}

TEST(Budget, OfNothingThatIsKnownIsRefused) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      budgetFrom(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refused("epochs"), "a budget is of time, rounds, samples or bytes, not of \"epochs\"");
  EXPECT_EQ(refused("time=-1"), "a budget of time is a number above 0, not \"-1\"");
  EXPECT_EQ(refused("rounds="), "a budget of rounds is a number above 0, not \"\"");
  EXPECT_EQ(refused("bytes=3 MB"), "a budget of bytes is a number above 0, not \"3 MB\"");
}

}  // namespace
}  // namespace paceline::tests
