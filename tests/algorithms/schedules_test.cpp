// Learning rates by the samples that all workers have trained: every method counts them, and all workers of a synchronous one agree.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

RunSpec halving(RunSpec spec, std::int64_t everySamples) {
  spec.learningRateSchedule.id = "step";
  spec.learningRateSchedule.params.set("every_samples", everySamples);
  spec.learningRateSchedule.params.set("factor", 0.5);
  return spec;
}

std::vector<double> rates(const SimResult& result, int node) {
  std::vector<double> all;
  for (const RoundRecord& round : result.rounds(node)) all.push_back(round.learningRate);
  return all;
}

const std::vector<double> kHalvedEveryThree{0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.0625};

TEST(Schedules, StandaloneCountsItsOwnSamples) {
  RunSpec spec = halving(clusterOf("standalone", 1, 0), 12);  // of 4 a round
  spec.algorithm.params.set("learning_rate", 0.5);
  EXPECT_EQ(rates(runInSim(spec, quadratic()), 0), kHalvedEveryThree);
}

TEST(Schedules, AggregatedWorkersAgreeOnTheSamplesOfAll) {
  for (const aggregators::AggregatorDef& aggregation : aggregators::aggregators())
    for (const int world : {1, 2, 3, 5}) {
      RunSpec spec = halving(clusterOf("ssgd", world, aggregation.needsServer ? 2 : 0), 12 * world);
      spec.aggregation.id = aggregation.id;
      spec.algorithm.params.set("learning_rate", 0.5);
      const SimResult result = runInSim(spec, quadratic());
      for (int node = 0; node < world; ++node) EXPECT_EQ(rates(result, node), kHalvedEveryThree) << aggregation.id << ' ' << world;
    }
}

TEST(Schedules, CountsAreExactInEveryWireFormat) {
  for (const char* format : kWireFormats) {
    RunSpec spec = halving(clusterOf("ssgd", 3, 1), 36);
    spec.wire.format = format;
    spec.algorithm.params.set("learning_rate", 0.5);
    EXPECT_EQ(rates(runInSim(spec, quadratic()), 1), kHalvedEveryThree) << format;
  }
}

// Workers with unequal numbers of local steps still take the same rate in a round, the one that their sum says.
TEST(Schedules, CountUnequalLocalSteps) {
  RunSpec spec = halving(clusterOf("esync", 3, 1), 40);
  spec.nodes[2].emulate.slowdown = 5;
  spec.algorithm.params.set("local_lr", 0.5);
  const SimResult result = runInSim(spec, quadratic());
  std::vector<double> expected;
  std::int64_t trained = 0;
  for (std::size_t i = 0; i < result.rounds(0).size(); ++i) {
    expected.push_back(0.5 * std::pow(0.5, static_cast<double>(trained / 40)));
    for (int node = 0; node < 3; ++node) trained += result.rounds(node)[i].samples;
  }
  EXPECT_GT(result.rounds(0)[2].samples, result.rounds(2)[2].samples);
  for (int node = 0; node < 3; ++node) EXPECT_EQ(rates(result, node), expected) << node;
}

// The server's count decides: a worker three times as fast sees the rate fall by what both trained.
TEST(Schedules, AServerCountsWhatAllHavePushed) {
  RunSpec spec = halving(clusterOf("asgd", 2, 1), 16);
  spec.nodes[1].emulate.slowdown = 3;
  spec.algorithm.params.set("learning_rate", 0.5);
  spec.stop.rounds = 30;
  const SimResult result = runInSim(spec, quadratic());
  std::int64_t pushed = 0;  // before each of w0's rounds: its own and those that came between, which staleness counts
  for (const RoundRecord& round : result.rounds(0)) {
    EXPECT_EQ(round.learningRate, 0.5 * std::pow(0.5, static_cast<double>(pushed / 16))) << round.round;
    pushed += 4 + 4 * static_cast<std::int64_t>(round.staleness);
  }
  EXPECT_GT(pushed, 30 * 4);
}

// Ten rounds are 40 samples of one worker and about 120 of three: the rate falls at 48 and at 96, which nobody reaches alone.
TEST(Schedules, EveryAlgorithmFollowsTheSamplesOfAll) {
  for (const AlgorithmDef& def : algorithms()) {
    if (def.topology == Topology::kStandalone) continue;
    const bool decentralised = def.topology == Topology::kDecentralised;
    RunSpec spec = halving(clusterOf(def.id, 3, decentralised ? 0 : 1), 48);
    if (decentralised) spec.topology.id = "ring";
    if (def.groups) spec.groups = {{"w0", "w1"}, {"w2"}};
    for (const ParamSpec& param : def.params)
      if (param.name == "local_steps") spec.algorithm.params.set(param.name, std::int64_t{1});
    const std::vector<double> all = rates(runInSim(spec, quadratic()), 0);
    EXPECT_EQ(all[3], all[0]) << def.id;
    EXPECT_EQ(all[6], all[0] / 2) << def.id;
    EXPECT_EQ(all[9], all[0] / 4) << def.id;
  }
}

TEST(Schedules, AsgdAloneIsStandalone) {
  const RunSpec served = halving(clusterOf("asgd", 1, 1), 8), alone = halving(clusterOf("standalone", 1, 0), 8);
  EXPECT_EQ(runInSim(served, quadratic()).parameters, runInSim(alone, quadratic()).parameters);
}

TEST(Schedules, WarmUpBeginsAtItsShareAndEndsAtTheRate) {
  RunSpec spec = clusterOf("standalone", 1, 0);
  spec.algorithm.params.set("learning_rate", 1.0);
  spec.learningRateSchedule.params.set("warmup_samples", std::int64_t{16});
  spec.learningRateSchedule.params.set("warmup_from", 0.5);
  EXPECT_EQ(rates(runInSim(spec, quadratic()), 0), (std::vector<double>{0.5, 0.625, 0.75, 0.875, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace paceline::tests
