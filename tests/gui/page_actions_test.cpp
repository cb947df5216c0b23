// What pages and the Run menu offer, and for which runs.
#include <gtest/gtest.h>

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_form.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct PageActions : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void open(int runs) {
    for (int i = 0; i < runs; ++i) storeRun(folder.path("store.db"), madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")));
    window->resize(1280, 800);
    window->show();
    window->go(MainWindow::kRuns);
    ASSERT_TRUE(waitFor([&] { return window->shell().runs.rowCount() == runs; }));
  }
  template <class Widget>
  Widget* on(QWidget& page, const char* name) {
    auto* found = page.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST_F(PageActions, OfSeveralRunsAreForAllOfThem) {
  open(3);
  auto& page = window->runsPage();
  auto* table = on<QTableView>(page, "runsTable");
  table->selectAll();
  on<QPushButton>(page, "compareSelected")->click();
  EXPECT_EQ(window->page(), &window->compare());
  EXPECT_EQ(window->compare().comparison().runs().size(), 3U);
  window->go(MainWindow::kRuns);
  on<QPushButton>(page, "trashSelected")->click();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 0; }));
  on<QPushButton>(page, "showTrash")->click();
  ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 3; }));
  table->selectAll();
  EXPECT_FALSE(on<QPushButton>(page, "compareSelected")->isVisible());
  on<QPushButton>(page, "restoreSelected")->click();
  EXPECT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 0; }));
}

TEST_F(PageActions, OfTheQueueDoNotPassToTheNextRun) {
  open(1);
  std::vector<recorder::Entry> entries;
  for (int i = 1; i <= 3; ++i) entries.push_back({.id = i, .run = "run" + std::to_string(i), .name = "experiment"});
  for (recorder::Entry& each : entries) each.state = store::RunState::kRunning, each.waiting = false;
  emit window->shell().recorder.queueRead(entries);
  auto* table = on<QTableView>(window->runsPage(), "queueTable");
  auto* stop = on<QPushButton>(window->runsPage(), "queueStop");
  table->selectRow(1);
  EXPECT_TRUE(stop->isEnabled());
  entries[0].ended = true;
  emit window->shell().recorder.entryChanged(entries[0]);
  EXPECT_EQ(table->currentIndex().row(), 0);  // the same run
  entries[1].ended = true;
  emit window->shell().recorder.entryChanged(entries[1]);
  EXPECT_FALSE(table->currentIndex().isValid());
  EXPECT_FALSE(stop->isEnabled());
}

TEST_F(PageActions, TakingARunOutOfTheQueueIsAskedAndAgainWhenItHasBegunMeanwhile) {
  open(2);
  recorder::Entry entry{.id = 1, .run = "waits", .name = "one"};
  entry.waiting = true;
  emit window->shell().recorder.queueRead({entry});
  QStringList asked;
  window->mayStop = [&](const QString& sentence, const QString& act) {
    asked << act << sentence;
    entry.state = store::RunState::kRunning, entry.waiting = false;
    emit window->shell().recorder.entryChanged(entry);
    return act == "Remove";
  };
  window->shell().stopRun("waits");
  EXPECT_EQ(asked, (QStringList{"Remove", "Take \"one\" out of the queue? It has not begun, and nothing of it stays.", "Stop",
                                "Stop \"one\"? What it has recorded stays; it can go on later only from a checkpoint."}));
}

TEST_F(PageActions, EscapeInTheSearchOfTheLogLeavesOnlyTheSearch) {
  open(2);
  window->openRun(madeRow(1).id);
  auto* search = on<QLineEdit>(window->runPage(), "logSearch");
  search->setText("started");
  QKeyEvent asked(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
  asked.ignore();
  QApplication::sendEvent(search, &asked);
  EXPECT_TRUE(asked.isAccepted());  // else the page's shortcut gets it
  QKeyEvent pressed(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
  QApplication::sendEvent(search, &pressed);
  EXPECT_EQ(search->text(), "");
  EXPECT_EQ(window->page(), &window->runPage());
}

TEST_F(PageActions, OfTheRunMenuAreThoseOfThePage) {
  open(1);
  QMenu* menu = nullptr;
  QAction* start = nullptr;
  for (QMenu* each : window->findChildren<QMenu*>())
    for (QAction* action : each->actions())
      if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Return)) menu = each, start = action;
  ASSERT_NE(start, nullptr);
  const auto offered = [&] {
    emit menu->aboutToShow();
    const QString words = start->isVisible() ? start->text() : QString();
    emit menu->aboutToHide();
    return words;
  };
  EXPECT_EQ(offered(), "&New experiment");
  window->go(MainWindow::kSettings);
  EXPECT_EQ(offered(), "");
  EXPECT_TRUE(waitFor([start] { return start->isVisible(); }));  // its keys work on the next page
  window->openRun(madeRow(0).id);
  EXPECT_EQ(offered(), "");
  window->go(MainWindow::kClusters);
  EXPECT_EQ(offered(), "&Add host");
}

TEST_F(PageActions, AnOpenedDocumentIsShownFromItsTop) {
  open(0);
  window->go(MainWindow::kExperiments);
  QScrollBar* scroll = window->experiment().findChild<experiment::ExperimentForm*>()->findChild<QScrollArea*>()->verticalScrollBar();
  ASSERT_TRUE(waitFor([scroll] { return scroll->maximum() > 0; }));
  scroll->setValue(scroll->maximum());
  window->shell().newExperiment();
  EXPECT_EQ(scroll->value(), 0);
}

}  // namespace
}  // namespace paceline::tests
