// Real processes, killed and resumed: `paceline resume` goes on bit for bit, and evaluator nodes evaluate.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "engine/core/record/state_table.h"
#include "storage/store/store.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

class Resume : public Desk {
 protected:
  std::string spec(int rounds, const std::string& algorithm = "ssgd") {
    nlohmann::json document = tinySpec();
    document["algorithm"] = {{"id", algorithm}, {"params", {{"learning_rate", 0.05}}}};
    for (int worker : {1, 2}) document["nodes"][static_cast<std::size_t>(worker)]["emulate"] = {{"step_s", 0.02}};
    document["checkpoint"] = {{"every_rounds", 10}};
    document["optimizer"] = {{"momentum", 0.9}};
    document["stop"] = {{"rounds", rounds}};
    document["name"] = algorithm;
    return write(algorithm + ".json", document.dump());
  }
  std::string file(const std::string& run, const std::string& node, int round) const {
    return path("agent/checkpoints/" + run + "/" + node + "/round-0000000000" + std::to_string(round) + ".checkpoint");
  }
  static SavedState saved(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return parseState(std::move(bytes).str());
  }
  static void waitFor(const std::string& name) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (!std::filesystem::exists(name)) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << name;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // kill -9 for every node of the run, all at once.
  static int killNodes(const std::string& run) {
    std::vector<pid_t> nodes;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream file(entry.path() / "environ", std::ios::binary);
      std::ostringstream environment;
      environment << file.rdbuf();
      if (environment.str().find("PACELINE_NODE=" + run + "/") != std::string::npos) nodes.push_back(std::stoi(name));
    }
    for (const pid_t node : nodes) ::kill(node, SIGKILL);
    return static_cast<int>(nodes.size());
  }
};

// The command follows the run that takes the killed one's place, and succeeds as that does.
TEST_F(Resume, AKilledRunGoesOnByItself) {
  const auto run = start({"run", spec(60), "--name", "killed", "--json"});
  const std::string id = runInState("running");
  waitFor(file(id, "w0", 30));
  EXPECT_EQ(killNodes(id), 4);
  EXPECT_EQ(run->wait().code, 0);
  const store::StoreReader store(this->store());
  const std::vector<store::RunRow> runs = store.runs();  // newest first
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].id, id);
  EXPECT_EQ(runs[1].state, store::RunState::kFailed);
  EXPECT_EQ(runs[0].state, store::RunState::kFinished);
  EXPECT_NE(paceline({"show", id}).out.find("went on as    " + runs[0].id), std::string::npos);
}

TEST_F(Resume, AKilledRunGoesOnBitForBit) {
  const std::string document = spec(60);
  const std::string whole = json({"run", document, "--json"})["runs"][0]["id"];
  const auto run = start({"run", document, "--name", "killed", "--set", "/checkpoint/resumes=0", "--json"});
  const std::string id = runInState("running");
  waitFor(file(id, "w0", 30));
  EXPECT_EQ(killNodes(id), 4);  // a server, two workers, what they were forked from
  EXPECT_EQ(run->wait().code, 1);

  const nlohmann::json resumed = json({"resume", id, "--json"});
  EXPECT_EQ(resumed["runs"][0]["state"], "finished");
  const std::string rest = resumed["runs"][0]["id"];
  for (const char* node : {"w0", "w1"}) {
    const StateTable a = saved(file(whole, node, 60)).table, b = saved(file(rest, node, 60)).table;
    for (const char* name : {"parameters", "context/velocity", "objective/cursor", "objective/epoch"}) {
      ASSERT_TRUE(a.arrays.contains(name)) << name;
      EXPECT_EQ(a.arrays.at(name), b.arrays.at(name)) << node << ' ' << name;
    }
  }
  // The new run is whole: every round once, time only grows.
  const store::StoreReader store(this->store());
  std::map<std::string, std::vector<RoundRecord>> rounds;
  for (const store::RoundRow& row : store.rounds(rest)) rounds[row.node].push_back(row.record);
  for (const char* node : {"w0", "w1"}) {
    ASSERT_EQ(rounds[node].size(), 60u);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(rounds[node][i].round, static_cast<std::int64_t>(i) + 1);
    for (std::size_t i = 1; i < 60; ++i) EXPECT_GE(rounds[node][i].t, rounds[node][i - 1].t);
  }
  std::map<std::int64_t, double> losses[2];
  for (const store::EvaluationRow& row : store.evaluations(whole)) losses[0][row.record.round] = row.record.loss;
  for (const store::EvaluationRow& row : store.evaluations(rest)) {
    EXPECT_FALSE(losses[1].contains(row.record.round)) << "round " << row.record.round << " is evaluated twice";
    losses[1][row.record.round] = row.record.loss;
  }
  EXPECT_EQ(losses[0], losses[1]);
}

TEST_F(Resume, AFinishedRunIsProlonged) {
  const std::string run = json({"run", spec(20, "asgd"), "--json"})["runs"][0]["id"];
  const nlohmann::json longer = json({"resume", run, "--set", "/stop/rounds=35", "--name", "35", "--json"});
  EXPECT_EQ(longer["runs"][0]["state"], "finished");
  EXPECT_EQ(longer["runs"][0]["name"], "35");  // a text, though it looks like a number
  std::int64_t last = 0;
  for (const store::RoundRow& row : store::StoreReader(store()).rounds(longer["runs"][0]["id"])) {
    if (row.node != "w0") continue;
    EXPECT_EQ(row.record.round, ++last);
  }
  EXPECT_EQ(last, 35);
}

TEST_F(Resume, WhatCannotBeResumedIsRefusedInOneSentence) {
  const std::string run = json({"run", writeSpec("tiny.json"), "--json"})["runs"][0]["id"];
  const Outcome nothing = paceline({"resume", run});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.err, HasSubstr("there is no sound checkpoint of one round on all nodes (rounds by node: s0: none, w0: none, w1: none)"));
  expectRefusal({"resume", run, "--set", "/seed=8"},
                "tiny: its checkpoints fit no other training; what may change is stop, evaluate.every_rounds and source, checkpoint, node_silent_s, "
                "hosts, devices and threads");
}

TEST_F(Resume, AnEvaluatorNodeEvaluatesInARealRun) {
  for (const char* algorithm : {"ssgd", "asgd"}) {
    nlohmann::json document = tinySpec();
    document["algorithm"] = {{"id", algorithm}, {"params", {{"learning_rate", 0.05}}}};
    document["nodes"].push_back({{"id", "e0"}, {"role", "evaluator"}});
    document["stop"] = {{"rounds", 40}};
    const nlohmann::json run = json({"run", write("evaluated.json", document.dump()), "--json"});
    ASSERT_EQ(run["runs"][0]["state"], "finished") << run.dump();
    std::vector<std::int64_t> rounds;
    for (const store::EvaluationRow& row : store::StoreReader(store()).evaluations(run["runs"][0]["id"])) {
      EXPECT_EQ(row.node, "e0");
      rounds.push_back(row.record.round);
    }
    ASSERT_FALSE(rounds.empty());
    EXPECT_EQ(rounds.back(), 40) << "the last parameters are evaluated: " << algorithm;
    EXPECT_TRUE(std::is_sorted(rounds.begin(), rounds.end()));
  }
}

}  // namespace
}  // namespace paceline::tests
