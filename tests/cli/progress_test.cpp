#include "app/cli/runs/progress.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

RunSpec specWith(StopRules stop) {
  RunSpec spec;
  spec.nodes = {NodeSpec{}, NodeSpec{}};
  spec.nodes[0].id = "w0";
  spec.nodes[1].id = "w1";
  spec.evaluate.on = "w0";
  spec.stop = stop;
  return spec;
}

StampedEvent round(const std::string& node, std::int64_t number, double t = 0, std::int64_t samples = 10) {
  RoundRecord record;
  record.round = number;
  record.t = t;
  record.samples = samples;
  return {.run = "r", .node = node, .seq = number, .event = record};
}

StopRules rounds(std::int64_t n) {
  StopRules stop;
  stop.rounds = n;
  return stop;
}

TEST(Progress, CountsTheEvaluatingWorkersRounds) {
  cli::Progress progress(specWith(rounds(10)));
  progress.take(round("w1", 9));
  EXPECT_EQ(progress.fraction(), 0);
  progress.take(round("w0", 4));
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.4);
}

TEST(Progress, CountsEverybodysSamples) {
  StopRules stop;
  stop.samples = 100;
  cli::Progress progress(specWith(stop));
  progress.take(round("w0", 1));
  progress.take(round("w1", 1));
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.2);
}

TEST(Progress, FollowsTheRuleNearestItsEndAndNeverGoesBack) {
  StopRules stop = rounds(10);
  stop.seconds = 100;
  cli::Progress progress(specWith(stop));
  progress.take(round("w0", 1, 90));
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.9);
  progress.take(round("w0", 2, 20));
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.9);
  progress.take(round("w0", 30, 200));
  EXPECT_DOUBLE_EQ(progress.fraction(), 1);
}

TEST(Progress, TellsTheTimeLeftOnceThereIsSomethingToTellItFrom) {
  cli::Progress progress(specWith(rounds(10)));
  EXPECT_FALSE(progress.secondsLeft(5));
  progress.take(round("w0", 4));
  EXPECT_DOUBLE_EQ(*progress.secondsLeft(8), 12);
}

TEST(Progress, SaysRoundAndAccuracy) {
  cli::Progress progress(specWith(rounds(10)));
  progress.take(round("w0", 4));
  EXPECT_EQ(progress.text(), "round 4");
  EvaluationRecord evaluation;
  evaluation.accuracy = 0.8125;
  progress.take({.run = "r", .node = "w0", .seq = 5, .event = evaluation});
  EXPECT_EQ(progress.text(), "round 4, accuracy 0.812");
}

TEST(Progress, ShowsTheRunsOwnAccuracyWhoeverElseIsEvaluated) {
  cli::Progress progress(specWith(rounds(10)));
  progress.take({.run = "r", .node = "w0", .seq = 1, .event = EvaluationRecord{.accuracy = 0.25, .of = "mean"}});
  progress.take({.run = "r", .node = "w0", .seq = 2, .event = EvaluationRecord{.accuracy = 0.75}});
  progress.take({.run = "r", .node = "w0", .seq = 3, .event = EvaluationRecord{.accuracy = 0.5, .of = "w1"}});
  EXPECT_EQ(progress.text(), "accuracy 0.250");
}

TEST(Progress, AnAccuracyRuleAloneHasNoEndInSight) {
  StopRules stop;
  stop.accuracy = 0.9;
  cli::Progress progress(specWith(stop));
  progress.take(round("w0", 4));
  EXPECT_EQ(progress.fraction(), 0);
  EXPECT_FALSE(progress.secondsLeft(10));
}

}  // namespace
}  // namespace paceline::tests
