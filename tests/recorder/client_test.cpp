// Clients and the recorder process of their store.
#include <gmock/gmock.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/core/base/error.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using recorder::EntryKind;
using testing::HasSubstr;

class RecorderProcess : public RecorderTest {};

TEST_F(RecorderProcess, IsStartedForASubmissionAndRecordsTheRun) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(submission({spec(50)}));
  ASSERT_EQ(entries.size(), 1U);
  const Entry last = ended(desk, entries[0].run);
  EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  EXPECT_EQ(last.reason, "rounds");
  EXPECT_EQ(last.progress.fraction, 1);
  EXPECT_EQ(last.progress.round, 50);
  expectAllRoundsOnce(entries[0].run, 50);
  EXPECT_TRUE(store::StoreReader(storePath()).queue().empty());
}

TEST_F(RecorderProcess, IsOneForAllClients) {
  Client one = client(), other = client();
  const std::string run = one.submit(submission({spec(100'000)}))[0].run;
  ASSERT_EQ(other.queue().size(), 1U);
  EXPECT_EQ(other.queue()[0].run, run);
  other.stop(run);
  EXPECT_EQ(ended(one, run).state, store::RunState::kStopped);
}

TEST_F(RecorderProcess, RunsOneAfterTheOtherOnAHostAndSaysForWhomTheyWait) {
  Client desk = client();
  RunSpec first = spec(100'000), second = spec(5);
  first.name = "first", second.name = "second";
  const std::vector<Entry> entries = desk.submit(submission({first, second}));
  EXPECT_TRUE(entries[1].waiting);
  EXPECT_EQ(entries[1].text, "waits for first on local");
  desk.stop(entries[0].run);
  EXPECT_EQ(ended(desk, entries[1].run).state, store::RunState::kFinished);
  const store::StoreReader store(storePath());
  EXPECT_GE(store.find(entries[1].run)->startedUtc, store.find(entries[0].run)->endedUtc - 0.1);
}

TEST_F(RecorderProcess, TakesWaitingRunsOutOfTheQueue) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(submission({spec(100'000), spec(5)}));
  desk.stop(entries[1].run);
  desk.stop(entries[0].run);
  EXPECT_EQ(ended(desk, entries[0].run).state, store::RunState::kStopped);
  EXPECT_FALSE(store::StoreReader(storePath()).find(entries[1].run));
  EXPECT_EQ(store::StoreReader(storePath()).runs().size(), 1U);
}

TEST_F(RecorderProcess, SimulatesBesideARun) {
  Client desk = client();
  const std::string run = desk.submit(submission({spec(100'000)}))[0].run;
  const std::string simulated = desk.submit(submission({spec(40)}, EntryKind::kSimulation))[0].run;
  EXPECT_EQ(ended(desk, simulated).state, store::RunState::kFinished);
  expectAllRoundsOnce(simulated, 40);
  desk.stop(run);
  EXPECT_EQ(ended(desk, run).state, store::RunState::kStopped);
}

TEST_F(RecorderProcess, ThatWasKilledIsStartedByTheNextRequestAndGoesOn) {
  Client desk = client();
  const std::vector<Entry> entries = desk.submit(submission({spec(600), spec(20)}));
  awaited(desk, entries[0].run, [](const Entry& entry) { return entry.progress.round > 50; });
  ASSERT_EQ(::kill(recorderPid(), SIGKILL), 0);
  allEnded(desk);
  const store::StoreReader store(storePath());
  for (const auto& [entry, rounds] : {std::pair(entries[0], 600), std::pair(entries[1], 20)}) {
    EXPECT_EQ(store.find(entry.run)->state, store::RunState::kFinished) << store.find(entry.run)->error;
    expectAllRoundsOnce(entry.run, rounds);
  }
  expectNothingLeft();
}

TEST_F(RecorderProcess, EndsByItselfAfterTheLastClient) {
  client().queue();
  const int lock = ::open((storePath() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(::flock(lock, LOCK_EX), 0);
  ::close(lock);
}

TEST_F(RecorderProcess, ServesInsideThisProcessToo) {
  Client desk = client({.inProcess = true});
  const std::string run = desk.submit(submission({spec(30)}))[0].run;
  EXPECT_EQ(ended(desk, run).state, store::RunState::kFinished);
  EXPECT_EQ(recorderPid(), ::getpid());
  expectAllRoundsOnce(run, 30);
}

TEST_F(RecorderProcess, ChangesRunsForEverybody) {
  Client desk = client(), other = client();
  const std::string run = desk.submit(submission({spec(5)}, EntryKind::kSimulation))[0].run;
  ended(desk, run);
  other.setText(run, "renamed", "a note", {"tag"});
  EXPECT_EQ(row(run).name, "renamed");
  other.trash({run});
  EXPECT_TRUE(row(run).trashed);
  desk.restore({run});
  EXPECT_THROW(desk.purge({run}), Error);
  desk.trash({run});
  EXPECT_TRUE(desk.purge({run}).empty());
  EXPECT_FALSE(store::StoreReader(storePath()).find(run));
}

TEST_F(RecorderProcess, RefusesWithTheKindOfTheError) {
  Client desk = client();
  try {
    desk.submit({.kind = EntryKind::kAttach, .points = {}, .resumedFrom = "nothing"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kStore);
    EXPECT_STREQ(error.what(), "there is no run nothing");
  }
  try {
    desk.submit({.kind = EntryKind::kRun, .points = {{.name = "bad", .spec = R"({"paceline": 1, "nodes": 3})"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kSpec);
  }
}

TEST_F(RecorderProcess, SaysWhoElseHasTheStore) {
  const store::StoreWriter other(storePath());
  Client desk = client();
  try {
    desk.queue();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kLocked);
    EXPECT_THAT(error.what(), HasSubstr(strCat("in use by process ", ::getpid())));
  }
}

}  // namespace
}  // namespace paceline::tests
