// What is equal but for rounding: Real = double, 1e-12.
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/sim_run.h"

namespace paceline {
namespace {

static_assert(sizeof(Real) == 8);

using testing::clusterOf;
using testing::quadratic;
using testing::QuadraticObjective;
using testing::QuadraticProblem;
using testing::runInSim;
using testing::SimOptions;
using testing::SimResult;

constexpr QuadraticProblem kWithStatistics{.size = 12, .statistics = 4};

void expectClose(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << "element " << i;
}

RunSpec rated(const std::string& algorithm, int workers, int servers, const std::string& rate = "learning_rate") {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  spec.algorithm.params.set(rate, 0.1);
  spec.stop.rounds = 60;
  return spec;
}

TEST(Ssgd, NTimesBEqualsStandaloneWithNB) {
  for (int world : {2, 3, 5}) {
    RunSpec alone = rated("standalone", 1, 0);
    alone.batchSize = 4 * world;
    expectClose(runInSim(rated("ssgd", world, 1), quadratic()).parameters[0], runInSim(alone, quadratic()).parameters[0]);
  }
}

TEST(Ssgd, RingEqualsServer) {
  for (int world : {3, 5, 6}) {
    RunSpec spec = rated("ssgd", world, 1);
    const SimResult server = runInSim(spec, quadratic(kWithStatistics));
    spec.aggregation.id = "ring";
    const SimResult ring = runInSim(spec, quadratic(kWithStatistics));
    for (const auto& parameters : ring.parameters) expectClose(parameters, server.parameters[0]);
  }
}

TEST(Esync, OneLocalStepEqualsSsgd) {
  const SimResult ssgd = runInSim(rated("ssgd", 4, 1), quadratic(kWithStatistics));
  const SimResult esync = runInSim(rated("esync", 4, 1, "local_lr"), quadratic(kWithStatistics));
  for (const RoundRecord& round : esync.rounds(1)) ASSERT_EQ(round.localSteps, 1);
  for (const auto& parameters : esync.parameters) expectClose(parameters, ssgd.parameters[0]);
}

TEST(LocalSgd, OneLocalStepEqualsSsgd) {
  RunSpec local = rated("local_sgd", 4, 1);
  local.algorithm.params.set("local_steps", std::int64_t{1});
  expectClose(runInSim(local, quadratic(kWithStatistics)).parameters[2],
              runInSim(rated("ssgd", 4, 1), quadratic(kWithStatistics)).parameters[2]);
}

// A state server that lets everybody take exactly k steps.
SimOptions everybodyTakes(double k) {
  SimOptions options;
  options.server = [k](const NodeRun& run) {
    for (std::size_t gone = 0; gone < run.spec.workers().size();) {
      const std::optional<Message> message = run.wire.receive(std::numeric_limits<double>::infinity());
      if (message->kind == MessageKind::kBye) ++gone;
      if (message->kind != MessageKind::kAsk) continue;
      const bool yes = message->scalars.size() < 3 || message->scalars[1] >= k;
      run.wire.send(message->from, {.kind = MessageKind::kAnswer, .scalars = {yes ? 1.0 : 0.0}, .dense = {}});
    }
  };
  return options;
}

TEST(LocalSgd, EqualsEsyncWhoseWorkersAllTakeKSteps) {
  for (int k : {1, 2, 7}) {
    RunSpec local = rated("local_sgd", 3, 0), esync = rated("esync", 3, 1, "local_lr");
    local.algorithm.params.set("local_steps", std::int64_t{k});
    local.aggregation.id = esync.aggregation.id = "ring";
    const SimResult a = runInSim(local, quadratic(kWithStatistics));
    const SimResult b = runInSim(esync, quadratic(kWithStatistics), everybodyTakes(k));
    for (const RoundRecord& round : b.rounds(0)) ASSERT_EQ(round.localSteps, k);
    expectClose(a.parameters[0], b.parameters[0]);
  }
}

// ESync written down directly from the numbers of local steps that a run recorded.
TEST(Esync, FollowsItsFormulaForTheStepsItChose) {
  RunSpec spec = rated("esync", 3, 1, "local_lr");
  spec.algorithm.params.set("global_lr", 0.8);
  spec.nodes[1].emulate.slowdown = 4.5;
  spec.nodes[2].emulate.slowdown = 2;
  spec.stop.rounds = 20;
  const SimResult result = runInSim(spec, quadratic(kWithStatistics));

  std::vector<std::unique_ptr<QuadraticObjective>> workers;
  for (int rank = 0; rank < 3; ++rank) workers.push_back(std::make_unique<QuadraticObjective>(kWithStatistics, rank, 3, 4));
  std::vector<Real> w(16), g(16);
  for (std::size_t t = 0; t < 20; ++t) {
    std::vector<Real> mean(16);
    for (int rank = 0; rank < 3; ++rank) {
      const std::span<Real> own = workers[static_cast<std::size_t>(rank)]->parameters();
      std::copy(w.begin(), w.end(), own.begin());
      const std::int64_t steps = result.rounds(rank)[t].localSteps;
      EXPECT_EQ(steps, rank == 0 ? 4 : rank == 1 ? 1 : 2);
      for (std::int64_t k = 0; k < steps; ++k) {
        workers[static_cast<std::size_t>(rank)]->gradient(g);
        for (std::size_t i = 0; i < 12; ++i) own[i] -= 0.1 * g[i];
      }
      for (std::size_t i = 0; i < 16; ++i) mean[i] += (i < 12 ? own[i] - w[i] : own[i]) / 3;
    }
    for (std::size_t i = 0; i < 16; ++i) w[i] = i < 12 ? w[i] + 0.8 * mean[i] : mean[i];
  }
  for (const auto& parameters : result.parameters) expectClose(parameters, w);
}

}  // namespace
}  // namespace paceline
