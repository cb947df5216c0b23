#include <gtest/gtest.h>

#include "app/ui/main_window.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

recorder::Entry ended(store::RunState state, const char* reason, const char* text) {
  recorder::Entry entry;
  entry.run = "r1", entry.name = "ESync", entry.state = state, entry.reason = reason, entry.text = text;
  entry.ended = true, entry.waiting = false;
  entry.progress.seconds = 200;
  return entry;
}

TEST(DesktopNotices, TellAFailureWithItsReason) {
  const auto notice = noticeOf(ended(store::RunState::kFailed, "", "w1 ended with signal 9"));
  ASSERT_TRUE(notice);
  EXPECT_EQ(notice->title, "Run failed");
  EXPECT_EQ(notice->words, "\"ESync\": w1 ended with signal 9");
}

TEST(DesktopNotices, TellATargetThatWasReached) {
  recorder::Entry entry = ended(store::RunState::kFinished, "accuracy", "");
  entry.progress.accuracy = 0.803;
  const auto notice = noticeOf(entry);
  ASSERT_TRUE(notice);
  EXPECT_EQ(notice->words, "\"ESync\" has reached its target accuracy at 80.3 % after 3 min 20 s");
}

TEST(DesktopNotices, TellNothingOfOtherEnds) {
  EXPECT_FALSE(noticeOf(ended(store::RunState::kFinished, "rounds", "")));
  EXPECT_FALSE(noticeOf(ended(store::RunState::kStopped, "asked", "")));
}

TEST(DesktopNotices, AreToldWhileAnotherWindowIsInFront) {
  application();
  const TempFolder folder;
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  std::vector<QString> told;
  window.notify = [&told](const DesktopNotice& notice) { told.push_back(notice.title); };
  ASSERT_FALSE(window.isActiveWindow());
  const recorder::Entry failed = ended(store::RunState::kFailed, "", "w1 ended with signal 9");
  emit window.shell().queue.entryEnded(failed);
  setNoticesWanted(false);
  emit window.shell().queue.entryEnded(failed);
  setNoticesWanted(true);
  EXPECT_EQ(told, (std::vector<QString>{"Run failed"}));
  window.show();
  window.activateWindow();
  ASSERT_TRUE(waitFor([&window] { return window.isActiveWindow(); }));
  emit window.shell().queue.entryEnded(failed);
  EXPECT_EQ(told.size(), 1U);
}

TEST(DesktopNotices, AreKeptAsWanted) {
  application();
  EXPECT_TRUE(noticesWanted());
  setNoticesWanted(false);
  EXPECT_FALSE(noticesWanted());
  setNoticesWanted(true);
}

TEST(DesktopNotices, TellTheFirstLossThatIsNoNumberOnce) {
  application();
  const TempFolder folder;
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  std::vector<QString> told;
  window.notify = [&told](const DesktopNotice& notice) { told.push_back(notice.title + ", " + notice.words); };
  recorder::Entry entry;
  entry.run = "r1", entry.name = "ESync", entry.progress.diverged = "w1: in round 3 the loss is NaN";
  emit window.shell().queue.diverged(entry);
  EXPECT_EQ(told, (std::vector<QString>{"Loss is no number, \"ESync\": w1: in round 3 the loss is NaN"}));
}

}  // namespace
}  // namespace paceline::tests
