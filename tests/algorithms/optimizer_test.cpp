// Weight decay, clipping and momentum on flat vectors with blocks, and which algorithm does what with the document's optimizer.
#include "engine/algorithms/context/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/algorithms/algorithm.h"
#include "engine/runtime/compute_threads.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

// A weight, a bias and a running mean. Every number below is exact in binary.
const std::vector<Block> kBlocks = {{"weight", 0, 2, true, true}, {"bias", 2, 1, true, false}, {"mean", 3, 1, false, true}};

TEST(Step, HasTheSameBitsInAnyNumberOfParts) {
  constexpr std::size_t kWeights = (std::size_t{1} << 20) + 13, kAll = kWeights + 8;
  const std::vector<Block> blocks = {{"weight", 0, kWeights, true, true}, {"bias", kWeights, 5, true, false}, {"mean", kWeights + 5, 3, false, true}};
  std::vector<Real> gradient(kAll), start(kAll);
  for (std::size_t i = 0; i < kAll; ++i) gradient[i] = static_cast<Real>(std::sin(static_cast<double>(i))), start[i] = static_cast<Real>(std::cos(static_cast<double>(i)));
  std::vector<Real> by1 = start;
  addScaledTrainable(blocks, by1, Real(-0.1), gradient);
  EXPECT_NE(by1[1], start[1]);
  EXPECT_EQ(by1.back(), start.back());
  ComputeThreads helpers(3);
  for (const int parts : {1, 2, 3, 7}) {
    std::vector<Real> byMany = start;
    addScaledTrainable(blocks, byMany, Real(-0.1), gradient, &helpers, parts);
    EXPECT_EQ(byMany, by1) << parts;
  }
}

TEST(WeightDecay, ReachesTrainableBlocksOnly) {
  std::vector<Real> g{1, 2, 3, 0};
  addWeightDecay({.weightDecay = 0.5, .clipNorm = {}}, kBlocks, std::vector<Real>{4, -8, 2, 100}, g);
  EXPECT_EQ(g, (std::vector<Real>{3, -2, 4, 0}));
}

TEST(WeightDecay, LeavesBiasesAndNormsAloneWhenAsked) {
  std::vector<Real> g{1, 2, 3, 0};
  addWeightDecay({.weightDecay = 0.5, .decayAll = false, .clipNorm = {}}, kBlocks, std::vector<Real>{4, -8, 2, 100}, g);
  EXPECT_EQ(g, (std::vector<Real>{3, -2, 3, 0}));
}

TEST(Clipping, ScalesTheWholeTrainableVectorToTheNorm) {
  std::vector<Real> g{3, 0, 4, 100};  // the running mean's 100 is no gradient
  clipToNorm({.clipNorm = 2.5}, kBlocks, g);
  EXPECT_EQ(g, (std::vector<Real>{1.5, 0, 2, 100}));
}

TEST(Clipping, LeavesShorterOnesAndThoseThatAreNoNumberAlone) {
  std::vector<Real> shorter{3, 0, 4, 100};
  clipToNorm({.clipNorm = 5.0}, kBlocks, shorter);
  clipToNorm({.clipNorm = {}}, kBlocks, shorter);
  EXPECT_EQ(shorter, (std::vector<Real>{3, 0, 4, 100}));
  std::vector<Real> broken{3, std::numeric_limits<Real>::quiet_NaN(), 4, 0};
  clipToNorm({.clipNorm = 1.0}, kBlocks, broken);
  EXPECT_EQ(broken[0], Real{3});
}

TEST(MomentumTurns, AsPyTorchDoes) {
  Direction heavyBall({.momentum = 0.5, .clipNorm = {}}), nesterov({.momentum = 0.5, .nesterov = true, .clipNorm = {}});
  const auto turned = [](Direction& momentum, Real g) {
    std::vector<Real> one{g};
    momentum.turn(one, one);
    return one[0];
  };
  EXPECT_EQ(turned(heavyBall, 4), 4);  // v = 4
  EXPECT_EQ(turned(heavyBall, 2), 4);  // v = 0.5 * 4 + 2
  EXPECT_EQ(turned(nesterov, 4), 6);   // v = 4; 4 + 0.5 * 4
  EXPECT_EQ(turned(nesterov, 2), 4);   // v = 4; 2 + 0.5 * 4
}

TEST(MomentumTurns, NothingWhereBlocksAreNotTrainable) {
  Direction momentum({.momentum = 0.5, .clipNorm = {}});
  for (int step = 0; step < 2; ++step) {
    std::vector<Real> g{1, 1, 1, 7};
    momentum.turn(g, g, kBlocks);
    EXPECT_EQ(g[3], 7);
    EXPECT_EQ(g[0], step == 0 ? Real{1} : Real{1.5});
  }
}

// What each algorithm declares about the document's momentum is what happens.
TEST(DocumentMomentum, ChangesTheRunWhereTheAlgorithmDeclaresIt) {
  for (const AlgorithmDef& def : algorithms()) {
    const bool alone = def.topology == Topology::kStandalone, decentralised = def.topology == Topology::kDecentralised;
    RunSpec spec = clusterOf(def.id, alone ? 1 : 3, alone || decentralised ? 0 : 1);
    if (decentralised) spec.topology.id = "ring";
    if (def.groups) spec.groups = {{"w0", "w1"}, {"w2"}};
    const auto plain = runInSim(spec, quadratic()).parameters[0];
    spec.optimizer.momentum = 0.5;
    EXPECT_EQ(runInSim(spec, quadratic()).parameters[0] != plain, def.momentum) << def.id;
  }
}

// A step of Adam is the rate in the gradient's direction at first, whatever its length; AdamW takes its decay apart, from what decays.
TEST(Direction, OfAdamIsOneAtFirstAndAdamwAddsItsDecay) {
  Direction adam({.weightDecay = 0.5, .clipNorm = {}, .id = "adam"}), adamw({.weightDecay = 0.5, .decayAll = false, .clipNorm = {}, .id = "adamw"});
  const std::vector<Real> w{4, -8, 2, 100};
  std::vector<Real> g{1000, -0.5, 3, 7}, h = g;
  adam.turn(g, w, kBlocks);
  adamw.turn(h, w, kBlocks);
  EXPECT_NEAR(g[0], 1, 1e-5);
  EXPECT_NEAR(g[1], -1, 1e-5);
  EXPECT_EQ(g[3], 7);  // a running mean
  EXPECT_EQ(h[0], g[0] + 2);
  EXPECT_EQ(h[1], g[1] - 4);
  EXPECT_EQ(h[2], g[2]);  // a bias
}

TEST(Direction, ThatForgetsBeginsAnew) {
  for (const char* id : {"sgd", "adam", "adagrad"}) {
    const Optimizer optimizer{.momentum = std::string(id) == "sgd" ? 0.5 : 0, .clipNorm = {}, .id = id};
    Direction direction(optimizer);
    const auto turned = [&] {
      std::vector<Real> g{2};
      direction.turn(g, g);
      return g[0];
    };
    const Real first = turned();
    EXPECT_NE(turned() + (std::string(id) == "adam" ? Real(1) : Real(0)), first) << id;
    direction.forget();
    EXPECT_EQ(turned(), first) << id;
  }
}

// Asynchronous servers and synchronous workers alike: every optimizer changes the run where the method allows one.
TEST(DocumentOptimizer, ChangesTheRunWhereTheAlgorithmAllowsIt) {
  for (const AlgorithmDef& def : algorithms()) {
    if (!def.momentum || !def.adaptive) continue;
    const bool alone = def.topology == Topology::kStandalone, decentralised = def.topology == Topology::kDecentralised;
    RunSpec spec = clusterOf(def.id, alone ? 1 : 3, alone || decentralised ? 0 : 1);
    if (decentralised) spec.topology.id = "ring";
    if (def.groups) spec.groups = {{"w0", "w1"}, {"w2"}};
    std::vector<std::vector<Real>> ends{runInSim(spec, quadratic()).parameters[0]};
    for (const char* id : {"adam", "adagrad"}) {
      spec.optimizer.id = id;
      ends.push_back(runInSim(spec, quadratic()).parameters[0]);
    }
    EXPECT_TRUE(ends[0] != ends[1] && ends[0] != ends[2] && ends[1] != ends[2]) << def.id;
  }
}

TEST(DocumentWeightDecay, ReachesEveryAlgorithm) {
  for (const AlgorithmDef& def : algorithms()) {
    const bool alone = def.topology == Topology::kStandalone, decentralised = def.topology == Topology::kDecentralised;
    RunSpec spec = clusterOf(def.id, alone ? 1 : 3, alone || decentralised ? 0 : 1);
    if (decentralised) spec.topology.id = "ring";
    if (def.groups) spec.groups = {{"w0", "w1"}, {"w2"}};
    if (std::ranges::any_of(def.params, [](const ParamSpec& param) { return param.name == "sign"; })) spec.algorithm.params.set("sign", false);  // a sign stays what it is for ten steps
    const auto plain = runInSim(spec, quadratic()).parameters[0];
    RunSpec decayed = spec, clipped = spec;
    decayed.optimizer.weightDecay = 0.5;
    clipped.optimizer.clipNorm = 0.01;
    EXPECT_NE(runInSim(decayed, quadratic()).parameters[0], plain) << def.id;
    EXPECT_NE(runInSim(clipped, quadratic()).parameters[0], plain) << def.id;
  }
}

}  // namespace
}  // namespace paceline::tests
