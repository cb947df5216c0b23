// What decentralised methods promise on whole graphs: equivalence with SSGD, the mean's path, the rate of gossip, the optimum of unequal
// data, the same run twice; and what happens to a neighbour that is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "tests/algorithms/lossy_world.h"
#include "tests/algorithms/scalar_costs.h"

namespace paceline::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

RunSpec graph(const std::string& algorithm, int workers, const std::string& topology, std::int64_t every) {
  RunSpec spec = clusterOf(algorithm, workers, 0);
  spec.topology = {.id = topology, .params = Params({{"every", every}})};
  spec.evaluate.everyRounds = 0;
  return spec;
}

// Chen's SSGD steps with the mean gradient; on a complete graph so does D-SGD, as it averages after the step and all began equal.
TEST(DSgd, OnACompleteGraphEqualsSsgd) {
  RunSpec spec = graph("d_sgd", 4, "complete", 1);
  RunSpec oracle = clusterOf("ssgd", 4, 1);
  spec.topology.params.set("spread", false);
  for (RunSpec* run : {&spec, &oracle}) {
    run->algorithm.params.set("learning_rate", 0.1);
    run->stop.rounds = 60;
  }
  for (const char* mixing : {"metropolis", "uniform"}) {
    spec.algorithm.params.set("mixing", mixing);
    const auto expected = runInSim(oracle, quadratic()).parameters[0];
    for (const auto& parameters : runInSim(spec, quadratic()).parameters)
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(static_cast<double>(parameters[i]), static_cast<double>(expected[i]), kDouble ? 1e-12 : 2e-5) << mixing;
  }
}

// All workers' curvatures are the same, so the mean of their gradients is the gradient at their mean.
double meanOffSsgd(const RunSpec& given, int workers) {
  RunSpec spec = given, oracle = clusterOf("ssgd", workers, 1);
  for (RunSpec* run : {&spec, &oracle}) {
    run->algorithm.params.set("learning_rate", 0.1);
    run->stop.rounds = 40;
  }
  const auto expected = runInSim(oracle, quadratic()).parameters[0];
  const SimResult result = runInSim(spec, quadratic());
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double mean = 0;
    for (const auto& parameters : result.parameters) mean += static_cast<double>(parameters[i]) / workers;
    worst = std::max(worst, std::abs(mean - static_cast<double>(expected[i])));
  }
  return worst;
}

TEST(DSgd, TheMeanFollowsSgdOnEveryGraph) {
  int cases = 0;
  for (const char* topology : {"ring", "star", "random", "torus", "double_ring"})
    for (const int workers : {2, 3, 5, 6})
      for (const std::int64_t every : {1, 3})
        for (const bool spread : {true, false})
          for (const char* times : {"equal", "random"}) {
            RunSpec spec = graph("d_sgd", workers, topology, every);
            spec.topology.params.set("spread", spread);
            spec.algorithm.params.set("exchange_times", times);
            EXPECT_LT(meanOffSsgd(spec, workers), kDouble ? 1e-12 : 2e-5) << topology << " of " << workers << ", every " << every << ", " << times;
            ++cases;
          }
  EXPECT_EQ(cases, 160);
}

TEST(DSgd, UniformWeightsLeaveThatPathWhereTheGraphIsIrregular) {
  RunSpec star = graph("d_sgd", 5, "star", 1);
  star.topology.params.set("spread", false);
  star.algorithm.params.set("mixing", "uniform");
  EXPECT_GT(meanOffSsgd(star, 5), 1e-3);
}

// The spread of what is left after so many steps of nothing but averaging.
double spreadAfter(RunSpec spec, int rounds, const std::vector<double>& starts) {
  spec.stop.rounds = rounds;
  spec.topology.params.set("spread", false);
  double sum = 0;
  for (const auto& parameters : runInSim(spec, gossip(starts)).parameters) sum += std::pow(static_cast<double>(parameters[0]), 2);
  return std::sqrt(sum);
}

// Metropolis weights: a ring of n has lambda_2 = 1/3 + 2/3 cos(2 pi / n), a star of n has 1 - 1/n. Starts are the eigenvectors.
TEST(DSgd, GossipConvergesAtTheSecondEigenvalue) {
  std::vector<double> wave;
  for (int i = 0; i < 8; ++i) wave.push_back(std::cos(2 * std::numbers::pi * i / 8));
  const double ring = std::log(spreadAfter(graph("d_sgd", 8, "ring", 1), 25, wave) / spreadAfter(graph("d_sgd", 8, "ring", 1), 10, wave)) / 15;
  EXPECT_NEAR(ring / std::log(1.0 / 3 + 2.0 / 3 * std::cos(2 * std::numbers::pi / 8)), 1, 0.02);
  const std::vector<double> leaves = {0, 1, -1, 0, 0};
  const double star = std::log(spreadAfter(graph("d_sgd", 5, "star", 1), 25, leaves) / spreadAfter(graph("d_sgd", 5, "star", 1), 10, leaves)) / 15;
  EXPECT_NEAR(star / std::log(1 - 1.0 / 5), 1, 0.02);
}

double farthest(const SimResult& result, const std::vector<double>& optimum) {
  double worst = 0;
  for (const auto& parameters : result.parameters)
    for (std::size_t d = 0; d < optimum.size(); ++d) worst = std::max(worst, std::abs(static_cast<double>(parameters[d]) - optimum[d]));
  return worst;
}

// Every worker has data of its own and its own answer; the optimum of the sum solves the normal equations.
TEST(Isvr, ReachesTheOptimumOfUnequalDataAndDSgdDoesNot) {
  for (const char* topology : {"ring", "star", "random"}) {
    const LeastSquares problem(6, 4, 24, 11);
    const std::vector<double> optimum = problem.optimum();
    for (const char* algorithm : {"pdmm_isvr", "admm_isvr", "d_sgd"}) {
      RunSpec spec = graph(algorithm, 6, topology, 2);
      spec.algorithm.params.set("learning_rate", 0.2);
      spec.stop.rounds = 3000;
      const double off = farthest(runInSim(spec, leastSquares(problem)), optimum);
      if (algorithm == std::string("d_sgd"))
        EXPECT_GT(off, 1e-2) << topology;
      else
        EXPECT_LT(off, kDouble ? 1e-8 : 1e-4) << algorithm << ' ' << topology;
    }
  }
}

TEST(Asynchronous, NobodyWaitsAndTheFixedPointIsTheSame) {
  const std::vector<ScalarCost> costs = {{1, 0}, {2, 1}, {4, 3}};
  for (const char* algorithm : {"admm_isvr", "pdmm_isvr"}) {
    RunSpec spec = graph(algorithm, 3, "ring", 4);
    spec.algorithm.params.set("exchange", "asynchronous");
    spec.algorithm.params.set("learning_rate", 0.1);
    spec.nodes[2].emulate.slowdown = 3;
    spec.stop.rounds = 6000;
    const SimResult result = runInSim(spec, scalars(costs, 0.5));
    EXPECT_NEAR(result.seconds, 600, 1);  // the coordinator's own steps
    EXPECT_NEAR(static_cast<double>(result.rounds(2).size()), 2000, 5);
    for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), 2, 1e-3) << algorithm;
    for (const RoundRecord& round : result.rounds(0)) EXPECT_EQ(round.wait, 0);
  }
}

TEST(Asynchronous, TheSimulatorRunsItTheSameTwice) {
  for (const char* algorithm : {"pdmm_isvr", "d_sgd"}) {
    RunSpec spec = graph(algorithm, 5, "random", 3);
    spec.algorithm.params.set("exchange", "asynchronous");
    spec.algorithm.params.set("exchange_times", "random");
    spec.nodes[1].emulate = {.slowdown = 2.3, .stepSeconds = {}, .jitter = 0.3, .bandwidthMbps = 0.1, .latencyMs = 30};
    spec.stop.rounds = 100;
    const SimResult a = runInSim(spec, quadratic()), b = runInSim(spec, quadratic());
    EXPECT_EQ(a.parameters, b.parameters);
    EXPECT_EQ(a.seconds, b.seconds);
  }
}

// What the two ends of a pair add and take away is the same vector, whenever each gets to it: nothing is lost or doubled.
TEST(Asynchronous, GossipKeepsTheSum) {
  RunSpec spec = graph("d_sgd", 4, "complete", 3);
  spec.algorithm.params.set("exchange", "asynchronous");
  spec.topology.params.set("both_ends", true);
  spec.nodes[3].emulate = {.slowdown = 1.7, .stepSeconds = {}, .jitter = 0.5, .bandwidthMbps = {}, .latencyMs = 20};
  spec.stop.rounds = 400;
  const SimResult result = runInSim(spec, gossip({1, 2, 3, 6}));
  for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), 3, 1e-3);
}

TEST(Edges, RecordsCountWhatCrossed) {
  RunSpec spec = graph("pdmm_isvr", 3, "ring", 4);
  spec.stop.rounds = 40;
  const SimResult result = runInSim(spec, quadratic());
  std::map<std::string, EdgeRecord> sums;
  for (const EdgeRecord& record : result.of<EdgeRecord>(1)) {
    sums[record.peer].exchanges += record.exchanges;
    sums[record.peer].bytesSent += record.bytesSent;
    sums[record.peer].bytesReceived += record.bytesReceived;
    EXPECT_EQ(record.lost, 0);
    EXPECT_TRUE(record.round <= 4 || record.exchanges == 0 || record.age == 1.5) << record.age;  // 0, 1, 2, 3 steps
  }
  const auto bytes = static_cast<std::int64_t>(10 * (kHeaderBytes + sizeof(double) + 12 * sizeof(Real)));
  ASSERT_EQ(sums.size(), 2U);
  for (const auto& [peer, sum] : sums) {
    EXPECT_EQ(sum.exchanges, 10);
    EXPECT_GE(sum.bytesSent, bytes);
    EXPECT_LE(sum.bytesSent, bytes + static_cast<std::int64_t>(kHeaderBytes));  // that it has done its last
    EXPECT_GE(sum.bytesReceived, bytes);
  }
}

// A vector of several pieces arrives whole: with weights that all change at every step a torn one would show.
TEST(Edges, LongVectorsCrossInPieces) {
  const std::size_t size = kMaxDenseBytes / sizeof(Real) * 2 + 5;
  for (const char* exchange : {"synchronous", "asynchronous"}) {
    RunSpec spec = graph("d_sgd", 2, "ring", 1);
    spec.algorithm.params.set("exchange", exchange);
    spec.algorithm.params.set("learning_rate", 0.1);
    spec.nodes[1].emulate = {.slowdown = 1.3, .stepSeconds = {}, .jitter = 0, .bandwidthMbps = 200, .latencyMs = 10};
    spec.stop.rounds = 6;
    const SimResult result = runInSim(spec, [size](const RunSpec&, int) { return std::make_unique<IntegerObjective>(size, 0); });
    // All elements that are 17 apart have the same gradients, so the same weights, unless a vector was torn.
    for (const auto& parameters : result.parameters)
      for (std::size_t i = 17; i < size; ++i) ASSERT_EQ(parameters[i], parameters[i % 17]) << exchange << ' ' << i;
    EXPECT_GE(result.of<EdgeRecord>(0).size(), 2U);
  }
}

TEST(LostNeighbour, IsPassedOverAndTakenBack) {
  for (const char* exchange : {"synchronous", "asynchronous"}) {
    RunSpec spec = graph("pdmm_isvr", 4, "complete", 4);
    spec.algorithm.params.set("exchange", exchange);
    spec.algorithm.params.set("learning_rate", 0.1);
    spec.nodes[3].emulate.slowdown = 1.5;
    spec.stop.rounds = 300;
    LossyWorld world({.a = 2, .b = 3, .from = 5.03, .until = 15.07});
    const SimResult result = world.run(spec, scalars({{1, 0}, {2, 1}, {4, 3}, {1, 2}}, 0.5));
    for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "rounds") << exchange;
    std::vector<std::int64_t> lost;
    std::int64_t after = 0;
    for (const EdgeRecord& record : result.of<EdgeRecord>(2)) {
      if (record.peer != "w3") continue;
      if (lost.empty() || lost.back() != record.lost) lost.push_back(record.lost);
      if (record.t > 16) after += record.exchanges;
    }
    EXPECT_THAT(lost, ElementsAre(0, 1, 0)) << exchange;
    EXPECT_GT(after, 15) << exchange;
    for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), 2, 5e-3) << exchange;
    EXPECT_THAT(world.warnings(2), ElementsAre("w3 is lost; its last vector stands in for it", "w3 is back and exchanges again"));
  }
}

TEST(LostNeighbour, ThatDiesDoesNotHoldTheOthers) {
  for (const char* algorithm : {"pdmm_isvr", "d_sgd"})
    for (const char* exchange : {"synchronous", "asynchronous"}) {
      RunSpec spec = graph(algorithm, 4, "ring", 3);
      spec.algorithm.params.set("exchange", exchange);
      spec.stop.rounds = 200;
      LossyWorld world({.dies = 2, .inRound = 31});
      const SimResult result = world.run(spec, quadratic());
      for (const int node : {0, 1, 3}) {
        EXPECT_EQ(result.reasons[static_cast<std::size_t>(node)], "rounds");
        EXPECT_EQ(result.rounds(node).size(), 200U);
      }
      for (const int node : {1, 3}) {
        std::set<std::string> lost;
        for (const EdgeRecord& record : result.of<EdgeRecord>(node))
          if (record.lost == 1) lost.insert(record.peer);
        EXPECT_THAT(lost, ElementsAre("w2"));
      }
      EXPECT_EQ(world.warnings(1).front(), "w2 is lost; its last vector stands in for it");
      EXPECT_EQ(world.warnings(0).front(), "w2 is lost; the run goes on without it");
    }
}

// What it would be without: nobody tolerates the loss of the worker that finds the run's end.
TEST(LostNeighbour, TheEvaluatingWorkerIsNotPassedOver) {
  RunSpec spec = graph("pdmm_isvr", 3, "ring", 2);
  spec.stop.rounds = 100;
  LossyWorld world({.dies = 0, .inRound = 10});
  EXPECT_THROW(world.run(spec, quadratic()), Error);
}

}  // namespace
}  // namespace paceline::tests
