#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

summary::RunSummary reaching(const std::string& algorithm, double seconds, std::uint64_t seed = 1) {
  return withCurve(madeRun(algorithm, seed), {{seconds / 2, 0.5}, {seconds, 0.81}, {seconds * 2, 0.7}});
}
summary::RunSummary missing(const std::string& algorithm, std::uint64_t seed = 1) {
  return withCurve(madeRun(algorithm, seed), {{10, 0.5}, {100, 0.79}});
}

double bar(const Figure& figure, std::size_t i) { return figure.bars[i].values[i]; }
std::string over(const Figure& figure, std::size_t i) { return figure.bars[i].texts[i]; }

TEST(SpeedupFigure, DividesSsgdsTimeByTheRunsTime) {
  const Figure figure = built("speedup", {reaching("ssgd", 300), reaching("esync", 50), reaching("asgd", 600)});
  EXPECT_DOUBLE_EQ(bar(figure, 0), 6);
  EXPECT_DOUBLE_EQ(bar(figure, 1), 1);
  EXPECT_DOUBLE_EQ(bar(figure, 2), 0.5);
  EXPECT_EQ(figure.y.title, "speed-up over SSGD to accuracy 0.8");
}

TEST(SpeedupFigure, SaysNotReachedInsteadOfANumber) {
  const Figure figure = built("speedup", {reaching("ssgd", 300), missing("esync")});
  EXPECT_TRUE(std::isnan(bar(figure, 0)));
  EXPECT_EQ(over(figure, 0), "not reached");
  EXPECT_TRUE(notes(figure, "ESync: not reached"));
}

TEST(SpeedupFigure, TheReferenceNeverGivesWayToAnother) {
  const Figure figure = built("speedup", {missing("ssgd"), reaching("esync", 50), reaching("asgd", 200)});
  EXPECT_EQ(figure.y.title, "speed-up over SSGD to accuracy 0.8");
  EXPECT_TRUE(std::isnan(bar(figure, 0)));
  EXPECT_EQ(over(figure, 0), "in 50 s");
  EXPECT_EQ(over(figure, 1), "not reached");
  EXPECT_TRUE(notes(figure, "the reference SSGD: accuracy 0.8 not reached; choose another reference or target"));
}

TEST(SpeedupFigure, WithoutSsgdSaysWhichReferenceItTakes) {
  const Figure figure = built("speedup", {reaching("esync", 50), reaching("asgd", 200)});
  EXPECT_EQ(figure.y.title, "speed-up over ASGD to accuracy 0.8");
  EXPECT_DOUBLE_EQ(bar(figure, 0), 4);
  EXPECT_TRUE(notes(figure, "no run of SSGD: the reference is ASGD"));
}

TEST(SpeedupFigure, TakesTheReferenceThatIsAskedFor) {
  const std::vector<summary::RunSummary> runs{reaching("ssgd", 300), reaching("esync", 50), reaching("asgd", 200)};
  FigureOptions options;
  for (const char* reference : {"asgd", "asgd-1"}) {  // an algorithm, a run
    options.reference = reference;
    const Figure figure = built("speedup", runs, options);
    EXPECT_EQ(figure.y.title, "speed-up over ASGD to accuracy 0.8");
    EXPECT_DOUBLE_EQ(bar(figure, 0), 4);
  }
  options.reference = "dgs";
  EXPECT_TRUE(std::isnan(bar(built("speedup", runs, options), 0)));
  EXPECT_TRUE(notes(built("speedup", runs, options), "the reference DGS is not among the runs"));
  options.reference = "01m832krz01spj02gamb", options.referenceName = "DGS, slowdown 6";
  EXPECT_TRUE(notes(built("speedup", runs, options), "the reference DGS, slowdown 6 is not among the runs"));
}

TEST(SpeedupFigure, OfTheScriptSaysThatItDrawsOtherMethods) {
  const Figure figure = built("speedup", {reaching("dgs", 50)}, published());
  EXPECT_TRUE(figure.empty());
  EXPECT_EQ(figure.notes.front(), "nothing to draw: no run of ESync, SSGD, ASGD or DC-ASGD");
  EXPECT_FALSE(notes(figure, "no run reached accuracy"));
}

TEST(SpeedupFigure, ComparesEachConfigurationWithItsOwnCounterpart) {
  summary::RunSummary slow = reaching("ssgd", 300), fast = reaching("ssgd", 100), own = reaching("esync", 50);
  slow.model = own.model = "mlp";
  slow.groupHash = "slow", slow.id = "slow";
  EXPECT_DOUBLE_EQ(bar(built("speedup", {fast, slow, own}), 0), 6);
}

TEST(SpeedupFigure, NobodyReachedIt) {
  const Figure figure = built("speedup", {missing("ssgd"), missing("esync")});
  EXPECT_EQ(over(figure, 0), "not reached");
  EXPECT_TRUE(notes(figure, "no run reached accuracy 0.8"));
}

TEST(SpeedupFigure, AveragesSeedsAndCountsThoseThatMissed) {
  const Figure figure = built("speedup", {reaching("ssgd", 300), reaching("esync", 50, 1), reaching("esync", 100, 2),
                                          reaching("asgd", 100, 1), missing("asgd", 2)});
  EXPECT_DOUBLE_EQ(bar(figure, 0), 4.5);  // 6 and 3
  EXPECT_EQ(over(figure, 0), "4.5 ± 2.1");
  EXPECT_TRUE(std::isnan(bar(figure, 2)));
  EXPECT_EQ(over(figure, 2), "not reached by 1 of 2 seeds");
}

TEST(SpeedupFigure, TakesOneTargetForAll) {
  summary::RunSummary other = reaching("esync", 50);
  other.targetAccuracy = 0.5;
  other.timeToTargetSeconds = 25;
  EXPECT_DOUBLE_EQ(bar(built("speedup", {reaching("ssgd", 300), other}), 0), 6);
}

TEST(SpeedupFigure, PublishedCountsWholeSecondsOfRoundedAccuracies) {
  summary::RunSummary ssgd = withCurve(madeRun("ssgd"), {{100.4, 0.79951}}), esync = withCurve(madeRun("esync"), {{10.4, 0.9}});
  EXPECT_EQ(over(built("speedup", {ssgd, esync}), 1), "not reached");
  const Figure figure = built("speedup", {ssgd, esync}, published());
  EXPECT_DOUBLE_EQ(bar(figure, 0), 10);  // 0.79951 reads 0.8 in the summary, 100 s / 10 s
  EXPECT_TRUE(notes(figure, "README gives the definition"));
}

}  // namespace
}  // namespace paceline::tests
