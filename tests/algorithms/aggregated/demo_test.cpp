// DeMo: with all coefficients, by hand in chunks of two, in two dimensions, and what it keeps back.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/comm/aggregators/aggregator.h"
#include "tests/algorithms/aggregated/constant_matrix.h"

namespace paceline::tests {
namespace {

constexpr double kDemoClose = sizeof(Real) == 8 ? 1e-12 : 1e-5;

RunSpec demoRun(int workers, std::int64_t chunk, std::int64_t kept, int rounds) {
  RunSpec spec = clusterOf("demo", workers, 1);
  Params& params = spec.algorithm.params;
  params.set("learning_rate", 1.0), params.set("chunk", chunk), params.set("top_k", kept);
  params.set("decay", 1.0), params.set("sign", false);
  spec.stop.rounds = rounds;
  return spec;
}

// Each worker's own gradient, of one block of two numbers.
std::vector<Real> after(const RunSpec& spec, const std::vector<std::vector<Real>>& gradients) {
  const SimResult result = runInSim(spec, [&](const RunSpec&, int rank) {
    return std::make_unique<ConstantGradient>(gradients[static_cast<std::size_t>(rank)], std::vector<Block>{{.name = "pair", .offset = 0, .size = 2}});
  });
  for (const auto& parameters : result.parameters) EXPECT_EQ(parameters, result.parameters[0]);
  return result.parameters[0];
}

void expectPair(const std::vector<Real>& w, double first, double second) {
  EXPECT_NEAR(static_cast<double>(w[0]), first, kDemoClose);
  EXPECT_NEAR(static_cast<double>(w[1]), second, kDemoClose);
}

TEST(Demo, WithAllCoefficientsAndWithoutMomentumOrSignIsSsgd) {
  const QuadraticProblem problem{.size = 60, .statistics = 3};
  for (const std::int64_t chunk : {1, 4, 64}) {
    RunSpec demo = demoRun(3, chunk, 1000, 30);
    demo.algorithm.params.set("learning_rate", 0.1), demo.algorithm.params.set("decay", 0.0), demo.algorithm.params.set("mean", std::string("workers"));
    demo.optimizer.weightDecay = 0.01;
    RunSpec ssgd = demo;
    ssgd.algorithm = {.id = "ssgd", .params = Params({{"learning_rate", 0.1}})};
    expectNear(runInSim(demo, quadratic(problem)), runInSim(ssgd, quadratic(problem)), kDemoClose);
  }
}

// (3, 1) has the frequencies (4, 2) / sqrt(2) and keeps the first, (-1, 3) has (2, -4) / sqrt(2) and keeps the second: the mean over who sent is (4, -4) / sqrt(2),
// which is (0, 4).
TEST(Demo, IsWhatAHandReckons) {
  const std::vector<std::vector<Real>> gradients = {{3, 1}, {-1, 3}};
  RunSpec spec = demoRun(2, 2, 1, 1);
  expectPair(after(spec, gradients), 0, -4);
  spec.algorithm.params.set("mean", std::string("workers"));
  expectPair(after(spec, gradients), 0, -2);
}

TEST(Demo, StepsBySigns) {
  RunSpec spec = demoRun(2, 2, 1, 3);
  spec.algorithm.params.set("sign", true), spec.algorithm.params.set("learning_rate", 0.25);
  const std::vector<Real> w = after(spec, {{3, 2}, {1, 2}});  // both keep the first frequency: the mean is the same in both places
  expectPair(w, -0.75, -0.75);
}

// (2.1, 1): frequencies 3.1 and 1.1, over sqrt(2). The second waits until it is the larger one, in round 3: then 3.3 against 3.1.
TEST(Demo, WhatIsNotSentWaits) {
  expectPair(after(demoRun(1, 2, 1, 2), {{Real(2.1), 1}}), -3.1, -3.1);
  expectPair(after(demoRun(1, 2, 1, 3), {{Real(2.1), 1}}), -3.1 - 1.65, -3.1 + 1.65);
}

TEST(Demo, MomentumDecays) {
  RunSpec spec = demoRun(1, 2, 1, 2);
  spec.algorithm.params.set("decay", 0.5);
  // Round 1: (3.1, 1.1), the second waits; round 2: half of it and as much again, 1.65. With all coefficients both leave.
  expectPair(after(spec, {{Real(2.1), 1}}), -3.1, -3.1);
  spec.algorithm.params.set("top_k", std::int64_t{2});
  expectPair(after(spec, {{Real(2.1), 1}}), -4.2, -2);
}

// A matrix of 4 x 6 that is the same everywhere is its lowest frequency in both directions, in squares of any size.
TEST(Demo, TakesMatricesInSquares) {
  std::vector<Real> flat(24, Real{5});
  flat.insert(flat.end(), {2, 2});
  for (const std::int64_t chunk : {2, 3, 64}) {
    const SimResult result = runInSim(demoRun(1, chunk, 1, 1), constant(flat, 4));
    for (std::size_t i = 0; i < flat.size(); ++i) EXPECT_NEAR(static_cast<double>(result.parameters[0][i]), -static_cast<double>(flat[i]), kDemoClose * 10) << chunk << ' ' << i;
  }
  std::vector<Real> any;
  for (int i = 0; i < 26; ++i) any.push_back(static_cast<Real>(i * i % 7) - 3);
  for (const std::int64_t chunk : {1, 2, 3, 64}) {  // all of them: the transform back is the inverse
    const SimResult result = runInSim(demoRun(1, chunk, 1000, 1), constant(any, 4));
    for (std::size_t i = 0; i < any.size(); ++i) EXPECT_NEAR(static_cast<double>(result.parameters[0][i]), -static_cast<double>(any[i]), kDemoClose) << chunk << ' ' << i;
  }
}

// Rounded to 11 bits every time, the sum of the steps stays as near as one rounding.
TEST(Demo, WhatHalfPrecisionRoundsOffWaits) {
  RunSpec spec = demoRun(1, 2, 2, 200);
  spec.algorithm.params.set("values", std::string("fp16"));
  const std::vector<Real> w = after(spec, {{Real(1) / 3, Real(0.123)}});
  EXPECT_NEAR(static_cast<double>(w[0]), -200.0 / 3, 1e-3);
  EXPECT_NEAR(static_cast<double>(w[1]), -24.6, 1e-3);
}

TEST(Demo, IsTheSameByWhateverWayItIsGathered) {
  std::optional<std::vector<Real>> first;
  for (const aggregators::AggregatorDef& aggregation : aggregators::aggregators()) {
    RunSpec spec = demoRun(5, 4, 2, 20);
    spec.algorithm.params.set("learning_rate", 0.02);
    spec.aggregation.id = aggregation.id;
    if (!aggregation.needsServer) std::erase_if(spec.nodes, [](const NodeSpec& node) { return node.role == Role::kServer; });
    else spec.nodes.emplace_back(spec.nodes.back()).id = "s1";
    const SimResult result = runInSim(spec, quadratic({.size = 60}));
    for (const auto& parameters : result.parameters) EXPECT_EQ(parameters, first.value_or(parameters)) << aggregation.id;
    first = result.parameters[0];
  }
}

}  // namespace
}  // namespace paceline::tests
