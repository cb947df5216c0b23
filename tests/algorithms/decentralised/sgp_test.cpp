// SGP: the paper's steps on a graph of arrows, what weights and parameters keep, and what it is where all weights are one.
#include <gtest/gtest.h>

#include "tests/algorithms/lossy_world.h"
#include "tests/algorithms/scalar_costs.h"

namespace paceline::tests {
namespace {

RunSpec pushed(int workers, const std::string& topology, std::map<std::string, ParamValue> params = {}) {
  RunSpec spec = clusterOf("sgp", workers, 0);
  spec.topology = {.id = topology, .params = Params(std::move(params))};
  spec.evaluate.everyRounds = 0;
  spec.algorithm.params.set("learning_rate", 0.1);
  return spec;
}

// w0 -> w1 -> w2 -> w0, and w0 -> w2: w2 is sent more than it sends.
RunSpec lopsided() {
  RunSpec spec = pushed(3, "edges");
  spec.edges = {{.a = "w0", .b = "w1", .every = 1}, {.a = "w1", .b = "w2", .every = 1}, {.a = "w2", .b = "w0", .every = 1}, {.a = "w0", .b = "w2", .every = 2, .offset = 1}};
  return spec;
}

// By round, from 1: the weights of all workers.
std::map<std::int64_t, std::vector<double>> weightsOf(const SimResult& result, const RunSpec& spec) {
  std::map<std::int64_t, std::vector<double>> weights;
  for (const int node : spec.workers())
    for (const MetricRecord& metric : result.of<MetricRecord>(node))
      if (metric.name == "push_sum_weight") weights[metric.round].push_back(metric.value);
  return weights;
}

TEST(Sgp, TakesThePapersSteps) {
  const std::vector<ScalarCost> costs = {{1, 0}, {2, 3}, {0.5, -4}};
  RunSpec spec = lopsided();
  spec.nodes[1].emulate.slowdown = 2;
  spec.stop.rounds = 25;
  const SimResult result = runInSim(spec, scalars(costs, 0.5));
  double x[3] = {0.5, 0.5, 0.5}, o[3] = {1, 1, 1};
  for (int step = 0; step < 25; ++step) {
    for (int i = 0; i < 3; ++i) x[i] -= 0.1 * costs[static_cast<std::size_t>(i)].h * (x[i] / o[i] - costs[static_cast<std::size_t>(i)].b);
    const double p0 = step % 2 == 1 ? 1.0 / 3 : 1.0 / 2;  // w0 sends to w2, too
    for (double* each : {x, o}) {
      const double w0 = each[0], w1 = each[1], w2 = each[2];
      each[0] = p0 * w0 + w2 / 2, each[1] = w1 / 2 + p0 * w0, each[2] = w2 / 2 + w1 / 2 + (step % 2 == 1 ? p0 * w0 : 0);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(result.parameters[i][0]), x[i] / o[i], kDouble ? 1e-12 : 1e-5) << i;
  const std::vector<double> last = weightsOf(result, spec).at(25);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(last[i], o[i], 1e-5) << i;
}

// SSGD steps with the mean gradient; so does this where everybody gives everybody the same share.
TEST(Sgp, OnACompleteGraphEqualsSsgd) {
  RunSpec spec = pushed(4, "complete", {{"every", std::int64_t{1}}, {"spread", false}});
  RunSpec oracle = clusterOf("ssgd", 4, 1);
  oracle.algorithm.params.set("learning_rate", 0.1);
  spec.stop.rounds = oracle.stop.rounds = 60;
  const auto expected = runInSim(oracle, quadratic()).parameters[0];
  for (const auto& parameters : runInSim(spec, quadratic()).parameters)
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(static_cast<double>(parameters[i]), static_cast<double>(expected[i]), kDouble ? 1e-12 : 2e-5);
}

// Everybody sends to one and is sent by one: D-SGD, whose pairs also give each other the half of what they have.
TEST(Sgp, BetweenPairsThatExchangeOneByOneIsDSgd) {
  RunSpec spec = pushed(4, "ring", {{"every", std::int64_t{4}}});  // each pair at a step of its own
  RunSpec oracle = spec;
  oracle.algorithm.id = "d_sgd";
  spec.stop.rounds = oracle.stop.rounds = 40;
  const SimResult result = runInSim(spec, quadratic()), expected = runInSim(oracle, quadratic());
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (std::size_t i = 0; i < expected.parameters[rank].size(); ++i)
      EXPECT_NEAR(static_cast<double>(result.parameters[rank][i]), static_cast<double>(expected.parameters[rank][i]), kDouble ? 1e-12 : 2e-6);
  for (const auto& [round, weights] : weightsOf(result, spec))
    for (const double weight : weights) EXPECT_EQ(weight, 1) << round;
}

// Of 2^k workers the mean is everywhere after k sends of one vector each.
TEST(Sgp, OnTheDirectedExponentialGraphAveragesInLogarithmicallyManySteps) {
  RunSpec spec = pushed(8, "exponential");
  spec.stop.rounds = 3;
  for (const auto& parameters : runInSim(spec, gossip({1, 2, 3, 4, 5, 6, 7, 12})).parameters) EXPECT_EQ(parameters[0], Real{5});
  spec.stop.rounds = 2;
  EXPECT_NE(runInSim(spec, gossip({1, 2, 3, 4, 5, 6, 7, 12})).parameters[0][0], Real{5});
}

TEST(Sgp, WeightsAddUpToTheWorkersOnEveryGraph) {
  std::vector<RunSpec> specs = {lopsided(), pushed(6, "exponential"), pushed(6, "exponential", {{"every", std::int64_t{3}}})};
  for (const char* topology : {"ring", "star", "random", "torus", "double_ring"})
    for (const std::int64_t every : {1, 3}) specs.push_back(pushed(6, topology, {{"every", every}}));
  for (RunSpec& spec : specs) {
    spec.stop.rounds = 30;
    const auto weights = weightsOf(runInSim(spec, quadratic()), spec);
    ASSERT_EQ(weights.size(), 30u) << spec.topology.id;
    for (const auto& [round, each] : weights) {
      double sum = 0;
      for (const double weight : each) sum += weight;
      EXPECT_NEAR(sum, static_cast<double>(spec.workers().size()), kDouble ? 1e-12 : 1e-5) << spec.topology.id << ", round " << round;
    }
  }
}

// Who is sent more than he sends has a larger weight; without it his parameters would count for more.
TEST(Sgp, TheMeanIsReachedWhereWeightsDiffer) {
  for (RunSpec spec : {lopsided(), pushed(3, "star", {{"every", std::int64_t{1}}, {"spread", false}})}) {
    spec.stop.rounds = 80;
    const SimResult result = runInSim(spec, gossip({1, 2, 6}));
    for (const auto& parameters : result.parameters) EXPECT_NEAR(static_cast<double>(parameters[0]), 3, 1e-4) << spec.topology.id;
    const std::vector<double> weights = weightsOf(result, spec).at(80);
    EXPECT_GT(*std::max_element(weights.begin(), weights.end()), 1.2) << spec.topology.id;
  }
}

TEST(Sgp, SettlesAtTheOptimumOfAllCosts) {
  for (RunSpec spec : {lopsided(), pushed(3, "exponential")}) {
    spec.algorithm.params.set("learning_rate", 0.002);
    spec.stop.rounds = 4000;
    for (const auto& parameters : runInSim(spec, scalars({{1, 0}, {2, 1}, {4, 3}}, 0.5)).parameters)
      EXPECT_NEAR(static_cast<double>(parameters[0]), 2, 0.02) << spec.topology.id;
  }
}

// One vector leaves and one comes in a step, to and from other workers.
TEST(Sgp, SendsOneWay) {
  RunSpec spec = pushed(4, "exponential");
  spec.stop.rounds = 40;
  const SimResult result = runInSim(spec, quadratic());
  const auto vector = static_cast<std::int64_t>(kHeaderBytes + sizeof(double) + 12 * sizeof(Real));
  std::map<std::string, EdgeRecord> sums;
  for (const EdgeRecord& record : result.of<EdgeRecord>(0)) {
    sums[record.peer].exchanges += record.exchanges;
    sums[record.peer].bytesSent += record.bytesSent;
    sums[record.peer].bytesReceived += record.bytesReceived;
  }
  EXPECT_NEAR(static_cast<double>(sums["w1"].bytesSent), static_cast<double>(20 * vector), static_cast<double>(kHeaderBytes));  // and that it leaves
  EXPECT_EQ(sums["w1"].exchanges, 0);
  EXPECT_EQ(sums["w3"].exchanges, 20);
  EXPECT_LE(sums["w3"].bytesSent, static_cast<std::int64_t>(kHeaderBytes));
  EXPECT_EQ(sums["w2"].exchanges, 20);  // both ways
}

TEST(Sgp, GoesOnWithoutANeighbourThatDies) {
  for (const char* topology : {"exponential", "ring"}) {
    RunSpec spec = pushed(4, topology, {{"every", std::int64_t{1}}});
    spec.stop.rounds = 200;
    LossyWorld world({.dies = 2, .inRound = 31});
    const SimResult result = world.run(spec, scalars({{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 0));
    for (const int node : {0, 1, 3}) {
      EXPECT_EQ(result.reasons[static_cast<std::size_t>(node)], "rounds") << topology;
      EXPECT_NEAR(static_cast<double>(result.parameters[static_cast<std::size_t>(node)][0]), 1, 1e-5) << topology;
    }
  }
}

}  // namespace
}  // namespace paceline::tests
