#include "tests/remote/remote_fixture.h"

#include <algorithm>
#include <numeric>

#include <nlohmann/json.hpp>

#include "app/cluster/worker/worker_answer.h"
#include "engine/core/spec/catalog.h"
#include "engine/core/base/error.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {

using Json = nlohmann::json;

RemoteTest::RemoteTest() : book_(hosts::HostRegistry::load("/nonexistent/hosts.json")) {
  folder_ = tests::ownFolder();
  std::filesystem::create_directories(folder_ / "store");
  ::setenv("PACELINE_BIN", PACELINE_BIN_DIR, 1);
  ::setenv("PACELINE_AGENT_DIR", (folder_ / "agent").c_str(), 1);
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  ::setenv("PACELINE_HOSTS", (folder_ / "hosts.json").c_str(), 1);
  book_ = hosts::HostRegistry::load((folder_ / "hosts.json").string());
}

RemoteTest::~RemoteTest() {
  machines_.clear();
}

void RemoteTest::SetUp() {
  if (const std::string why = noTestSshd(); !why.empty()) GTEST_SKIP() << why;
}

TestSshd& RemoteTest::machine(SshdOptions options) {
  machines_.push_back(std::make_unique<TestSshd>(options));
  book_.put(machines_.back()->entry());
  book_.save();
  return *machines_.back();
}

RunSpec RemoteTest::spec(const std::vector<std::string>& hosts, std::int64_t rounds, double step) const {
  Json nodes = Json::array({{{"id", "s0"}, {"role", "server"}, {"host", hosts.front()}}});
  for (std::size_t i = 0; i < hosts.size(); ++i)
    nodes.push_back({{"id", strCat("w", i)}, {"host", hosts[i]}, {"emulate", {{"step_s", step}}}});
  const Json document = {{"paceline", 1},           {"name", "remote"},
                         {"algorithm", {{"id", "ssgd"}}}, {"model", {{"id", "logistic"}}},
                         {"dataset", {{"id", "synthetic"}}}, {"nodes", nodes},
                         {"evaluate", {{"every_rounds", 0}}}, {"stop", {{"rounds", rounds}}}};
  const ParsedSpec parsed = parseRunSpec(document.dump());
  std::vector<std::string> names;
  for (const hosts::HostEntry& entry : book_.entries()) names.push_back(entry.name);
  const ParsedSpec checked = validate(parsed.spec, worker::describeLocal(), names);
  for (const Finding& finding : checked.findings)
    if (finding.error) ADD_FAILURE() << finding.pointer << " " << finding.message;
  return checked.spec;
}

run::RunOutcome RemoteTest::run(const RunSpec& spec, const run::RunCallbacks& callbacks) {
  run::RecordWriter records(storePath());
  return run::RunSession({records, callbacks, hosts::bookOpener(book_, *prompts_)}).run(spec);
}

void RemoteTest::expectEveryRoundOnce(const RunSpec& spec, const std::string& run, std::int64_t rounds) const {
  std::vector<std::int64_t> expected(static_cast<std::size_t>(rounds));
  std::iota(expected.begin(), expected.end(), 1);
  const std::vector<store::RoundRow> rows = store::StoreReader(storePath()).rounds(run);
  for (const int index : spec.workers()) {
    const std::string& id = spec.nodes[static_cast<std::size_t>(index)].id;
    std::vector<std::int64_t> found;
    for (const store::RoundRow& row : rows)
      if (row.node == id) found.push_back(row.record.round);
    EXPECT_EQ(found, expected) << id;
  }
}

void RemoteTest::expectNothingLeft() {
  for (const auto& machine : machines_)
    for (const std::string& process : machine->processes()) {
      EXPECT_EQ(process.find("paceline-worker"), std::string::npos) << process;
      EXPECT_EQ(process.find("paceline-server"), std::string::npos) << process;
    }
}

run::RunCallbacks whenRound(std::int64_t round, const std::string& node, std::function<void(const std::string& run)> act) {
  return {.onState = {}, .onEvent = [=, done = std::make_shared<bool>(false)](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (*done || record == nullptr || event.node != node || record->round < round) return;
    *done = true;
    act(event.run);
  }};
}

}  // namespace paceline::tests
