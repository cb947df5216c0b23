// What a person does first: take a template, mend a mistake, press Run, watch accuracy arrive, compare, export.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <cstdlib>

#include "app/ui/compare/compare_page.h"
#include "app/ui/experiment/experiment_page.h"
#include "app/models/words.h"
#include "app/predict/predict.h"
#include "app/ui/main_window.h"
#include "app/ui/runs/run_page.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

void type(QLineEdit* field, const char* text) {
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, text);
}

// Programs, supervisor and store of this test alone.
struct Surroundings {
  Surroundings() {
    setenv("PACELINE_AGENT_DIR", folder.path("agent").c_str(), 1);
    setenv("PACELINE_AGENT_IDLE_S", "5", 1);  // the supervisor does not outlive the test for long
    application();
  }
  TempFolder folder;
};

// The experiment page with the quick template, ready to run; nullptr: it never was.
QPushButton* readyToRun(MainWindow& window) {
  window.show();
  window.go(MainWindow::kExperiments);
  waitFor([&] { return window.shell().catalogue.get() != nullptr || !window.shell().catalogue.error().isEmpty(); });
  window.experiment().findChild<QPushButton*>("templates")->menu()->findChild<QAction*>("quick_synthetic.json")->trigger();
  auto* run = window.experiment().findChild<QPushButton*>("runButton");
  return waitFor([&] { return run->isEnabled(); }, 20) ? run : nullptr;
}

TEST(Workbench, FromTheFormToAPdf) {
  const Surroundings here;
  const TempFolder& folder = here.folder;
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  QPushButton* run = readyToRun(window);
  ASSERT_NE(run, nullptr) << window.shell().catalogue.error().toStdString();
  experiment::ExperimentPage& page = window.experiment();

  auto* batch = page.findChild<QLineEdit*>("batchSize");
  type(batch, "0");
  ASSERT_TRUE(waitFor([&] { return !run->isEnabled(); }));
  EXPECT_TRUE(page.draft().findingAt("/batch_size").has_value());
  EXPECT_TRUE(run->toolTip().contains("0")) << run->toolTip().toStdString();
  type(batch, "16");
  ASSERT_TRUE(waitFor([&] { return run->isEnabled(); })) << run->toolTip().toStdString();

  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window.bannerText().contains("has started") || window.bannerText().contains("has ended"); }, 120)) << window.bannerText().toStdString();
  EXPECT_EQ(window.page(), &page);  // the page that is seen stays
  ASSERT_TRUE(showStarted(window)) << window.bannerText().toStdString();
  ASSERT_TRUE(waitFor([&] { return window.runPage().snapshot().accuracy.size() >= 2; }, 120))
      << window.runPage().snapshot().run.error;
  ASSERT_TRUE(waitFor([&] { return store::isEnded(window.runPage().snapshot().run.state); }, 120));
  const runs::LiveSnapshot shot = window.runPage().snapshot();  // newer ones take its place while events are handled
  EXPECT_EQ(shot.run.state, store::RunState::kFinished) << shot.run.error;
  EXPECT_EQ(shot.rounds, 60);
  EXPECT_GT(shot.accuracyBest.value_or(0), 0.2);  // ten classes

  ASSERT_TRUE(waitFor([&] { return !window.shell().queue.busy(); }));
  window.compare().choose({shot.run.id});
  window.go(MainWindow::kCompare);
  window.compare().showFigure("accuracy");
  ASSERT_TRUE(waitFor([&] { return window.compare().comparison().figure().lines.size() == 1; }));
  const QString pdf = QString::fromStdString(folder.path("accuracy.pdf"));
  window.compare().exportTo(pdf);
  QFile file(pdf);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.read(4) == "%PDF");
}

TEST(Workbench, StopEndsARunAndSaysSo) {
  const Surroundings here;
  MainWindow window(QString::fromStdString(here.folder.path("store.db")));
  QPushButton* run = readyToRun(window);
  ASSERT_NE(run, nullptr) << window.shell().catalogue.error().toStdString();
  type(window.experiment().findChild<QLineEdit*>("stopRounds"), "10000000");
  window.experiment().draft().validateNow();
  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(showStarted(window)) << window.bannerText().toStdString();
  ASSERT_TRUE(waitFor([&] { return window.runPage().snapshot().rounds > 3; }, 120));
  window.mayStop = nullptr;
  auto* stop = window.runPage().findChild<QPushButton*>("stopButton");
  ASSERT_TRUE(stop->isVisible());
  QTest::mouseClick(stop, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return store::isEnded(window.runPage().snapshot().run.state); }, 120));
  EXPECT_EQ(window.runPage().snapshot().run.state, store::RunState::kStopped) << window.runPage().snapshot().run.error;
  EXPECT_GT(window.runPage().snapshot().accuracy.size(), 0u);
  EXPECT_TRUE(waitFor([&] { return !window.shell().queue.busy(); }));
  EXPECT_FALSE(window.runPage().findChild<QPushButton*>("resumeButton")->isVisible());  // it made no checkpoints
}

TEST(Workbench, AStoppedRunGoesOnFromItsCheckpoint) {
  const Surroundings here;
  MainWindow window(QString::fromStdString(here.folder.path("store.db")));
  QPushButton* run = readyToRun(window);
  ASSERT_NE(run, nullptr) << window.shell().catalogue.error().toStdString();
  type(window.experiment().findChild<QLineEdit*>("stopRounds"), "10000000");
  type(window.experiment().findChild<QLineEdit*>("checkpointEvery"), "5");
  window.experiment().draft().validateNow();
  QTest::mouseClick(run, Qt::LeftButton);
  const auto& shot = [&]() -> const runs::LiveSnapshot& { return window.runPage().snapshot(); };
  ASSERT_TRUE(showStarted(window)) << window.bannerText().toStdString();
  ASSERT_TRUE(waitFor([&] { return shot().rounds > 12; }, 120));
  window.mayStop = nullptr;
  QTest::mouseClick(window.runPage().findChild<QPushButton*>("stopButton"), Qt::LeftButton);
  auto* resume = window.runPage().findChild<QPushButton*>("resumeButton");
  ASSERT_TRUE(waitFor([&] { return resume->isVisible(); }, 120)) << shot().run.error;
  const std::string stopped = shot().run.id;
  const std::int64_t before = shot().rounds;
  QTest::mouseClick(resume, Qt::LeftButton);
  auto* rounds = window.runPage().findChild<QLineEdit*>("resumeRounds");
  ASSERT_NE(rounds, nullptr);
  EXPECT_EQ(rounds->text(), "10000000");
  auto* go = window.runPage().findChild<QPushButton*>("resumeGo");
  rounds->setText("many");
  QTest::mouseClick(go, Qt::LeftButton);
  EXPECT_EQ(window.runPage().findChild<QLabel*>("resumeProblem")->text(), "Rounds must be a number above 0; it is \"many\".");
  rounds->setText(QString::number(before + 20));
  QTest::mouseClick(go, Qt::LeftButton);
  ASSERT_TRUE(showStarted(window)) << window.bannerText().toStdString();
  ASSERT_TRUE(waitFor([&] { return shot().run.id != stopped && store::isEnded(shot().run.state) && !window.shell().queue.busy(); }, 120)) << window.bannerText().toStdString();
  EXPECT_EQ(shot().run.state, store::RunState::kFinished) << shot().run.error;
  EXPECT_GE(shot().rounds, before + 20);
  EXPECT_NE(shot().run.versions.find(stopped), std::string::npos);
}

// Steps and links are emulated, so that any machine is as fast. What is told beside the form before Run is kept with the run; its page tells what came of it, and why it was slow; the remedy
// is applied by mouse and gains what it says.
TEST(Workbench, PredictsARunExplainsItAndGainsWhatItSays) {
  const Surroundings here;
  MainWindow window(QString::fromStdString(here.folder.path("store.db")));
  window.resize(1280, 800);
  QPushButton* run = readyToRun(window);
  ASSERT_NE(run, nullptr) << window.shell().catalogue.error().toStdString();
  experiment::ExperimentPage& page = window.experiment();
  ASSERT_TRUE(page.open(R"({"paceline": 1, "name": "straggler", "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "batch_size": 16,
    "evaluate": {"every_rounds": 0, "on": "w0"}, "stop": {"rounds": 30}, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "role": "worker", "emulate": {"step_s": 0.05}},
    {"id": "w1", "role": "worker", "emulate": {"step_s": 0.05}}, {"id": "w2", "role": "worker", "emulate": {"step_s": 0.2}}]})", "a straggler"));
  const auto predicted = [&] { return waitFor([&] { return page.prediction().prediction() && !page.prediction().pending() && !page.draft().validatesSoon(); }, 120); };
  const auto ran = [&]() -> double {  // samples/s
    QTest::mouseClick(run, Qt::LeftButton);
    if (!showStarted(window)) return 0;
    if (!waitFor([&] { return store::isEnded(window.runPage().snapshot().run.state) && !window.shell().queue.busy(); }, 120)) return 0;
    waitFor([&] { return window.runPage().why().settled(); }, 120);
    return window.runPage().why().diagnosis() ? window.runPage().why().diagnosis()->samplesPerSecond : 0;
  };
  ASSERT_TRUE(predicted()) << page.prediction().problem().toStdString();
  const double told = page.prediction().prediction()->samplesPerSecond;
  const double before = ran();
  EXPECT_NEAR(told / before, 1, 0.15);
  const std::optional<predict::Kept> kept = predict::keptOf(window.runPage().snapshot().run);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->samplesPerSecond, told);
  EXPECT_TRUE(window.runPage().findChild<QLabel*>("rateHead")->text().startsWith("Predicted ")) << window.runPage().findChild<QLabel*>("rateHead")->text().toStdString();

  const why::Cause cause = window.runPage().why().diagnosis()->causes.at(0);
  ASSERT_TRUE(cause.gain) << cause.unpredicted;
  QTest::mouseClick(window.runPage().findChild<QPushButton*>("whyApply"), Qt::LeftButton);
  ASSERT_EQ(window.page(), &page);
  EXPECT_EQ(page.draft().spec().algorithm.id, "esync");
  ASSERT_TRUE(predicted()) << page.prediction().problem().toStdString();
  ASSERT_TRUE(waitFor([&] { return run->isEnabled(); }));
  EXPECT_NEAR(cause.gain->factor / (ran() / before), 1, 0.15) << why::sentenceOf(cause);
}

// Closing a window changes nothing about its run: the next one finds it in the queue and follows it.
TEST(Workbench, ARunGoesOnWithoutAWindow) {
  const Surroundings here;
  const QString store = QString::fromStdString(here.folder.path("store.db"));
  std::string run;
  std::int64_t before = 0;
  {
    MainWindow window(store);
    QPushButton* start = readyToRun(window);
    ASSERT_NE(start, nullptr) << window.shell().catalogue.error().toStdString();
    type(window.experiment().findChild<QLineEdit*>("stopRounds"), "10000000");
    window.experiment().draft().validateNow();
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(showStarted(window)) << window.bannerText().toStdString();
    ASSERT_TRUE(waitFor([&] { return window.runPage().snapshot().rounds > 3; }, 120)) << window.bannerText().toStdString();
    run = window.runPage().run(), before = window.runPage().snapshot().rounds;
    QString said;
    window.mayQuit = [&said](const QString& goesOn) { said = goesOn; return false; };
    EXPECT_FALSE(window.close());
    EXPECT_TRUE(said.startsWith("1 run in progress goes on without this window.")) << said.toStdString();
    window.mayQuit = [](const QString&) { return true; };
    EXPECT_TRUE(window.close());
  }
  MainWindow window(store);
  window.show();
  ASSERT_TRUE(waitFor([&] { return window.shell().queue.find(run) != nullptr; }));
  EXPECT_EQ(window.shell().queue.find(run)->state, store::RunState::kRunning);
  window.openRun(run);
  EXPECT_TRUE(waitFor([&] { return window.runPage().snapshot().rounds > before + 3; }, 120));
  window.mayStop = nullptr;
  window.runPage().findChild<QPushButton*>("stopButton")->click();
  EXPECT_TRUE(waitFor([&] { return !window.shell().queue.busy() && store::isEnded(window.runPage().snapshot().run.state); }, 120));
  EXPECT_EQ(window.runPage().snapshot().run.state, store::RunState::kStopped);
}

TEST(Workbench, ASecondWindowShowsAndOrdersTheSameQueue) {
  const Surroundings here;
  const QString store = QString::fromStdString(here.folder.path("store.db"));
  MainWindow first(store), second(store);
  second.show();
  QPushButton* start = readyToRun(first);
  ASSERT_NE(start, nullptr) << first.shell().catalogue.error().toStdString();
  type(first.experiment().findChild<QLineEdit*>("stopRounds"), "10000000");
  type(first.experiment().findChild<QLineEdit*>("seeds"), "1-3");
  first.experiment().draft().validateNow();
  QTest::mouseClick(start, Qt::LeftButton);
  runs::RunQueue &mine = first.shell().queue, &there = second.shell().queue;
  const auto runs = [](const runs::RunQueue& queue) {
    std::vector<std::string> ids;
    for (const recorder::Entry& entry : queue.entries()) ids.push_back(entry.run);
    return ids;
  };
  ASSERT_TRUE(waitFor([&] { return there.rowCount() == 3 && !there.entries().front().waiting && runs(there) == runs(mine); }, 120));
  EXPECT_TRUE(there.entries()[1].waiting && there.entries()[2].waiting);
  EXPECT_FALSE(there.entries()[1].text.empty());  // whom it waits for
  EXPECT_EQ(there.entries()[1].suite, first.experiment().draft().spec().name);
  EXPECT_EQ(there.index(0, runs::RunQueue::kName).data().toString(), qtext(first.experiment().draft().spec().name) + ", 3 runs left: seed 1");
  EXPECT_EQ(there.index(1, runs::RunQueue::kName).data().toString(), qtext(first.experiment().draft().spec().name) + ": seed 2");
  std::vector<std::string> wanted = runs(there);
  std::swap(wanted[1], wanted[2]);
  there.move({wanted[1]}, -1);
  ASSERT_TRUE(waitFor([&] { return runs(mine) == wanted && runs(there) == wanted; }));
  for (const std::string& run : {wanted[2], wanted[1], wanted[0]}) there.stop({run});
  EXPECT_TRUE(waitFor([&] { return !mine.busy() && !there.busy(); }, 120));
}

}  // namespace
}  // namespace paceline::tests
