// PDMM-ISVR, ADMM-ISVR and D-SGD against numbers of an independent implementation of the papers' equations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/algorithms/decentralised/isvr.h"
#include "tests/algorithms/scalar_costs.h"

namespace paceline::tests {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::Pointwise;

const std::vector<ScalarCost> kRing = {{1, 0}, {2, 1}, {4, 3}};  // optimum 2

// A ring of three, K = 4, one exchange per pair and interval, at steps 0, 1, 2 in the order 0-1, 1-2, 2-0; mu = 0.1, w = 0.5, u = 0.
RunSpec ringOfThree(const std::string& algorithm, const std::map<std::string, ParamValue>& params) {
  RunSpec spec = clusterOf(algorithm, 3, 0);
  spec.topology.id = "edges";
  spec.edges = {{"w0", "w1", 4, 0}, {"w1", "w2", 4, 1}, {"w2", "w0", 4, 2}};
  spec.algorithm.params = Params(params);
  spec.algorithm.params.set("learning_rate", 0.1);
  return spec;
}

struct Trace {
  std::string algorithm, parameter, value;
  std::map<int, std::vector<double>> weights;  // by steps
};

TEST(Isvr, FollowsTheReferenceStepByStep) {
  const std::vector<Trace> traces = {
      {"pdmm_isvr", "step_size", "paper",
       {{1, {.3375, .45, 1.125}}, {2, {.340313, .504375, 1.40625}}, {3, {.342211, .888563, 1.658906}}, {4, {.758219, 1.119075, 1.858154}},
        {8, {1.662746, 1.574295, 1.718605}}, {12, {1.95333, 1.822769, 1.777251}}, {2000, {2, 2, 2}}}},
      {"pdmm_isvr", "step_size", "published",
       {{1, {.375, .5, 1.25}}, {2, {.364583, .5625, 1.625}}, {3, {.356771, .875, 1.90625}}, {4, {.66862, 1.083333, 2.106337}},
        {8, {1.42093, 1.446513, 1.918182}}, {12, {1.830559, 1.719087, 1.835019}}, {2000, {2, 2, 2}}}},
      {"admm_isvr", "step_size", "paper",
       {{1, {.3375, .45, 1.125}}, {2, {.284063, .462188, 1.40625}}, {3, {.247992, .645281, 1.590586}}, {4, {.422468, .755138, 1.704536}},
        {8, {.9313, 1.10339, 1.764367}}, {12, {1.392802, 1.387306, 1.732281}}, {2000, {2, 2, 2}}}},
      {"d_sgd", "mixing", "as_published",
       {{1, {.483333, .533333, .833333}}, {2, {.489444, .536667, .9}}, {3, {.491278, .670889, .925556}}, {4, {.63368, .706681, .927759}},
        {8, {.807256, .817669, 1.120572}}, {12, {.925163, .975671, 1.213138}}, {4000, {1.892797, 1.896147, 2.078727}}}},
      // One pair at a time: the Metropolis weight is 1/2.
      {"d_sgd", "mixing", "metropolis",
       {{1, {.525, .525, 1.5}}, {2, {.4725, 1.36, 1.36}}, {3, {1.220625, 1.288, 1.220625}}, {4, {1.098563, 1.2304, 1.932375}},
        {8, {1.433491, 1.539157, 2.155661}}, {12, {1.573912, 1.63508, 2.249275}}, {4000, {1.658275, 1.694105, 2.305516}}}},
  };
  for (const Trace& trace : traces)
    for (const auto& [steps, expected] : trace.weights) {
      const std::vector<double> weights = weightsAfter(ringOfThree(trace.algorithm, {{trace.parameter, trace.value}}), steps, kRing, 0.5);
      EXPECT_THAT(weights, Pointwise(DoubleNear(1e-6), expected)) << trace.algorithm << ' ' << trace.value << ", step " << steps;
    }
}

// A ring is regular: every step size reaches the optimum of the mean cost, exactly.
TEST(Isvr, OnARingEveryStepSizeReachesTheOptimum) {
  for (const char* algorithm : {"pdmm_isvr", "admm_isvr"})
    for (const char* stepSize : {"paper", "published", "common"})
      for (const char* start : {"zero", "parameters"})
        EXPECT_THAT(weightsAfter(ringOfThree(algorithm, {{"step_size", stepSize}, {"start", start}}), 3000, kRing, 0.5),
                    Each(DoubleNear(2, sizeof(Real) == 8 ? 1e-12 : 2e-6)))
            << algorithm << ' ' << stepSize << ' ' << start;
}

// On a path of three the middle has two neighbours: only the common step size is unbiased. sum f is least at 2, sum E f at 16/9,
// sum (E (K-1) + K) f at 104/55.
TEST(Isvr, OnAPathOnlyTheCommonStepSizeIsUnbiased) {
  const std::map<std::string, double> limits = {{"common", 2.0}, {"paper", 16.0 / 9}, {"published", 104.0 / 55}};
  for (const char* algorithm : {"pdmm_isvr", "admm_isvr"})
    for (const auto& [stepSize, limit] : limits) {
      RunSpec spec = ringOfThree(algorithm, {{"step_size", stepSize}});
      spec.edges = {{"w0", "w1", 4, 0}, {"w1", "w2", 4, 1}};
      EXPECT_THAT(weightsAfter(spec, 4000, kRing, 0.5), Each(DoubleNear(limit, 5e-6))) << algorithm << ' ' << stepSize;
    }
}

TEST(Isvr, EdgesWithIntervalsOfTheirOwnStayUnbiased) {
  RunSpec spec = ringOfThree("pdmm_isvr", {{"step_size", "common"}});
  spec.edges = {{"w0", "w1", 2, 0}, {"w2", "w1", 7, 3}};
  EXPECT_THAT(weightsAfter(spec, 6000, kRing, 0.5), Each(DoubleNear(2, 5e-6)));
}

TEST(Isvr, AdmmDiffersFromPdmmAndIsItsRelaxation) {
  const auto after = [](const std::string& algorithm, std::map<std::string, ParamValue> params) {
    return weightsAfter(ringOfThree(algorithm, params), 8, kRing, 0.5);
  };
  EXPECT_NE(after("admm_isvr", {}), after("pdmm_isvr", {}));
  EXPECT_EQ(after("admm_isvr", {}), after("pdmm_isvr", {{"relaxation", 0.5}}));
  EXPECT_EQ(after("admm_isvr", {{"relaxation", 1.0}}), after("pdmm_isvr", {}));
}

// The exchange multiplies no gradient and divides by no rate: a rate of zero is pure consensus, a schedule changes nothing else.
TEST(Isvr, ARateThatFallsToZeroLeavesTheConsensusStanding) {
  RunSpec spec = ringOfThree("pdmm_isvr", {});
  spec.algorithm.params.set("learning_rate", 0.0);
  spec.algorithm.params.set("start", "parameters");
  EXPECT_THAT(weightsAfter(spec, 50, kRing, 0.5), Each(Real(0.5)));
}

TEST(Isvr, AloneItIsPlainSgd) {
  for (const char* algorithm : {"pdmm_isvr", "admm_isvr", "d_sgd"}) {
    RunSpec spec = clusterOf(algorithm, 1, 0);
    spec.algorithm.params.set("learning_rate", 0.5);
    EXPECT_EQ(weightsAfter(spec, 3, {{1, 0}}, 8), std::vector<double>{1}) << algorithm;
  }
}

TEST(Isvr, StepSizesDivideByNothingThatIsNotPositive) {
  for (int every = 1; every <= 5; ++every)
    for (int degree = 1; degree <= 4; ++degree) {
      exchange::Neighbourhood hood;
      hood.largestDegree = 4;
      for (int j = 0; j < degree; ++j) {
        hood.neighbours.push_back({.rank = j + 1, .degree = 1, .slots = {{every, 0, 0}}});
        hood.ids.push_back(strCat("w", j + 1));
      }
      const auto theta = [&](const char* stepSize) {
        double sum = 0;
        for (const double c : isvrWeights(stepSize, hood)) sum += c;
        return sum / (1 + sum);
      };
      EXPECT_NEAR(theta("published"), degree / (every * (degree + 1.0)), 1e-15);
      if (every == 1) {
        EXPECT_THROW(theta("paper"), Error);
        EXPECT_THROW(theta("common"), Error);
        continue;
      }
      EXPECT_NEAR(theta("paper"), 1.0 / every, 1e-15);
      EXPECT_NEAR(theta("common"), degree / (4 * (every - 1.0) + degree), 1e-15);
    }
}

TEST(Isvr, ARefusedStepSizeNamesTheNeighbour) {
  RunSpec spec = ringOfThree("pdmm_isvr", {});
  spec.edges[1].every = 1, spec.edges[1].offset = 0;
  try {
    weightsAfter(spec, 1, kRing, 0.5);
    FAIL() << "it ran";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "step_size \"common\" divides by every - 1: the edge with \"w2\" must have an interval of at least 2 steps, got 1");
  }
}

}  // namespace
}  // namespace paceline::tests
