// What the window tells at its lower edge: a message that was followed is gone, a hint that was dismissed does not come back, an edit that changed more than it says can be undone there.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "app/ui/experiment/experiment_page.h"
#include "app/ui/experiment/topology_preview.h"
#include "app/ui/first_minute.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/diverged_dialog.h"
#include "app/ui/runs/run_page.h"
#include "tests/gui/fake_recorder.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

struct Told : ::testing::Test {
  void SetUp() override {
    window->resize(1280, 800);
    window->show();
    window->shell().catalogue.use(smallCatalog());
  }
  std::string stored() {
    storeRun(folder.path("store.db"), madeRow(1), 3);
    return folder.path("store.db");
  }
  QPushButton* button(const QString& words) {
    for (QPushButton* each : window->findChildren<QPushButton*>())
      if (each->text() == words && each->isVisible()) return each;
    ADD_FAILURE() << "no button says " << words.toStdString() << "; the window says: " << window->bannerText().toStdString();
    return nullptr;
  }

  QApplication& application = tests::application();
  TempFolder folder;
  const std::string path = stored();
  FakeRecorder recorder{path};
  std::unique_ptr<MainWindow> window = std::make_unique<MainWindow>(QString::fromStdString(path));
};

TEST_F(Told, AMessageThatWasFollowedIsGone) {
  recorder::Entry entry{.id = 1, .run = madeRow(1).id, .name = "one"};
  emit window->shell().queue.diverged(entry);
  ASSERT_NE(window->bannerText(), "");
  QTest::mouseClick(button("Show the records before it"), Qt::LeftButton);
  EXPECT_EQ(window->page(), &window->runPage());
  EXPECT_NE(window->runPage().findChild<runs::DivergedDialog*>(), nullptr);
  EXPECT_EQ(window->bannerText(), "");
}

TEST_F(Told, AnEdgeThatIsDrawnIntoAPresetSaysSoAndCanBeUndone) {
  experiment::ExperimentPage& page = window->experiment();
  ASSERT_TRUE(page.open(R"({"paceline": 1, "name": "ring", "algorithm": {"id": "pdmm_isvr"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "topology": {"id": "ring"},
    "nodes": [{"id": "w0"}, {"id": "w1"}, {"id": "w2"}, {"id": "w3"}], "stop": {"rounds": 5}})", "a ring"));
  window->go(MainWindow::kExperiments);
  auto* preview = page.findChild<experiment::TopologyPreview*>();
  QTest::mousePress(preview, Qt::LeftButton, Qt::NoModifier, preview->place(0).toPoint());
  QTest::mouseRelease(preview, Qt::LeftButton, Qt::NoModifier, preview->place(2).toPoint());
  EXPECT_EQ(page.draft().spec().topology.id, "edges");
  EXPECT_EQ(window->bannerText(), "The topology is now a list of edges, as drawn; it was Ring");
  QTest::mouseClick(button("Undo"), Qt::LeftButton);
  EXPECT_EQ(page.draft().spec().topology.id, "ring");
  EXPECT_TRUE(page.draft().spec().edges.empty());
}

// One of the first minute, in a window of its own on the same store, which sees its run begin.
struct Hinted {
  Hinted(MainWindow& window, const std::string& run)
      : first(window.shell(), {.runnable = [](const std::string&) { return std::vector<RunSpec>(2); }, .onRunPage = [] { return true; }, .shownRun = [run] { return run; }, .say = {}}, &hints, nullptr) {
    first.watch();
    emit window.shell().queue.submitted(run);
    recorder::Entry entry{.id = 1, .run = run, .name = "First minute SSGD", .suite = "First minute"};
    entry.waiting = false, entry.state = store::RunState::kRunning;
    emit window.shell().recorder.queueRead({entry});
  }
  void next() { QTest::mouseClick(hints.findChild<QPushButton*>("act"), Qt::LeftButton); }
  void dismiss() { QTest::mouseClick(hints.findChild<QToolButton*>(), Qt::LeftButton); }

  widgets::Banner hints;
  FirstMinute first;
};

TEST_F(Told, AHintThatWasDismissedDoesNotComeBack) {
  Hinted one(*window, madeRow(1).id), other(*window, madeRow(1).id);
  EXPECT_TRUE(one.hints.text().startsWith("Hint 1 of 3")) << one.hints.text().toStdString();
  for (int i = 0; i < 2; ++i) other.next();
  EXPECT_TRUE(other.hints.text().startsWith("Hint 3 of 3")) << other.hints.text().toStdString();
  other.next();
  EXPECT_EQ(other.hints.text(), "");
  one.next();  // it still showed the first: nothing comes back for that
  EXPECT_EQ(one.hints.text(), "");
  EXPECT_EQ(Hinted(*window, madeRow(1).id).hints.text(), "");  // the program started again
}

TEST_F(Told, HintsAreDismissedOfEachStore) {
  Hinted(*window, madeRow(1).id).dismiss();
  EXPECT_EQ(Hinted(*window, madeRow(1).id).hints.text(), "");
  const std::string another = folder.path("another.db");
  storeRun(another, madeRow(1), 3);
  FakeRecorder itsRecorder(another);
  MainWindow itsWindow(QString::fromStdString(another));
  itsWindow.shell().catalogue.use(smallCatalog());
  EXPECT_TRUE(Hinted(itsWindow, madeRow(1).id).hints.text().startsWith("Hint 1 of 3"));
}

}  // namespace
}  // namespace paceline::tests
