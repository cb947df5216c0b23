// E22: how many servers there are, and how much of the parameters each owns, changes nothing but the time it takes.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

RunSpec sharedBy(const std::string& algorithm, const std::vector<double>& shares) {
  RunSpec spec = clusterOf(algorithm, 4, static_cast<int>(shares.size()));
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares.size() > 1) spec.nodes[4 + i].share = shares[i];
  spec.nodes[1].emulate.slowdown = 2.7;
  spec.nodes[3].emulate.slowdown = 1.4;
  spec.stop.rounds = 25;
  spec.wire.overlap = algorithm == "ssgd";  // without shared rounds it gives servers their parts of a vector at different times
  return spec;
}

TEST(ServerShares, ChangeNoBit) {
  for (const char* algorithm : {"ssgd", "local_sgd", "esync", "asgd", "dc_asgd", "ssp", "grouping_sgd"})
    for (const std::vector<double>& shares : {std::vector{0.7, 0.1, 0.2}, {0.05, 0.95}, {0.25, 0.25, 0.25, 0.25}}) {
      const SimResult one = runInSim(sharedBy(algorithm, {1}), quadratic()), several = runInSim(sharedBy(algorithm, shares), quadratic());
      EXPECT_EQ(one.parameters, several.parameters) << algorithm << " over " << shares.size();
    }
}

TEST(ServerShares, ChangeNoBitOfManyShards) {
  const QuadraticProblem large{.size = 300'000, .samples = 4};
  for (const char* algorithm : {"ssgd", "grouping_sgd"}) {
    RunSpec one = sharedBy(algorithm, {1}), several = sharedBy(algorithm, {0.7, 0.1, 0.2});
    for (RunSpec* spec : {&one, &several}) spec->batchSize = 1, spec->stop.rounds = 2, spec->evaluate.everyRounds = 0;
    EXPECT_TRUE(runInSim(one, quadratic(large)).parameters[0] == runInSim(several, quadratic(large)).parameters[0]) << algorithm;
  }
}

// A server behind a link of a tenth of the others' owns a tenth of what they do: all links are done at the same time.
TEST(ServerShares, LessForASlowServerShortensTheRound) {
  for (const char* algorithm : {"ssgd", "asgd", "ssp", "grouping_sgd"}) {
    const auto seconds = [&](const std::vector<double>& shares) {
      RunSpec spec = sharedBy(algorithm, shares);
      for (std::size_t i = 4; i < 7; ++i) spec.nodes[i].emulate.bandwidthMbps = i == 6 ? 0.1 : 1.0;
      return runInSim(spec, quadratic({.size = 4000})).seconds;
    };
    EXPECT_LT(seconds({10 / 21.0, 10 / 21.0, 1 / 21.0}), 0.6 * seconds({1 / 3.0, 1 / 3.0, 1 / 3.0})) << algorithm;
  }
}

}  // namespace
}  // namespace paceline::tests
