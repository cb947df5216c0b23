#include "engine/algorithms/esync_state.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

constexpr double kOpen = 1000;  // server time at which all begin the round

// Local steps that a worker with step time `fast` takes beside a slowest one with step time `slow` (rank 1, so that ties go
// against it).
int stepsBeside(double slow, double fast, double epsilon, EpsilonUnit unit = EpsilonUnit::kSeconds, double queryLatency = 0) {
  EsyncState state(2, epsilon, unit);
  state.registerWorker(0, slow);
  state.registerWorker(1, fast);
  state.beginRound(0, 1, kOpen);
  state.beginRound(1, 1, kOpen);
  double now = kOpen;
  for (int steps = 1;; ++steps) {
    now += fast;
    if (state.ready(1, steps, fast, now)) return steps;
    now += queryLatency;
  }
}

TEST(EsyncState, FillsTheSlowestStep) {
  EXPECT_EQ(stepsBeside(3.5, 0.03, 0.5), 100);
  EXPECT_EQ(stepsBeside(0.59, 0.05, 0.5), 1);
  EXPECT_EQ(stepsBeside(3.5, 1.5, 0.5), 2);
  EXPECT_EQ(stepsBeside(3.5, 3.4, 0.5), 1);
}

TEST(EsyncState, QueryLatencyCostsSteps) { EXPECT_EQ(stepsBeside(3.5, 0.03, 0.5, EpsilonUnit::kSeconds, 0.01), 75); }

TEST(EsyncState, FollowsTheClosedFormForManyStepTimes) {
  for (int slow = 2; slow <= 40; slow += 3)
    for (int fast = 1; fast < slow; ++fast)
      for (int epsilon = 0; epsilon < slow; epsilon += 5) {
        const int expected = std::max(1, (slow - epsilon) / fast);  // whole quarters of a second: exact
        EXPECT_EQ(stepsBeside(slow * 0.25, fast * 0.25, epsilon * 0.25), expected) << slow << ' ' << fast << ' ' << epsilon;
      }
}

TEST(EsyncState, AFractionScalesWithTheSlowestStep) {
  EXPECT_EQ(stepsBeside(3.5, 0.03, 0.02, EpsilonUnit::kFraction), 114);  // (3.5 - 0.07) / 0.03 = 114.3
  EXPECT_EQ(stepsBeside(0.35, 0.003, 0.02, EpsilonUnit::kFraction), 114);
}

TEST(EsyncState, BelowZeroAStepMayEndAfterTheSlowest) {
  EXPECT_EQ(stepsBeside(4, 1, 0.02, EpsilonUnit::kFraction), 3);
  EXPECT_EQ(stepsBeside(4, 1.04, 0, EpsilonUnit::kFraction), 3);
  EXPECT_EQ(stepsBeside(4, 1.04, -0.05, EpsilonUnit::kFraction), 4);  // 4.16, at most 4.2
  EXPECT_EQ(stepsBeside(4, 1.06, -0.05, EpsilonUnit::kFraction), 3);
}

// It was two steps of the others away.
TEST(EsyncState, NobodyWaitsForALostWorker) {
  EsyncState state(3, 0, EpsilonUnit::kSeconds);
  for (const auto& [rank, seconds] : {std::pair{0, 1.0}, {1, 2.0}, {2, 4.0}}) state.registerWorker(rank, seconds);
  for (int rank = 0; rank < 3; ++rank) state.beginRound(rank, 1, kOpen);
  EXPECT_FALSE(state.ready(1, 1, 2, kOpen + 2));
  state.left(2);
  EXPECT_EQ(state.slowest(), 1);
  EXPECT_TRUE(state.ready(1, 1, 2, kOpen + 2));
  EXPECT_TRUE(state.ready(0, 2, 1, kOpen + 2));
}

TEST(EsyncState, TiesGoToTheLowestRank) {
  EsyncState state(3, 0, EpsilonUnit::kSeconds);
  state.registerWorker(0, 1);
  state.registerWorker(1, 2);
  state.registerWorker(2, 2);
  EXPECT_EQ(state.slowest(), 1);
}

TEST(EsyncState, EqualWorkersTakeOneStep) {
  EsyncState state(3, 0.1, EpsilonUnit::kSeconds);
  for (int rank = 0; rank < 3; ++rank) state.registerWorker(rank, 1);
  for (int rank = 0; rank < 3; ++rank) state.beginRound(rank, 1, kOpen);
  for (int rank : {2, 1, 0}) EXPECT_TRUE(state.ready(rank, 1, 1, kOpen + 1));
}

TEST(EsyncState, DecidesNothingBeforeAllHaveRegistered) {
  EsyncState state(2, 0.5, EpsilonUnit::kSeconds);
  EXPECT_FALSE(state.registerWorker(1, 0.03));
  EXPECT_FALSE(state.registerWorker(1, 0.03));  // twice is once
  EXPECT_FALSE(state.complete());
  EXPECT_TRUE(state.registerWorker(0, 3.5));
}

TEST(EsyncState, FirstRoundUsesTheWarmUpStep) {
  EsyncState state(2, 0.5, EpsilonUnit::kSeconds);
  state.registerWorker(0, 3.5);
  state.registerWorker(1, 0.03);
  state.beginRound(1, 1, kOpen);
  EXPECT_FALSE(state.ready(1, 1, 0.03, kOpen + 0.03)) << "the slowest has not begun the round";
  state.beginRound(0, 1, kOpen + 0.04);
  EXPECT_FALSE(state.ready(1, 2, 0.03, kOpen + 0.06)) << "the slowest's first step is still running";
  EXPECT_TRUE(state.ready(1, 101, 0.03, kOpen + 3.03));
}

TEST(EsyncState, NoStepsMeansNotReady) {
  EsyncState state(1, 0.5, EpsilonUnit::kSeconds);
  state.registerWorker(0, 1);
  state.beginRound(0, 1, kOpen);
  EXPECT_FALSE(state.ready(0, 0, 1, kOpen));
  EXPECT_TRUE(state.ready(0, 1, 1, kOpen + 1));
}

TEST(EsyncState, AReadySlowestReleasesEverybody) {
  EsyncState state(2, 0, EpsilonUnit::kSeconds);
  state.registerWorker(0, 3.5);
  state.registerWorker(1, 0.03);
  state.beginRound(0, 1, kOpen);
  state.beginRound(1, 1, kOpen);
  EXPECT_TRUE(state.ready(0, 1, 3.5, kOpen + 3.5));
  EXPECT_TRUE(state.ready(1, 2, 0.03, kOpen + 3.51));
}

TEST(EsyncState, ANewRoundClearsReadiness) {
  EsyncState state(2, 0, EpsilonUnit::kSeconds);
  state.registerWorker(0, 3.5);
  state.registerWorker(1, 0.03);
  for (int rank : {0, 1}) state.beginRound(rank, 1, kOpen);
  EXPECT_TRUE(state.ready(0, 1, 3.5, kOpen + 3.5));
  for (int rank : {0, 1}) state.beginRound(rank, 2, kOpen + 4);
  EXPECT_FALSE(state.ready(1, 1, 0.03, kOpen + 4.03));
}

TEST(EsyncState, FollowsAChangeOfSpeed) {
  EsyncState state(2, 0, EpsilonUnit::kSeconds);
  state.registerWorker(0, 4);
  state.registerWorker(1, 1);
  for (int rank : {0, 1}) state.beginRound(rank, 1, kOpen);
  EXPECT_TRUE(state.ready(0, 1, 0.75, kOpen + 0.75));  // it became fast, so the other is the slowest now
  EXPECT_EQ(state.slowest(), 1);
}

}  // namespace
}  // namespace paceline::tests
