// What is equal but for rounding: Real = double, 1e-12.
#include <gtest/gtest.h>

#include <limits>

#include "engine/comm/aggregators/aggregator.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

static_assert(sizeof(Real) == 8);

constexpr QuadraticProblem kMixed{.size = 12, .statistics = 4};

void expectWithin(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << "element " << i;
}

RunSpec rated(const std::string& algorithm, int workers, int servers, const std::string& rate = "learning_rate") {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  spec.algorithm.params.set(rate, 0.1);
  spec.stop.rounds = 60;
  return spec;
}

// Every registered aggregation, with as many servers as it needs; the state server of ESync comes on top.
void byEveryAggregation(const std::function<void(const aggregators::AggregatorDef&, int servers)>& check) {
  for (const aggregators::AggregatorDef& aggregation : aggregators::aggregators()) {
    SCOPED_TRACE(aggregation.id);
    check(aggregation, aggregation.needsServer ? 2 : 0);
  }
}

RunSpec by(const aggregators::AggregatorDef& aggregation, RunSpec spec) {
  spec.aggregation.id = aggregation.id;
  return spec;
}

// E1
TEST(Ssgd, NTimesBEqualsStandaloneWithNBByEveryAggregation) {
  byEveryAggregation([](const aggregators::AggregatorDef& aggregation, int servers) {
    for (int world : {2, 3, 4, 5, 7}) {
      RunSpec alone = rated("standalone", 1, 0);
      alone.batchSize = 4 * world;
      const std::vector<Real> expected = runInSim(alone, quadratic()).parameters[0];
      for (const auto& parameters : runInSim(by(aggregation, rated("ssgd", world, servers)), quadratic()).parameters)
        expectWithin(parameters, expected);
    }
  });
}

// E2, E3
TEST(Ssgd, EveryAggregationEqualsServer) {
  for (int world : {3, 5, 6}) {
    const SimResult server = runInSim(rated("ssgd", world, 1), quadratic(kMixed));
    byEveryAggregation([&](const aggregators::AggregatorDef& aggregation, int servers) {
      for (const auto& parameters : runInSim(by(aggregation, rated("ssgd", world, servers)), quadratic(kMixed)).parameters)
        expectWithin(parameters, server.parameters[0]);
    });
  }
}

// E9
TEST(Esync, OneLocalStepEqualsSsgdByEveryAggregation) {
  byEveryAggregation([](const aggregators::AggregatorDef& aggregation, int servers) {
    const SimResult ssgd = runInSim(by(aggregation, rated("ssgd", 4, servers)), quadratic(kMixed));
    const SimResult esync = runInSim(by(aggregation, rated("esync", 4, 1, "local_lr")), quadratic(kMixed));
    for (const RoundRecord& round : esync.rounds(1)) ASSERT_EQ(round.localSteps, 1);
    for (const auto& parameters : esync.parameters) expectWithin(parameters, ssgd.parameters[0]);
  });
}

TEST(LocalSgd, OneLocalStepEqualsSsgd) {
  RunSpec local = rated("local_sgd", 4, 1);
  local.algorithm.params.set("local_steps", std::int64_t{1});
  expectWithin(runInSim(local, quadratic(kMixed)).parameters[2],
              runInSim(rated("ssgd", 4, 1), quadratic(kMixed)).parameters[2]);
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

// E10
TEST(LocalSgd, EqualsEsyncWhoseWorkersAllTakeKStepsByEveryAggregation) {
  byEveryAggregation([](const aggregators::AggregatorDef& aggregation, int) {
    if (aggregation.needsServer) return;  // the stub is no aggregating server
    for (int k : {1, 2, 7}) {
      RunSpec local = rated("local_sgd", 3, 0), esync = rated("esync", 3, 1, "local_lr");
      local.algorithm.params.set("local_steps", std::int64_t{k});
      local.aggregation.id = esync.aggregation.id = aggregation.id;
      const SimResult a = runInSim(local, quadratic(kMixed));
      const SimResult b = runInSim(esync, quadratic(kMixed), everybodyTakes(k));
      for (const RoundRecord& round : b.rounds(0)) ASSERT_EQ(round.localSteps, k);
      expectWithin(a.parameters[0], b.parameters[0]);
    }
  });
}

// By the real state server: while the slow worker takes one step, the fast one takes n of local SGD; then the mean of the changes.
TEST(Esync, FastWorkersTakeLocalSgdStepsBeforeTheMean) {
  RunSpec spec = rated("esync", 2, 1, "local_lr");
  spec.nodes[1].emulate.slowdown = 4.5;
  spec.stop.rounds = 1;
  const SimResult result = runInSim(spec, quadratic());
  const std::int64_t fast = result.rounds(0)[0].localSteps;
  ASSERT_GT(fast, 1);
  ASSERT_EQ(result.rounds(1)[0].localSteps, 1);
  std::vector<Real> mean(12, 0), g(12);
  for (int rank = 0; rank < 2; ++rank) {
    QuadraticObjective objective({}, rank, 2, 4);
    for (std::int64_t step = 0; step < (rank == 0 ? fast : 1); ++step) {
      objective.gradient(g);
      for (std::size_t i = 0; i < 12; ++i) objective.parameters()[i] -= 0.1 * g[i];
    }
    for (std::size_t i = 0; i < 12; ++i) mean[i] += objective.parameters()[i] / 2;
  }
  expectWithin(result.parameters[0], mean);
}

// ESync written down directly from the numbers of local steps that a run recorded.
TEST(Esync, FollowsItsFormulaForTheStepsItChose) {
  RunSpec spec = rated("esync", 3, 1, "local_lr");
  spec.algorithm.params.set("global_lr", 0.8);
  spec.nodes[1].emulate.slowdown = 4.5;
  spec.nodes[2].emulate.slowdown = 2;
  spec.stop.rounds = 20;
  const SimResult result = runInSim(spec, quadratic(kMixed));

  std::vector<std::unique_ptr<QuadraticObjective>> workers;
  for (int rank = 0; rank < 3; ++rank) workers.push_back(std::make_unique<QuadraticObjective>(kMixed, rank, 3, 4));
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
  for (const auto& parameters : result.parameters) expectWithin(parameters, w);
}

}  // namespace
}  // namespace paceline::tests
