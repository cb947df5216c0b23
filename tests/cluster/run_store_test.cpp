// Runs whose store takes nothing for a while, or is taken away: they go on, nothing is forgotten on a host meanwhile, and in the end the store has
// every record once.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "app/cluster/run/agent_client.h"
#include "engine/core/base/error.h"
#include "storage/store/sqlite.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RunStore : public ClusterTest {
 protected:
  // Every node's records, of whatever type, are numbered from 1 without a hole, as its spool numbers them.
  void expectEveryRecordOnce(const std::string& run) const {
    std::map<std::string, std::vector<std::int64_t>> seqs;
    const store::StoreReader reader(storePath());
    eachRecordType([&]<class Record>() {
      for (const store::RecordRow<Record>& row : reader.records<Record>(run)) seqs[row.node].push_back(row.seq);
    });
    for (auto& [node, found] : seqs) {
      std::ranges::sort(found);
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<std::int64_t>(i + 1)) << node;
    }
    EXPECT_GE(seqs.size(), 3U);
  }

  bool spoolsAreKept() const { return !std::filesystem::is_empty(folder_ / "agent" / "runs"); }
};

struct Heard {
  std::vector<std::string> waits;  // what the run said of its store
  int rounds = 0;                  // of w0, since then
};

// `hurt` at round 5 of w0; `heal` once, `later` rounds after the run has said that it waits (0: at once).
run::RunCallbacks callbacks(Heard& heard, std::function<void()> hurt, int later, std::function<void()> heal) {
  run::RunCallbacks callbacks;
  callbacks.onState = [&heard, later, heal](const std::string&, store::RunState, const std::string& text) {
    if (!text.starts_with("waits for the store: ")) return;
    heard.waits.push_back(text);
    if (later == 0 && heard.waits.size() == 1) heal();
  };
  callbacks.onEvent = [&heard, later, hurt = std::move(hurt), heal](const StampedEvent& event) {
    const auto* round = std::get_if<RoundRecord>(&event.event);
    if (round == nullptr || event.node != "w0") return;
    if (round->round == 5) hurt();
    if (!heard.waits.empty() && ++heard.rounds == later) heal();
  };
  return callbacks;
}

TEST_F(RunStore, AFullDiskIsWaitedForAndLosesNothing) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  Heard heard;
  bool kept = false;
  const run::RunOutcome outcome = run::RunSession({records, callbacks(heard, [&] { fillDisk(disk); }, 0, [&] {
                                                     kept = spoolsAreKept();
                                                     makeRoom(disk);
                                                   })}).run(spec(2000));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  ASSERT_FALSE(heard.waits.empty());
  EXPECT_THAT(heard.waits[0], HasSubstr(storePath() + ": no space left"));
  EXPECT_TRUE(kept);
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFinished);
  EXPECT_EQ(Json::parse(row(outcome.run).versions)["torch"], "9.9");
  expectAllRoundsOnce(outcome.run, 2000);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

// More comes than may wait here: it is read from the hosts again.
TEST_F(RunStore, WhatAFullDiskCannotTakeIsReadFromTheHostsAgain) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath(), {}, {.mostWaiting = 10});
  Heard heard;
  std::map<std::string, std::vector<std::int64_t>> seen;
  auto calls = callbacks(heard, [&] { fillDisk(disk); }, 100, [&] { makeRoom(disk); });
  calls.onEvent = [&seen, hear = calls.onEvent](const StampedEvent& event) {
    seen[event.node].push_back(event.seq);
    hear(event);
  };
  const run::RunOutcome outcome = run::RunSession({records, calls}).run(spec(3000));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_GE(heard.rounds, 100);  // the run went on meanwhile
  for (const auto& [node, seqs] : seen)  // what came again was not told again
    for (std::size_t i = 0; i < seqs.size(); ++i) ASSERT_EQ(seqs[i], static_cast<std::int64_t>(i + 1)) << node;
  expectAllRoundsOnce(outcome.run, 3000);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

TEST_F(RunStore, ARunIsStoppedWhileItsDiskIsFull) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  std::stop_source stop;
  Heard heard;
  auto calls = callbacks(heard, [&] { fillDisk(disk); }, 0, [&] { stop.request_stop(); });
  calls.onState = [&, hear = calls.onState](const std::string& run, store::RunState state, const std::string& text) {
    hear(run, state, text);
    if (state == store::RunState::kStopping) makeRoom(disk);
  };
  const run::RunOutcome outcome = run::RunSession({records, calls}).run(spec(100'000), stop.get_token());
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_EQ(row(outcome.run).state, store::RunState::kStopped);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

// Asked to stop when its nodes have ended and their records wait: it stays what it was when they ended.
TEST_F(RunStore, AStopThatComesAfterTheEndStopsNothing) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  std::stop_source stop;
  Heard heard;
  int exits = 0;
  double ended = 0;
  auto calls = callbacks(heard, [&] { fillDisk(disk); }, -1, [] {});
  calls.onEvent = [&, hear = calls.onEvent](const StampedEvent& event) {
    hear(event);
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice == nullptr || notice->kind != "exit") return;
    ended = std::max(ended, notice->unixTime);
    if (++exits < 3) return;
    stop.request_stop();
    makeRoom(disk);
  };
  const run::RunOutcome outcome = run::RunSession({records, calls}).run(spec(50), stop.get_token());
  EXPECT_EQ(exits, 3);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.reason, "rounds");
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFinished);
  EXPECT_DOUBLE_EQ(row(outcome.run).endedUtc, ended);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

// w1 stops itself in round 5, and is woken when both it and the store are waited for.
TEST_F(RunStore, AFullDiskIsStillSaidWhenASilentNodeIsHeardAgain) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  RunSpec frozen = spec(50, "w1=freeze_at:5");
  frozen.nodeSilentSeconds = 0.5 * kGuardSeconds;
  std::string said, whenHeard;
  bool silent = false, waits = false;
  const auto wakeWhenBoth = [&](const std::string& run) {
    if (!silent || !waits) return;
    const auto host = hosts::localHost();
    run::AgentClient agent(*host, hosts::localInstallation());
    const run::AgentRun there = agent.find(run).value();
    for (const run::AgentNode& node : there.nodes)
      if (node.id == "w1") ::kill(static_cast<pid_t>(node.pid), SIGCONT);
  };
  run::RunCallbacks calls;
  calls.onState = [&](const std::string& run, store::RunState, const std::string& text) {
    said = text;
    if (!std::exchange(waits, waits || text.starts_with("waits for the store: ")) && waits) wakeWhenBoth(run);
  };
  calls.onEvent = [&](const StampedEvent& event) {
    const auto* round = std::get_if<RoundRecord>(&event.event);
    if (round != nullptr && round->round == 5 && event.node == "w0") fillDisk(disk);
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice == nullptr || notice->kind != "note") return;
    if (notice->reason == "silent") silent = true, wakeWhenBoth(event.run);
    if (notice->reason == "heard") whenHeard = said, makeRoom(disk);
  };
  const run::RunOutcome outcome = run::RunSession({records, calls}).run(frozen);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_THAT(whenHeard, StartsWith("waits for the store: "));
  expectAllRoundsOnce(outcome.run, 50);
  expectNothingLeft();
}

TEST_F(RunStore, OneThatIsDeletedIsPutBackAndLosesNothing) {
  run::RecordWriter records(storePath());
  Heard heard;
  const auto remove = [&] {
    for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(storePath() + end);
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks(heard, remove, 0, [] {})}).run(spec(200));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFinished);
  expectAllRoundsOnce(outcome.run, 200);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

TEST_F(RunStore, OneThatIsReplacedIsWaitedForAndLosesNothing) {
  run::RecordWriter records(storePath());
  const std::string other = (folder_ / "other.db").string(), away = (folder_ / "away.db").string();
  Heard heard;
  bool kept = false;
  std::size_t standing = 0;
  const auto replace = [&] {
    store::RunRow theirs;
    theirs.id = "theirs";
    theirs.state = store::RunState::kFinished;
    { store::StoreWriter(other).createRun(theirs, {}); }
    std::filesystem::rename(other, storePath());
  };
  const auto moveAway = [&] {
    kept = spoolsAreKept();
    standing = store::StoreReader(storePath()).runs().size();
    std::filesystem::rename(storePath(), away);
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks(heard, replace, 0, moveAway)}).run(spec(50));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  ASSERT_FALSE(heard.waits.empty());
  EXPECT_THAT(heard.waits[0], HasSubstr(storePath() + ": was replaced by another file while it was in use; all that was recorded is in " + storePath() + ".kept"));
  EXPECT_TRUE(kept);
  EXPECT_EQ(standing, 1U);
  expectAllRoundsOnce(outcome.run, 50);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
  EXPECT_EQ(store::StoreReader(away).runs().at(0).id, "theirs");
}

TEST_F(RunStore, OneThatWasClosedIsReadAlthoughItsDiskIsFull) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  store::RunRow done;
  done.id = "done";
  done.state = store::RunState::kFinished;
  { store::StoreWriter(storePath()).createRun(done, {}); }
  fillDisk(disk);
  EXPECT_EQ(store::StoreReader(storePath()).runs().at(0).id, "done");
}

// Where the table of rounds begins is wrong, and then right again: what a page that was written over and is mended is to the writer.
TEST_F(RunStore, OneThatIsDamagedIsWaitedForUntilItIsMended) {
  run::RecordWriter records(storePath());
  std::int64_t root = 0;
  const auto putRoot = [this](std::int64_t page, int version) {
    store::Database other(storePath(), store::Database::Mode::kWrite);
    const std::int64_t before = other.number("SELECT rootpage FROM sqlite_schema WHERE name = 'round'");
    other.execute(strCat("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = ", page, " WHERE name = 'round'; PRAGMA schema_version = ", version));
    return before;
  };
  Heard heard;
  bool kept = false;
  const auto hurt = [&] { root = putRoot(2, 1'000'001); };
  const auto mend = [&] {
    kept = spoolsAreKept();
    putRoot(root, 1'000'002);
  };
  const run::RunOutcome outcome = run::RunSession({records, callbacks(heard, hurt, 0, mend)}).run(spec(200));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  ASSERT_FALSE(heard.waits.empty());
  EXPECT_THAT(heard.waits[0], HasSubstr(storePath() + ": the store is damaged (database disk image is malformed)"));
  EXPECT_TRUE(kept);
  expectAllRoundsOnce(outcome.run, 200);
  expectEveryRecordOnce(outcome.run);
  expectNothingLeft();
}

// What it goes on from is in the store that is not there when its first node begins.
TEST_F(RunStore, ARunThatGoesOnHasItsFirstRecordsAlthoughItsStoreWasAway) {
  run::RecordWriter records(storePath());
  const run::RunOutcome first = run::RunSession({records}).run(spec(40));
  ASSERT_EQ(first.state, store::RunState::kFinished) << first.error;
  bool begun = false;
  run::RunCallbacks calls;
  calls.onEvent = [&](const StampedEvent& event) {
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice == nullptr || notice->kind != "started" || event.node == "s0" || std::exchange(begun, true)) return;
    for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(storePath() + end);
  };
  const run::RunOutcome outcome = run::RunSession({records, calls}).resume(row(first.run), spec(100, "w0=resumed:40;w1=resumed:40"));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  expectAllRoundsOnce(outcome.run, 100);
  expectNothingLeft();
}

TEST_F(RunStore, ASimulationWaitsForAFullDisk) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  run::RecordWriter records(storePath());
  Heard heard;
  const run::RunOutcome outcome = run::simulateRun({records, callbacks(heard, [&] { fillDisk(disk); }, 0, [&] { makeRoom(disk); })}, spec(5000));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(row(outcome.run).state, store::RunState::kFinished);
  EXPECT_FALSE(heard.waits.empty());
  expectAllRoundsOnce(outcome.run, 5000);
}

}  // namespace
}  // namespace paceline::tests
