// Killing any process of a real run: the state says so with the reason, nothing hangs, nothing is left, what was recorded is there.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>

#include "app/cluster/run/agent_client.h"
#include "tests/cluster/cluster_fixture.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

class Killed : public LoopbackTest {
 protected:
  static RunSpec longRun(const std::string& algorithm, const Json& changes = Json::object()) {
    Json all = {{"stop", {{"rounds", 1'000'000}}}};
    all.update(changes);
    return spec(algorithm, all);
  }

  static run::RunCallbacks killing(const std::string& victim, std::int64_t round = 5) {
    return atRound(round, [victim](const std::string& run) {
      const pid_t pid = pidOf(run, victim);
      ASSERT_GT(pid, 0);
      ::kill(pid, SIGKILL);
    });
  }

  void expectReason(const RunSpec& spec, const std::string& victim) {
    run::RecordWriter records(storePath());
    const run::RunOutcome outcome = run::RunSession({records, killing(victim)}).run(spec);
    EXPECT_EQ(outcome.state, store::RunState::kFailed);
    EXPECT_EQ(outcome.error, victim + " was killed by signal 9 (SIGKILL)");
    EXPECT_EQ(row(outcome.run).error, outcome.error);
    EXPECT_GE(roundsOf(outcome.run, "w0").size(), 5U);
    expectNothingLeft();
  }
};

TEST_F(Killed, AWorkerOfADecentralisedRunWithCheckpoints) { expectReason(longRun("d_sgd", {{"nodes", nodes(3, 0)}, {"topology", {{"id", "ring"}}}, {"checkpoint", {{"every_rounds", 1000}}}}), "w1"); }
TEST_F(Killed, AWorkerOfARing) { expectReason(longRun("ssgd", {{"aggregation", {{"id", "ring"}}}}), "w1"); }
TEST_F(Killed, TheEvaluatingWorker) { expectReason(longRun("esync"), "w0"); }
TEST_F(Killed, AServerThatMayNotComeBack) { expectReason(longRun("asgd", {{"server_restarts", 0}}), "s0"); }
TEST_F(Killed, TheServerOfASynchronousRunThatMayNotComeBack) { expectReason(longRun("ssgd", {{"server_restarts", 0}}), "s0"); }

// The others go on without a restart, and the run says what happened.
class KilledWorker : public Killed, public testing::WithParamInterface<const char*> {};

TEST_P(KilledWorker, IsPassedOverAndTheOthersFinish) {
  run::RecordWriter records(storePath());
  const std::string algorithm = GetParam();
  Json changes = {{"nodes", nodes(4, 2)}, {"stop", {{"rounds", 1500}}}, {"evaluate", {{"every_rounds", 500}}}};
  if (algorithm == "grouping_sgd") changes["groups"] = Json::array({Json::array({"w0", "w1"}), Json::array({"w2", "w3"})});
  const run::RunOutcome outcome = run::RunSession({records, killing("w2", 20)}).run(spec(algorithm, changes));
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_EQ(outcome.error, "w2 was killed by signal 9 (SIGKILL); the run went on without it");
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), 1500U);
  EXPECT_LT(roundsOf(outcome.run, "w2").size(), 1500U);
  std::vector<std::string> told;
  for (const auto& notice : store::StoreReader(storePath()).notices(outcome.run))
    if (notice.record.reason == "worker_lost") told.push_back(strCat(notice.node, ": ", notice.record.text));
  EXPECT_EQ(told, (std::vector<std::string>{"w0: w2 is lost; the run goes on without it"}));
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, KilledWorker, testing::Values("ssgd", "esync", "ssp", "asgd", "grouping_sgd", "dgs", "local_sgd", "demo"),
                         [](const auto& info) { return std::string(info.param); });

// As its document says it, with real processes.
TEST_F(Killed, AWorkerThatVanishesByItsDocument) {
  run::RecordWriter records(storePath());
  Json three = nodes(3, 1);
  three[2]["emulate"] = {{"lost_after_rounds", 7}};
  const run::RunOutcome outcome = run::RunSession({records}).run(spec("ssgd", {{"nodes", three}, {"stop", {{"rounds", 40}}}}));
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_EQ(outcome.error, "w1 was killed by signal 9 (SIGKILL); the run went on without it");
  EXPECT_EQ(roundsOf(outcome.run, "w1").size(), 7U);
  EXPECT_EQ(roundsOf(outcome.run, "w2").size(), 40U);
  expectNothingLeft();
}

class KilledNeighbour : public Killed {
 protected:
  static RunSpec ring(const std::string& exchange, std::int64_t rounds) {
    return spec("pdmm_isvr", {{"nodes", nodes(4, 0)},
                              {"algorithm", {{"id", "pdmm_isvr"}, {"params", {{"exchange", exchange}}}}},
                              {"topology", {{"id", "ring"}, {"params", {{"every", 2}}}}},
                              {"evaluate", {{"every_rounds", 100}}},
                              {"stop", {{"rounds", rounds}}}});
  }

  // Kills w2 in the run's round 20. both: w1 and w3 have said that it is lost.
  run::RunCallbacks killing(std::function<void()> both) {
    run::RunCallbacks callbacks = atRound(20, [&](const std::string& run) { ::kill(pidOf(run, "w2"), SIGKILL); });
    callbacks.onEvent = [this, at20 = callbacks.onEvent, both = std::move(both)](const StampedEvent& event) {
      at20(event);
      const auto* notice = std::get_if<NoticeRecord>(&event.event);
      if (notice == nullptr || notice->reason != "neighbour_lost" || event.node == "w0") return;  // w0 only counts samples
      told_.insert(event.node + ": " + notice->text);
      if (told_.size() == 2) both();
    };
    return callbacks;
  }

  void expectTheLossIsTold(const run::RunOutcome& outcome) {
    EXPECT_EQ(outcome.error, "w2 was killed by signal 9 (SIGKILL); the run went on without it");
    EXPECT_EQ(row(outcome.run).error, outcome.error);
    EXPECT_EQ(told_, (std::set<std::string>{"w1: w2 is lost; its last vector stands in for it", "w3: w2 is lost; its last vector stands in for it"}));
    std::set<std::string> lost;
    for (const store::EdgeRow& edge : store::StoreReader(storePath()).records<EdgeRecord>(outcome.run))
      if (edge.record.lost == 1) lost.insert(edge.node + edge.record.peer);
    EXPECT_EQ(lost, (std::set<std::string>{"w1w2", "w3w2"}));
    expectNothingLeft();
  }

  std::set<std::string> told_;
};

// Its neighbours go on with the last vector that it sent; nobody waits for it, and the run says what happened.
TEST_F(KilledNeighbour, OfARunInStepIsPassedOverAndTheOthersFinish) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, killing([] {})}).run(ring("synchronous", 1500));
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), 1500U);
  EXPECT_LT(roundsOf(outcome.run, "w2").size(), 1500U);
  expectTheLossIsTold(outcome);
}

// Nobody waits for anybody there: only a run that goes on until both have noticed is sure to see them notice.
TEST_F(KilledNeighbour, OfAnAsynchronousRunIsPassedOverAndTheOthersGoOn) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  const run::RunOutcome outcome =
      run::RunSession({records, killing([&] { source.request_stop(); })}).run(ring("asynchronous", 1'000'000), source.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped);
  expectTheLossIsTold(outcome);
}

TEST_F(Killed, TheSupervisor) {
  run::RecordWriter records(storePath());
  const run::RunCallbacks callbacks = atRound(5, [this](const std::string&) { ::kill(supervisorIn(folder_ / "agent"), SIGKILL); });
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(longRun("ssgd"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "the supervisor died, and with it s0, w0, w1");
  expectNothingLeft();
}

TEST_F(Killed, TheDesktopAndTheRunGoesOnAndIsPickedUp) {
  const RunSpec spec = LoopbackTest::spec("asgd", {{"stop", {{"rounds", 1500}}}});
  const pid_t desktop = ::fork();
  if (desktop == 0) {
    run::RecordWriter records(storePath());
    run::RunSession({records, atRound(100, [](const std::string&) { ::raise(SIGKILL); })}).run(spec);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(desktop, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto runs = store::StoreReader(storePath()).runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, store::RunState::kStale);
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).attach(runs[0].id);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  for (const char* worker : {"w0", "w1"}) {
    const auto rounds = roundsOf(outcome.run, worker);
    ASSERT_FALSE(rounds.empty());
    for (std::size_t i = 0; i < rounds.size(); ++i) ASSERT_EQ(rounds[i], static_cast<std::int64_t>(i + 1)) << worker;
  }
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), 1500U);
  std::set<std::pair<std::string, std::int64_t>> exits;
  for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
    if (notice.record.kind == "exit") {
      EXPECT_TRUE(exits.emplace(notice.node, notice.seq).second);
    }
  EXPECT_EQ(exits.size(), 3U);
  expectNothingLeft();
}

TEST_F(Killed, ARunThatIsAskedToStopEndsInOrder) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    run::RecordWriter records(storePath());
    std::stop_source source;
    const run::RunCallbacks callbacks = atRound(5, [&](const std::string&) { source.request_stop(); });
    const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(longRun(algorithm), source.get_token());
    EXPECT_EQ(outcome.state, store::RunState::kStopped) << algorithm << ": " << outcome.error;
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(outcome.run))
      if (notice.record.kind == "exit") {
        EXPECT_EQ(notice.record.reason, "ended") << algorithm << " " << notice.node << " " << notice.record.text;
      }
  }
  expectNothingLeft();
}

TEST_F(Killed, AFullStoreIsWaitedFor) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  std::stop_source stop;
  std::string waited;
  run::RunCallbacks callbacks = atRound(5, [&](const std::string&) { fillDisk(disk); });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string& text) {
    if (text.starts_with("waits for the store: ") && state == store::RunState::kRunning) waited = text, stop.request_stop();
    if (state == store::RunState::kStopping) makeRoom(disk);
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(longRun("asgd"), stop.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_THAT(waited, testing::HasSubstr("no space left"));
  for (const char* node : {"w0", "w1"}) {  // whatever was done while it was full is there
    const std::vector<std::int64_t> rounds = roundsOf(outcome.run, node);
    for (std::size_t i = 0; i < rounds.size(); ++i) ASSERT_EQ(rounds[i], static_cast<std::int64_t>(i + 1)) << node;
  }
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests
