// Runs on two machines behind a real sshd each; the nodes do not train.
#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>

#include "app/cluster/ssh/session.h"
#include "engine/core/base/error.h"
#include "engine/core/record/event.h"
#include "tests/cluster/fleet_fixture.h"
#include "tests/ssh/sshd_fixture.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/stepped_clock.h"

namespace paceline::tests {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FleetSsh : public FleetTest {
 protected:
  void SetUp() override {
    if (!noTestSshd().empty()) GTEST_SKIP() << noTestSshd();
    for (const char* name : {"a", "b"}) machines_[name] = std::make_unique<TestSshd>(SshdOptions{.name = name});
  }

  TestSshd& machine(const std::string& name) { return *machines_.at(name); }
  hosts::HostOpener overSsh() {
    return [this](const std::string& name, const hosts::HostNeeds&) -> hosts::ReadyHost {
      const ssh::SshTimeouts timeouts{.connectSeconds = 5, .authenticateSeconds = 30, .keepAliveSeconds = 0.3, .keepAliveMisses = 2};
      hosts::HostEntry entry = machine(name).entry();
      entry.name = name;
      if (const auto proxy = proxies_.find(name); proxy != proxies_.end()) {
        entry.port = proxy->second->port();
        entry.knownHosts = knownThrough(*proxy->second, machine(name));
      }
      return {.host = ssh::sshHost({entry}, *nobody_, timeouts), .installation = hosts::localInstallation(), .dataAddress = "127.0.0.1"};
    };
  }
  run::RunSession remote(run::RecordWriter& records, run::RunCallbacks callbacks = {}) { return run::RunSession({records, std::move(callbacks), overSsh(), quick()}); }

  void expectNoNodesLeft() {
    for (const auto& [name, machine] : machines_)
      for (const std::string& process : machine->processes()) EXPECT_THAT(process, ::testing::Not(HasSubstr("paceline-worker"))) << name;
  }

  // A man in the middle who passes all on until he is told otherwise.
  FaultProxy& throughProxy(const std::string& name) {
    return *(proxies_[name] = std::make_unique<FaultProxy>(strCat("tcp://127.0.0.1:", machine(name).port())));
  }
  // The machine's keys as those of the proxy's port.
  static std::string knownThrough(const FaultProxy& proxy, const TestSshd& machine) {
    std::ifstream in(machine.folder() / "known_hosts");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string real = strCat("]:", machine.port(), " "), seen = strCat("]:", proxy.port(), " ");
    for (std::size_t at = 0; (at = text.find(real, at)) != std::string::npos; at += seen.size()) text.replace(at, real.size(), seen);
    const std::string file = (machine.folder() / "known_through_proxy").string();
    std::ofstream(file) << text;
    return file;
  }

  std::unique_ptr<hosts::CredentialPrompts> nobody_ = hosts::nobody();
  std::map<std::string, std::unique_ptr<TestSshd>> machines_;
  std::map<std::string, std::unique_ptr<FaultProxy>> proxies_;
};

TEST_F(FleetSsh, ARunOnTwoMachinesIsRecordedWhole) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = remote(records).run(spec(60));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 60);
  expectNoNodesLeft();
}

TEST_F(FleetSsh, DroppedConnectionsLoseNothing) {
  run::RecordWriter records(storePath());
  bool wasStale = false;
  run::RunCallbacks callbacks = atRoundOf("w1", 20, [&](const std::string&) { machine("b").drop(); });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) { wasStale = wasStale || state == store::RunState::kStale; };
  const run::RunOutcome outcome = remote(records, callbacks).run(spec(600));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_TRUE(wasStale);
  expectAllRoundsOnce(outcome.run, 600);
}

// Whatever happens to the bytes between desktop and host: every record is there, once.
TEST_F(FleetSsh, ASpoiltNetworkLosesNothing) {
  using enum Fault;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    FaultProxy& proxy = throughProxy("b");
    run::RecordWriter records(storePath());
    const run::RunCallbacks callbacks = atRoundOf("w1", 20, [&](const std::string&) {
      proxy.spoil({.seed = seed, .faults = {kFlip, kRepeat, kCut, kDelay}, .every = 1500, .most = 4});
    });
    const run::RunOutcome outcome = remote(records, callbacks).run(spec(600));
    EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
    EXPECT_GT(proxy.faults(), 0);
    EXPECT_GT(proxy.connections(), 1);
    expectAllRoundsOnce(outcome.run, 600);
  }
}

TEST_F(FleetSsh, ANetworkThatFallsSilentLosesNothing) {
  run::RecordWriter records(storePath());
  bool wasStale = false;
  run::RunCallbacks callbacks = atRoundOf("w1", 20, [&](const std::string&) { machine("b").freeze(); });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) {
    if (state != store::RunState::kStale || wasStale) return;
    wasStale = true;
    machine("b").thaw();
  };
  const run::RunOutcome outcome = remote(records, callbacks).run(spec(600));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_TRUE(wasStale);
  expectAllRoundsOnce(outcome.run, 600);
}

TEST_F(FleetSsh, ADesktopWhoseClockIsSetLosesNoConnection) {
  run::RecordWriter records(storePath());
  const double before = unixNow();
  int step = 0;
  bool wasStale = false;
  run::RunCallbacks callbacks;
  callbacks.onEvent = [&](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record == nullptr || event.node != "w1" || (record->round != 20 && record->round != 120)) return;
    step = record->round == 20 ? 3600 : -3600;
    stepOwnClock(step);
  };
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) { wasStale = wasStale || state == store::RunState::kStale; };
  const run::RunOutcome outcome = remote(records, callbacks).run(spec(600));
  EXPECT_NEAR(unixNow(), before + step, 1800) << "this test needs a clock that was set";
  stepOwnClock(0);
  EXPECT_EQ(step, -3600);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_FALSE(wasStale);
  expectAllRoundsOnce(outcome.run, 600);
}

TEST_F(FleetSsh, AMachineThatDiesIsTheReason) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome =
      remote(records, atRoundOf("w1", 5, [&](const std::string&) { machine("b").crash(); })).run(spec(100'000, "w0=lose_at:60"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_THAT(outcome.error, AllOf(StartsWith("b: it cannot be reached: "), EndsWith(", and with it w1")));
}

TEST_F(FleetSsh, ADesktopThatWasKilledPicksItsRunUpAgain) {
  const std::string run = leftBehind(
      storePath(), [&](run::RecordWriter& records) { remote(records, atRoundOf("w1", 60, [](const std::string&) { ::raise(SIGKILL); })).run(spec(400)); });
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = remote(records).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 400);
  expectNoNodesLeft();
}

}  // namespace
}  // namespace paceline::tests
