// AD-PSGD: the paper's steps in the order of the workers' clocks, what averages keep, who averages with whom, and that nobody waits.
#include <gtest/gtest.h>

#include "tests/algorithms/lossy_world.h"
#include "tests/algorithms/scalar_costs.h"

namespace paceline::tests {
namespace {

RunSpec adPsgd(int workers, const std::string& topology, std::int64_t every = 1) {
  RunSpec spec = clusterOf("ad_psgd", workers, 0);
  spec.topology = {.id = topology, .params = Params({{"every", every}})};
  spec.evaluate.everyRounds = 0;
  spec.algorithm.params.set("learning_rate", 0.1);
  return spec;
}

// Two workers of one pair, step by step: w0 asks, w1 answers at the end of its own step, both average, and each then applies the gradient at what it had before.
TEST(AdPsgd, TakesThePapersStepsInTheOrderOfTheClocks) {
  constexpr double kRate = 0.1, kSlower = 1.37;
  const std::vector<ScalarCost> costs = {{1, 0}, {2, 3}};
  RunSpec spec = adPsgd(2, "ring");
  spec.nodes[1].emulate.slowdown = kSlower;
  spec.stop.rounds = 40;
  const SimResult result = runInSim(spec, scalars(costs, 0.5));

  double w[2] = {0.5, 0.5}, asked = 0, answer = 0;
  enum { kNone, kAsked, kAnswered } exchange = kNone;
  const auto applyGradient = [&](int i, double at) { w[i] -= kRate * costs[static_cast<std::size_t>(i)].h * (at - costs[static_cast<std::size_t>(i)].b); };
  int steps = 0;  // of w1
  for (int step = 1; step <= 40; ++step) {
    for (; (steps + 1) * kSlower < step; ++steps) {
      const double before = w[1];
      if (exchange == kAsked) answer = w[1], w[1] += (asked - w[1]) / 2, exchange = kAnswered;
      applyGradient(1, before);
    }
    const double before = w[0];
    if (exchange == kAnswered) w[0] += (answer - asked) / 2, exchange = kNone;
    if (exchange == kNone) asked = w[0], exchange = kAsked;
    applyGradient(0, before);
  }
  EXPECT_NEAR(static_cast<double>(result.parameters[0][0]), w[0], kDouble ? 1e-12 : 1e-5);
  EXPECT_EQ(result.rounds(0).size(), 40u);
}

// Every average moves as much to the one as from the other: with no gradients all end at the mean of where they began.
TEST(AdPsgd, AveragesKeepTheSum) {
  for (const char* topology : {"complete", "ring", "star", "random"}) {
    RunSpec spec = adPsgd(5, topology);
    spec.nodes[3].emulate = {.slowdown = 1.7, .stepSeconds = {}, .jitter = 0.5, .bandwidthMbps = {}, .latencyMs = 20};
    spec.nodes[1].emulate.slowdown = 0.6;
    spec.stop.rounds = 600;
    const SimResult result = runInSim(spec, gossip({1, 2, 3, 6, 8}));
    for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), 4, 1e-3) << topology;
  }
}

// A worker's gradients count as often as it takes steps: where all agree, the sum of (steps a second) x (w - b_i) is 0.
TEST(AdPsgd, SettlesWhereTheGradientsOfAllStepsCancel) {
  RunSpec spec = adPsgd(3, "complete");
  spec.algorithm.params.set("learning_rate", 0.002);
  spec.nodes[2].emulate.slowdown = 4;
  spec.stop.rounds = 6000;
  const SimResult result = runInSim(spec, scalars({{1, 0}, {1, 1}, {1, 5}}, 0));
  const double expected = (0 + 1 + 5 / 4.0) / (1 + 1 + 1 / 4.0);
  for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), expected, 0.03);
}

TEST(AdPsgd, NobodyWaitsForASlowNeighbour) {
  RunSpec spec = adPsgd(4, "ring");
  spec.nodes[1].emulate.slowdown = 10;
  spec.stop.rounds = 100;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_NEAR(result.seconds, 100 * kNominalStepSeconds, kNominalStepSeconds);
  for (const int node : {0, 2, 3})
    for (const RoundRecord& round : result.rounds(node)) EXPECT_EQ(round.wait, 0);
  EXPECT_NEAR(static_cast<double>(result.rounds(1).size()), 10, 1);
}

std::int64_t crossings(const SimResult& result, int node, const std::string& peer) {
  std::int64_t sum = 0;
  for (const EdgeRecord& record : result.of<EdgeRecord>(node))
    if (record.peer == peer) sum += record.exchanges;
  return sum;
}

// w0, w2 and w3 are active in a ring of five: w2 and w3 are neighbours and never average.
TEST(AdPsgd, PairsOfOneSideNeverAverage) {
  RunSpec spec = adPsgd(5, "ring");
  spec.stop.rounds = 60;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_EQ(crossings(result, 2, "w3"), 0);
  EXPECT_GT(crossings(result, 2, "w1"), 10);
  EXPECT_GT(crossings(result, 3, "w4"), 10);
  EXPECT_GT(crossings(result, 0, "w1"), 5);
  EXPECT_GT(crossings(result, 0, "w4"), 5);
}

// The centre of a star begins: with one leaf at a time, drawn evenly.
TEST(AdPsgd, AnActiveWorkerHasOnePartnerAtATime) {
  RunSpec spec = adPsgd(4, "star");
  spec.stop.rounds = 400;
  const SimResult result = runInSim(spec, quadratic());
  std::int64_t all = 0;
  for (const char* leaf : {"w1", "w2", "w3"}) {
    const std::int64_t with = crossings(result, 0, leaf);
    EXPECT_GT(with, 50) << leaf;
    all += with;
  }
  EXPECT_LE(all, 400);
}

TEST(AdPsgd, PartnersFollowTheSeed) {
  RunSpec spec = adPsgd(5, "complete");
  const SimResult first = runInSim(spec, quadratic());
  EXPECT_EQ(runInSim(spec, quadratic()).parameters, first.parameters);
  spec.seed = 2;
  EXPECT_NE(runInSim(spec, quadratic()).parameters, first.parameters);
}

TEST(AdPsgd, GoesOnWithoutANeighbourThatDies) {
  RunSpec spec = adPsgd(4, "ring");
  spec.stop.rounds = 200;
  LossyWorld world({.dies = 2, .inRound = 31});
  const SimResult result = world.run(spec, quadratic());
  for (const int node : {0, 1, 3}) EXPECT_EQ(result.reasons[static_cast<std::size_t>(node)], "rounds");
  EXPECT_GT(crossings(result, 0, "w1") + crossings(result, 0, "w3"), 60);
}

}  // namespace
}  // namespace paceline::tests
