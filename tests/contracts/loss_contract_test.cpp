// Every registered algorithm whose runs go on without a lost worker: it is lost after any round, the others finish and agree, it learns, and is deterministic.
#include <gtest/gtest.h>

#include "engine/runtime/setup.h"
#include "tests/support/clusters.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr int kLostAfter = 3;

// For each cluster of five workers of which the last is lost, in equal and unequal speeds.
void forEachLoss(const std::function<void(const AlgorithmDef&, const RunSpec&, const std::string&)>& check) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [&](const RunSpec& given, const std::string& name) {
      if (given.workers().size() < 5 || !partsOf(given).goesOn) return;
      RunSpec spec = given;
      spec.nodes[4].emulate.lostAfterRounds = kLostAfter;
      check(def, spec, name);
    });
}

bool addsUpOnTheWay(const RunSpec& spec, const AlgorithmDef& def) { return def.topology == Topology::kAggregated && !aggregators::findAggregator(spec.aggregation.id)->needsServer; }

// A method that does not say so needs all its workers, and who adds a method is told where to look.
TEST(LossContract, IsOfEveryMethodWithServersButThese) {
  std::string without;
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [&](const RunSpec& spec, const std::string&) {
      if (spec.workers().size() < 5 || spec.nodes[4].emulate.slowdown > 1 || addsUpOnTheWay(spec, def) || partsOf(spec).goesOn) return;
      without += strCat(without.empty() ? "" : " ", def.id);
    });
  EXPECT_EQ(without, "sync_backup robust_ssgd");
}

TEST(LossContract, TheOthersFinishAndAgree) {
  int tried = 0;
  forEachLoss([&](const AlgorithmDef& def, const RunSpec& spec, const std::string& name) {
    ++tried;
    const SimResult result = runInSim(spec, quadratic());
    EXPECT_EQ(result.rounds(4).size(), static_cast<std::size_t>(kLostAfter)) << name;
    for (std::size_t node = 0; node < spec.nodes.size(); ++node)
      EXPECT_EQ(result.reasons[node], node == 4 ? kVanished : "rounds") << name << " " << spec.nodes[node].id;
    EXPECT_EQ(result.rounds(0).size(), 10U) << name;
    for (int node = 0; node < 4 && def.topology == Topology::kAggregated; ++node) {
      EXPECT_EQ(result.rounds(node).size(), 10U) << name;
      EXPECT_EQ(result.parameters[static_cast<std::size_t>(node)], result.parameters[0]) << name;
    }
  });
  EXPECT_GT(tried, 40);
}

TEST(LossContract, TheOthersLearnOn) {
  forEachLoss([](const AlgorithmDef& def, const RunSpec& given, const std::string& name) {
    if (def.topology == Topology::kDecentralised) return;  // a last vector stands in for it, which pulls at its neighbours: isvr_test.cpp
    RunSpec spec = given;
    spec.stop.rounds = 300;
    spec.evaluate.everyRounds = 50;
    const std::vector<EvaluationRecord> evaluations = runInSim(spec, quadratic({.size = 12, .statistics = 3, .spread = 0.02})).evaluations(0);
    EXPECT_LT(evaluations.back().loss, evaluations.front().loss / 1000) << name;
  });
}

TEST(LossContract, IsDeterministic) {
  const auto linesOf = [](const SimResult& result) {
    std::string lines;
    for (const auto& [node, event] : result.events) lines += strCat(node, toLine(event), '\n');
    return lines;
  };
  forEachLoss([&](const AlgorithmDef&, const RunSpec& spec, const std::string& name) {
    const SimResult a = runInSim(spec, quadratic()), b = runInSim(spec, quadratic());
    EXPECT_EQ(linesOf(a), linesOf(b)) << name;
    EXPECT_EQ(a.parameters, b.parameters) << name;
  });
}

TEST(LossContract, AnyWorkerButTheCoordinatorMayBeLostInAnyRound) {
  for (const char* id : {"ssgd", "esync", "ssp", "grouping_sgd", "dgs", "demo", "local_sgd"})
    for (int worker = 1; worker < 4; ++worker)
      for (int round = 1; round < 10; ++round) {
        RunSpec spec = clusterOf(id, 4, 2);
        slowRates(spec, *findAlgorithm(id));
        spec.nodes[static_cast<std::size_t>(worker)].emulate.lostAfterRounds = round;
        const SimResult result = runInSim(spec, quadratic());
        EXPECT_EQ(result.rounds(0).size(), 10U) << id << " w" << worker << " round " << round;
        const std::size_t closed = result.rounds(worker).size(), most = static_cast<std::size_t>(round);
        if (partsOf(spec).synchronous) { EXPECT_EQ(closed, most) << id << " w" << worker; }
        else EXPECT_TRUE(closed == most || (closed < most && result.reasons[static_cast<std::size_t>(worker)] == "rounds")) << id << " w" << worker << ": " << closed << " of " << most;  // the stop came first
        EXPECT_EQ(result.reasons[0], "rounds");
      }
}

TEST(LossContract, AllOthersMayBeLostOneAfterTheOther) {
  for (const char* id : {"ssgd", "esync", "ssp", "grouping_sgd", "asgd", "demo"}) {
    RunSpec spec = clusterOf(id, 4, 1);
    slowRates(spec, *findAlgorithm(id));
    for (const std::size_t worker : {1U, 2U, 3U}) spec.nodes[worker].emulate.lostAfterRounds = 2 * worker;
    const SimResult result = runInSim(spec, quadratic());
    EXPECT_EQ(result.rounds(0).size(), 10U) << id;
  }
}

// w -= rate * mean of the gradients of those who are there, step by step.
TEST(LossContract, SsgdGoesOnWithTheMeanOfThoseWhoAreLeft) {
  RunSpec spec = clusterOf("ssgd", 3, 2);
  spec.algorithm.params.set("learning_rate", 0.125);
  spec.nodes[1].emulate.lostAfterRounds = 4;
  const SimResult result = runInSim(spec, quadratic());
  std::vector<std::unique_ptr<QuadraticObjective>> workers;
  for (int rank = 0; rank < 3; ++rank) workers.push_back(std::make_unique<QuadraticObjective>(QuadraticProblem{}, rank, 3, spec.batchSize));
  for (int round = 1; round <= 10; ++round) {
    std::vector<Real> sum(workers[0]->parameters().size()), g(sum.size());
    Real count = 0;
    for (int rank = 0; rank < 3; ++rank) {
      if (rank == 1 && round > 4) continue;
      workers[static_cast<std::size_t>(rank)]->gradient(g);
      for (std::size_t i = 0; i < g.size(); ++i) sum[i] += g[i];
      ++count;
    }
    for (const auto& worker : workers)
      for (std::size_t i = 0; i < g.size(); ++i) worker->parameters()[i] -= Real(0.125) * (sum[i] * (1 / count));
  }
  for (std::size_t i = 0; i < result.parameters[0].size(); ++i) EXPECT_NEAR(result.parameters[0][i], workers[0]->parameters()[i], 1e-6) << i;
}

}  // namespace
}  // namespace paceline::tests
