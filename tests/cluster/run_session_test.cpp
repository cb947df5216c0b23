// A session with the real supervisor and nodes that do not train.
#include "app/cluster/run/run_session.h"

#include <gmock/gmock.h>
#include <signal.h>

#include "agent/supervisor/contain/containment.h"
#include "app/cluster/run/agent_client.h"
#include "engine/core/base/error.h"
#include "engine/core/record/kernels.h"
#include "tests/cluster/fleet_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class Session : public ClusterTest {};

run::RunCallbacks atRound(std::int64_t round, std::function<void(const std::string& run)> act) { return atRoundOf("w0", round, std::move(act)); }

TEST_F(Session, ARunIsRecordedFromEndToEnd) {
  run::RecordWriter records(storePath());
  std::vector<store::RunState> states;
  std::size_t events = 0;
  run::RunCallbacks callbacks{.onState = [&](const std::string&, store::RunState state, const std::string&) { if (states.empty() || states.back() != state) states.push_back(state); },
                         .onEvent = [&](const StampedEvent&) { ++events; }};
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(spec(50));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  EXPECT_EQ(states, (std::vector<store::RunState>{store::RunState::kChecking, store::RunState::kDeploying, store::RunState::kStarting, store::RunState::kRunning, store::RunState::kFinished}));
  expectAllRoundsOnce(outcome.run, 50);
  EXPECT_GE(events, 100U);
  const store::RunRow stored = row(outcome.run);
  EXPECT_EQ(stored.state, store::RunState::kFinished);
  EXPECT_EQ(Json::parse(stored.versions)["parameters"], 7850);
  EXPECT_EQ(Json::parse(stored.versions)["torch"], "9.9");
  EXPECT_EQ(Json::parse(stored.versions)["protection"], "plain");
  EXPECT_GT(stored.endedUtc, 0);
  const auto nodes = store::StoreReader(storePath()).nodes(outcome.run);
  ASSERT_GE(nodes.size(), 3U);
  expectNothingLeft();
}

TEST_F(Session, EveryNodeLearnsWhereTheOthersAre) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).run(spec(3));
  std::map<std::string, std::string> started;
  for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
    if (notice.record.kind == "started") started[notice.node] = notice.record.text;
  EXPECT_EQ(started, (std::map<std::string, std::string>{{"w0", "ipc://private/40000"}, {"s0", "ipc://private/40001"}, {"w1", "ipc://private/40002"}}));
}

TEST_F(Session, AKilledWorkerIsTheReasonAndTheRestIsEnded) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).run(spec(100'000, "w1=die_at:5;w0=lose_at:400"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "w1 was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  EXPECT_EQ(roundsOf(outcome.run, "w1"), (std::vector<std::int64_t>{1, 2, 3, 4}));
  expectNothingLeft();
}

TEST_F(Session, AKilledServerThatMayNotComeBackIsTheReason) {
  run::RecordWriter records(storePath());
  RunSpec once = spec(100'000, "s0=die_at:5");
  once.serverRestarts = 0;
  const run::RunOutcome outcome = run::RunSession({records}).run(once);
  EXPECT_EQ(outcome.error, "s0 was killed by signal 9 (SIGKILL)");
  expectNothingLeft();
}

TEST_F(Session, ANodeThatFailsSaysWhy) {
  run::RecordWriter records(storePath());
  EXPECT_EQ(run::RunSession({records}).run(spec(100'000, "w1=fail_at:5")).error, "w1: data has a hole");
  EXPECT_EQ(run::RunSession({records}).run(spec(10, "w1=refuse")).error, "w1: data is not here");
  expectNothingLeft();
}

TEST_F(Session, AFrozenWorkerIsNamedAndThenTheReason) {
  run::RecordWriter records(storePath());
  RunSpec frozen = spec(1'000'000, "w1=freeze_at:5");
  frozen.nodeSilentSeconds = 2;
  std::vector<std::string> texts;
  const run::RunCallbacks callbacks{.onState = [&](const std::string&, store::RunState state, const std::string& text) {
    if (state == store::RunState::kRunning) texts.push_back(text);
  }};
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(frozen);
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "w1 was killed after 2 s without a sign of life (node_silent_s)");
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  EXPECT_THAT(texts, testing::Contains("waits for w1: no sign of life for more than 0.25 s; its host ends it after 2 s (node_silent_s)"));
  expectNothingLeft();
}

TEST_F(Session, AFrozenWorkerThatGoesOnIsUnharmed) {
  run::RecordWriter records(storePath());
  RunSpec frozen = spec(50, "w1=freeze_at:5");
  frozen.nodeSilentSeconds = 0.5 * kGuardSeconds;
  std::vector<std::string> texts;
  const run::RunCallbacks callbacks{.onState = [&](const std::string& run, store::RunState state, const std::string& text) {
    if (state == store::RunState::kRunning) texts.push_back(text);
    if (!text.starts_with("waits for w1: ")) return;
    const auto host = hosts::localHost();
    run::AgentClient agent(*host, hosts::localInstallation());
    const run::AgentRun there = agent.find(run).value();
    for (const run::AgentNode& node : there.nodes)
      if (node.id == "w1") ::kill(static_cast<pid_t>(node.pid), SIGCONT);
  }};
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(frozen);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts.back(), "");
  expectAllRoundsOnce(outcome.run, 50);
  expectNothingLeft();
}

TEST_F(Session, StopEndsTheRunInOrder) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  const run::RunOutcome outcome = run::RunSession({records, atRound(5, [&](const std::string&) { source.request_stop(); })}).run(spec(100'000), source.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_EQ(outcome.reason, "asked");
  EXPECT_EQ(row(outcome.run).state, store::RunState::kStopped);
  EXPECT_GE(roundsOf(outcome.run, "w0").size(), 5U);
  expectNothingLeft();
}

TEST_F(Session, StopBeforeTheStartStartsNothing) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(run::RunSession({records}).run(spec(10), source.get_token()).state, store::RunState::kStopped);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "agent"));
}

TEST_F(Session, AnotherProcessCanStopTheRun) {
  run::RecordWriter records(storePath());
  bool stopped = false;
  const run::RunOutcome outcome = run::RunSession({records, atRound(5, [&](const std::string& run) { stopped = run::stopRun(run); })}).run(spec(100'000));
  EXPECT_TRUE(stopped);
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  double ended = 0;  // its nodes' end is the run's
  for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
    if (notice.record.kind == "exit") ended = std::max(ended, notice.record.unixTime);
  EXPECT_DOUBLE_EQ(row(outcome.run).endedUtc, ended);
  EXPECT_FALSE(run::stopRun(outcome.run));
}

TEST_F(Session, AResumedRunAsksForTheKernelsThatItsNodesHad) {
  run::RecordWriter records(storePath());
  const run::RunOutcome first = run::RunSession({records}).run(spec(5));
  ASSERT_EQ(first.state, store::RunState::kFinished) << first.error;
  const std::string noted = kernelsText({{kOpenBlasVariable, "Prescott"}}, "9.9", 1);
  records.append({first.run, "w0", 1000, NoticeRecord{.kind = "note", .text = noted, .level = "info", .reason = "kernels", .code = 0, .unixTime = 0}});
  records.flush();
  std::map<std::string, std::string> asked;
  run::RunCallbacks calls;
  calls.onEvent = [&](const StampedEvent& event) {
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice != nullptr && notice->reason == "env") asked[event.node] = notice->text;
  };
  const std::string habits = "w0=resumed:5;w0=env:OPENBLAS_CORETYPE;w1=resumed:5;w1=env:OPENBLAS_CORETYPE";
  const run::RunOutcome outcome = run::RunSession({records, calls}).resume(row(first.run), spec(10, habits));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(asked["w0"], "Prescott");
  EXPECT_THAT(asked["w1"], testing::Not("Prescott"));
  EXPECT_TRUE(asked.contains("w1"));
}

TEST_F(Session, AnUnknownHostIsNamed) {
  run::RecordWriter records(storePath());
  RunSpec off = spec(10);
  for (NodeSpec& node : off.nodes) node.host = "moon";
  const run::RunOutcome outcome = run::RunSession({records}).run(off);
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "host \"moon\" is not known; have local");
}

TEST_F(Session, AMissingWorkerIsAFailedRunInTheList) {
  std::filesystem::remove(folder_ / "bin" / "paceline-worker");
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).run(spec(10));
  EXPECT_THAT(outcome.error, HasSubstr("paceline-worker is not in"));
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFailed);
}

TEST_F(Session, AMissingServerStartsNothing) {
  std::filesystem::remove(folder_ / "bin" / "paceline-server");
  run::RecordWriter records(storePath());
  EXPECT_THAT(run::RunSession({records}).run(spec(10)).error, HasSubstr("paceline-server is not in"));
}

TEST_F(Session, ADeadSupervisorIsTheReason) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome =
      run::RunSession({records, atRound(5, [this](const std::string&) { ::kill(supervisorIn(folder_ / "agent"), SIGKILL); })}).run(spec(100'000));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "the supervisor died, and with it s0, w0, w1");
  expectNothingLeft();
}

TEST_F(Session, ALostConnectionIsMadeAgainWithNothingMissing) {
  run::RecordWriter records(storePath());
  std::vector<store::RunState> states;
  run::RunCallbacks callbacks = atRound(20, [](const std::string&) {
    for (const pid_t child : contain::descendantsOf(::getpid())) ::kill(child, SIGKILL);  // paceline-agent attach
  });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) { states.push_back(state); };
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(spec(300));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 300);
  EXPECT_THAT(states, testing::IsSupersetOf({store::RunState::kStale, store::RunState::kRunning}));
}

std::string leftBehind(const std::string& storePath, const RunSpec& spec, const run::RunCallbacks& callbacks) {
  return tests::leftBehind(storePath, [&](run::RecordWriter& records) { run::RunSession({records, callbacks}).run(spec); });
}

run::RunCallbacks killedAtRound(std::int64_t round) {
  return atRound(round, [](const std::string&) { ::raise(SIGKILL); });
}

void waitUntilOver(const std::string& run) {
  const auto host = hosts::localHost();
  run::AgentClient agent(*host, hosts::localInstallation());
  for (bool active = true; active;) {
    active = false;
    for (const run::AgentRun& known : agent.list()) active = active || (known.run == run && known.active);
  }
}

TEST_F(Session, ARunWhoseDesktopWasKilledIsPickedUp) {
  const std::string run = leftBehind(storePath(), spec(600), killedAtRound(100));
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  expectAllRoundsOnce(run, 600);
  expectNothingLeft();
  EXPECT_EQ(run::RunSession({records}).attach(run).state, store::RunState::kFinished);  // as it is
}

TEST_F(Session, ARunThatEndedWithoutItsDesktopIsPickedUpWhole) {
  const std::string run = leftBehind(storePath(), spec(200), killedAtRound(50));
  waitUntilOver(run);
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 200);
  expectNothingLeft();
}

TEST_F(Session, ARunThatFailedWithoutItsDesktopSaysWhy) {
  const std::string run = leftBehind(storePath(), spec(100'000, "w1=die_at:120"), killedAtRound(50));
  run::RecordWriter records(storePath());
  EXPECT_EQ(run::RunSession({records}).attach(run).error, "w1 was killed by signal 9 (SIGKILL)");
  expectNothingLeft();
}

TEST_F(Session, ARunStoppedWithoutItsDesktopIsStopped) {
  const std::string run = leftBehind(storePath(), spec(100'000), killedAtRound(50));
  EXPECT_TRUE(run::stopRun(run));
  waitUntilOver(run);
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  expectNothingLeft();
}

run::RunCallbacks killedBeforeTheStart() {
  run::RunCallbacks callbacks;
  callbacks.onEvent = [](const StampedEvent& event) {
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice != nullptr && notice->kind == "listening") ::raise(SIGKILL);
  };
  return callbacks;
}

TEST_F(Session, ARunWhoseDesktopWasKilledBeforeTheStartIsBegunAgain) {
  const std::string run = leftBehind(storePath(), spec(40), killedBeforeTheStart());
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 40);
  expectNothingLeft();
}

// The next desktop ended what was left of it, to begin again, and was killed before it did: nobody asked to stop the run.
TEST_F(Session, ARunThatWasClearedAwayToBeginAgainIsBegunAgain) {
  const std::string run = leftBehind(storePath(), spec(40), killedBeforeTheStart());
  const auto host = hosts::localHost();
  EXPECT_TRUE(run::AgentClient(*host, hosts::localInstallation()).end(run, 0, run::kBeginsAgain));
  waitUntilOver(run);
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 40);
  expectNothingLeft();
}

TEST_F(Session, ARunThatWasNotLaunchedYetIsBegunAgain) {
  run::RunCallbacks callbacks;
  callbacks.onState = [](const std::string&, store::RunState state, const std::string&) {
    if (state == store::RunState::kDeploying) ::raise(SIGKILL);
  };
  const std::string run = leftBehind(storePath(), spec(40), callbacks);
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 40);
  expectNothingLeft();
}

TEST_F(Session, WhatARunGoesOnFromIsATextOrNothing) {
  store::RunRow run;
  run.versions = R"({"resumed_from": "r1"})";
  EXPECT_EQ(run::resumedFrom(run), "r1");
  run.versions = R"({"resumed_from": 7})";  // of a bundle that somebody wrote
  EXPECT_EQ(run::resumedFrom(run), "");
}

TEST_F(Session, AttachSaysWhatCannotBePickedUp) {
  run::RecordWriter records(storePath());
  EXPECT_EQ(run::RunSession({records}).attach("nothing").error, "there is no run nothing");
  store::RunRow lost;
  lost.id = store::newRunId();
  lost.state = store::RunState::kRunning;
  lost.specText = toJsonText(spec(5));
  lost.ownerPid = 1 << 30;
  lost.startedUtc = 1;
  records.withWriter([&](store::StoreWriter& store) { store.createRun(lost, {}); });
  const run::RunOutcome outcome = run::RunSession({records}).attach(lost.id);
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_THAT(outcome.error, HasSubstr("is not known to this supervisor"));
  EXPECT_EQ(row(lost.id).state, store::RunState::kFailed);
}

class SimulatedRun : public ClusterTest {};

TEST_F(SimulatedRun, IsRecordedLikeAnyOther) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::simulateRun({records}, spec(40));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 40);
  EXPECT_EQ(row(outcome.run).source, "simulated");
}

TEST_F(SimulatedRun, FailsWithTheSimulatorsWords) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::simulateRun({records}, spec(40, "boom"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "/algorithm/id is not to its liking");
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFailed);
}

TEST_F(SimulatedRun, CanBeStopped) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  const run::RunOutcome outcome = run::simulateRun({records, atRound(3, [&](const std::string&) { source.request_stop(); })}, spec(1'000'000, "slow"), source.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped);
  EXPECT_EQ(row(outcome.run).state, store::RunState::kStopped);
}

}  // namespace
}  // namespace paceline::tests
