// PowerSGD: at full rank, of matrices that have no more rank, and what error feedback keeps.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "tests/algorithms/aggregated/constant_matrix.h"

namespace paceline::tests {
namespace {

RunSpec powerRun(std::int64_t rank, int workers = 3) {
  RunSpec spec = clusterOf("power_sgd", workers, 1);
  spec.algorithm.params.set("learning_rate", 0.1);
  spec.algorithm.params.set("rank", rank);
  spec.stop.rounds = 30;
  return spec;
}

RunSpec ssgdLike(const RunSpec& power) {
  RunSpec spec = power;
  spec.algorithm = {.id = "ssgd", .params = {}};
  spec.algorithm.params.set("learning_rate", power.algorithm.params.real("learning_rate"));
  return spec;
}

TEST(PowerSgd, AtFullRankIsSsgd) {
  const QuadraticProblem problem{.size = 60, .statistics = 3};
  for (const bool clips : {false, true}) {
    RunSpec power = powerRun(1000);
    power.optimizer.momentum = 0.5;
    power.optimizer.weightDecay = 0.01;
    if (clips) power.optimizer.clipNorm = 0.5;
    expectNear(runInSim(power, quadratic(problem)), runInSim(ssgdLike(power), quadratic(problem)), sizeof(Real) == 8 ? 1e-12 : 1e-5);
  }
}

TEST(PowerSgd, IsExactWhereAGradientHasNoMoreRank) {
  const ObjectiveFactory objective = constant({1, 2, 3, 2, 4, 6, 5, -1}, 2);  // rows (1 2 3) and twice that
  for (const std::int64_t rank : {1, 2}) expectNear(runInSim(powerRun(rank), objective), runInSim(ssgdLike(powerRun(rank)), objective), sizeof(Real) == 8 ? 1e-12 : 1e-4);
}

// What rank 1 leaves out of a matrix of rank 2 waits and is not lost: the sum of the steps stays beside that of the gradients, however many.
TEST(PowerSgd, LosesNothingForGood) {
  const std::vector<Real> gradient = {3, 1, 0, 1, 2, 1, 5, -1};
  for (const int rounds : {10, 100, 1000}) {
    RunSpec spec = powerRun(1);
    spec.stop.rounds = rounds;
    const SimResult result = runInSim(spec, constant(gradient, 2));
    for (std::size_t i = 0; i < gradient.size(); ++i)
      EXPECT_NEAR(static_cast<double>(result.parameters[0][i]), -0.1 * rounds * 2 * static_cast<double>(gradient[i]), 3) << rounds << ' ' << i;
  }
}

TEST(PowerSgd, LearnsAtRankOne) {
  RunSpec spec = powerRun(1, 5);
  spec.stop.rounds = 300;
  const SimResult result = runInSim(spec, quadratic({.size = 60, .spread = 0.02}));
  EXPECT_LT(result.evaluations(0).back().loss, result.evaluations(0).front().loss / 1000);
  for (const auto& parameters : result.parameters) EXPECT_EQ(parameters, result.parameters[0]);
}

}  // namespace
}  // namespace paceline::tests
