// Methods that exchange changes of several local steps: what they are when their own ideas are switched off, and where they come to rest.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/local_round.h"
#include "tests/algorithms/scalar_costs.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr double kClose = sizeof(Real) == 8 ? 1e-12 : 1e-5;

RunSpec localRun(const std::string& algorithm, std::int64_t localSteps, int workers = 3) {
  RunSpec spec = clusterOf(algorithm, workers, 1);
  spec.algorithm.params.set(algorithm == "esync" ? "local_lr" : "learning_rate", 0.1);
  if (localSteps > 0) spec.algorithm.params.set("local_steps", localSteps);
  spec.stop.rounds = 30;
  return spec;
}

void expectSameEnd(const RunSpec& a, const RunSpec& b, const std::string& what) {
  const auto one = runInSim(a, quadratic()).parameters, other = runInSim(b, quadratic()).parameters;
  ASSERT_EQ(one.size(), other.size());
  const std::size_t ranks = findAlgorithm(a.algorithm.id)->synchronous ? one.size() : 1;  // the others may be within a round
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t i = 0; i < one[rank].size(); ++i)
      ASSERT_NEAR(static_cast<double>(one[rank][i]), static_cast<double>(other[rank][i]), kClose) << what << ", rank " << rank << ", element " << i;
}

const std::vector<Optimizer>& innerOptimizers() {
  static const std::vector<Optimizer> all = {{.clipNorm = {}}, {.momentum = 0.8, .nesterov = true, .weightDecay = 0.01, .clipNorm = {}}};
  return all;
}

TEST(Diloco, WithOneStepAndNoOuterMomentumIsSsgd) {
  RunSpec diloco = localRun("diloco", 1);
  diloco.algorithm.params.set("outer_lr", 1.0);
  diloco.algorithm.params.set("outer_momentum", 0.0);
  expectSameEnd(diloco, localRun("ssgd", 0), "diloco");
}

// u = mu u + d; w -= eta (d + mu u) on the change of one worker that takes one step is Nesterov's SGD at rate eta * rate.
TEST(Diloco, OfOneWorkerIsNesterovsMomentum) {
  RunSpec diloco = localRun("diloco", 1, 1), nesterov = localRun("ssgd", 0, 1);
  diloco.algorithm.params.set("outer_lr", 0.5);
  diloco.algorithm.params.set("outer_momentum", 0.8);
  nesterov.algorithm.params.set("learning_rate", 0.05);
  nesterov.optimizer.momentum = 0.8;
  nesterov.optimizer.nesterov = true;
  expectSameEnd(diloco, nesterov, "diloco");
}

TEST(Diloco, TakesItsInnerStepsByAdamw) {
  RunSpec adamw = localRun("diloco", 5), plain = adamw;
  adamw.optimizer.id = "adamw";
  EXPECT_NE(runInSim(adamw, quadratic()).parameters, runInSim(plain, quadratic()).parameters);
  adamw.algorithm.params.set("outer_lr", 1.0);
  adamw.algorithm.params.set("outer_momentum", 0.0);
  RunSpec local = localRun("local_sgd", 5);
  local.optimizer.id = "adamw";
  expectSameEnd(adamw, local, "without an outer momentum it is local AdamW");
}

TEST(Slowmo, WithoutSlowMomentumIsLocalSgd) {
  for (const Optimizer& optimizer : innerOptimizers()) {
    RunSpec slowmo = localRun("slowmo", 4), local = localRun("local_sgd", 4);
    slowmo.algorithm.params.set("slow_momentum", 0.0);
    slowmo.optimizer = local.optimizer = optimizer;
    expectSameEnd(slowmo, local, "slowmo");
  }
}

// One worker, one step: u = beta u + g, w -= alpha gamma u is the heavy ball.
TEST(Slowmo, OfOneWorkerIsTheHeavyBall) {
  RunSpec slowmo = localRun("slowmo", 1, 1), ball = localRun("ssgd", 0, 1);
  slowmo.algorithm.params.set("slow_momentum", 0.6);
  slowmo.algorithm.params.set("slow_lr", 0.5);
  ball.algorithm.params.set("learning_rate", 0.05);
  ball.optimizer.momentum = 0.6;
  expectSameEnd(slowmo, ball, "slowmo");
}

TEST(Fedprox, WithoutAPullIsLocalSgd) {
  for (const Optimizer& optimizer : innerOptimizers()) {
    RunSpec prox = localRun("fedprox", 4), local = localRun("local_sgd", 4);
    prox.algorithm.params.set("proximal", 0.0);
    prox.optimizer = local.optimizer = optimizer;
    expectSameEnd(prox, local, "fedprox");
  }
}

TEST(Fednova, WithEqualStepsIsLocalSgd) {
  for (const bool bySpeed : {false, true}) {
    RunSpec nova = localRun("fednova", 4), local = localRun("local_sgd", 4);
    nova.algorithm.params.set("by_speed", bySpeed);
    expectSameEnd(nova, local, "fednova");
  }
}

// Of momentum a_i is the same for all as well, but it begins at zero in each round.
TEST(Fednova, CountsWhatMomentumMakesOfTheSteps) {
  RunSpec nova = localRun("fednova", 3, 1), prox = nova;
  nova.optimizer.momentum = 0.5;
  nova.stop.rounds = prox.stop.rounds = 1;
  RunSpec local = localRun("local_sgd", 3, 1);
  local.optimizer.momentum = 0.5;
  local.stop.rounds = 1;
  expectSameEnd(nova, local, "one worker's changes are its own");
}

TEST(Scaffold, WithFrozenControlsIsLocalSgd) {
  RunSpec scaffold = localRun("scaffold", 4);
  scaffold.algorithm.params.set("frozen", true);
  expectSameEnd(scaffold, localRun("local_sgd", 4), "scaffold");
}

TEST(Scaffold, WithOneStepIsSsgd) { expectSameEnd(localRun("scaffold", 1), localRun("ssgd", 0), "scaffold"); }

TEST(StepsBySpeed, AreThoseOfThePaper) {
  EXPECT_EQ(stepsBySpeed(1, 1, 8), 8);
  EXPECT_EQ(stepsBySpeed(2, 1, 8), 4);
  EXPECT_EQ(stepsBySpeed(3, 1, 8), 2);
  EXPECT_EQ(stepsBySpeed(100, 1, 8), 1);
  EXPECT_EQ(stepsBySpeed(0.1, 0.1 * (1 + 1e-12), 50), 50);
}

TEST(Fednova, FastWorkersTakeMoreSteps) {
  RunSpec spec = localRun("fednova", 8);
  spec.nodes[2].emulate.slowdown = 2.5;  // the last worker
  spec.stop.rounds = 3;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_EQ(result.rounds(0)[1].localSteps, 8);
  EXPECT_EQ(result.rounds(spec.workers()[2])[1].localSteps, spec.workers()[2] == 2 ? 3 : 8);
}

// Asynchronous ones, in virtual time where every order is the same.
RunSpec asynchronous(const std::string& algorithm, int workers) {
  RunSpec spec = clusterOf(algorithm, workers, 1);
  spec.algorithm.params.set("learning_rate", 0.05);
  spec.nodes[1].emulate.slowdown = 2.3;
  spec.wire.overlap = false;
  spec.stop.rounds = 40;
  return spec;
}

TEST(Fedbuff, OfOneStepAndAChangeAtATimeIsAsgd) {
  RunSpec buffered = asynchronous("fedbuff", 3);
  buffered.algorithm.params.set("local_steps", std::int64_t{1});
  buffered.algorithm.params.set("buffer_size", std::int64_t{1});
  buffered.algorithm.params.set("weighting", false);
  expectSameEnd(buffered, asynchronous("asgd", 3), "fedbuff");
}

// Three equal workers push in one moment: each third change is an update, so nobody's next values lack more than two.
TEST(Fedbuff, UpdatesWithEveryKthChange) {
  RunSpec spec = asynchronous("fedbuff", 3);
  spec.nodes[1].emulate.slowdown = 1;
  const SimResult result = runInSim(spec, quadratic());
  double stalest = 0;
  for (const int node : spec.workers())
    for (const RoundRecord& round : result.rounds(node)) stalest = std::max(stalest, round.staleness);
  EXPECT_LE(stalest, 1);
}

TEST(RingmasterAsgd, WithAHugeBoundIsAsgdBitForBit) {
  RunSpec ringmaster = asynchronous("ringmaster_asgd", 4);
  ringmaster.algorithm.params.set("delay_bound", std::int64_t{1000000});
  EXPECT_EQ(runInSim(ringmaster, quadratic()).parameters, runInSim(asynchronous("asgd", 4), quadratic()).parameters);
}

// With R = 1 a gradient counts only at the newest values, so every update is one of sequential SGD: what is stale leaves no trace.
TEST(RingmasterAsgd, ThrowsAwayWhatIsTooOld) {
  RunSpec spec = asynchronous("ringmaster_asgd", 2);
  spec.nodes[1].emulate.slowdown = 2.5;
  spec.algorithm.params.set("delay_bound", std::int64_t{1});
  const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(8, rank); };
  const SimResult result = runInSim(spec, integers);
  // The slow worker's pushes all come after two or three of the fast one's: none counts.
  for (const RoundRecord& round : result.rounds(spec.workers()[1])) EXPECT_GE(round.staleness, 1);
  for (std::size_t i = 0; i < 8; ++i) {
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t < 40; ++t) sum += IntegerObjective::at(0, t, i);
    EXPECT_NEAR(static_cast<double>(result.parameters[0][i]), -0.05 * static_cast<double>(sum), 1e-4);
  }
}

TEST(DelayedNesterov, OfOneWorkerIsDilocosOuterStep) {
  RunSpec delayed = localRun("delayed_nesterov", 5, 1), diloco = localRun("diloco", 5, 1);
  expectSameEnd(delayed, diloco, "delayed_nesterov");
}

// Without momentum each change moves the values by its N-th part at once: FedBuff with K = 1 and that rate.
TEST(DelayedNesterov, WithoutMomentumAppliesEachChangeAtOnce) {
  RunSpec delayed = asynchronous("delayed_nesterov", 3), buffered = asynchronous("fedbuff", 3);
  for (RunSpec* spec : {&delayed, &buffered}) spec->algorithm.params.set("local_steps", std::int64_t{4});
  delayed.algorithm.params.set("by_speed", false);
  delayed.algorithm.params.set("outer_momentum", 0.0);
  delayed.algorithm.params.set("outer_lr", 0.9);
  delayed.algorithm.params.set("delay", std::int64_t{3});
  buffered.algorithm.params.set("buffer_size", std::int64_t{1});
  buffered.algorithm.params.set("weighting", false);
  buffered.algorithm.params.set("global_lr", 0.3);
  expectSameEnd(delayed, buffered, "delayed_nesterov");
}

}  // namespace
}  // namespace paceline::tests
