// What clients hear of a store that takes nothing, and that its recorder goes on by itself.
#include <gmock/gmock.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
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

}  // namespace
}  // namespace paceline::tests
