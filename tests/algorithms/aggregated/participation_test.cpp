// Partial participation of the methods with local steps: who takes part, what the others send, and what the mean is of.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "tests/algorithms/scalar_costs.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

const char* const kMethods[] = {"fedprox", "fednova", "scaffold"};

RunSpec partial(const std::string& algorithm, double share, int workers = 5) {
  RunSpec spec = clusterOf(algorithm, workers, 2);
  spec.algorithm.params.set("learning_rate", 0.05);
  spec.algorithm.params.set("local_steps", std::int64_t{3});
  if (algorithm == "fednova") spec.algorithm.params.set("by_speed", false);
  spec.algorithm.params.set("participation", share);
  spec.stop.rounds = 20;
  return spec;
}

TEST(Participation, IsRoundedUpToWholeWorkers) {
  EXPECT_EQ(participants(1, 5), 5);
  EXPECT_EQ(participants(0.6, 5), 3);
  EXPECT_EQ(participants(0.5, 5), 3);
  EXPECT_EQ(participants(0.001, 5), 1);
  EXPECT_EQ(participants(0.1, 10), 1);
  EXPECT_EQ(participants(0.3, 10), 3);
}

TEST(Participation, OfAllIsTheMethodAsItWas) {
  for (const char* method : kMethods) {
    RunSpec all = partial(method, 1), plain = all;
    plain.algorithm.params.drop("participation");
    const SimResult a = runInSim(all, quadratic()), b = runInSim(plain, quadratic());
    EXPECT_EQ(a.parameters, b.parameters) << method;
    EXPECT_EQ(a.seconds, b.seconds) << method;
  }
}

TEST(Participation, TakesAsManyAsItSaysEachRoundAndEverybodyNowAndThen) {
  for (const char* method : kMethods) {
    const RunSpec spec = partial(method, 0.5);
    const SimResult result = runInSim(spec, quadratic());
    std::vector<int> taken(20), byWorker(5);
    for (int w = 0; w < 5; ++w) {
      const std::vector<RoundRecord> rounds = result.rounds(w);
      ASSERT_EQ(rounds.size(), 20u);
      for (std::size_t r = 0; r < rounds.size(); ++r) {
        const bool here = rounds[r].samples > 0;
        taken[r] += here, byWorker[static_cast<std::size_t>(w)] += here;
        EXPECT_EQ(rounds[r].samples, here ? 12 : 0) << method;
        EXPECT_EQ(std::isnan(rounds[r].loss), !here) << method << ": who trains on nothing has no loss";
      }
    }
    EXPECT_EQ(taken, std::vector<int>(20, 3)) << method;
    for (const int rounds : byWorker) EXPECT_TRUE(rounds > 0 && rounds < 20) << method;
    for (const auto& parameters : result.parameters) EXPECT_EQ(parameters, result.parameters[0]) << method;
  }
}

// What is learnt follows from seed and round: the seconds of the others change nothing.
TEST(Participation, FollowsFromSeedAndRoundAlone) {
  RunSpec spec = partial("fedprox", 0.4), slow = spec, other = spec;
  slow.nodes[3].emulate.slowdown = 4;
  other.seed = 2;
  EXPECT_EQ(runInSim(spec, quadratic()).parameters, runInSim(slow, quadratic()).parameters);
  EXPECT_NE(runInSim(spec, quadratic()).parameters, runInSim(other, quadratic()).parameters);
}

// Nothing but headers up from who is absent, everything down to all.
TEST(Participation, AbsentWorkersSendNoValues) {
  for (const char* method : kMethods) {
    const SimResult result = runInSim(partial(method, 0.5), quadratic({.size = 1000}));
    for (int w = 1; w < 5; ++w)
      for (const RoundRecord& round : result.rounds(w)) {
        if (round.samples > 0) EXPECT_GT(round.bytesSent, 4000) << method;
        else EXPECT_LT(round.bytesSent, 600) << method;
        EXPECT_GT(round.bytesReceived, 4000) << method;
      }
  }
}

// Gradients that are whole numbers and do not depend on the parameters: the end is the sum over rounds of the mean over who took part.
TEST(Participation, TheMeanIsOverWhoTakesPart) {
  RunSpec spec = partial("fedprox", 0.4);
  spec.algorithm.params.set("proximal", 0.0);
  spec.algorithm.params.set("learning_rate", 1.0);
  spec.algorithm.params.set("local_steps", std::int64_t{2});
  const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(8, rank); };
  const SimResult result = runInSim(spec, integers);
  std::vector<std::int64_t> sums(8), steps(5);
  for (std::size_t r = 0; r < 20; ++r)
    for (int w = 0; w < 5; ++w) {
      if (result.rounds(w)[r].samples == 0) continue;
      for (int k = 0; k < 2; ++k, ++steps[static_cast<std::size_t>(w)])  // an absent worker keeps its place in the data
        for (std::size_t i = 0; i < 8; ++i) sums[i] += IntegerObjective::at(w, steps[static_cast<std::size_t>(w)], i);
    }
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(static_cast<double>(result.parameters[2][i]), -static_cast<double>(sums[i]) / 2);  // two of five take part
}

// SCAFFOLD's controls stay the mean of the workers' own, so it rests at the common optimum with any part of the workers.
TEST(Participation, ScaffoldStillRestsAtTheOptimum) {
  const std::vector<ScalarCost> costs = {{.h = 1, .b = 1}, {.h = 3, .b = -2}, {.h = 2, .b = 0.5}, {.h = 1, .b = 4}};
  double above = 0, below = 0;
  for (const ScalarCost& cost : costs) above += cost.h * cost.b, below += cost.h;
  const double off = std::abs(weightsAfter(partial("scaffold", 0.5, 4), 4000, costs, 0)[0] - above / below);
  EXPECT_LT(off, sizeof(Real) == 8 ? 1e-9 : 1e-4);
}

}  // namespace
}  // namespace paceline::tests
