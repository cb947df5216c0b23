#include <gtest/gtest.h>

#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "app/ui/runs/runs_page.h"
#include "storage/store/store.h"
#include "tests/gui/fake_recorder.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Window {
  explicit Window(int runs = 0) {
    testing::application();
    for (int i = 0; i < runs; ++i) testing::storeRun(path(), testing::madeRow(i), 5);
    window = std::make_unique<MainWindow>(QString::fromStdString(path()));
    window->resize(1280, 800);
    window->show();
  }
  std::string path() const { return folder.path("store.db"); }

  testing::TempFolder folder;
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
  ASSERT_TRUE(testing::waitFor([&] { return w.window->shell().runs.loaded(); }));
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
  w.window->compare().choose({testing::madeRow(0).id});
  w.window->go(MainWindow::kCompare);
  w.window->compare().showFigure("accuracy");
  EXPECT_TRUE(testing::waitFor([&] { return w.window->compare().comparison().figure().lines.size() == 1; }, 20));
}

TEST(MainWindow, TrashCanBeUndone) {
  Window w(3);
  w.window->go(MainWindow::kRuns);
  ASSERT_TRUE(testing::waitFor([&] { return w.window->shell().runs.rowCount() == 3; }));
  w.window->runsPage().selectFirst();
  w.window->runsPage().trashSelected();
  ASSERT_TRUE(testing::waitFor([&] { return w.window->shell().runs.rowCount() == 2; }));
  for (QAction* each : w.window->findChildren<QAction*>())
    if (each->shortcut() == QKeySequence(QKeySequence::Undo)) each->trigger();
  EXPECT_TRUE(testing::waitFor([&] { return w.window->shell().runs.rowCount() == 3; }));
}

TEST(MainWindow, AStoreThatIsLockedIsReadAndSaid) {
  testing::application();
  const testing::TempFolder folder;
  const std::string path = folder.path("store.db");
  testing::storeRun(path, testing::madeRow(1), 5);
  auto other = std::make_unique<store::StoreWriter>(path);
  MainWindow window(QString::fromStdString(path));
  window.show();
  ASSERT_TRUE(testing::waitFor([&] { return !window.bannerText().isEmpty(); }));
  EXPECT_TRUE(testing::waitFor([&] { return window.shell().runs.rowCount() == 1; }));
  EXPECT_FALSE(window.experiment().findChild<QPushButton*>("runButton")->isEnabled());
  other.reset();
  EXPECT_TRUE(testing::waitFor([&] { return window.bannerText().isEmpty(); }));
}

TEST(MainWindow, OpensAtAPlaceOfTheRailWhateverPlaceIsRemembered) {
  testing::application();
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
  testing::application();
  const testing::TempFolder folder;
  const QString settings = QString::fromStdString(folder.path("config")), store = QString::fromStdString(folder.path("store.db"));
  ASSERT_TRUE(QDir().mkpath(settings + "/paceline"));
  figure::writeFile(settings + "/paceline/paceline.conf", "[look]\nmode=7\n");
  testing::FakeRecorder recorder(store.toStdString());
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_CONFIG_HOME", settings);
  program.setProcessEnvironment(environment);
  program.start(PACELINE_BIN_DIR "/paceline-workbench", {"--store", store});
  ASSERT_TRUE(testing::waitFor([&] { return recorder.hellos() > 0 || program.state() == QProcess::NotRunning; }));
  EXPECT_EQ(recorder.hellos(), 1) << program.readAllStandardError().toStdString();
  program.terminate();
  EXPECT_TRUE(program.waitForFinished());
}

TEST(MainWindow, OpensAnEndedRunWithItsNumbers) {
  Window w(2);
  w.window->openRun(testing::madeRow(1).id);
  ASSERT_TRUE(testing::waitFor([&] { return w.window->runPage().snapshot().accuracy.size() == 5; }));
  EXPECT_EQ(w.window->runPage().snapshot().nodes.size(), 3u);
}

}  // namespace
}  // namespace paceline::tests
