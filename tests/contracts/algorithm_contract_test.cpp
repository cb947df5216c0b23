// Every registered algorithm: worlds, aggregations and speeds; it learns, is deterministic, ends, and may be stopped at any
// round.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "tests/support/clusters.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

TEST(AlgorithmContract, DescribesItself) {
  for (const AlgorithmDef& def : algorithms()) {
    EXPECT_FALSE(def.title.empty() || def.summary.empty() || def.reference.empty()) << def.id;
    EXPECT_TRUE(def.makeWorker) << def.id;
    EXPECT_FALSE(def.serverHoldsParameters && !def.makeServer) << def.id;
    for (const ParamSpec& param : def.params) EXPECT_FALSE(param.help.empty()) << def.id << ' ' << param.name;
    std::vector<Finding> findings;
    completeParams(def.params, {}, "", findings);
    EXPECT_TRUE(findings.empty()) << def.id << ": its defaults are out of its bounds";
    EXPECT_EQ(findAlgorithm(def.id), &def);
    EXPECT_EQ(def.needsServer, static_cast<bool>(def.makeServer));
  }
}

TEST(AlgorithmContract, ConvergesOnTheQuadratic) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& given, const std::string& name) {
      RunSpec spec = given;
      spec.stop.rounds = 300;
      spec.evaluate.everyRounds = 50;
      const SimResult result = runInSim(spec, quadratic({.size = 12, .statistics = 3, .spread = 0.02}));
      const std::vector<EvaluationRecord> evaluations = result.evaluations(0);
      EXPECT_LT(evaluations.back().loss, evaluations.front().loss / 1000) << name;
      EXPECT_EQ(evaluations.back().accuracy, 1) << name;
      for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "rounds") << name;
    });
}

std::string linesOf(const SimResult& result) {
  std::string lines;
  for (const auto& [node, event] : result.events) lines += strCat(node, toLine(event), '\n');
  return lines;
}

TEST(AlgorithmContract, IsDeterministic) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& spec, const std::string& name) {
      const SimResult a = runInSim(spec, quadratic()), b = runInSim(spec, quadratic());
      EXPECT_EQ(linesOf(a), linesOf(b)) << name;
      EXPECT_EQ(a.parameters, b.parameters) << name;
    });
}

TEST(AlgorithmContract, SynchronousWorkersAgree) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [&](const RunSpec& spec, const std::string& name) {
      if (!def.synchronous) return;
      const SimResult result = runInSim(spec, quadratic());
      const bool exactly = def.topology != Topology::kDecentralised;  // those agree only in the limit
      for (const auto& parameters : result.parameters) EXPECT_TRUE(!exactly || parameters == result.parameters[0]) << name;
      for (int node : spec.workers()) EXPECT_EQ(result.rounds(node).size(), 10u) << name;
    });
}

TEST(AlgorithmContract, EndsAfterAnyNumberOfRounds) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& given, const std::string& name) {
      for (int last : {1, 2, 3, 4, 9, 16}) {
        RunSpec spec = given;
        spec.stop.rounds = last;
        EXPECT_EQ(runInSim(spec, quadratic()).rounds(0).size(), static_cast<std::size_t>(last)) << name;
      }
    });
}

TEST(AlgorithmContract, SurvivesAStopInAnyRound) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& given, const std::string& name) {
      for (int in = 0; in <= 6; ++in) {
        RunSpec spec = given;
        spec.stop.rounds.reset();
        SimOptions options;
        // The evaluation before round 1 is the first event.
        options.onEvent = [in, events = 0](int node, const Event& event, std::atomic<bool>& asked) mutable {
          if (node == 0 && std::holds_alternative<EvaluationRecord>(event) && events++ == in) asked = true;
        };
        const SimResult result = runInSim(spec, quadratic(), options);
        EXPECT_EQ(result.rounds(0).size(), static_cast<std::size_t>(in) + 1) << name;
        for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "asked") << name;
      }
    });
}

}  // namespace
}  // namespace paceline::tests
