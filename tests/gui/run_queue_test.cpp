#include "app/models/runs/run_queue.h"

#include <gtest/gtest.h>

#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

recorder::Entry entry(std::int64_t id, store::RunState state = store::RunState::kDraft, const std::string& text = "") {
  recorder::Entry made{.id = id, .run = "run" + std::to_string(id), .name = "experiment " + std::to_string(id)};
  made.state = state, made.waiting = state == store::RunState::kDraft, made.text = text;
  return made;
}

// A queue that hears what the test lets the recorder say.
struct Heard : ::testing::Test {
  Heard() : queue((application(), recorder)) {}
  QString shown(int row, runs::RunQueue::Column column) const { return queue.index(row, column).data().toString(); }

  GuiPrompts prompts;
  TempFolder folder;
  RecorderLink recorder{QString::fromStdString(folder.path("store.db")), prompts};
  runs::RunQueue queue;
};

TEST_F(Heard, SaysWhatRunsWhatWaitsAndForWhom) {
  recorder::Entry running = entry(1, store::RunState::kRunning), held = entry(3, store::RunState::kDraft, "held since the restart");
  running.progress = {.fraction = 0.25, .round = 5, .seconds = 3, .accuracy = std::nullopt, .leftLowSeconds = 9, .leftHighSeconds = 9};
  held.held = true;
  emit recorder.queueRead({running, entry(2, store::RunState::kDraft, "waits for experiment 1 on this computer"), held});
  ASSERT_EQ(queue.rowCount(), 3);
  EXPECT_EQ(shown(0, runs::RunQueue::kState), "Running");
  EXPECT_EQ(shown(0, runs::RunQueue::kProgress), "25.0 %  about 9 s left");
  EXPECT_EQ(shown(1, runs::RunQueue::kState), "Waiting");
  EXPECT_EQ(shown(1, runs::RunQueue::kProgress), "");
  EXPECT_EQ(shown(1, runs::RunQueue::kText), "waits for experiment 1 on this computer");
  EXPECT_EQ(shown(2, runs::RunQueue::kState), "Held");
  EXPECT_EQ(queue.held(), 1);
  EXPECT_EQ(queue.find("run3")->id, 3);
}

TEST_F(Heard, ARowKeepsItsPlaceWhileItsRunProgressesAndGoesWhenItEnds) {
  emit recorder.queueRead({entry(1, store::RunState::kStarting), entry(2, store::RunState::kRunning)});
  int resets = 0, ended = 0;
  QObject::connect(&queue, &QAbstractItemModel::modelReset, [&resets] { ++resets; });
  QObject::connect(&queue, &runs::RunQueue::ended, [&ended](const std::string& run, const QString& error) { ended += run == "run1" && error.isEmpty(); });
  emit recorder.entryChanged(entry(1, store::RunState::kRunning));
  EXPECT_EQ(shown(0, runs::RunQueue::kState), "Running");
  recorder::Entry over = entry(1, store::RunState::kFailed, "w1 ended with signal 9");
  over.ended = true;
  emit recorder.entryChanged(over);
  EXPECT_EQ(queue.rowCount(), 1);
  EXPECT_EQ(resets, 0);
  EXPECT_EQ(ended, 1);  // without its error: another program had handed it in
}

TEST_F(Heard, SaysWhatGoesOnWithoutTheWindow) {
  EXPECT_EQ(queue.withoutWindow(), "");
  recorder::Entry held = entry(4);
  held.held = true;
  emit recorder.queueRead({entry(1, store::RunState::kRunning), entry(2), entry(3), held});
  EXPECT_TRUE(queue.withoutWindow().startsWith("1 run in progress goes on, 2 runs that wait start in turn, 1 run stays held without this window.")) << queue.withoutWindow().toStdString();
}

TEST_F(Heard, ARunOfASuiteHasTheSuitesNameAndHowManyAreLeft) {
  std::vector<recorder::Entry> entries = {entry(1, store::RunState::kRunning), entry(2), entry(3)};
  entries[0].suite = entries[1].suite = "sweep";
  entries[0].name = "sweep esync seed 1", entries[1].name = "another esync seed 2";
  emit recorder.queueRead(entries);
  EXPECT_EQ(shown(0, runs::RunQueue::kName), "sweep, 2 runs left: esync seed 1");
  EXPECT_EQ(shown(1, runs::RunQueue::kName), "sweep: another esync seed 2");
  EXPECT_EQ(shown(2, runs::RunQueue::kName), "experiment 3");
  EXPECT_EQ(queue.titleOf(queue.entries()[0]) + queue.leftOf(queue.entries()[0]), "sweep, 2 runs left");
  EXPECT_EQ(queue.titleOf(queue.entries()[2]) + queue.leftOf(queue.entries()[2]), "experiment 3");
  int changes = 0;
  QObject::connect(&queue, &QAbstractItemModel::dataChanged, [&changes] { ++changes; });
  entries[0].ended = true;
  emit recorder.entryChanged(entries[0]);
  EXPECT_EQ(shown(0, runs::RunQueue::kName), "sweep, 1 run left: another esync seed 2");
  EXPECT_GT(changes, 0);
}

TEST_F(Heard, EveryColumnHasAHeading) {
  for (int column = 0; column < queue.columnCount(); ++column) EXPECT_NE(queue.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), "") << column;
}

TEST_F(Heard, EntriesThatHaveEndedAreNoRows) {
  recorder::Entry over = entry(1, store::RunState::kFinished);
  over.ended = true;
  emit recorder.queueRead({over, entry(2, store::RunState::kRunning)});
  EXPECT_EQ(queue.rowCount(), 1);
  EXPECT_FALSE(queue.find("run1"));
}

}  // namespace
}  // namespace paceline::tests
