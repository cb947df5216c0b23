// Runs on several hosts, each with a real supervisor; the nodes do not train.
#include <gmock/gmock.h>
#include <signal.h>

#include <mutex>
#include <set>

#include "app/cluster/run/host_link.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/cpu.h"
#include "engine/core/base/error.h"
#include "tests/cluster/fleet_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kFastest = hasAesInstructions() ? "aes_gcm" : "curve";

class Fleet : public FleetTest {
 protected:
  std::map<std::string, std::string> textsOf(const std::string& run, const std::string& kind, const std::string& reason = "") const {
    std::map<std::string, std::string> texts;
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(run))
      if (notice.record.kind == kind && (reason.empty() || notice.record.reason == reason)) texts[notice.node] = notice.record.text;
    return texts;
  }
};

TEST_F(Fleet, ARunOnTwoHostsIsRecordedFromEndToEnd) {
  run::RecordWriter records(storePath());
  std::map<std::string, std::vector<std::string>> progress;
  run::RunCallbacks callbacks;
  callbacks.onProgress = [&](const std::string& host, const std::string& text) { progress[host].push_back(text); };
  const run::RunOutcome outcome = session(records, callbacks).run(spec(60));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  expectAllRoundsOnce(outcome.run, 60);
  EXPECT_EQ(progress, (std::map<std::string, std::vector<std::string>>{{"a", {"connecting"}}, {"b", {"connecting"}}}));
  std::map<std::string, std::string> hosts;
  for (const store::NodeRow& node : store::StoreReader(storePath()).nodes(outcome.run)) hosts[node.id] = node.host;
  EXPECT_EQ(hosts["w0"], "a");
  EXPECT_EQ(hosts["w1"], "b");
  const Json versions = Json::parse(row(outcome.run).versions);
  EXPECT_EQ(versions["protection"], kFastest);
  EXPECT_EQ(versions["installations"]["b"], (Json{{"agent", PACELINE_VERSION}, {"id", "bin"}}));
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, ADataSetWithAPathOfItsOwnIsNotSentToHosts) {
  run::RecordWriter records(storePath());
  std::mutex mutex;  // guards asked: hosts are opened at the same time
  std::set<std::vector<std::string>> asked;
  const hosts::HostOpener watched = [&, open = opener()](const std::string& name, const hosts::HostNeeds& needs) {
    const std::lock_guard lock(mutex);
    asked.insert(needs.datasets);
    return open(name, needs);
  };
  RunSpec spec = this->spec(3);
  EXPECT_EQ(run::RunSession({records, {}, watched, quick()}).run(spec).state, store::RunState::kFinished);
  EXPECT_EQ(asked, (std::set<std::vector<std::string>>{{"synthetic"}}));
  asked.clear();
  spec.dataset.params.set("path", std::string("/data/imagenet"));
  EXPECT_EQ(run::RunSession({records, {}, watched, quick()}).run(spec).state, store::RunState::kFinished);
  EXPECT_EQ(asked, (std::set<std::vector<std::string>>{{}}));
}

TEST_F(Fleet, EveryNodeLearnsAllEndpointsAndHasKeysOfItsOwn) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records).run(spec(3, "", 3));
  EXPECT_EQ(textsOf(outcome.run, "started"), (std::map<std::string, std::string>{{"w0", "tcp://127.0.0.1:40000"},
                                                                                 {"s0", "tcp://127.0.0.1:40001"},
                                                                                 {"w1", "tcp://127.0.0.1:40002"},
                                                                                 {"w2", "tcp://127.0.0.1:40003"}}));
  const auto keys = textsOf(outcome.run, "note", "keys");
  EXPECT_EQ(keys.size(), 4U);
  for (const auto& [node, text] : keys) EXPECT_EQ(text, strCat(kFastest, ", 4 public keys, a secret of 40")) << node;
}

TEST_F(Fleet, AllHostsAreOpenedAtTheSameTime) {
  run::RecordWriter records(storePath());
  std::atomic<int> opening = 0;
  const hosts::HostOpener together = [&, open = opener()](const std::string& name, const hosts::HostNeeds& needs) {
    for (++opening; opening < 3 && !needs.stop.stop_requested();) std::this_thread::yield();  // one after the other would wait for ever
    return open(name, needs);
  };
  EXPECT_EQ(run::RunSession({records, {}, together, quick()}).run(spec(3, "", 3)).state, store::RunState::kFinished);
}

TEST_F(Fleet, AHostThatCannotBeOpenedIsTheReasonAndNothingIsStarted) {
  cable("b").cut = true;
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records).run(spec(10));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "b: the cable is pulled");
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  EXPECT_EQ(cable("a").connections, 0);
}

TEST_F(Fleet, AHostWithoutADataAddressIsNamed) {
  run::RecordWriter records(storePath());
  const hosts::HostOpener blind = [open = opener()](const std::string& name, const hosts::HostNeeds& needs) {
    hosts::ReadyHost ready = open(name, needs);
    if (name == "b") ready.dataAddress.clear();
    return ready;
  };
  EXPECT_THAT(run::RunSession({records, {}, blind, quick()}).run(spec(10)).error, StartsWith("b: it is not known on which address its nodes can be reached"));
}

TEST_F(Fleet, AKilledNodeEndsTheRunOnAllHosts) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records).run(spec(100'000, "w1=die_at:2;w0=lose_at:60"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "w1 was killed by signal 9 (SIGKILL)");
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, StopEndsTheRunOnAllHosts) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  const run::RunOutcome outcome =
      session(records, atRoundOf("w1", 5, [&](const std::string&) { source.request_stop(); })).run(spec(100'000, "", 3), source.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_EQ(outcome.reason, "asked");
  expectNothingLeftOn({"a", "b", "c"});
}

TEST_F(Fleet, AnotherProcessCanStopTheRunOnAllHosts) {
  run::RecordWriter records(storePath());
  bool stopped = false;
  const run::RunOutcome outcome =
      session(records, atRoundOf("w0", 5, [&](const std::string& run) { stopped = run::stopRun(run, opener(), {"a", "b"}); })).run(spec(100'000));
  EXPECT_TRUE(stopped);
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_FALSE(run::stopRun(outcome.run, opener(), {"a", "b"}));
}

TEST_F(Fleet, ACutConnectionIsMadeAgainWithNothingMissingAndNothingTwice) {
  run::RecordWriter records(storePath());
  std::vector<std::pair<store::RunState, std::string>> states;
  std::map<std::string, std::vector<std::int64_t>> seen;
  const run::RunCallbacks cut = atRoundOf("w1", 20, [&](const std::string&) { cable("b").cut = true; });
  run::RunCallbacks callbacks;
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string& text) { states.emplace_back(state, text); };
  callbacks.onEvent = [&](const StampedEvent& event) {
    cut.onEvent(event);
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record == nullptr) return;
    seen[event.node].push_back(record->round);
    const bool stale = !states.empty() && states.back().first == store::RunState::kStale;
    if (event.node == "w0" && stale && record->round > 40) cable("b").cut = false;  // the other host's events go on meanwhile
  };
  const run::RunOutcome outcome = session(records, callbacks).run(spec(1500));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 1500);
  std::vector<std::int64_t> all(1500);
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(seen["w1"], all);
  EXPECT_THAT(states, testing::Contains(testing::Pair(store::RunState::kStale, HasSubstr("b: "))));
  EXPECT_GE(cable("b").connections, 2);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, AKilledSupervisorIsNamedWithItsHostAndNodes) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records, atRoundOf("w1", 5, [&](const std::string&) { ::kill(supervisorOf("b"), SIGKILL); })).run(spec(100'000));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "b: its supervisor died, and with it w1");
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, AHostThatComesBackWithoutItsRunIsTheReason) {
  run::RecordWriter records(storePath());
  const run::RunCallbacks callbacks = atRoundOf("w1", 5, [&](const std::string&) {  // it was set up anew
    const pid_t supervisor = supervisorOf("b");
    ::kill(supervisor, SIGKILL);
    waitForEnd(supervisor);
    std::filesystem::remove_all(agentFolder("b"));
  });
  const run::RunOutcome outcome = session(records, callbacks).run(spec(100'000, "w0=lose_at:400"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "b: it was reached again, but its supervisor is gone, and with it w1");
  expectNothingLeftOn({"a"});
}

TEST_F(Fleet, AHostThatIsGoneIsTheReasonNotTheNodesThatMissIt) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome =
      session(records, atRoundOf("w1", 5, [&](const std::string&) { cable("b").cut = true; })).run(spec(100'000, "w0=lose_at:40"));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_EQ(outcome.error, "b: it cannot be reached: the cable is pulled, and with it w1");
  expectNothingLeftOn({"a"});
}

// Whose records were read again once, because the store took nothing for a while; then another node fails, too.
TEST_F(Fleet, AHostThatIsGoneIsNotWaitedForBecauseTheStoreOnceTookNothing) {
  const std::string other = (folder_ / "other.db").string(), away = (folder_ / "away.db").string();
  { const store::StoreWriter empty(other); }
  run::RecordWriter records(storePath(), {}, {.mostWaiting = 10});
  bool waits = false;
  std::int64_t since = 0, healed = 0, last = 0;  // rounds of w1
  run::RunCallbacks callbacks;
  callbacks.onState = [&](const std::string&, store::RunState, const std::string& text) { waits = waits || text.starts_with("waits for the store: "); };
  callbacks.onEvent = [&](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record == nullptr || event.node != "w1" || last > 0) return;
    if (record->round == 5) std::filesystem::rename(other, storePath());
    if (waits && ++since == 100) {
      healed = record->round;
      std::filesystem::rename(storePath(), away);
    }
    if (healed == 0 || record->round % 50 != 0) return;
    const std::vector<std::int64_t> kept = roundsOf(event.run, "w1");
    if (kept.empty() || kept.back() <= healed) return;  // not all of it is read again yet
    last = kept.back();
    cable("b").cut = true;
    ::kill(pidOf("a", "w0"), SIGKILL);
  };
  run::LinkTimes times = quick();
  times.giveUpSeconds = kGuardSeconds;
  const run::RunOutcome outcome = run::RunSession({records, callbacks, opener(), times}).run(spec(100'000));
  EXPECT_GT(last, 100);
  EXPECT_EQ(outcome.state, store::RunState::kFailed) << outcome.error;
  EXPECT_EQ(outcome.error, "w0 was killed by signal 9 (SIGKILL)");
  expectNothingLeftOn({"a"});
}

// The store lacks records when the last host that is reached has ended: they are read again from there, and only from there.
TEST_F(Fleet, AHostThatWasGivenUpIsNotReadAgain) {
  const std::string other = (folder_ / "other.db").string(), away = (folder_ / "away.db").string();
  { const store::StoreWriter empty(other); }
  run::RecordWriter records(storePath(), {}, {.mostWaiting = 10});
  bool waits = false, gone = false, healed = false;
  std::int64_t since = 0;  // rounds of w1
  run::RunCallbacks callbacks;
  callbacks.onState = [&](const std::string&, store::RunState, const std::string& text) {
    waits = waits || text.starts_with("waits for the store: ");
    if (!gone || healed || !text.starts_with("waits for the store: ")) return;  // until b is given up, it is what the run waits for
    healed = true;
    std::filesystem::rename(storePath(), away);
  };
  callbacks.onEvent = [&](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record == nullptr || event.node != "w1" || gone) return;
    if (record->round == 5) std::filesystem::rename(other, storePath());
    if (!waits || ++since < 100) return;
    gone = true;
    cable("b").cut = true;
    ::kill(pidOf("a", "w0"), SIGKILL);
  };
  run::LinkTimes times = quick();
  times.giveUpSeconds = kGuardSeconds;
  times.endGraceSeconds = 0;
  const run::RunOutcome outcome = run::RunSession({records, callbacks, opener(), times}).run(spec(100'000));
  EXPECT_TRUE(healed);
  EXPECT_EQ(outcome.state, store::RunState::kFailed) << outcome.error;
  EXPECT_EQ(outcome.error, "w0 was killed by signal 9 (SIGKILL)");
  const std::vector<std::int64_t> rounds = roundsOf(outcome.run, "w0");
  for (std::size_t i = 0; i < rounds.size(); ++i) ASSERT_EQ(rounds[i], static_cast<std::int64_t>(i + 1));
  EXPECT_GT(rounds.size(), 0U);
  expectNothingLeftOn({"a"});
}

// What was asked of it when it had been given up is under way, and it waits before the next attempt to reach its host.
TEST_F(Fleet, ALinkThatIsLetGoWhileItsHostIsAwayEnds) {
  using Kind = run::HostMessage::Kind;
  const std::string run =
      leftBehind(storePath(), [&](run::RecordWriter& records) { session(records, atRoundOf("w1", 20, [](const std::string&) { ::raise(SIGKILL); })).run(spec(100'000)); });
  run::LinkTimes times = quick();
  times.firstRetrySeconds = times.longestRetrySeconds = 1;
  times.giveUpSeconds = 0;
  run::HostQueue queue;
  run::HostLink link("b", run, {"w0", "w1", "s0"}, opener(), {}, times, queue);
  const auto comes = [&](Kind kind) {
    for (const double began = steadySeconds(); steadySeconds() - began < kGuardSeconds;)
      if (const auto message = queue.pop(1); message && message->kind == kind) return link.take(*message), true;
    return false;
  };
  ASSERT_TRUE(comes(Kind::kReady));
  link.follow({});
  ASSERT_TRUE(comes(Kind::kLaunched));
  cable("b").cut = true;
  ASSERT_TRUE(comes(Kind::kGivenUp));
  ASSERT_TRUE(link.readAgain({}, "1"));
  EXPECT_TRUE(comes(Kind::kLost));
}

TEST_F(Fleet, ARunIsLeftToAttachWhenAHostStaysAway) {
  std::string run;
  {
    run::RecordWriter records(storePath());
    run::LinkTimes times = quick();
    times.giveUpSeconds = 0.2;
    const run::RunOutcome outcome =
        run::RunSession({records, atRoundOf("w1", 5, [&](const std::string&) { cable("b").cut = true; }), opener(), times}).run(spec(400));
    run = outcome.run;
    EXPECT_EQ(outcome.state, store::RunState::kStale);
    EXPECT_EQ(outcome.error, strCat("b was not reached for 0.2 s: the cable is pulled; paceline attach ", run, " goes on when it can be reached"));
    EXPECT_EQ(row(run).state, store::RunState::kStale);
    EXPECT_EQ(session(records).attach(run).state, store::RunState::kStale);  // it still is not there
  }
  cable("b").cut = false;
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 400);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, ADesktopThatWasKilledPicksUpItsRunOnAllHosts) {
  const std::string run = leftBehind(
      storePath(), [&](run::RecordWriter& records) { session(records, atRoundOf("w1", 100, [](const std::string&) { ::raise(SIGKILL); })).run(spec(600, "", 3)); });
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = session(records).attach(run);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(run, 600);
  EXPECT_EQ(roundsOf(run, "w2").size(), 600U);
  expectNothingLeftOn({"a", "b", "c"});
}

TEST_F(Fleet, AConnectionThatIsPulledAgainAndAgainLosesNothing) {
  run::RecordWriter records(storePath());
  std::int64_t next = 10;
  run::RunCallbacks callbacks;
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) {
    if (state == store::RunState::kStale) cable("a").cut = cable("b").cut = false;
  };
  callbacks.onEvent = [&](const StampedEvent& event) {
    const auto* record = std::get_if<RoundRecord>(&event.event);
    if (record == nullptr || event.node == "s0" || record->round < next) return;
    next = record->round + 60;
    cable(event.node == "w1" ? "b" : "a").cut = true;
  };
  const run::RunOutcome outcome = session(records, callbacks).run(spec(600));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 600);
  EXPECT_GE(cable("a").connections + cable("b").connections, 6);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, AConnectionThatHangsIsNoticedAndMadeAgain) {
  run::RecordWriter records(storePath());
  run::LinkTimes times = quick();
  times.leaseSeconds = 0.5;
  std::string why;
  run::RunCallbacks callbacks = atRoundOf("w1", 20, [&](const std::string&) { cable("b").frozen = true; });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string& text) {
    if (state != store::RunState::kStale) return;
    if (why.empty()) why = text;
    cable("b").frozen = false;
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks, opener(), times}).run(spec(600));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_THAT(why, StartsWith("b: "));  // this side or the supervisor notices first
  expectAllRoundsOnce(outcome.run, 600);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Fleet, StopReachesAHostThatWasAwayWhenItWasAsked) {
  run::RecordWriter records(storePath());
  std::stop_source source;
  run::RunCallbacks callbacks = atRoundOf("w1", 5, [&](const std::string&) { cable("b").cut = true; });
  callbacks.onState = [&](const std::string&, store::RunState state, const std::string&) {
    if (state == store::RunState::kStale) source.request_stop();
    if (state == store::RunState::kStopping) cable("b").cut = false;
  };
  const run::RunOutcome outcome = session(records, callbacks).run(spec(100'000), source.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  expectNothingLeftOn({"a", "b"});
}

}  // namespace
}  // namespace paceline::tests
