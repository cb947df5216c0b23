// What clients hear of a store that takes nothing, and that its recorder goes on by itself.
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "storage/store/sqlite.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::Client;
using recorder::Entry;
using recorder::Notice;
using recorder::StoreTrouble;
using testing::HasSubstr;

class Trouble : public RecorderTest {
 protected:
  // Notices until one fits; fails the test when none comes within a minute.
  static bool heard(Client& client, const std::function<bool(const Notice&)>& fits) {
    for (const double until = steadySeconds() + 60; steadySeconds() < until;)
      if (const auto notice = client.next(1); notice && fits(*notice)) return true;
    ADD_FAILURE() << "nothing fitting was told";
    return false;
  }
  static bool hearsTrouble(Client& client, const std::string& part) {
    return heard(client, [&part](const Notice& notice) {
      const auto* trouble = std::get_if<StoreTrouble>(&notice);
      return trouble != nullptr && trouble->text.find(part) != std::string::npos;
    });
  }
  static bool hearsItsEnd(Client& client) {
    return heard(client, [](const Notice& notice) {
      const auto* trouble = std::get_if<StoreTrouble>(&notice);
      return trouble != nullptr && trouble->text.empty();
    });
  }
};

TEST_F(Trouble, AFullDiskIsToldToEveryClientAndEndsByItself) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  const auto serving = serve();
  Client desk = client(), other = client();
  other.queue();  // connected
  const std::string run = desk.submit(submission({FleetTest::spec(2000)}))[0].run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round >= 5; });
  fillDisk(disk);
  const Entry waiting = awaited(desk, run, [](const Entry& entry) { return entry.text.starts_with("waits for the store: "); });
  EXPECT_THAT(waiting.text, HasSubstr(storePath() + ": no space left"));
  EXPECT_FALSE(waiting.ended);
  EXPECT_TRUE(hearsTrouble(other, "no space left; what was committed before is kept; runs go on, and what they record waits"));
  Client late = client();
  late.queue();
  EXPECT_TRUE(hearsTrouble(late, "no space left"));  // who comes meanwhile is told, too
  makeRoom(disk);
  EXPECT_TRUE(hearsItsEnd(other));
  const Entry last = ended(desk, run);
  EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  EXPECT_EQ(row(run).state, store::RunState::kFinished);
  expectAllRoundsOnce(run, 2000);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Trouble, ADeletedStoreIsToldToEveryClientAndLosesNothing) {
  const auto serving = serve();
  Client desk = client(), other = client();
  other.queue();
  const std::string run = desk.submit(submission({FleetTest::spec(400)}))[0].run;
  awaited(desk, run, [](const Entry& entry) { return entry.progress.round >= 5; });
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(storePath() + end);
  EXPECT_TRUE(hearsTrouble(other, storePath() + ": was deleted or replaced while it was in use; it is back, and nothing of it was lost"));
  EXPECT_TRUE(hearsItsEnd(other));
  const Entry last = ended(desk, run);
  EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  expectAllRoundsOnce(run, 400);
  expectNothingLeftOn({"a", "b"});
}

// Another program holds the write lock.
TEST_F(Trouble, ARecorderThatStartsWhileTheStoreTakesNothingFollowsWhatIsUnderWay) {
  auto serving = serve();
  std::string run;
  {
    Client desk = client();
    run = desk.submit(submission({FleetTest::spec(300)}))[0].run;
    awaited(desk, run, [](const Entry& entry) { return entry.progress.round >= 5; });
  }
  serving.reset();
  store::Database other(storePath(), store::Database::Mode::kWrite);
  other.execute("BEGIN IMMEDIATE");
  serving = serve();
  Client desk = client();
  const auto waits = [&] {
    return std::ranges::any_of(desk.queue(), [&](const Entry& entry) { return entry.run == run && !entry.waiting && entry.text.starts_with("waits for the store: "); });
  };
  for (const double until = steadySeconds() + kGuardSeconds; !waits();) ASSERT_LT(steadySeconds(), until) << "it does not say that it waits";
  other.execute("COMMIT");
  const Entry last = ended(desk, run);
  EXPECT_EQ(last.state, store::RunState::kFinished) << last.text;
  expectAllRoundsOnce(run, 300);
  expectNothingLeftOn({"a", "b"});
}

TEST_F(Trouble, WhatEndsOnAFullDiskLeavesTheQueueWhenThereIsRoom) {
  const std::string disk = smallDisk(folder_ / "store");
  if (disk.empty()) GTEST_SKIP() << "this user cannot mount a small file system";
  const auto serving = serve();
  Client desk = client();
  const std::string run = desk.submit(submission({spec(100'000)}, recorder::EntryKind::kSimulation))[0].run;
  // The run itself fills the disk: a simulation does within the time between two words about its progress.
  const Entry waiting = awaited(desk, run, [](const Entry& entry) { return entry.text.starts_with("waits for the store: "); });
  EXPECT_GE(waiting.progress.round, 5);
  fillDisk(disk);
  desk.stop(run);
  EXPECT_EQ(ended(desk, run).state, store::RunState::kStopped);
  EXPECT_EQ(store::StoreReader(storePath()).queue().size(), 1U);
  makeRoom(disk);
  EXPECT_TRUE(hearsItsEnd(desk));
  EXPECT_EQ(row(run).state, store::RunState::kStopped);
  EXPECT_TRUE(store::StoreReader(storePath()).queue().empty());  // or the next recorder would begin it again
}

}  // namespace
}  // namespace paceline::tests
