#include "app/cluster/recorder/entry_work.h"

#include <gtest/gtest.h>

namespace paceline::recorder {
namespace {

struct Stop {
  std::optional<std::int64_t> rounds{};
  std::optional<double> seconds{};
  std::optional<std::int64_t> samples{};
  std::optional<double> accuracy{};
};

RunSpec stopping(const Stop& stop) {
  RunSpec spec;
  spec.nodes.resize(2);
  spec.nodes[0].id = "w0", spec.nodes[1].id = "w1";
  spec.evaluate.on = "w0";
  spec.stop.rounds = stop.rounds, spec.stop.seconds = stop.seconds, spec.stop.samples = stop.samples, spec.stop.accuracy = stop.accuracy;
  return spec;
}

EvaluationRecord evaluation(std::int64_t round, double accuracy, const std::string& of = "") {
  EvaluationRecord record;
  record.round = round, record.accuracy = accuracy, record.of = of;
  return record;
}

Event round(std::int64_t number, double t, std::int64_t samples = 0) {
  RoundRecord record;
  record.round = number, record.t = t, record.samples = samples;
  return record;
}

TEST(ProgressFold, TheRuleThatEndsFirstCounts) {
  ProgressFold fold(stopping({.rounds = 100, .seconds = 1000}));
  fold.take("w0", round(50, 100));
  EXPECT_EQ(fold.progress().fraction, 0.5);
  EXPECT_EQ(fold.progress().round, 50);
  EXPECT_EQ(fold.progress().seconds, 100);
  ASSERT_TRUE(fold.progress().leftLowSeconds);
  EXPECT_DOUBLE_EQ(*fold.progress().leftLowSeconds, 100);
}

TEST(ProgressFold, NeverGoesBack) {
  ProgressFold fold(stopping({.rounds = 100}));
  fold.take("w0", round(50, 1));
  fold.take("w0", round(20, 2));
  EXPECT_EQ(fold.progress().fraction, 0.5);
}

TEST(ProgressFold, TheRestIsBetweenTheMeanRateAndThePresentOne) {
  ProgressFold fold(stopping({.rounds = 100}));
  for (int i = 1; i <= 40; ++i) fold.take("w0", round(i, i * 1.0));        // one a second
  for (int i = 41; i <= 80; ++i) fold.take("w0", round(i, 40 + (i - 40) * 2.0));  // then half as fast
  EXPECT_DOUBLE_EQ(*fold.progress().leftLowSeconds, 20 * 120.0 / 80);
  EXPECT_DOUBLE_EQ(*fold.progress().leftHighSeconds, 40);
}

TEST(ProgressFold, SamplesOfAllWorkersCount) {
  ProgressFold fold(stopping({.samples = 1000}));
  fold.take("w0", round(1, 1, 100));
  fold.take("w1", round(1, 1, 150));
  EXPECT_EQ(fold.progress().fraction, 0.25);
}

TEST(ProgressFold, AnAccuracyRuleAloneTellsNothing) {
  ProgressFold fold(stopping({.accuracy = 0.9}));
  fold.take("w0", round(10, 10));
  EXPECT_EQ(fold.progress().fraction, 0);
  EXPECT_FALSE(fold.progress().leftLowSeconds);
}

TEST(ProgressFold, OfASimulationTheTimeLeftIsThisComputers) {
  static double now = 0;
  ProgressFold fold(stopping({.rounds = 100}), true, [] { return now; });
  now = 2;
  fold.take("w0", round(50, 5000));
  EXPECT_EQ(fold.progress().seconds, 5000);
  EXPECT_DOUBLE_EQ(*fold.progress().leftHighSeconds, 2);
}

TEST(ProgressFold, NothingIsSaidOfTheTimeLeftWhileANodeIsSilent) {
  const auto told = [](const char* kind, const char* reason) { return NoticeRecord{.kind = kind, .text = "", .level = "info", .reason = reason, .code = 0, .unixTime = 0}; };
  ProgressFold fold(stopping({.rounds = 100}));
  fold.take("w0", round(50, 100));
  ASSERT_TRUE(fold.progress().leftLowSeconds);
  fold.take("w1", told("note", "silent"));
  EXPECT_FALSE(fold.progress().leftLowSeconds || fold.progress().leftHighSeconds);
  fold.take("w0", round(60, 120));  // an asynchronous method goes on
  EXPECT_FALSE(fold.progress().leftLowSeconds);
  EXPECT_EQ(fold.progress().fraction, 0.6);
  fold.take("w1", told("note", "heard"));
  ASSERT_TRUE(fold.progress().leftLowSeconds);
  EXPECT_DOUBLE_EQ(*fold.progress().leftLowSeconds, 80);
  fold.take("w1", told("note", "silent"));
  fold.take("w1", told("exit", "silent"));
  EXPECT_TRUE(fold.progress().leftLowSeconds);
}

TEST(ProgressFold, TheAccuracyIsThatOfTheRunsOwnCurve) {
  ProgressFold fold(stopping({.rounds = 100}));
  fold.take("w0", evaluation(1, 0.5));
  fold.take("w0", evaluation(1, 0.6, "mean"));
  fold.take("w0", evaluation(2, 0.4));
  EXPECT_EQ(fold.progress().accuracy, 0.6);
}

TEST(ProgressFold, KeepsTheFirstLossThatIsNoNumber) {
  ProgressFold fold(stopping({.rounds = 100}));
  NoticeRecord notice{.kind = "log", .text = "in round 3 the loss is NaN", .level = "warn", .reason = "", .code = 0, .unixTime = 0};
  fold.take("w0", notice);
  EXPECT_EQ(fold.progress().diverged, "");
  notice.reason = kNotFinite;
  fold.take("w1", notice);
  fold.take("w0", notice);
  EXPECT_EQ(fold.progress().diverged, "w1: in round 3 the loss is NaN");
}

}  // namespace
}  // namespace paceline::recorder
