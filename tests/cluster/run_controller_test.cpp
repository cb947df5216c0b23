// The controller with the real supervisor and nodes that do not train.
#include "app/cluster/run/run_controller.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "agent/supervisor/contain/processes.h"
#include "app/cluster/run/agent_client.h"
#include "engine/core/base/error.h"
#include "tests/cluster/fleet_fixture.h"

namespace paceline {
namespace {

using testing::HasSubstr;

class Controller : public ClusterTest {};

RunCallbacks atRound(std::int64_t round, std::function<void(const std::string& run)> act) { return atRoundOf("w0", round, std::move(act)); }

pid_t supervisorPid() {
  const auto host = localHost();
  return static_cast<pid_t>(AgentClient(*host, localInstallation()).supervisorPid());
}

TEST_F(Controller, ARunIsRecordedFromEndToEnd) {
  Recorder recorder(storePath());
  std::vector<RunState> states;
  std::size_t events = 0;
  RunCallbacks callbacks{.onState = [&](const std::string&, RunState state, const std::string&) { if (states.empty() || states.back() != state) states.push_back(state); },
                         .onEvent = [&](const StampedEvent&) { ++events; }};
  const RunOutcome outcome = RunController(recorder, callbacks).run(spec(50));
  EXPECT_EQ(outcome.state, RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  EXPECT_EQ(states, (std::vector<RunState>{RunState::kChecking, RunState::kDeploying, RunState::kStarting, RunState::kRunning, RunState::kFinished}));
  expectAllRoundsOnce(outcome.run, 50);
  EXPECT_GE(events, 100U);
  const RunRow stored = row(outcome.run);
  EXPECT_EQ(stored.state, RunState::kFinished);
  EXPECT_EQ(Json::parse(stored.versions)["parameters"], 7850);
  EXPECT_EQ(Json::parse(stored.versions)["torch"], "9.9");
  EXPECT_EQ(Json::parse(stored.versions)["protection"], "plain");
  EXPECT_GT(stored.endedUtc, 0);
  const auto nodes = StoreReader(storePath()).nodes(outcome.run);
  ASSERT_GE(nodes.size(), 3U);
  expectNothingLeft();
}

TEST_F(Controller, EveryNodeLearnsWhereTheOthersAre) {
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).run(spec(3));
  std::map<std::string, std::string> started;
  for (const NoticeRow& notice : StoreReader(storePath()).notices(outcome.run))
    if (notice.record.kind == "started") started[notice.node] = notice.record.text;
  EXPECT_EQ(started, (std::map<std::string, std::string>{{"w0", "ipc://private/40000"}, {"s0", "ipc://private/40001"}, {"w1", "ipc://private/40002"}}));
}

TEST_F(Controller, AKilledWorkerIsTheReasonAndTheRestIsEnded) {
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).run(spec(100'000, "w1=die_at:5;w0=lose_at:7"));
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_EQ(outcome.error, "w1 was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  EXPECT_EQ(roundsOf(outcome.run, "w1"), (std::vector<std::int64_t>{1, 2, 3, 4}));
  expectNothingLeft();
}

TEST_F(Controller, AKilledServerIsTheReason) {
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).run(spec(100'000, "s0=die_at:5"));
  EXPECT_EQ(outcome.error, "s0 was killed by signal 9 (SIGKILL)");
  expectNothingLeft();
}

TEST_F(Controller, ANodeThatFailsSaysWhy) {
  Recorder recorder(storePath());
  EXPECT_EQ(RunController(recorder).run(spec(100'000, "w1=fail_at:5")).error, "w1: data has a hole");
  EXPECT_EQ(RunController(recorder).run(spec(10, "w1=refuse")).error, "w1: data is not here");
  expectNothingLeft();
}

TEST_F(Controller, StopEndsTheRunInOrder) {
  Recorder recorder(storePath());
  std::stop_source source;
  const RunOutcome outcome = RunController(recorder, atRound(5, [&](const std::string&) { source.request_stop(); })).run(spec(100'000), source.get_token());
  EXPECT_EQ(outcome.state, RunState::kStopped) << outcome.error;
  EXPECT_EQ(outcome.reason, "asked");
  EXPECT_EQ(row(outcome.run).state, RunState::kStopped);
  EXPECT_GE(roundsOf(outcome.run, "w0").size(), 5U);
  expectNothingLeft();
}

TEST_F(Controller, StopBeforeTheStartStartsNothing) {
  Recorder recorder(storePath());
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(RunController(recorder).run(spec(10), source.get_token()).state, RunState::kStopped);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "agent"));
}

TEST_F(Controller, AnotherProcessCanStopTheRun) {
  Recorder recorder(storePath());
  bool stopped = false;
  const RunOutcome outcome = RunController(recorder, atRound(5, [&](const std::string& run) { stopped = stopRun(run); })).run(spec(100'000));
  EXPECT_TRUE(stopped);
  EXPECT_EQ(outcome.state, RunState::kStopped) << outcome.error;
  EXPECT_FALSE(stopRun(outcome.run));
}

TEST_F(Controller, AnUnknownHostIsNamed) {
  Recorder recorder(storePath());
  RunSpec off = spec(10);
  for (NodeSpec& node : off.nodes) node.host = "moon";
  const RunOutcome outcome = RunController(recorder).run(off);
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_EQ(outcome.error, "host \"moon\" is not known; have local");
}

TEST_F(Controller, AMissingWorkerIsAFailedRunInTheList) {
  std::filesystem::remove(folder_ / "bin" / "paceline-worker");
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).run(spec(10));
  EXPECT_THAT(outcome.error, HasSubstr("paceline-worker is not in"));
  EXPECT_EQ(row(outcome.run).state, RunState::kFailed);
}

TEST_F(Controller, AMissingServerStartsNothing) {
  std::filesystem::remove(folder_ / "bin" / "paceline-server");
  Recorder recorder(storePath());
  EXPECT_THAT(RunController(recorder).run(spec(10)).error, HasSubstr("paceline-server is not in"));
}

TEST_F(Controller, ADeadSupervisorIsTheReason) {
  Recorder recorder(storePath());
  const RunOutcome outcome =
      RunController(recorder, atRound(5, [](const std::string&) { ::kill(supervisorPid(), SIGKILL); })).run(spec(100'000));
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_EQ(outcome.error, "the supervisor died, and with it s0, w0, w1");
  expectNothingLeft();
}

TEST_F(Controller, ALostConnectionIsMadeAgainWithNothingMissing) {
  Recorder recorder(storePath());
  std::vector<RunState> states;
  RunCallbacks callbacks = atRound(20, [](const std::string&) {
    for (const pid_t child : descendantsOf(::getpid())) ::kill(child, SIGKILL);  // paceline-agent attach
  });
  callbacks.onState = [&](const std::string&, RunState state, const std::string&) { states.push_back(state); };
  const RunOutcome outcome = RunController(recorder, callbacks).run(spec(300));
  EXPECT_EQ(outcome.state, RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 300);
  EXPECT_THAT(states, testing::IsSupersetOf({RunState::kStale, RunState::kRunning}));
}

std::string leftBehind(const std::string& storePath, const RunSpec& spec, const RunCallbacks& callbacks) {
  return paceline::leftBehind(storePath, [&](Recorder& recorder) { RunController(recorder, callbacks).run(spec); });
}

RunCallbacks killedAtRound(std::int64_t round) {
  return atRound(round, [](const std::string&) { ::raise(SIGKILL); });
}

void waitUntilOver(const std::string& run) {
  const auto host = localHost();
  AgentClient agent(*host, localInstallation());
  for (bool active = true; active;) {
    active = false;
    for (const AgentRun& known : agent.list()) active = active || (known.run == run && known.active);
  }
}

TEST_F(Controller, ARunWhoseDesktopWasKilledIsPickedUp) {
  const std::string run = leftBehind(storePath(), spec(600), killedAtRound(100));
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).attach(run);
  EXPECT_EQ(outcome.state, RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  expectAllRoundsOnce(run, 600);
  expectNothingLeft();
  EXPECT_EQ(RunController(recorder).attach(run).state, RunState::kFinished);  // as it is
}

TEST_F(Controller, ARunThatEndedWithoutItsDesktopIsPickedUpWhole) {
  const std::string run = leftBehind(storePath(), spec(200), killedAtRound(50));
  waitUntilOver(run);
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).attach(run);
  EXPECT_EQ(outcome.state, RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 200);
  expectNothingLeft();
}

TEST_F(Controller, ARunThatFailedWithoutItsDesktopSaysWhy) {
  const std::string run = leftBehind(storePath(), spec(100'000, "w1=die_at:120"), killedAtRound(50));
  Recorder recorder(storePath());
  EXPECT_EQ(RunController(recorder).attach(run).error, "w1 was killed by signal 9 (SIGKILL)");
  expectNothingLeft();
}

TEST_F(Controller, ARunStoppedWithoutItsDesktopIsStopped) {
  const std::string run = leftBehind(storePath(), spec(100'000), killedAtRound(50));
  EXPECT_TRUE(stopRun(run));
  waitUntilOver(run);
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).attach(run);
  EXPECT_EQ(outcome.state, RunState::kStopped) << outcome.error;
  expectNothingLeft();
}

TEST_F(Controller, ARunWhoseDesktopWasKilledBeforeTheStartIsEnded) {
  RunCallbacks callbacks;
  callbacks.onEvent = [](const StampedEvent& event) {
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice != nullptr && notice->kind == "listening") ::raise(SIGKILL);
  };
  const std::string run = leftBehind(storePath(), spec(100'000), callbacks);
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder).attach(run);
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_EQ(outcome.error, "its desktop went away before the nodes were told to start");
  expectNothingLeft();
}

TEST_F(Controller, AttachSaysWhatCannotBePickedUp) {
  Recorder recorder(storePath());
  EXPECT_EQ(RunController(recorder).attach("nothing").error, "there is no run nothing");
  RunRow lost;
  lost.id = newRunId();
  lost.state = RunState::kRunning;
  lost.specText = toJsonText(spec(5));
  lost.ownerPid = 1 << 30;
  recorder.withWriter([&](StoreWriter& store) { store.createRun(lost, {}); });
  const RunOutcome outcome = RunController(recorder).attach(lost.id);
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_THAT(outcome.error, HasSubstr("is not known to this supervisor"));
  EXPECT_EQ(row(lost.id).state, RunState::kFailed);
}

TEST_F(Controller, AFullStoreEndsTheRunWithThatSentence) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  Recorder recorder(storePath());
  const RunOutcome outcome = RunController(recorder, atRound(5, [&](const std::string&) { fillDisk(disk); })).run(spec(100'000));
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_THAT(outcome.error, HasSubstr("no space left"));
  const auto host = localHost();
  for (const AgentRun& run : AgentClient(*host, localInstallation()).list()) EXPECT_FALSE(run.active);
}

class SimulatedRun : public ClusterTest {};

TEST_F(SimulatedRun, IsRecordedLikeAnyOther) {
  Recorder recorder(storePath());
  const RunOutcome outcome = simulateRun(recorder, spec(40));
  EXPECT_EQ(outcome.state, RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 40);
  EXPECT_EQ(row(outcome.run).source, "simulated");
}

TEST_F(SimulatedRun, FailsWithTheSimulatorsWords) {
  Recorder recorder(storePath());
  const RunOutcome outcome = simulateRun(recorder, spec(40, "boom"));
  EXPECT_EQ(outcome.state, RunState::kFailed);
  EXPECT_EQ(outcome.error, "/algorithm/id is not to its liking");
  EXPECT_EQ(row(outcome.run).state, RunState::kFailed);
}

TEST_F(SimulatedRun, CanBeStopped) {
  Recorder recorder(storePath());
  std::stop_source source;
  const RunOutcome outcome = simulateRun(recorder, spec(1'000'000, "slow"), atRound(3, [&](const std::string&) { source.request_stop(); }), source.get_token());
  EXPECT_EQ(outcome.state, RunState::kStopped);
  EXPECT_EQ(row(outcome.run).state, RunState::kStopped);
}

}  // namespace
}  // namespace paceline
