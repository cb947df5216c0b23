// Why a run is slow: of one that goes on its causes alone, of one that has ended what the remedy gains; the page's sentence leads to the numbers, the lanes and a changed copy.
#include "app/models/runs/run_why.h"

#include <atomic>

#include <gtest/gtest.h>

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "app/models/words.h"
#include "app/ui/main_window.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

constexpr const char* kDocument = R"({"paceline": 1, "name": "slow one", "algorithm": {"id": "ssgd", "params": {"learning_rate": 0.25}}, "model": {"id": "logistic"},
  "dataset": {"id": "synthetic"}, "batch_size": 64, "partition": {"id": "iid"}, "evaluate": {"every_rounds": 0, "on": "w0"}, "stop": {"rounds": 40},
  "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "role": "worker"}, {"id": "w1", "role": "worker"}]})";

store::RunRow slowRow(store::RunState state = store::RunState::kFinished) {
  store::RunRow row = madeRow(1);
  row.name = "slow one", row.algorithm = "ssgd", row.specText = kDocument, row.versions = R"({"synchronous": true})", row.state = state;
  return row;
}

// w1 takes 0.8 s of a round's 1 s, w0 0.2 s. Round 3 is the worst: 1.6 s.
std::vector<StampedEvent> rounds(const std::string& run, int from, int to) {
  std::vector<StampedEvent> events;
  for (int round = from; round <= to; ++round)
    for (int w = 0; w < 2; ++w) {
      const double total = round == 3 ? 1.8 : 1, begin = round <= 3 ? round - 1 : round - 0.2, work = w == 1 ? total - 0.2 : 0.2;
      events.push_back({run, strCat("w", w), round, RoundRecord{.round = round, .t = begin + total, .compute = work, .wait = total - work - 0.05, .receive = 0.05, .total = total, .localSteps = 1,
                                                                .samples = 64, .bytesSent = 100'000, .bytesReceived = 100'000, .loss = 1, .longestWaitFor = w == 0 ? "w1" : "s0", .longestWait = total - work}});
    }
  return events;
}

void storeSlow(const std::string& path, const store::RunRow& row, int count = 10) {
  store::StoreWriter writer(path);
  std::vector<store::NodeRow> nodes{{.run = row.id, .id = "s0", .role = "server", .host = "local", .device = "cpu"}};
  for (int w = 0; w < 2; ++w) nodes.push_back({.run = row.id, .id = strCat("w", w), .role = "worker", .host = "local", .device = "cpu", .rank = w});
  writer.createRun(row, nodes);
  writer.append(rounds(row.id, 1, count));
  writer.setState(row.id, row.state, "", row.state == store::RunState::kFinished ? "rounds" : "");
}

// Every document is as fast as its method says: the gain of ESync is 3.
struct Simulated {
  std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
  runs::RunWhy::Simulators simulators() {
    return [asked = asked](const std::stop_token&) {
      return [asked](const RunSpec& spec) {
        ++*asked;
        const double step = spec.algorithm.id == "esync" ? 0.1 : 0.3;
        return std::vector<store::RoundRow>{{.node = "w0", .record = {.round = 1, .t = step, .compute = step, .total = step, .samples = 64}}};
      };
    };
  }
};

TEST(RunWhy, TellsWhatTheRemedyOfAnEndedRunGains) {
  application();
  const TempFolder folder;
  storeSlow(folder.path("store.db"), slowRow());
  Simulated simulated;
  runs::RunWhy why(folder.path("store.db"), simulated.simulators());
  why.follow(slowRow().id);
  why.look(slowRow());
  ASSERT_TRUE(waitFor([&] { return why.diagnosis() && !why.predicting(); }));
  EXPECT_TRUE(why.sentence().contains("of the wall time is waiting for the slower w1; let the others take more steps meanwhile (ESync): about 3.0 times faster (simulated)."))
      << why.sentence().toStdString();
  EXPECT_GT(simulated.asked->load(), 0);
}

TEST(RunWhy, SimulatesNothingWhileARunGoesOn) {
  application();
  const TempFolder folder;
  const store::RunRow row = slowRow(store::RunState::kRunning);
  storeSlow(folder.path("store.db"), row);
  Simulated simulated;
  runs::RunWhy why(folder.path("store.db"), simulated.simulators());
  why.follow(row.id);
  why.look(row);
  ASSERT_TRUE(waitFor([&] { return why.diagnosis() != nullptr; }));
  EXPECT_FALSE(why.predicting());
  EXPECT_EQ(simulated.asked->load(), 0);
  EXPECT_TRUE(why.sentence().endsWith("(ESync).")) << why.sentence().toStdString();
  store::RunRow ended = row;
  ended.state = store::RunState::kFinished;
  why.look(ended);  // at once, whenever the last look was
  ASSERT_TRUE(waitFor([&] { return simulated.asked->load() > 0 && !why.predicting(); }));
  EXPECT_TRUE(why.sentence().contains("about 3.0 times faster"));
}

TEST(RunWhy, SaysWhyThereIsNoAnswer) {
  application();
  const TempFolder folder;
  storeRun(folder.path("store.db"), madeRow(1), 5);  // without a document
  runs::RunWhy why(folder.path("store.db"));
  why.follow(madeRow(1).id);
  EXPECT_EQ(why.sentence(), "Where its wall time goes is said once it has rounds.");
  why.look(madeRow(1));
  ASSERT_TRUE(waitFor([&] { return !why.problem().isEmpty(); }));
  EXPECT_EQ(why.sentence(), "Run \"run number 1\" was imported without its document: nobody knows what to change.");
}

struct OpenSlowRun {
  OpenSlowRun() {
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    window.shell().catalogue.use(smallCatalog());
    waitFor([this] { return window.isActiveWindow() && window.shell().runs.rowCount() == 1; });
    window.openRun(slowRow().id);
    waitFor([this] { return page().why().diagnosis() != nullptr; });
  }
  runs::RunPage& page() { return window.runPage(); }
  template <class Widget>
  Widget* find(const char* name) { return page().findChild<Widget*>(name); }
  std::string stored() {
    application();
    storeSlow(folder.path("store.db"), slowRow());
    return folder.path("store.db");
  }
  TempFolder folder;
  MainWindow window{QString::fromStdString(stored())};
};

TEST(WhyStrip, EvidenceLeadsToTheLanes) {
  OpenSlowRun w;
  QTest::keyClick(&w.page(), Qt::Key_E, Qt::ControlModifier);
  auto* evidence = w.find<QDialog>("whyEvidence");
  ASSERT_TRUE(waitFor([&] { return evidence->isActiveWindow(); }));
  auto* table = w.find<QTableView>("causesTable");
  const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
  EXPECT_EQ(cell(0, runs::CausesModel::kCause), "Waiting for the slower w1");
  EXPECT_EQ(cell(0, runs::CausesModel::kNodes), "w1");
  EXPECT_EQ(cell(0, runs::CausesModel::kRounds), "10");
  EXPECT_TRUE(cell(0, runs::CausesModel::kWorst).startsWith("w1, round 3, at 2")) << cell(0, runs::CausesModel::kWorst).toStdString();
  EXPECT_EQ(cell(table->model()->rowCount() - 1, runs::CausesModel::kCause), "Computing, a worker's mean");
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Return);
  EXPECT_NEAR(w.page().lanesView().range().begin, 0.4, 0.01);  // the worst step, from 2 to 3.6 s, and as much beside it
  EXPECT_NEAR(w.page().lanesView().range().end, 5.2, 0.01);
  QTest::keyClick(evidence, Qt::Key_Escape);
  EXPECT_FALSE(evidence->isVisible());
  EXPECT_EQ(w.window.page(), &w.page());  // the page has not taken the key for its own
  QTest::mouseClick(w.find<QPushButton>("whyEvidenceButton"), Qt::LeftButton);
  EXPECT_TRUE(evidence->isVisible());
}

TEST(WhyStrip, AppliesARemedyToACopyThatCanBeUndone) {
  OpenSlowRun w;
  auto* apply = w.find<QPushButton>("whyApply");
  ASSERT_TRUE(apply->isEnabled());
  const QString before = w.window.experiment().draft().json();
  QTest::mouseClick(apply, Qt::LeftButton);
  experiment::ExperimentPage& page = w.window.experiment();
  ASSERT_EQ(w.window.page(), &page);
  EXPECT_EQ(page.draft().spec().algorithm.id, "esync");
  EXPECT_EQ(page.draft().spec().algorithm.params.real("local_lr"), 0.25);
  EXPECT_EQ(page.draft().spec().name, "slow one");
  EXPECT_TRUE(w.window.bannerText().startsWith("In a copy of \"slow one\": algorithm from SSGD to ESync")) << w.window.bannerText().toStdString();
  QStringList marked;
  for (const QLabel* each : page.findChildren<QLabel*>())
    if (each->isVisibleTo(&page) && each->text().startsWith("Changed: ")) marked << each->text();
  EXPECT_TRUE(marked.contains("Changed: it was SSGD")) << marked.join("; ").toStdString();

  w.window.shell().undo.drafts.undo();  // the remedy
  EXPECT_EQ(page.draft().spec().algorithm.id, "ssgd");
  EXPECT_EQ(page.draft().spec().name, "slow one");
  for (const QLabel* each : page.findChildren<QLabel*>()) EXPECT_FALSE(each->isVisibleTo(&page) && each->text().startsWith("Changed: ")) << each->text().toStdString();
  w.window.shell().undo.drafts.undo();  // the copy
  EXPECT_EQ(page.draft().json(), before);
  EXPECT_EQ(store::StoreReader(w.folder.path("store.db")).find(slowRow().id)->specText, kDocument);
}

}  // namespace
}  // namespace paceline::tests
