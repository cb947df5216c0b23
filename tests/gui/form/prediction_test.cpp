// Beside the form: an edit is predicted within a moment, a newer one takes the question back, what cannot be predicted says why, and what was predicted goes with the run.
#include "app/models/experiment/run_prediction.h"

#include <atomic>

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include "app/models/words.h"
#include "app/ui/experiment/prediction_pane.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/main_window.h"
#include "storage/store/store.h"
#include "tests/gui/gui_support.h"

namespace paceline::tests {
namespace {

RunSpec twoWorkers() {
  RunSpec spec;
  spec.name = "quick";
  spec.algorithm = {.id = "ssgd", .params = {}}, spec.model = {.id = "logistic", .params = {}}, spec.dataset = {.id = "synthetic", .params = {}};
  for (const char* id : {"s0", "w0", "w1"}) {
    NodeSpec node;
    node.id = id;
    if (spec.nodes.empty()) node.role = Role::kServer;
    spec.nodes.push_back(node);
  }
  spec.evaluate.on = "w0";
  spec.stop.rounds = 10;
  return spec;
}

// As fast as its batch is large; a round of each worker.
predict::Prediction made(const RunSpec& spec) {
  predict::Prediction told{.samplesPerSecond = 10.0 * spec.batchSize, .roundSeconds = 0.2, .bytesPerRound = 1e6, .workerBytes = 2e6, .serverBytes = 1e6, .seconds = spec.batchSize == 2 ? 0.004 : 2.0};
  told.target = predict::Target{.accuracy = 0.8, .samples = 6400, .run = "like"}, told.targetSeconds = 6400 / told.samplesPerSecond;
  if (spec.batchSize == 2) told.targetSeconds = 0.003;
  told.sources = {"step times as the document emulates them", "links between hosts as measured"};
  for (const char* id : {"w0", "w1"}) {
    told.lanes.nodes.push_back({.run = {}, .id = id, .role = "worker", .host = "local", .device = "cpu", .rank = id[1] - '0'});
    told.lanes.rounds.push_back({.node = id, .seq = 1, .record = {.round = 1, .t = 0.2, .compute = 0.1, .wait = 0.1, .total = 0.2, .localSteps = 1, .samples = spec.batchSize}});
  }
  return told;
}

struct Predicted {
  Predicted() {
    application();
    draft.setCatalog(std::make_shared<const Catalog>(smallCatalog()));
    draft.load(twoWorkers());
  }
  bool answered() {
    return waitFor([this] { return !prediction.pending() && !draft.validatesSoon(); });
  }
  experiment::ExperimentDraft draft;
  std::atomic<int> asked{0}, takenBack{0};
  std::atomic<bool> slow{false};
  experiment::RunPrediction prediction{draft, [] { return std::vector<predict::HostSpeed>(); }, [this](const RunSpec& spec, const auto&, const std::stop_token& stop) {
    ++asked;
    if (spec.batchSize == 1) throw Error(Errc::kUnsupported, "Nobody knows how long a step takes");
    while (slow && !stop.stop_requested()) std::this_thread::yield();
    if (stop.stop_requested()) {
      ++takenBack;
      throw Error(Errc::kStopped, "taken back");  // as the simulator does
    }
    return made(spec);
  }};
};

TEST(RunPrediction, SaysOfAMomentThatItIsShort) {
  Predicted p;
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 2; });
  p.prediction.setWatched(true);
  ASSERT_TRUE(p.answered());
  EXPECT_TRUE(p.prediction.lines().contains("It ends after less than 0.1 s.")) << p.prediction.lines().join("\n").toStdString();
  EXPECT_TRUE(p.prediction.lines().contains("80.0 % after less than 0.1 s: run \"like\" needed 6\u2009400 samples.")) << p.prediction.lines().join("\n").toStdString();
}

TEST(RunPrediction, IsAskedOnlyWhileItIsSeenAndOncePerChange) {
  Predicted p;
  EXPECT_FALSE(p.prediction.pending());
  p.prediction.setWatched(true);
  ASSERT_TRUE(p.answered());
  ASSERT_NE(p.prediction.prediction(), nullptr);
  EXPECT_EQ(p.asked, 1);
  EXPECT_EQ(p.prediction.lines(), (QStringList{"About 640 samples/s: a round takes 0.20 s and moves 1.0 MB a worker.", "It ends after about 2.0 s.",
                                               "80.0 % after about 10 s: run \"like\" needed 6\u2009400 samples.", "Vectors take 2.0 MB of memory of a worker, 1.0 MB of a server."}))
      << p.prediction.lines().join("\n").toStdString();
  EXPECT_EQ(p.prediction.sources(), "Step times as the document emulates them; links between hosts as measured.");
  EXPECT_EQ(p.prediction.timeline()->lanes.size(), 2u);
  p.draft.edit([](RunSpec& spec) { spec.name = "another name"; });
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(p.asked, 1);  // a name changes no speed
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 128; });
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(p.prediction.prediction()->samplesPerSecond, 1280);
}

TEST(RunPrediction, OfASearchItSaysWhichValuesItTakes) {
  Predicted p;
  p.prediction.setWatched(true);
  p.draft.vary("/batch_size");
  p.draft.setVaried("/batch_size", "search 32..64");
  ASSERT_TRUE(p.answered());
  ASSERT_FALSE(p.prediction.lines().isEmpty());
  EXPECT_TRUE(p.prediction.lines().front().startsWith("With the first values: About 320 samples/s")) << p.prediction.lines().front().toStdString();
}

// Runs that differ in their seeds alone are predicted once; each keeps its own.
TEST(RunPrediction, OfASuiteItTellsAllRuns) {
  Predicted p;
  p.prediction.setWatched(true);
  p.draft.vary("/batch_size");
  p.draft.setVaried("/batch_size", "32, 64, 128");
  p.draft.setSeeds("1-2");
  p.draft.validateNow();
  ASSERT_EQ(p.draft.runnable().size(), 6u);
  const auto line = [&] { return p.prediction.lines().size() > 1 ? p.prediction.lines()[1] : QString(); };
  ASSERT_TRUE(waitFor([&] { return line().startsWith("All 6 runs"); })) << p.prediction.lines().join("\n").toStdString();
  EXPECT_EQ(line(), "All 6 runs: 320 to 1\u2009280 samples/s, about 12 s one after the other.");
  EXPECT_TRUE(p.prediction.lines().front().startsWith("The first of 6 runs: About 320 samples/s")) << p.prediction.lines().front().toStdString();
  const std::vector<RunSpec> runs = p.draft.runnable();
  const std::vector<std::string> kept = p.prediction.keptFor(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(jsonOrNull(kept[i])["samples_per_s"], 10.0 * runs[i].batchSize);
}

// One that cannot be predicted is left out of the sum and has nothing kept.
TEST(RunPrediction, OfASuiteItSaysHowManyAreKnown) {
  Predicted p;
  p.prediction.setWatched(true);
  p.draft.vary("/batch_size");
  p.draft.setVaried("/batch_size", "32, 1");
  ASSERT_TRUE(waitFor([&] { return p.prediction.lines().size() > 1 && p.prediction.lines()[1] == "1 of 2 runs: 320 samples/s."; })) << p.prediction.lines().join("\n").toStdString();
  EXPECT_EQ(p.prediction.keptFor(p.draft.runnable())[1], "");
}


TEST(RunPrediction, ANewerEditTakesTheQuestionBack) {
  Predicted p;
  p.prediction.setWatched(true);
  ASSERT_TRUE(p.answered());
  p.slow = true;
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 128; });
  ASSERT_TRUE(waitFor([&] { return p.asked == 2; }));
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 256; });
  ASSERT_TRUE(waitFor([&] { return p.takenBack == 1; }));
  p.slow = false;
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(p.prediction.prediction()->samplesPerSecond, 2560);
}

// The store knows more while an answer is on its way: that one is not waited for, and nothing of it is taken.
TEST(RunPrediction, IsAskedAgainWhileAnAnswerIsOnItsWay) {
  Predicted p;
  p.slow = true;
  p.prediction.setWatched(true);
  ASSERT_TRUE(waitFor([&] { return p.asked == 1; }));
  p.prediction.again();
  ASSERT_TRUE(waitFor([&] { return p.takenBack == 1 && p.asked == 2; }));
  p.slow = false;
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(p.prediction.problem(), "");
  EXPECT_EQ(p.prediction.prediction()->samplesPerSecond, 640);
}

// An edit that is undone before it was asked for: what it took back is asked again.
TEST(RunPrediction, AnEditThatIsUndoneAtOnceIsPredictedAllTheSame) {
  Predicted p;
  p.slow = true;
  p.prediction.setWatched(true);
  ASSERT_TRUE(waitFor([&] { return p.asked == 1; }));
  for (const int batch : {128, 64}) {
    p.draft.edit([batch](RunSpec& spec) { spec.batchSize = batch; });
    p.draft.validateNow();
  }
  ASSERT_TRUE(waitFor([&] { return p.takenBack == 1; }));
  p.slow = false;
  ASSERT_TRUE(waitFor([&] { return p.prediction.prediction() != nullptr; }, 20)) << p.prediction.problem().toStdString();
  EXPECT_EQ(p.prediction.prediction()->samplesPerSecond, 640);
}

TEST(RunPrediction, SaysWhyThereIsNone) {
  Predicted p;
  p.prediction.setWatched(true);
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 1; });
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(p.prediction.prediction(), nullptr);
  EXPECT_EQ(p.prediction.problem(), "Nobody knows how long a step takes");
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 0; });  // an error of the document
  ASSERT_TRUE(waitFor([&] { return p.draft.errorCount() > 0; }));
  EXPECT_EQ(p.prediction.problem(), "");
  EXPECT_FALSE(p.prediction.pending());
}

TEST(RunPrediction, IsKeptForTheRunThatItIsOf) {
  Predicted p;
  p.prediction.setWatched(true);
  ASSERT_TRUE(p.answered());
  std::vector<RunSpec> runs = p.draft.runnable();
  runs.push_back(runs.front());
  runs.back().batchSize *= 2;
  const std::vector<std::string> kept = p.prediction.keptFor(runs);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(jsonOrNull(kept[0])["samples_per_s"], 640.0);
  EXPECT_EQ(kept[1], "");
}

TEST(PredictionPane, ShowsLanesAndWords) {
  Predicted p;
  experiment::PredictionPane pane(p.prediction);
  pane.resize(400, 300);
  pane.show();
  ASSERT_TRUE(p.answered());
  EXPECT_TRUE(pane.findChild<QLabel*>("predictionWords")->text().startsWith("About 640 samples/s"));
  EXPECT_TRUE(pane.findChild<runs::LanesView*>("predictionLanes")->isVisible());
  p.draft.edit([](RunSpec& spec) { spec.batchSize = 1; });
  ASSERT_TRUE(p.answered());
  EXPECT_EQ(pane.findChild<QLabel*>("predictionWords")->text(), "Nobody knows how long a step takes.");
  EXPECT_FALSE(pane.findChild<runs::LanesView*>("predictionLanes")->isVisible());
}

// The run's page: a dashed line in the chart of its rate, and what came of it.
TEST(RunPage, TellsWhatWasPredictedOfItsRun) {
  application();
  const TempFolder folder;
  store::RunRow row = madeRow(1);
  row.versions = R"({"predicted": {"samples_per_s": 160, "round_s": 0.8, "bytes_per_round": 2000, "by": ["step times as measured in run \"a\""]}})";
  storeRun(folder.path("store.db"), row, 5);
  MainWindow window(QString::fromStdString(folder.path("store.db")));
  window.resize(1280, 800);
  window.show();
  window.openRun(row.id);
  ASSERT_TRUE(waitFor([&] { return window.runPage().snapshot().accuracy.size() == 5; }));
  const auto* words = window.runPage().findChild<QLabel*>("rateHead");
  EXPECT_EQ(words->text(), "Predicted 160 samples/s, measured 128");
  bool dashed = false;
  for (const figure::FigureView* chart : window.runPage().findChildren<figure::FigureView*>())
    for (const Reference& reference : chart->figure().references)
      dashed = dashed || (reference.value == 160 && reference.label == "predicted" && chart->toolTip() == "Predicted by step times as measured in run \"a\".");
  EXPECT_TRUE(dashed);
}

}  // namespace
}  // namespace paceline::tests
