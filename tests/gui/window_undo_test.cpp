// Undo is of the page that is seen, says what it undid, and covers runs, hosts and drafts.
#include <gtest/gtest.h>

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include "app/models/words.h"
#include "app/ui/main_window.h"
#include "engine/core/base/error.h"
#include "storage/store/store.h"
#include "tests/gui/fake_hosts.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Undo : ::testing::Test {
  QApplication& application = tests::application();  // first: widgets are members
  void SetUp() override {
    fake->add("gpu1");
    for (int i = 0; i < 2; ++i) storeRun(folder.path("store.db"), madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), servicesOf(fake));
    window->resize(1280, 800);
    window->show();
    window->activateWindow();
    ASSERT_TRUE(waitFor([this] { return window->isActiveWindow() && window->shell().runs.rowCount() == 2 && window->shell().hosts.find("gpu1"); }));
  }
  void press(QKeySequence::StandardKey key) {
    for (QAction* each : window->findChildren<QAction*>())
      if (each->shortcut() == QKeySequence(key) && each->isEnabled()) each->trigger();
  }
  QString noted() const { return window->bannerText(); }
  void removeHost() {
    window->go(MainWindow::kClusters);
    window->clusters().select("gpu1");
    window->clusters().findChild<QPushButton*>("removeHost")->click();
    ASSERT_TRUE(waitFor([this] { return noted().contains("Removed host gpu1"); }));
  }
  experiment::ExperimentDraft& draft() { return window->experiment().draft(); }
  void openTemplate(const char* name) {
    window->experiment().findChild<QPushButton*>("templates")->menu()->findChild<QAction*>(name)->trigger();
  }
  // A field of the details of the first run of the list.
  template <class Widget>
  Widget* detail(const char* accessibleName) {
    for (Widget* each : window->runsPage().findChildren<Widget*>())
      if (each->accessibleName() == accessibleName) return each;
    return nullptr;
  }
  const store::RunRow& row() { return window->shell().runs.find(run)->row; }
  void selectRun() {
    window->go(MainWindow::kRuns);
    window->runsPage().selectFirst();
    for (int i = 0; i < 2; ++i)
      if (const runs::RunItem* item = window->shell().runs.item(i); qtext(item->row.name) == detail<QLineEdit>("Name")->text()) run = item->row.id;
    ASSERT_FALSE(run.empty());
  }

  TempFolder folder;
  std::shared_ptr<FakeHosts> fake = fakeHosts();
  std::unique_ptr<MainWindow> window;
  std::string run;
};

TEST_F(Undo, OfAHostIsNotForTheRunsPage) {
  removeHost();
  window->go(MainWindow::kRuns);
  EXPECT_EQ(noted(), "");  // its note belongs to the other page
  press(QKeySequence::Undo);
  EXPECT_TRUE(window->shell().undo.hosts.canUndo());
  window->go(MainWindow::kClusters);
  press(QKeySequence::Undo);
  EXPECT_TRUE(waitFor([this] { return window->shell().hosts.find("gpu1") != nullptr; }));
}

TEST_F(Undo, SaysWhatItUndidInThePlaceOfTheOffer) {
  removeHost();
  press(QKeySequence::Undo);
  EXPECT_EQ(noted(), "Undone: removing host gpu1");
  ASSERT_TRUE(waitFor([this] { return window->shell().hosts.find("gpu1") != nullptr; }));
  press(QKeySequence::Redo);
  EXPECT_EQ(noted(), "Done again: removing host gpu1");
  EXPECT_TRUE(waitFor([this] { return window->shell().hosts.find("gpu1") == nullptr; }));
}

TEST_F(Undo, TakesBackATemplateOverADraft) {
  window->go(MainWindow::kExperiments);
  draft().edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const experiment::DraftState mine = draft().state();
  openTemplate("esync_heterogeneous.json");
  EXPECT_TRUE(noted().contains("in the place of your draft")) << noted().toStdString();
  ASSERT_NE(draft().state(), mine);
  press(QKeySequence::Undo);
  EXPECT_EQ(draft().state(), mine);
}

TEST_F(Undo, TakesBackANewExperiment) {
  window->go(MainWindow::kRuns);
  const experiment::DraftState fresh = draft().state();
  draft().edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const experiment::DraftState mine = draft().state();
  press(QKeySequence::New);
  EXPECT_EQ(window->page(), &window->experiment());
  EXPECT_EQ(draft().state(), fresh);
  EXPECT_EQ(noted(), "Opened a new experiment in the place of your draft");
  press(QKeySequence::Undo);
  EXPECT_EQ(draft().state(), mine);
  EXPECT_EQ(noted(), "Undone: opening a new experiment");
}

TEST_F(Undo, TakesBackATemplateOverADraftAfterARestart) {
  const QString drafts = QString::fromStdString(folder.path("drafts"));
  window->experiment().keepDraft(drafts);
  draft().edit([](RunSpec& spec) { spec.notes = "a week's work"; });
  const experiment::DraftState mine = draft().state();
  openTemplate("esync_heterogeneous.json");
  window.reset();
  window = std::make_unique<MainWindow>(QString::fromStdString(folder.path("store.db")), servicesOf(fake));
  window->experiment().keepDraft(drafts);
  ASSERT_NE(draft().state(), mine);
  window->go(MainWindow::kExperiments);
  press(QKeySequence::Undo);
  EXPECT_TRUE(noted().startsWith("Undone: opening the template")) << noted().toStdString();
  EXPECT_EQ(draft().state(), mine);
}

TEST_F(Undo, OfATextFieldOfTheFormIsTheDrafts) {
  window->go(MainWindow::kExperiments);
  const std::string before = draft().spec().name;
  auto* name = window->experiment().findChild<QLineEdit*>("name");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "mine");
  ASSERT_EQ(draft().spec().name, "mine");
  QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(draft().spec().name, before);
  EXPECT_EQ(name->text(), qtext(before));
}

TEST_F(Undo, TakesBackARename) {
  selectRun();
  const std::string before = row().name;
  auto* name = detail<QLineEdit>("Name");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "the good one");
  QTest::keyClick(name, Qt::Key_Return);
  ASSERT_TRUE(waitFor([this] { return row().name == "the good one"; }));
  press(QKeySequence::Undo);
  EXPECT_EQ(noted(), QString("Undone: renaming \"%1\" to \"the good one\"").arg(qtext(before)));
  EXPECT_TRUE(waitFor([&] { return row().name == before && name->text() == qtext(before); }));
}

// The fields have line ends and commas of their own.
TEST_F(Undo, AVisitOfTheFieldsWithoutTypingWritesNothing) {
  selectRun();
  const std::string notes = "first\r\nsecond";
  const std::vector<std::string> tags{"loss, then accuracy"};
  window->shell().recorder.ask([this, notes, tags, name = row().name](recorder::Client& client) { client.setText(run, name, notes, tags); });
  ASSERT_TRUE(waitFor([&] { return row().notes == notes && row().tags == tags; }));
  detail<QPlainTextEdit>("Notes")->setFocus();
  detail<QLineEdit>("Tags")->setFocus();
  detail<QLineEdit>("Name")->setFocus();
  detail<QPlainTextEdit>("Notes")->setFocus();
  EXPECT_FALSE(window->shell().undo.runs.canUndo()) << window->shell().undo.runs.undoText().toStdString();
}

TEST_F(Undo, SaysANameWithAnAmpersandInTheMenu) {
  window->go(MainWindow::kRuns);
  window->shell().undo.runs.push(new QUndoCommand("renaming \"R&D\""));
  QStringList texts;
  for (const QAction* menu : window->menuBar()->actions()) {
    emit menu->menu()->aboutToShow();
    for (const QAction* each : menu->menu()->actions()) texts << each->text();
  }
  EXPECT_TRUE(texts.contains("&Undo renaming \"R&&D\"")) << texts.join('|').toStdString();
  EXPECT_TRUE(texts.contains("&Redo"));
}

TEST_F(Undo, TakesBackWhatTheTrashGaveBack) {
  selectRun();
  window->runsPage().trashSelected();
  runs::RunsModel& runs = window->shell().runs;
  ASSERT_TRUE(waitFor([&] { return runs.rowCount() == 1; }));
  window->runsPage().findChild<QPushButton*>("showTrash")->click();
  ASSERT_TRUE(waitFor([&] { return runs.trashed() && runs.rowCount() == 1 && runs.find(run); }));
  window->runsPage().selectFirst();
  auto* restore = window->runsPage().findChild<QPushButton*>("restoreSelected");
  restore->setFocus();
  QTest::keyClick(restore, Qt::Key_Space);
  ASSERT_TRUE(waitFor([&] { return runs.rowCount() == 0 && noted() == "Restored 1 run"; })) << noted().toStdString();
  EXPECT_EQ(QApplication::focusWidget(), &window->runsPage());  // not the button of the message: another press is not for that
  press(QKeySequence::Undo);
  EXPECT_EQ(noted(), "Undone: restoring 1 run");
  EXPECT_TRUE(waitFor([&] { return runs.rowCount() == 1; }));
}

// A store that another program holds.
struct Refused : Undo {
  void SetUp() override {
    Undo::SetUp();
    window.reset();
    store::RunRow row = madeRow(5);
    row.specText = "{}", run = row.id;
    const std::string path = folder.path("store.db");
    const auto taken = [&] {  // once the recorder has left
      try {
        storeRun(path, row, 5), holder = std::make_unique<store::StoreWriter>(path);
      } catch (const Error&) {
      }
      return holder != nullptr;
    };
    ASSERT_TRUE(waitFor(taken));
    window = std::make_unique<MainWindow>(QString::fromStdString(path), servicesOf(fake));
    window->show();
    window->go(MainWindow::kRuns);
    QObject::connect(&window->shell().recorder, &RecorderLink::failed, window.get(), [this] { ++failures; });
    ASSERT_TRUE(waitFor([this] { return window->shell().runs.rowCount() == 3 && !window->shell().recorder.trouble().isEmpty(); }));
  }
  std::unique_ptr<store::StoreWriter> holder;
  int failures = 0;
};

TEST_F(Refused, IsSaidAndIsNoStep) {
  QUndoStack& steps = window->shell().undo.runs;
  const QString why = window->shell().recorder.trouble();
  window->shell().rerun(run);
  EXPECT_TRUE(noted().contains(QString("\"%1\" was not started: %2").arg(qtext(madeRow(5).name), why))) << noted().toStdString();
  EXPECT_EQ(window->page(), &window->runsPage());
  steps.push(new QUndoCommand("renaming \"x\""));
  press(QKeySequence::Undo);
  EXPECT_TRUE(noted().contains("Nothing was undone: " + why)) << noted().toStdString();
  EXPECT_EQ(steps.index(), 1);  // it waits
  window->shell().moveRuns({run}, true);
  ASSERT_TRUE(waitFor([this] { return failures == 1; }));
  EXPECT_EQ(steps.count(), 1);
  EXPECT_FALSE(noted().contains("Moved")) << noted().toStdString();
}

TEST_F(Undo, TakesBackNotesAndLeavesALaterName) {
  selectRun();
  auto* notes = detail<QPlainTextEdit>("Notes");
  notes->setFocus();
  QTest::keyClicks(notes, "odd");
  detail<QLineEdit>("Name")->setFocus();  // leaving the field writes it
  ASSERT_TRUE(waitFor([this] { return row().notes == "odd"; }));
  window->shell().recorder.ask([this, tags = row().tags](recorder::Client& client) { client.setText(run, "by another", "odd", tags); });
  ASSERT_TRUE(waitFor([this] { return row().name == "by another"; }));
  press(QKeySequence::Undo);
  EXPECT_TRUE(waitFor([this] { return row().notes.empty(); }));
  EXPECT_EQ(row().name, "by another");
}

}  // namespace
}  // namespace paceline::tests
