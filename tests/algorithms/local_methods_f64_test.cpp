// Where local methods come to rest on quadratics with different curvatures and speeds, Real = double: closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/algorithms/scalar_costs.h"

namespace paceline::tests {
namespace {

const std::vector<ScalarCost> kCosts = {{.h = 1, .b = 1}, {.h = 3, .b = -2}};  // their sum is least at (1 - 6) / 4

// A fast and a slow worker, 1:8, that ESync keeps both busy.
RunSpec unequalEsync(double rate, const std::string& weights) {
  RunSpec spec = clusterOf("esync", 2, 1);
  spec.algorithm.params.set("local_lr", rate);
  spec.algorithm.params.set("weights", weights);
  spec.nodes[0].emulate.stepSeconds = 0.1;
  spec.nodes[1].emulate.stepSeconds = 0.8;
  return spec;
}

// x with sum of weight_i M_i (x - b_i) = 0, M = 1 - (1 - rate h)^steps.
double fixedPoint(double rate, const std::vector<std::int64_t>& steps, bool perStep) {
  double above = 0, below = 0;
  for (std::size_t i = 0; i < kCosts.size(); ++i) {
    const double taken = static_cast<double>(steps[i]), m = (1 - std::pow(1 - rate * kCosts[i].h, taken)) / (perStep ? taken : 1);
    above += m * kCosts[i].b, below += m;
  }
  return above / below;
}

std::vector<std::int64_t> stepsOf(RunSpec spec) {
  spec.stop.rounds = 4;
  const SimResult result = runInSim(spec, scalars(kCosts, 0));
  std::vector<std::int64_t> steps;
  for (const int node : spec.workers()) steps.push_back(result.rounds(node)[2].localSteps);
  return steps;
}

TEST(EsyncWeights, HaveTheFixedPointsOfTheirFormulas) {
  for (const double rate : {0.02, 0.05, 0.1})
    for (const bool perStep : {false, true}) {
      const RunSpec spec = unequalEsync(rate, perStep ? "per_step" : "equal");
      const std::vector<std::int64_t> steps = stepsOf(spec);
      ASSERT_GE(steps[0], 7) << "the fast worker fills the slow one's step";
      ASSERT_EQ(steps[1], 1);
      for (const double weight : weightsAfter(spec, 1500, kCosts, 0)) EXPECT_NEAR(weight, fixedPoint(rate, steps, perStep), 1e-8) << rate << (perStep ? " per step" : " equal");
    }
}

// With equal weights the fast worker draws the model to its own optimum however small the rate is; per step what is left falls linearly with it.
TEST(EsyncWeights, PerStepDriftFallsLinearlyWithTheRate) {
  const double optimum = (kCosts[0].h * kCosts[0].b + kCosts[1].h * kCosts[1].b) / (kCosts[0].h + kCosts[1].h);
  const auto drift = [&](double rate, const std::string& weights) { return std::abs(weightsAfter(unequalEsync(rate, weights), 20000, kCosts, 0)[0] - optimum); };
  EXPECT_GT(drift(0.002, "equal"), 1);
  const double at4 = drift(0.004, "per_step"), at2 = drift(0.002, "per_step");
  EXPECT_LT(at4, 0.02);
  EXPECT_NEAR(at4 / at2, 2, 0.05);
}

TEST(Fednova, HasTheSameFixedPoint) {
  RunSpec spec = clusterOf("fednova", 2, 1);
  spec.algorithm.params.set("learning_rate", 0.05);
  spec.nodes[0].emulate.stepSeconds = 0.1;
  spec.nodes[1].emulate.stepSeconds = 0.8;
  const std::vector<std::int64_t> steps = stepsOf(spec);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{8, 1}));
  EXPECT_NEAR(weightsAfter(spec, 1500, kCosts, 0)[0], fixedPoint(0.05, steps, true), 1e-8);
}

// The proximal term makes each local step's curvature h + mu, around b_i and the round's begin: (w_k - w) has the same fixed point of its recursion with a_i = sum (1 - rate mu)^j.
TEST(Fednova, CountsTheProximalTerm) {
  const double rate = 0.05, mu = 2;
  RunSpec spec = clusterOf("fednova", 2, 1);
  spec.algorithm.params.set("learning_rate", rate);
  spec.algorithm.params.set("proximal", mu);
  spec.nodes[0].emulate.stepSeconds = 0.1;
  spec.nodes[1].emulate.stepSeconds = 0.8;
  const std::vector<std::int64_t> steps = stepsOf(spec);
  double above = 0, below = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    double a = 0;
    for (std::int64_t k = 0; k < steps[i]; ++k) a = (1 - rate * mu) * a + 1;
    const double h = kCosts[i].h, m = h / (h + mu) * (1 - std::pow(1 - rate * (h + mu), static_cast<double>(steps[i]))) / a;
    above += m * kCosts[i].b, below += m;
  }
  EXPECT_NEAR(weightsAfter(spec, 3000, kCosts, 0)[0], above / below, 1e-8);
}

// SCAFFOLD rests where the sum of all costs is least, however many local steps; local SGD does not.
TEST(Scaffold, RestsAtTheOptimum) {
  for (const char* algorithm : {"scaffold", "local_sgd"}) {
    RunSpec spec = clusterOf(algorithm, 2, 1);
    spec.algorithm.params.set("learning_rate", 0.05);
    spec.algorithm.params.set("local_steps", std::int64_t{6});
    const double off = std::abs(weightsAfter(spec, 3000, kCosts, 0)[0] + 1.25);
    if (std::string(algorithm) == "scaffold") EXPECT_LT(off, 1e-9);
    else EXPECT_GT(off, 0.01);
  }
}

}  // namespace
}  // namespace paceline::tests
