#include "tests/loopback/loopback_fixture.h"

#include <algorithm>

#include "app/cluster/run/agent_client.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"

namespace paceline::tests {

LoopbackTest::LoopbackTest() {
  ::setenv("PACELINE_BIN", PACELINE_BIN_DIR, 1);
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
}

Json LoopbackTest::nodes(int workers, int servers) {
  Json list = Json::array();
  for (int i = 0; i < servers; ++i) list.push_back({{"id", strCat("s", i)}, {"role", "server"}});
  for (int i = 0; i < workers; ++i) list.push_back({{"id", strCat("w", i)}});
  return list;
}

RunSpec LoopbackTest::spec(const std::string& algorithm, const Json& changes) {
  Json document = {{"paceline", 1},
                   {"name", strCat("loopback ", algorithm)},
                   {"algorithm", {{"id", algorithm}}},
                   {"model", {{"id", "logistic"}}},
                   {"dataset", {{"id", "synthetic"}}},
                   {"batch_size", 32},
                   {"worker_restarts", 0},
                   {"nodes", nodes(2, 1)},
                   {"evaluate", {{"every_rounds", 10}}},
                   {"stop", {{"rounds", 40}}}};
  document.merge_patch(changes);
  ParsedSpec parsed = parseRunSpec(document.dump());
  if (!hasErrors(parsed.findings)) parsed = validate(parsed.spec, worker::describeLocal());
  for (const Finding& finding : parsed.findings)
    if (finding.error) ADD_FAILURE() << finding.pointer << " " << finding.message;
  return parsed.spec;
}

store::RunRow LoopbackTest::row(const std::string& run) const { return store::StoreReader(storePath()).find(run).value(); }

double LoopbackTest::bestAccuracy(const std::string& run) const {
  double best = 0;
  for (const store::EvaluationRow& row : store::StoreReader(storePath()).evaluations(run)) best = std::max(best, row.record.accuracy);
  return best;
}

std::vector<std::int64_t> LoopbackTest::roundsOf(const std::string& run, const std::string& node) const {
  std::vector<std::int64_t> rounds;
  for (const store::RoundRow& row : store::StoreReader(storePath()).rounds(run))
    if (row.node == node) rounds.push_back(row.record.round);
  return rounds;
}

void LoopbackTest::expectNothingLeft() const {
  const auto host = hosts::localHost();
  run::AgentClient agent(*host, hosts::localInstallation());
  EXPECT_TRUE(agent.list().empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "agent" / "runs"));
}

pid_t LoopbackTest::pidOf(const std::string& run, const std::string& node) {
  const auto host = hosts::localHost();
  run::AgentClient agent(*host, hosts::localInstallation());
  for (const run::AgentRun& known : agent.list())
    for (const run::AgentNode& there : known.nodes)
      if (known.run == run && there.id == node) return static_cast<pid_t>(there.pid);
  return 0;
}

run::RunCallbacks atRound(std::int64_t round, std::function<void(const std::string& run)> act) {
  run::RunCallbacks callbacks;
  callbacks.onEvent = [round, act = std::move(act)](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record != nullptr && record->round == round && event.node == "w0") act(event.run);
  };
  return callbacks;
}

}  // namespace paceline::tests
