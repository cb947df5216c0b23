// Staleness and throughput of ASGD against their closed forms.
#include <gtest/gtest.h>

#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

TEST(Asgd, EqualWorkersSeeOneUpdateOfEachOther) {
  for (int world : {1, 2, 5}) {
    const SimResult result = runInSim(clusterOf("asgd", world, 2), quadratic());
    for (const RoundRecord& round : result.rounds(0))
      if (round.round > 1) {
        EXPECT_EQ(round.staleness, world - 1);
      }
  }
}

TEST(Asgd, TheFirstPushesAreAsStaleAsTheyAreLate) {
  const SimResult result = runInSim(clusterOf("asgd", 4, 1), quadratic());
  for (int node = 0; node < 4; ++node) EXPECT_EQ(result.rounds(node)[0].staleness, node);
}

// Worker i sees T_i / T_j updates of each other worker j between its pull and its push.
TEST(Asgd, MeanStalenessFollowsTheStepTimes) {
  const std::vector<double> steps{0.1, 0.23, 0.41};
  RunSpec spec = clusterOf("asgd", 3, 1);
  for (std::size_t i = 0; i < 3; ++i) spec.nodes[i].emulate.stepSeconds = steps[i];
  spec.stop.rounds = 2000;
  spec.evaluate.everyRounds = 0;
  const SimResult result = runInSim(spec, quadratic());
  for (int node = 0; node < 3; ++node) {
    double sum = 0, expected = 0;
    const std::vector<RoundRecord> rounds = result.rounds(node);
    for (const RoundRecord& round : rounds) sum += round.staleness;
    for (std::size_t j = 0; j < 3; ++j)
      if (static_cast<int>(j) != node) expected += steps[static_cast<std::size_t>(node)] / steps[j];
    EXPECT_NEAR(sum / static_cast<double>(rounds.size()) / expected, 1, 0.01) << "w" << node;
  }
}

TEST(Asgd, NobodyWaitsForASlowWorker) {
  RunSpec spec = clusterOf("asgd", 3, 1);
  spec.nodes[2].emulate.slowdown = 30;
  spec.stop.rounds = 300;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_NEAR(result.rounds(0).back().t, 300 * kNominalStepSeconds, 1e-9);
  EXPECT_NEAR(static_cast<double>(result.rounds(2).size()), 10, 1);
}

TEST(Ssgd, EverybodyWaitsForASlowWorker) {
  RunSpec spec = clusterOf("ssgd", 3, 1);
  spec.nodes[2].emulate.slowdown = 30;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_NEAR(result.rounds(0).back().t, 10 * 30 * kNominalStepSeconds, 1e-9);
  EXPECT_NEAR(result.rounds(0).back().wait, 29 * kNominalStepSeconds, 1e-9);
  EXPECT_EQ(result.rounds(0).back().staleness, 0);
}

}  // namespace
}  // namespace paceline::tests
