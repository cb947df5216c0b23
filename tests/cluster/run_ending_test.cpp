#include "app/cluster/run/run_life.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

RunSpec threeNodes() {
  return parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "m"}, "dataset": {"id": "d"},
    "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "stop": {"rounds": 5}, "evaluate": {"on": "w1"}})")
      .spec;
}

NoticeRecord notice(const std::string& kind, const std::string& text, const std::string& reason, double time = 0) {
  return {.kind = kind, .text = text, .level = "info", .reason = reason, .code = 0, .unixTime = time};
}
const NoticeRecord kEnded = notice("exit", "ended", "ended");

TEST(RunEnding, InOrderWithTheEvaluatorsReason) {
  run::RunEnding ending(threeNodes());
  ending.observe("w0", notice("finished", "", "rounds"));
  ending.observe("w1", notice("finished", "", "accuracy"));
  ending.observe("s0", notice("finished", "", ""));
  EXPECT_FALSE(ending.allExited());
  for (const char* node : {"w0", "w1"}) ending.observe(node, kEnded);
  EXPECT_TRUE(ending.workersExited());
  EXPECT_FALSE(ending.allExited());
  ending.observe("s0", kEnded);
  EXPECT_TRUE(ending.allExited());
  EXPECT_FALSE(ending.somethingFailed());
  EXPECT_EQ(ending.rootCause(), "");
  EXPECT_EQ(ending.reason(), "accuracy");
}

TEST(RunEnding, AKillComesBeforeThoseWhoNoticedIt) {
  run::RunEnding ending(threeNodes());
  ending.observe("s0", notice("failed", "w1 is gone: its connection closed", "peer_lost", 5.0));
  EXPECT_EQ(ending.rootCause(), "s0: w1 is gone: its connection closed");
  ending.observe("w1", notice("exit", "killed by signal 9 (SIGKILL)", "killed", 5.1));
  EXPECT_EQ(ending.rootCause(), "w1 was killed by signal 9 (SIGKILL)");
  EXPECT_TRUE(ending.somethingFailed());
}

// Of a run under way: what it lost may be there again; what a node refused it refuses again.
TEST(RunEnding, SaysWhetherItWasALoss) {
  const auto byLoss = [](const NoticeRecord& last) {
    run::RunEnding ending(threeNodes());
    ending.observe("w1", notice("started", "tcp://", ""));
    ending.observe("w1", last);
    return ending.byLoss();
  };
  EXPECT_TRUE(byLoss(notice("exit", "killed by signal 9 (SIGKILL)", "killed")));
  EXPECT_TRUE(byLoss(notice("exit", "killed after 2 s without a sign of life", "silent")));
  EXPECT_TRUE(byLoss(notice("exit", "", "out of memory")));
  EXPECT_TRUE(byLoss(notice("exit", "", "supervisor_died")));
  EXPECT_TRUE(byLoss(notice("failed", "s0 is gone: its connection closed", "peer_lost")));
  EXPECT_FALSE(byLoss(notice("failed", "in round 12 the loss is NaN", "")));
  EXPECT_FALSE(byLoss(notice("exit", "ended with status 3", "status")));
  EXPECT_FALSE(byLoss(kEnded));
  run::RunEnding away(threeNodes()), told(threeNodes());
  away.observe("w1", notice("started", "tcp://", "")), told.observe("w1", notice("started", "tcp://", ""));
  away.hostGone("local", "it cannot be reached: no route");
  EXPECT_TRUE(away.byLoss());
  EXPECT_FALSE(told.byLoss());
  told.observe("local", notice("note", "", "shutdown"));
  EXPECT_TRUE(told.byLoss());
  EXPECT_FALSE(told.checkpointed());
  told.observe("w1", notice("note", "checkpoint of round 5", "checkpoint"));
  EXPECT_TRUE(told.checkpointed());
}

TEST(RunEnding, SilentNodesAreWaitedForUntilTheyAreHeardOrHaveEnded) {
  RunSpec spec = threeNodes();
  spec.nodes[1].host = "gpu1";
  run::RunEnding ending(spec);
  EXPECT_EQ(ending.silence(), "");
  ending.observe("w1", notice("note", "no sign of life for more than 10 s", "silent"));
  EXPECT_EQ(ending.silence(), "waits for w1: no sign of life for more than 10 s");
  ending.observe("w0", notice("note", "no sign of life for more than 13 s", "silent"));
  EXPECT_EQ(ending.silence(), "waits for w0 on gpu1, w1: no sign of life for more than 13 s");
  EXPECT_FALSE(ending.somethingFailed());
  ending.observe("w1", notice("note", "shows life again after 12 s", "heard"));
  EXPECT_EQ(ending.silence(), "waits for w0 on gpu1: no sign of life for more than 13 s");
  ending.observe("w0", notice("exit", "ended", "ended"));
  EXPECT_EQ(ending.silence(), "");
}

TEST(RunEnding, ANodeThatWasEndedForItsSilenceIsTheReason) {
  run::RunEnding ending(threeNodes());
  ending.observe("s0", notice("failed", "w1 is gone: its connection closed", "peer_lost", 5.0));
  ending.observe("w1", notice("exit", "killed after 300 s without a sign of life (node_silent_s)", "silent", 5.1));
  EXPECT_TRUE(ending.somethingFailed());
  EXPECT_EQ(ending.rootCause(), "w1 was killed after 300 s without a sign of life (node_silent_s)");
}

TEST(RunEnding, ASilentWorkerThatTheRunCanDoWithoutIsALoss) {
  run::RunEnding ending(threeNodes());
  ending.observe("w1", notice("note", "should a worker be lost, the run goes on without it", "tolerates_loss"));
  ending.observe("w0", notice("exit", "killed after 300 s without a sign of life (node_silent_s)", "silent"));
  EXPECT_FALSE(ending.somethingFailed());
  EXPECT_EQ(ending.losses(), "w0 was killed after 300 s without a sign of life (node_silent_s); the run went on without it");
}

// w1 evaluates in threeNodes().
TEST(RunEnding, ADecentralisedRunIsFinishedWithoutALostWorker) {
  run::RunEnding ending(threeNodes());
  ending.observe("w1", notice("note", "should a worker be lost, the run goes on without it", "tolerates_loss"));
  ending.observe("w0", notice("exit", "killed by signal 9 (SIGKILL)", "killed", 5.0));
  EXPECT_FALSE(ending.somethingFailed());
  for (const char* node : {"w1", "s0"}) {
    ending.observe(node, notice("finished", "", "rounds"));
    ending.observe(node, kEnded);
  }
  EXPECT_EQ(ending.rootCause(), "");
  EXPECT_EQ(ending.losses(), "w0 was killed by signal 9 (SIGKILL); the run went on without it");
  EXPECT_EQ(ending.reason(), "rounds");
}

TEST(RunEnding, NoRunGoesOnWithoutItsEvaluatingWorker) {
  run::RunEnding ending(threeNodes());
  ending.observe("w1", notice("note", "should a worker be lost, the run goes on without it", "tolerates_loss"));
  ending.observe("w0", notice("failed", "w1 is gone: its connection closed", "peer_lost", 5.2));
  EXPECT_FALSE(ending.somethingFailed());
  ending.observe("w1", notice("exit", "killed by signal 9 (SIGKILL)", "killed", 5.1));
  EXPECT_TRUE(ending.somethingFailed());
  EXPECT_EQ(ending.rootCause(), "w1 was killed by signal 9 (SIGKILL)");
}

TEST(RunEnding, TheFirstOfTwoFailuresWins) {
  run::RunEnding ending(threeNodes());
  ending.observe("w1", notice("failed", "data: later", "", 7.0));
  ending.observe("w0", notice("failed", "data: earlier", "", 6.0));
  EXPECT_EQ(ending.rootCause(), "w0: data: earlier");
}

TEST(RunEnding, ANodeThatLeavesWithoutAWordFailed) {
  run::RunEnding ending(threeNodes());
  ending.observe("w0", notice("exit", "ended with exit code 127", "exit_code"));
  EXPECT_EQ(ending.rootCause(), "w0 ended with exit code 127");
  run::RunEnding other(threeNodes());
  NoticeRecord log = notice("log", "libtorch.so: not found", "");
  log.level = "warn";
  other.observe("w0", log);
  other.observe("w0", notice("exit", "ended with exit code 127", "exit_code"));
  EXPECT_EQ(other.rootCause(), "w0 ended with exit code 127: libtorch.so: not found");
  run::RunEnding quiet(threeNodes());
  quiet.observe("w0", kEnded);
  EXPECT_EQ(quiet.rootCause(), "w0 ended before the run did");
}

RunSpec twoHosts() {  // w1 is elsewhere
  RunSpec spec = threeNodes();
  spec.nodes[2].host = std::string("gpu2");
  return spec;
}

TEST(RunEnding, ClocksOfTwoHostsAreNotCompared) {
  run::RunEnding ending(twoHosts());
  ending.observe("w1", notice("failed", "data: heard first", "", 7200));  // its clock is two hours ahead
  ending.observe("w0", notice("failed", "data: heard later", "", 10));
  EXPECT_EQ(ending.rootCause(), "w1 on gpu2: data: heard first");
}

TEST(RunEnding, AHostThatIsGoneComesBeforeThoseWhoMissItAndBehindWhatItsNodesSaid) {
  run::RunEnding ending(twoHosts());
  ending.observe("w0", notice("failed", "w1 is gone: its connection closed", "peer_lost", 5));
  EXPECT_FALSE(ending.rootCause().empty());
  ending.hostGone("gpu2", "it cannot be reached: no route");
  EXPECT_TRUE(ending.somethingFailed());
  EXPECT_EQ(ending.rootCause(), "gpu2: it cannot be reached: no route, and with it w1");
  run::RunEnding said(twoHosts());
  said.observe("w1", notice("exit", "killed by signal 9 (SIGKILL)", "killed", 5));
  said.hostGone("gpu2", "it cannot be reached: no route");
  EXPECT_EQ(said.rootCause(), "w1 was killed by signal 9 (SIGKILL)");
}

TEST(RunEnding, ASupervisorThatDiedElsewhereIsNamedWithItsHost) {
  run::RunEnding ending(twoHosts());
  ending.observe("w1", notice("exit", "died with the supervisor", "supervisor_died"));
  EXPECT_EQ(ending.rootCause(), "gpu2: its supervisor died, and with it w1");
}

TEST(RunEnding, ANoteOfASupervisorThatEndsNothingIsNoEnd) {
  run::RunEnding ending(threeNodes());
  ending.observe("local", notice("note", "pid namespace", "containment"));
  EXPECT_EQ(ending.endedWhy(), "");
  ending.observe("local", notice("note", "", "desktop_lost"));
  EXPECT_EQ(ending.endedWhy(), "desktop_lost");
  EXPECT_EQ(ending.endedOn(), "local");
}

TEST(RunEnding, OutOfMemoryIsSaid) {
  run::RunEnding ending(threeNodes());
  ending.observe("w0", notice("exit", "out of memory", "out of memory"));
  EXPECT_EQ(ending.rootCause(), "w0 ran out of memory and was killed");
}

TEST(RunEnding, NodesThatWereEndedAreNoCause) {
  run::RunEnding ending(threeNodes());
  ending.observe("w0", notice("exit", "killed by signal 9 (SIGKILL)", "asked"));
  EXPECT_FALSE(ending.somethingFailed());
  ending.observe("local", notice("note", "the run was asked to end", "asked"));
  EXPECT_TRUE(ending.asked());
}

TEST(RunEnding, ADeadSupervisorTakesItsNodesAlong) {
  run::RunEnding ending(threeNodes());
  ending.observe("w0", notice("finished", "", "rounds"));
  ending.observe("w0", kEnded);
  for (const char* node : {"s0", "w1"}) ending.observe(node, notice("exit", "died with the supervisor", "supervisor_died"));
  EXPECT_EQ(ending.rootCause(), "the supervisor died, and with it s0, w1");
}

}  // namespace
}  // namespace paceline::tests
