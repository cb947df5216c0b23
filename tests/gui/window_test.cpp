#include <gtest/gtest.h>

#include <algorithm>

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QTest>
#include <QTimer>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "storage/store/store.h"
#include "tests/gui/fake_recorder.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Window {
  explicit Window(int runs = 0, int evaluationsOfTheLast = 5) {
    application();
    for (int i = 0; i < runs; ++i) storeRun(path(), madeRow(i), i == runs - 1 ? evaluationsOfTheLast : 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(path()));
    window->resize(1280, 800);
    window->show();
  }
  std::string path() const { return folder.path("store.db"); }

  TempFolder folder;
  std::unique_ptr<MainWindow> window;
};

TEST(MainWindow, EveryPageCanBeReachedByKeyboard) {
  Window w;
  for (int place = 0; place < 5; ++place) {
    QTest::keyClick(w.window.get(), static_cast<Qt::Key>(Qt::Key_1 + place), Qt::ControlModifier);
    QAction* action = nullptr;
    for (QAction* each : w.window->findChildren<QAction*>())
      if (each->shortcut() == QKeySequence(QString("Ctrl+%1").arg(place + 1))) action = each;
    ASSERT_NE(action, nullptr);
    action->trigger();
    EXPECT_FALSE(w.window->grab().isNull());
  }
}

TEST(MainWindow, AnEmptyStoreOffersTheFirstExperiment) {
  Window w;
  w.window->go(MainWindow::kRuns);
  ASSERT_TRUE(waitFor([&] { return w.window->shell().runs.loaded(); }));
  QPushButton* offer = nullptr;
  for (QPushButton* each : w.window->runsPage().findChildren<QPushButton*>())
    if (each->text() == "New experiment" && each->isVisible()) offer = each;
  ASSERT_NE(offer, nullptr);
  offer->click();
  EXPECT_EQ(w.window->page(), &w.window->experiment());
}

TEST(MainWindow, ARunThatWasChosenBeforeItsRowIsReadIsDrawn) {
  Window w(1);
  ASSERT_FALSE(w.window->shell().runs.loaded());
  w.window->compare().choose({madeRow(0).id});
  w.window->go(MainWindow::kCompare);
  w.window->compare().showFigure("accuracy");
  EXPECT_TRUE(waitFor([&] { return w.window->compare().comparison().figure().lines.size() == 1; }, 20));
}

TEST(MainWindow, ASpeedUpIsOverTheReferenceThatIsChosen) {
  Window w(3);  // ESync, SSGD, ASGD
  w.window->compare().choose({madeRow(0).id, madeRow(1).id, madeRow(2).id});
  w.window->go(MainWindow::kCompare);
  w.window->compare().showFigure("speedup");
  const auto isOver = [&](const char* reference) {
    return waitFor([&] { return w.window->compare().comparison().figure().y.title.starts_with(std::string("speed-up over ") + reference + " "); }, 20);
  };
  EXPECT_TRUE(isOver("SSGD"));
  auto* over = w.window->compare().findChild<QComboBox*>("speedupOver");
  ASSERT_TRUE(waitFor([&] { return over->count() == 4; }, 20));
  EXPECT_EQ(over->itemText(0), "SSGD (automatic)");
  over->setCurrentIndex(over->findData(QString::fromStdString(madeRow(2).id)));
  EXPECT_TRUE(isOver("ASGD"));
}

TEST(MainWindow, AComparisonIsCutAndSaysHowSureItIs) {
  Window w(3, 12);
  w.window->compare().choose({madeRow(0).id, madeRow(2).id});
  w.window->go(MainWindow::kCompare);
  w.window->compare().showFigure("accuracy");
  const compare::Comparison& comparison = w.window->compare().comparison();
  const auto says = [&](const QString& words) {
    return waitFor([&] { return std::ranges::any_of(w.window->compare().findChildren<QLabel*>(), [&](const QLabel* each) { return each->isVisible() && each->text().contains(words); }); }, 20);
  };
  EXPECT_TRUE(says("no spread is known"));
  auto* cut = w.window->compare().findChild<QComboBox*>("cutTo");
  cut->setFocus();
  QTest::keyClick(cut, Qt::Key_Down);  // Common time
  EXPECT_TRUE(says("Evaluations up to 5 s, as far as every run goes"));
  for (const Line& line : comparison.figure().lines) EXPECT_LE(line.x.back(), 5);
}

// Rows 0 and 4 are two seeds of ESync. A seed that is ticked later comes first; a reference that is ticked no more is still the one that was chosen.
TEST(MainWindow, AChosenReferenceNeverGivesWay) {
  Window w(5);
  const auto compared = [&](const std::vector<std::string>& runs) {
    w.window->compare().choose(runs);
    return waitFor([&] { return w.window->compare().comparison().summaries().size() == runs.size(); }, 20);
  };
  const auto id = [](int row) { return QString::fromStdString(madeRow(row).id); };
  w.window->go(MainWindow::kCompare);
  ASSERT_TRUE(waitFor([&] { return w.window->shell().runs.rowCount() == 5; }, 20));
  w.window->compare().showFigure("speedup");
  ASSERT_TRUE(compared({madeRow(1).id, madeRow(4).id}));
  auto* over = w.window->compare().findChild<QComboBox*>("speedupOver");
  over->setCurrentIndex(over->findData(id(4)));
  ASSERT_TRUE(compared({madeRow(0).id, madeRow(1).id, madeRow(4).id}));
  EXPECT_EQ(over->currentData().toString(), id(4));
  EXPECT_EQ(over->currentText(), "ESync");
  ASSERT_TRUE(compared({madeRow(1).id}));
  EXPECT_EQ(over->currentData().toString(), id(4));
  EXPECT_EQ(over->currentText(), "ESync (not ticked)");
  const std::vector<std::string>& notes = w.window->compare().comparison().figure().notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) { return note == "the reference ESync is not among the runs"; }));
  ASSERT_TRUE(compared({madeRow(1).id, madeRow(4).id}));
  EXPECT_EQ(over->currentText(), "ESync");
  EXPECT_EQ(over->count(), 3);
}

TEST(MainWindow, APictureOfNothingIsNotExported) {
  bool asked = false;
  Window w(1);
  w.window->go(MainWindow::kCompare);
  QTimer::singleShot(0, w.window.get(), [&asked] {
    if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) asked = true, dialog->reject();
  });
  w.window->compare().primary();
  EXPECT_FALSE(asked);
  EXPECT_EQ(w.window->bannerText(), "Nothing to export: no run is ticked.");
  w.window->compare().showFigure("consensus");
  w.window->compare().choose({madeRow(0).id});
  ASSERT_TRUE(waitFor([&w] { return w.window->compare().comparison().summaries().size() == 1; }));
  ASSERT_TRUE(w.window->compare().comparison().figure().empty());
  w.window->compare().primary();
  EXPECT_TRUE(w.window->bannerText().startsWith("Nothing to export: no ")) << w.window->bannerText().toStdString();
}

TEST(MainWindow, WhatIsNoStoreDoesNotTakeThePlaceOfOne) {
  Window w(1);
  w.window->go(MainWindow::kSettings);
  const QString other = QString::fromStdString(w.folder.path("notes.db"));
  QFile file(other);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write("These are notes, and no store.") > 0);
  file.close();
  QTimer::singleShot(0, w.window.get(), [&other] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(other);
    QMetaObject::invokeMethod(dialog, "accept");
  });
  w.window->page()->findChild<QPushButton*>("openStore")->click();
  EXPECT_TRUE(w.window->bannerText().contains("notes.db: is not a Paceline store")) << w.window->bannerText().toStdString();
  EXPECT_EQ(w.window->nextStore(), "");
  EXPECT_TRUE(w.window->isVisible());
}

TEST(MainWindow, StoppingARunThatIsUnderWayIsAsked) {
  Window w(2);
  w.window->openRun(madeRow(1).id);
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  entry.state = store::RunState::kRunning, entry.waiting = false;
  emit w.window->shell().recorder.queueRead({entry});
  QStringList asked;
  w.window->mayStop = [&asked](const QString& sentence, const QString& act) { return asked << act << sentence, false; };
  w.window->runPage().findChild<QPushButton*>("stopButton")->click();
  EXPECT_EQ(asked, (QStringList{"Stop", "Stop \"one\"? What it has recorded stays; it can go on later only from a checkpoint."}));
}

TEST(MainWindow, ARunThatEndsWhileStoppingItIsAskedIsLeftAlone) {
  Window w(2);
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  entry.state = store::RunState::kRunning, entry.waiting = false;
  emit w.window->shell().recorder.queueRead({entry});
  std::string selected = entry.run;
  w.window->mayStop = [&](const QString&, const QString&) {
    entry.ended = true, entry.state = store::RunState::kFinished;
    emit w.window->shell().recorder.entryChanged(entry);
    selected = "the next one";
    return true;
  };
  w.window->shell().stopRun(selected);
  bool answered = false;
  w.window->shell().recorder.ask([](recorder::Client&) {}, [&answered] { answered = true; });  // behind what stopping asked
  ASSERT_TRUE(waitFor([&answered] { return answered; }));
  EXPECT_EQ(w.window->bannerText(), "");
}

TEST(MainWindow, TrashCanBeUndone) {
  Window w(3);
  w.window->go(MainWindow::kRuns);
  ASSERT_TRUE(waitFor([&] { return w.window->shell().runs.rowCount() == 3; }));
  w.window->runsPage().selectFirst();
  w.window->runsPage().trashSelected();
  ASSERT_TRUE(waitFor([&] { return w.window->shell().runs.rowCount() == 2; }));
  for (QAction* each : w.window->findChildren<QAction*>())
    if (each->shortcut() == QKeySequence(QKeySequence::Undo)) each->trigger();
  EXPECT_TRUE(waitFor([&] { return w.window->shell().runs.rowCount() == 3; }));
}

TEST(MainWindow, AStoreThatIsLockedIsReadAndSaid) {
  application();
  const TempFolder folder{};
  const std::string path = folder.path("store.db");
  storeRun(path, madeRow(1), 5);
  auto other = std::make_unique<store::StoreWriter>(path);
  MainWindow window(QString::fromStdString(path));
  window.show();
  ASSERT_TRUE(waitFor([&] { return !window.bannerText().isEmpty(); }));
  EXPECT_TRUE(waitFor([&] { return window.shell().runs.rowCount() == 1; }));
  EXPECT_FALSE(window.experiment().findChild<QPushButton*>("runButton")->isEnabled());
  other.reset();
  EXPECT_TRUE(waitFor([&] { return window.bannerText().isEmpty(); }));
}

TEST(MainWindow, OpensAtAPlaceOfTheRailWhateverPlaceIsRemembered) {
  application();
  for (const int remembered : {-3, 99}) {
    QSettings().setValue("window/page", remembered);
    const Window w;
    int chosen = 0;
    for (const QAbstractButton* each : w.window->findChild<widgets::Rail*>()->findChildren<QAbstractButton*>()) chosen += each->isChecked() ? 1 : 0;
    EXPECT_EQ(chosen, 1) << remembered;
    EXPECT_EQ(QSettings().value("window/page").toInt(), remembered < 0 ? MainWindow::kClusters : MainWindow::kSettings);
  }
  QSettings().remove("window/page");
}

// The program, with a file of settings that holds no theme of ours. It has opened its window when it calls the recorder.
TEST(Workbench, OpensWhateverThemeIsRemembered) {
  application();
  const TempFolder folder{};
  const QString settings = QString::fromStdString(folder.path("config")), store = QString::fromStdString(folder.path("store.db"));
  ASSERT_TRUE(QDir().mkpath(settings + "/paceline"));
  figure::writeFile(settings + "/paceline/paceline.conf", "[look]\nmode=7\n");
  FakeRecorder recorder(store.toStdString());
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_CONFIG_HOME", settings);
  program.setProcessEnvironment(environment);
  program.start(PACELINE_BIN_DIR "/paceline-workbench", {"--store", store});
  ASSERT_TRUE(waitFor([&] { return recorder.hellos() > 0 || program.state() == QProcess::NotRunning; }));
  EXPECT_EQ(recorder.hellos(), 1) << program.readAllStandardError().toStdString();
  program.terminate();
  EXPECT_TRUE(program.waitForFinished());
}

TEST(MainWindow, TheStoreThatIsOpenIsNotOpenedAgain) {
  Window w(1);
  w.window->go(MainWindow::kSettings);
  QTimer::singleShot(0, w.window.get(), [&w] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(QString::fromStdString(w.path()));
    QMetaObject::invokeMethod(dialog, "accept");
  });
  w.window->page()->findChild<QPushButton*>("openStore")->click();
  EXPECT_TRUE(w.window->bannerText().contains("store.db is the store that is open")) << w.window->bannerText().toStdString();
  EXPECT_TRUE(w.window->isVisible());
}

// It starts when this one has gone, with the draft that this one leaves.
TEST(MainWindow, AnotherStoreIsOpenedOnceTheWindowHasClosed) {
  Window w(1);
  w.window->go(MainWindow::kSettings);
  const QString other = QString::fromStdString(w.folder.path("other.db"));
  QTimer::singleShot(0, w.window.get(), [&other] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(other);
    QMetaObject::invokeMethod(dialog, "accept");
  });
  w.window->page()->findChild<QPushButton*>("openStore")->click();
  EXPECT_EQ(w.window->nextStore(), other);
  EXPECT_FALSE(w.window->isVisible());
  QSettings().remove("store");
}

TEST(MainWindow, AFailureStaysWhateverElseIsSaid) {
  Window w(1);
  ASSERT_TRUE(waitFor([&] { return w.window->shell().runs.rowCount() == 1; }));
  w.window->go(MainWindow::kRuns);
  w.window->shell().tell("The disk is full.");
  w.window->shell().moveRuns({madeRow(0).id}, true);
  EXPECT_TRUE(waitFor([&] { return w.window->bannerText().contains("Moved 1 run to the trash"); })) << w.window->bannerText().toStdString();
  EXPECT_TRUE(w.window->bannerText().contains("The disk is full.")) << w.window->bannerText().toStdString();
}

TEST(MainWindow, KeysThatAreHeldDownDoTheirWorkOnce) {
  Window w(1);
  w.window->activateWindow();
  ASSERT_TRUE(waitFor([&] { return w.window->isActiveWindow(); }));
  const auto press = [&w](int key, bool repeated) { qt_sendShortcutOverrideEvent(w.window.get(), 0, key, Qt::ControlModifier, {}, repeated); };
  w.window->go(MainWindow::kRuns);
  press(Qt::Key_Return, true);  // else it is a new experiment
  EXPECT_EQ(w.window->page(), &w.window->runsPage());
  press(Qt::Key_Return, false);
  EXPECT_EQ(w.window->page(), &w.window->experiment());
  experiment::ExperimentDraft& draft = w.window->experiment().draft();
  const int before = draft.spec().batchSize;
  for (int i = 0; i < 2; ++i) draft.edit([](RunSpec& spec) { ++spec.batchSize; });
  for (const bool repeated : {false, true}) press(Qt::Key_Z, repeated);
  EXPECT_EQ(draft.spec().batchSize, before);
}

// As one in the trash, whose page is open.
TEST(MainWindow, ARunThatIsNotListedIsRunAgainFromItsPage) {
  const TempFolder folder{};
  application();
  store::RunRow row = madeRow(0);
  experiment::ExperimentDraft any;
  row.specText = any.json().toStdString();
  storeRun(folder.path("store.db"), row, 5);
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.openRun(row.id);
  ASSERT_TRUE(waitFor([&] { return !window.runPage().snapshot().run.specText.empty(); }));
  window.shell().runs.setTrashed(true);
  window.shell().cloneRun(row.id);
  EXPECT_EQ(window.page(), &window.experiment());
  EXPECT_EQ(window.experiment().draft().json(), any.json());
}

TEST(MainWindow, EscapeLeavesTheRunThatIsShown) {
  Window w(2);
  w.window->openRun(madeRow(1).id);
  for (QShortcut* each : w.window->page()->findChildren<QShortcut*>())
    if (each->key() == QKeySequence(Qt::Key_Escape)) emit each->activated();
  EXPECT_EQ(w.window->page(), &w.window->runsPage());
}

TEST(MainWindow, OnlyARunThatIsShownAndAtWorkCanBeStopped) {
  Window w(2);
  const QAction* stop = nullptr;
  QMenu* menu = nullptr;
  for (QMenu* each : w.window->findChildren<QMenu*>())
    for (QAction* action : each->actions())
      if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Period)) stop = action, menu = each;
  ASSERT_NE(stop, nullptr);
  w.window->go(MainWindow::kRuns);
  emit menu->aboutToShow();
  EXPECT_FALSE(stop->isEnabled());
  w.window->openRun(madeRow(1).id);
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  entry.state = store::RunState::kRunning, entry.waiting = false;
  emit w.window->shell().recorder.queueRead({entry});
  emit menu->aboutToShow();
  EXPECT_TRUE(stop->isEnabled());
}

TEST(MainWindow, OpensAnEndedRunWithItsNumbers) {
  Window w(2);
  w.window->openRun(madeRow(1).id);
  ASSERT_TRUE(waitFor([&] { return w.window->runPage().snapshot().accuracy.size() == 5; }));
  EXPECT_EQ(w.window->runPage().snapshot().nodes.size(), 3u);
}

}  // namespace
}  // namespace paceline::tests
