// What users lose hours by when it goes wrong: a desktop that dies, a network that goes, a host that is gone.
#include <fstream>

#include <gmock/gmock.h>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "engine/core/record/reasons.h"
#include "tests/remote/remote_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

TEST_F(RemoteTest, ARunOnThreeMachinesDeploysTrainsAndComesBackWhole) {
  for (const char* name : {"one", "two", "three"}) machine(name);
  const RunSpec spec = this->spec({"one", "two", "three"}, 20);
  const run::RunOutcome outcome = run(spec);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectEveryRoundOnce(spec, outcome.run, 20);
  expectNothingLeft();
}

// Two contributions have one sum whoever adds them, so every engine leaves the same bits.
TEST_F(RemoteTest, EnginesCarryAMeanAcrossATrustedNetwork) {
  for (const char* name : {"one", "two"}) machine(name);
  RunSpec spec = this->spec({"one", "two"}, 20, 0.001);
  std::erase_if(spec.nodes, [](const NodeSpec& node) { return node.role == Role::kServer; });
  spec.aggregation = {.id = "ring", .engine = "paceline", .trustedNetwork = true};
  const auto parametersWith = [&](const std::string& engine) {
    spec.aggregation.engine = engine;
    EXPECT_TRUE(validate(spec, worker::describeLocal(), {"one", "two"}).findings.empty()) << engine;
    const run::RunOutcome outcome = run(spec);
    EXPECT_EQ(outcome.state, store::RunState::kFinished) << engine << ": " << outcome.error;
    expectEveryRoundOnce(spec, outcome.run, 20);
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
      if (notice.record.reason == kParametersReason) return notice.record.text;
    return std::string();
  };
  const std::string ours = parametersWith("paceline");
  EXPECT_FALSE(ours.empty());
  for (const AggregationEntry& entry : worker::describeLocal().aggregations)
    for (const std::string& engine : entry.engines) {
      if (entry.id != "ring" || engine == "paceline" || engine == "nccl") continue;  // NCCL's devices are not here
      EXPECT_EQ(parametersWith(engine), ours) << engine;
    }
  expectNothingLeft();
}

TEST_F(RemoteTest, AMachineBehindAnotherTakesPart) {
  const TestNetwork behind;
  machine({.name = "gate", .runNetwork = behind.path()});
  TestSshd& inner = machine({.name = "inner", .listenNetwork = behind.path(), .runNetwork = behind.path()});
  hosts::HostEntry entry = inner.entry();
  entry.jump = "gate";
  book_.put(entry);
  const RunSpec spec = this->spec({"gate", "inner"}, 10);
  const run::RunOutcome outcome = run(spec);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectEveryRoundOnce(spec, outcome.run, 10);
}

TEST_F(RemoteTest, ALostNetworkCostsNothing) {
  TestSshd& one = machine("one");
  machine("two");
  const RunSpec spec = this->spec({"one", "two"}, 150);
  bool stale = false;
  run::RunCallbacks callbacks = whenRound(10, "w0", [&](const std::string&) { one.drop(); });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) { stale |= state == store::RunState::kStale; };
  const run::RunOutcome outcome = run(spec, callbacks);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_TRUE(stale);
  expectEveryRoundOnce(spec, outcome.run, 150);
}

TEST_F(RemoteTest, AMachineThatDiesIsDoneWithout) {
  machine("one");
  TestSshd& two = machine("two");
  const run::RunOutcome outcome = run(spec({"one", "two"}, 200), whenRound(5, "w0", [&](const std::string&) { two.crash(); }));
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_THAT(outcome.error, HasSubstr("two: it cannot be reached: "));
  EXPECT_THAT(outcome.error, HasSubstr("and with it w1; the run went on without it"));
  machines_.pop_back();
  expectNothingLeft();
}

TEST_F(RemoteTest, AMachineThatDiesIsNamed) {
  machine("one");
  TestSshd& two = machine("two");
  RunSpec checked = spec({"one", "two"}, 100000);
  checked.evaluate.on = std::string("w1");  // without whom it cannot go on
  const run::RunOutcome outcome = run(checked, whenRound(5, "w0", [&](const std::string&) { two.crash(); }));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_THAT(outcome.error, HasSubstr("two"));
  machines_.pop_back();
  expectNothingLeft();
}

// The desktop is a process of its own, so that it can be killed.
TEST_F(RemoteTest, AKilledDesktopIsFollowedByAnotherOneThatMissesNothing) {
  machine("one");
  machine("two");
  const RunSpec spec = this->spec({"one", "two"}, 300);
  const std::string document = (folder_ / "spec.json").string();
  std::ofstream(document) << toJsonText(spec);
  std::string id;
  {
    hosts::LocalProcess desktop({std::string(PACELINE_BIN_DIR) + "/paceline", "run", document, "--store", storePath(), "--in-process"});
    while (id.empty() || store::StoreReader(storePath()).rounds(id).size() < 20) {
      desktop.readLine(0.05);
      ASSERT_FALSE(desktop.ended()) << desktop.wait().errors;
      if (!std::filesystem::exists(storePath())) continue;
      const auto rows = store::StoreReader(storePath()).runs();
      if (!rows.empty()) id = rows.front().id;
    }
  }  // SIGKILL
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, {}, hosts::bookOpener(book_, *prompts_)}).attach(id);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectEveryRoundOnce(spec, id, 300);
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests
