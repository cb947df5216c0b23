// An evaluator node: what it evaluates is what the training has at that moment, nobody's round grows by it, and the last parameters are
// always evaluated.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/runtime/checkpoints.h"
#include "engine/runtime/evaluation_link.h"
#include "tests/support/clusters.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

RunSpec withEvaluator(RunSpec spec, const std::string& source = "auto") {
  NodeSpec& node = spec.nodes.emplace_back();
  node.id = "e0";
  node.role = Role::kEvaluator;
  spec.evaluate.source = source;
  return spec;
}

int last(const RunSpec& spec) { return static_cast<int>(spec.nodes.size()) - 1; }

TEST(Evaluator, SeesWhatTheEvaluatingWorkerWouldHaveSeen) {
  const RunSpec plain = clusterOf("ssgd", 3, 1), spec = withEvaluator(plain);
  const SimResult own = runInSim(plain, quadratic()), remote = runInSim(spec, quadratic());
  const std::vector<EvaluationRecord> expected = own.evaluations(0), seen = remote.evaluations(last(spec));
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].round, expected[i].round);
    EXPECT_EQ(seen[i].loss, expected[i].loss);
    EXPECT_EQ(seen[i].samples, expected[i].samples);
    EXPECT_EQ(seen[i].of, "");
  }
  EXPECT_TRUE(remote.evaluations(0).empty());
  EXPECT_EQ(remote.parameters, own.parameters);
}

TEST(Evaluator, DelaysNoRound) {
  const RunSpec plain = clusterOf("asgd", 3, 2), spec = withEvaluator(plain);
  const std::vector<RoundRecord> without = runInSim(plain, quadratic()).rounds(1), with = runInSim(spec, quadratic()).rounds(1);
  ASSERT_EQ(without.size(), with.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i].t, without[i].t);
}

// The servers' values after the last push of anybody: the coordinator's own lack the others' last updates.
TEST(Evaluator, AsksTheServersWhereTheyHoldTheParameters) {
  RunSpec spec = withEvaluator(clusterOf("asgd", 2, 2), "server");
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 5;
  spec.evaluate.everyRounds = 3;
  const std::vector<EvaluationRecord> seen = runInSim(spec, quadratic()).evaluations(last(spec));
  ASSERT_EQ(seen.size(), 5u);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].round, (std::vector<std::int64_t>{0, 3, 6, 9, 10})[i]);
  EXPECT_LT(seen.back().loss, seen.front().loss);
}

TEST(Evaluator, TellsTheAccuracyThatEndsTheRun) {
  RunSpec spec = withEvaluator(clusterOf("ssgd", 3, 1));
  spec.algorithm.params.set("learning_rate", 0.2);
  spec.stop = {.rounds = 1000, .seconds = {}, .samples = {}, .accuracy = 1};
  const SimResult result = runInSim(spec, quadratic({.spread = 0.1}));
  for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "accuracy");
  EXPECT_EQ(result.evaluations(last(spec)).back().accuracy, 1);
}

TEST(Evaluator, EvaluatesTheLastParametersOfEveryAlgorithmOnce) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& given, const std::string& name) {
      RunSpec spec = withEvaluator(given);
      spec.evaluate.everyRounds = 4;
      const SimResult result = runInSim(spec, quadratic());
      const std::vector<EvaluationRecord> seen = result.evaluations(last(spec));
      std::map<std::pair<std::int64_t, std::string>, int> times;
      for (const EvaluationRecord& record : seen) ++times[{record.round, record.of}];
      for (const auto& [what, count] : times) EXPECT_EQ(count, 1) << name << ", round " << what.first << ' ' << what.second;
      ASSERT_FALSE(seen.empty()) << name;
      EXPECT_EQ(seen.back().round, 10) << name;
      for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "rounds") << name;
    });
}

TEST(Evaluator, FollowsCheckpointsAndThenTheLastParameters) {
  const std::string name = tests::ownFolder();
  RunSpec spec = withEvaluator(clusterOf("ssgd", 2, 1), "checkpoints");
  spec.checkpointEveryRounds = 4;
  std::vector<std::unique_ptr<CheckpointFolder>> folders;
  for (const NodeSpec& node : spec.nodes) folders.push_back(std::make_unique<CheckpointFolder>(name + "/" + node.id, StateOwner{node.id, stateConfig(spec)}));
  SimOptions options;
  options.checkpoints = [&](int node) { return folders[static_cast<std::size_t>(node)].get(); };
  options.follow = [&](int) { return folders[0].get(); };
  const SimResult result = runInSim(spec, quadratic(), options);
  std::vector<std::int64_t> rounds;
  for (const EvaluationRecord& record : result.evaluations(last(spec))) rounds.push_back(record.round);
  EXPECT_EQ(rounds, (std::vector<std::int64_t>{4, 8, 10}));
}

TEST(Evaluator, ASourceThatTheAlgorithmDoesNotHaveIsRefused) {
  try {
    runInSim(withEvaluator(clusterOf("ssgd", 2, 1), "server"), quadratic());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "evaluate.source: \"server\", but the servers of algorithm \"ssgd\" do not hold the parameters; use worker");
  }
}

}  // namespace
}  // namespace paceline::tests
