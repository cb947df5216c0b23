// What must be equal bit for bit, in float and in double.
#include <gtest/gtest.h>

#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

// Synchronous SGD written down directly: same shards, same order of summation.
std::vector<Real> ssgdOracle(const QuadraticProblem& problem, int world, int batch, int rounds, Real rate) {
  std::vector<std::unique_ptr<QuadraticObjective>> workers;
  for (int rank = 0; rank < world; ++rank) workers.push_back(std::make_unique<QuadraticObjective>(problem, rank, world, batch));
  const std::size_t size = workers[0]->parameters().size();
  for (int t = 0; t < rounds; ++t) {
    std::vector<Real> sum(size), g(size);
    for (int rank = 0; rank < world; ++rank) {
      workers[static_cast<std::size_t>(rank)]->gradient(g);
      for (std::size_t i = 0; i < size; ++i) sum[i] = rank == 0 ? g[i] : sum[i] + g[i];
    }
    for (const auto& worker : workers)
      for (std::size_t i = 0; i < size; ++i) worker->parameters()[i] -= rate * (sum[i] * (Real{1} / static_cast<Real>(world)));
  }
  return {workers[0]->parameters().begin(), workers[0]->parameters().end()};
}

RunSpec rated(const std::string& algorithm, int workers, int servers, double rate = 0.125) {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  spec.algorithm.params.set("learning_rate", rate);
  spec.stop.rounds = 25;
  return spec;
}

TEST(Ssgd, EqualsTheOracleBitForBit) {
  for (int world : {1, 2, 3, 5, 8}) {
    const SimResult result = runInSim(rated("ssgd", world, 1), quadratic());
    const std::vector<Real> oracle = ssgdOracle({}, world, 4, 25, Real{0.125});
    for (const std::vector<Real>& parameters : result.parameters) EXPECT_EQ(parameters, oracle) << world << " workers";
  }
}

TEST(Ssgd, RingEqualsServerBitForBitForTwo) {
  RunSpec spec = rated("ssgd", 2, 1);
  const SimResult server = runInSim(spec, quadratic());
  spec.aggregation.id = "ring";
  EXPECT_EQ(runInSim(spec, quadratic()).parameters, server.parameters);
}

TEST(Ssgd, RingEqualsServerBitForBitOnIntegers) {
  for (int world : {2, 3, 5, 7}) {
    const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(40, rank); };
    RunSpec spec = rated("ssgd", world, 1);
    const SimResult server = runInSim(spec, integers);
    spec.aggregation.id = "ring";
    EXPECT_EQ(runInSim(spec, integers).parameters, server.parameters) << world << " workers";
  }
}

TEST(Ssgd, OneServerEqualsFourBitForBit) {
  EXPECT_EQ(runInSim(rated("ssgd", 3, 1), quadratic()).parameters, runInSim(rated("ssgd", 3, 4), quadratic()).parameters);
}

// Several shards for each server: more elements than fit into one of 1 MiB.
TEST(Ssgd, OneServerEqualsFourWithManyShards) {
  const QuadraticProblem large{.size = 1'100'000, .samples = 4};
  RunSpec one = rated("ssgd", 2, 1), four = rated("ssgd", 2, 4);
  one.batchSize = four.batchSize = 2;
  one.stop.rounds = four.stop.rounds = 2;
  const SimResult a = runInSim(one, quadratic(large)), b = runInSim(four, quadratic(large));
  EXPECT_TRUE(a.parameters == b.parameters);
  EXPECT_GT(a.rounds(0)[0].messagesSent, 4);
}

TEST(Asgd, OneServerEqualsFourBitForBit) {
  RunSpec one = rated("asgd", 3, 1, 0.03125), four = rated("asgd", 3, 4, 0.03125);
  one.nodes[1].emulate.slowdown = four.nodes[1].emulate.slowdown = 2.7;
  one.wire.overlap = four.wire.overlap = false;  // with it servers get their parts of a vector at different times
  EXPECT_EQ(runInSim(one, quadratic()).parameters[0], runInSim(four, quadratic()).parameters[0]);
}

TEST(DcAsgd, WithoutLambdaEqualsAsgdBitForBit) {
  for (const char* variant : {"paper", "mxnet"}) {
    RunSpec plain = rated("asgd", 4, 2, 0.03125), compensated = rated("dc_asgd", 4, 2, 0.03125);
    compensated.algorithm.params.set("lambda", 0.0);
    compensated.algorithm.params.set("variant", std::string(variant));
    plain.nodes[2].emulate.slowdown = compensated.nodes[2].emulate.slowdown = 3.3;
    EXPECT_EQ(runInSim(plain, quadratic()).parameters, runInSim(compensated, quadratic()).parameters) << variant;
  }
}

TEST(DcAsgd, AloneEqualsSequentialSgdBitForBit) {
  const SimResult alone = runInSim(rated("standalone", 1, 0), quadratic());
  EXPECT_EQ(runInSim(rated("dc_asgd", 1, 1), quadratic()).parameters, alone.parameters);
  EXPECT_EQ(runInSim(rated("asgd", 1, 1), quadratic()).parameters, alone.parameters);
  EXPECT_EQ(runInSim(rated("ssgd", 1, 1), quadratic()).parameters, alone.parameters);
}

TEST(Ssgd, EveryGradientArrivesExactlyOnce) {
  for (const char* aggregation : {"server", "ring"}) {
    RunSpec spec = rated("ssgd", 4, 2, 0.5);
    spec.aggregation.id = aggregation;
    spec.stop.rounds = 40;
    const SimResult result =
        runInSim(spec, [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(100, rank); });
    for (std::size_t i = 0; i < 100; ++i) {
      std::int64_t sum = 0;
      for (int rank = 0; rank < 4; ++rank)
        for (int t = 0; t < 40; ++t) sum += IntegerObjective::at(rank, t, i);
      for (const auto& parameters : result.parameters)
        ASSERT_EQ(static_cast<double>(parameters[i]), -0.5 * static_cast<double>(sum) / 4);
    }
  }
}

// The coordinator's last pull holds all its own pushes and, of each other worker, the first k for some k: as many as that
// worker closed rounds by the end, one less that came after that pull, or one more whose round was not closed any more.
TEST(Asgd, EveryGradientArrivesExactlyOnce) {
  RunSpec spec = rated("asgd", 3, 2, 0.5);
  spec.stop.rounds = 40;
  spec.nodes[2].emulate.slowdown = 3;
  const SimResult result = runInSim(spec, [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(100, rank); });
  const auto sumTo = [](int rank, std::size_t steps, std::size_t i) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < steps; ++t) sum += IntegerObjective::at(rank, static_cast<std::int64_t>(t), i);
    return sum;
  };
  int explanations = 0;
  for (std::size_t k1 = result.rounds(1).size() - 1; k1 <= result.rounds(1).size() + 1; ++k1)
    for (std::size_t k2 = result.rounds(2).size() - 1; k2 <= result.rounds(2).size() + 1; ++k2) {
      bool exact = true;
      for (std::size_t i = 0; i < 100; ++i) {
        const std::int64_t sum = sumTo(0, 40, i) + sumTo(1, k1, i) + sumTo(2, k2, i);
        exact = exact && static_cast<double>(result.parameters[0][i]) == -0.5 * static_cast<double>(sum);
      }
      explanations += exact ? 1 : 0;
    }
  EXPECT_EQ(explanations, 1);
}

}  // namespace
}  // namespace paceline::tests
