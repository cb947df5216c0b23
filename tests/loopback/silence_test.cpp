// Freezing a process of a real run: it is named, then ended by its host; the run fails, or goes on without it. One that goes on in time does no harm.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>

#include "app/cluster/run/agent_client.h"
#include "tests/cluster/cluster_fixture.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

using testing::Contains;
using testing::StartsWith;

class Frozen : public LoopbackTest {
 protected:
  static constexpr double kSilentSeconds = 6;
  static constexpr const char* kReason = " was killed after 6 s without a sign of life (node_silent_s)";

  static RunSpec longRun(const std::string& algorithm, const std::string& aggregation = "server") {
    return spec(algorithm, {{"node_silent_s", kSilentSeconds}, {"aggregation", {{"id", aggregation}}}, {"stop", {{"rounds", 1'000'000}}}});
  }

  // Stops the victim in the run's round 5, and listens to what the state says from then on.
  run::RunCallbacks freezing(const std::string& victim, std::function<void(const std::string& text)> told = [](const std::string&) {}) {
    run::RunCallbacks callbacks = atRound(5, [this, victim](const std::string& run) {
      pid_ = pidOf(run, victim);
      ASSERT_GT(pid_, 0);
      ::kill(pid_, SIGSTOP);
    });
    callbacks.onState = [this, told = std::move(told)](const std::string&, store::RunState state, const std::string& text) {
      if (state != store::RunState::kRunning) return;
      texts_.push_back(text);
      told(text);
    };
    return callbacks;
  }

  void expectNamed(const std::string& victim) const { EXPECT_THAT(texts_, Contains(StartsWith("waits for " + victim + ": no sign of life for more than "))); }

  void expectReason(const RunSpec& spec, const std::string& victim) {
    run::RecordWriter records(storePath());
    const run::RunOutcome outcome = run::RunSession({records, freezing(victim)}).run(spec);
    EXPECT_EQ(outcome.state, store::RunState::kFailed);
    EXPECT_EQ(outcome.error, victim + kReason);
    EXPECT_EQ(row(outcome.run).error, outcome.error);
    expectNamed(victim);
    expectNothingLeft();
  }

  pid_t pid_ = 0;
  std::vector<std::string> texts_;
};

TEST_F(Frozen, AWorkerOfARing) { expectReason(longRun("ssgd", "ring"), "w1"); }
TEST_F(Frozen, TheCoordinator) { expectReason(longRun("esync"), "w0"); }

// Its host ends it and starts it again where it was.
TEST_F(Frozen, AServerComesBack) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, freezing("s0")}).run(spec("ssgd", {{"node_silent_s", kSilentSeconds}, {"stop", {{"rounds", 1500}}}}));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  for (const char* worker : {"w0", "w1"}) EXPECT_EQ(roundsOf(outcome.run, worker).size(), 1500U) << worker;
  expectNamed("s0");
  EXPECT_EQ(texts_.back(), "");
  expectNothingLeft();
}

TEST_F(Frozen, AWorkerIsPassedOverAndTheOthersFinish) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, freezing("w1")}).run(spec("ssgd", {{"nodes", nodes(3, 1)}, {"node_silent_s", kSilentSeconds}, {"stop", {{"rounds", 1500}}}}));
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_EQ(outcome.error, strCat("w1", kReason, "; the run went on without it"));
  for (const char* worker : {"w0", "w2"}) EXPECT_EQ(roundsOf(outcome.run, worker).size(), 1500U) << worker;
  expectNamed("w1");
  expectNothingLeft();
}

TEST_F(Frozen, ANeighbourIsPassedOverAndTheOthersFinish) {
  run::RecordWriter records(storePath());
  const RunSpec ring = spec("pdmm_isvr", {{"nodes", nodes(4, 0)},
                                          {"algorithm", {{"id", "pdmm_isvr"}, {"params", {{"exchange", "synchronous"}}}}},
                                          {"topology", {{"id", "ring"}, {"params", {{"every", 2}}}}},
                                          {"evaluate", {{"every_rounds", 100}}},
                                          {"node_silent_s", kSilentSeconds},
                                          {"stop", {{"rounds", 1500}}}});
  const run::RunOutcome outcome = run::RunSession({records, freezing("w2")}).run(ring);
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_EQ(outcome.error, strCat("w2", kReason, "; the run went on without it"));
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), 1500U);
  EXPECT_LT(roundsOf(outcome.run, "w2").size(), 1500U);
  expectNamed("w2");
  expectNothingLeft();
}

TEST_F(Frozen, ANodeThatGoesOnInTimeDoesNoHarm) {
  run::RecordWriter records(storePath());
  const run::RunCallbacks callbacks = freezing("w1", [this](const std::string& text) {
    if (text.starts_with("waits for w1: ")) ::kill(pid_, SIGCONT);
  });
  Json unhurried = nodes(2, 1);  // it must not be over before w1 is stopped
  for (Json& node : unhurried) node["emulate"] = {{"step_s", 0.05}};
  const RunSpec whole = spec("ssgd", {{"nodes", unhurried}, {"node_silent_s", 0.5 * kGuardSeconds}, {"stop", {{"rounds", 100}}}});
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(whole);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  expectNamed("w1");
  EXPECT_EQ(texts_.back(), "");
  for (const char* worker : {"w0", "w1"}) EXPECT_EQ(roundsOf(outcome.run, worker).size(), 100U) << worker;
  expectNothingLeft();
}

// Its steps are longer than the patience with silent nodes; its heart is not.
TEST_F(Frozen, IsNotWhoIsMerelySlow) {
  Json slow = nodes(2, 1);
  for (Json& node : slow) node["emulate"] = {{"step_s", 5}};
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records}).run(spec("asgd", {{"nodes", slow}, {"node_silent_s", 3}, {"stop", {{"rounds", 1}}}}));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
}

// A run belongs to its hosts: they end it, and whoever looks later learns why.
TEST_F(Frozen, ANodeEndsItsRunWhenNobodyFollowsIt) {
  run::RecordWriter records(storePath());
  std::stop_source leave;
  run::RunCallbacks callbacks = freezing("w1");
  callbacks.onEvent = [&leave, freeze = callbacks.onEvent, this](const StampedEvent& event) {
    freeze(event);
    if (pid_ > 0) leave.request_stop();
  };
  const run::RunOutcome left = run::RunSession({.records = records, .callbacks = callbacks, .leave = leave.get_token()}).run(longRun("ssgd", "ring"));
  ASSERT_FALSE(store::isEnded(left.state)) << left.error;
  const auto host = hosts::localHost();
  run::AgentClient agent(*host, hosts::localInstallation());
  while (std::ranges::any_of(agent.list(), &run::AgentRun::active)) agent.next(0.1);
  const run::RunOutcome outcome = run::RunSession({records}).attach(left.run);
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, std::string("w1") + kReason);
}

}  // namespace
}  // namespace paceline::tests
