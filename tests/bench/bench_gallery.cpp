// The gallery of Compare over 250 runs, from the moment when they are chosen until every small picture is painted.
#include <cmath>
#include <string>
#include <vector>

#include <QCoreApplication>
#include <QTimer>

#include "app/ui/compare/figure_gallery.h"
#include "app/ui/compare/results_pane.h"
#include "app/ui/figure/figure_view.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "storage/summary/summary.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kConfigurations = 50, kSeeds = 5, kRounds = 200, kWorkers = 3, kTurns = 5;
constexpr int kPatience = 60;  // s

std::vector<StampedEvent> recordsOf(const std::string& run, Rng& rng) {
  std::vector<StampedEvent> events;
  std::int64_t seq = 0;
  for (int worker = 0; worker < kWorkers; ++worker) {
    double t = 0;
    for (int i = 1; i <= kRounds; ++i) {
      RoundRecord round;
      round.round = i, round.total = rng.uniform(0.2, 0.3), round.compute = 0.8 * round.total, round.wait = 0.1 * round.total, round.evaluate = worker == 0 ? 0.1 * round.total : 0;
      round.t = t += round.total;
      round.localSteps = 1 + worker, round.staleness = i % 3, round.samples = 64, round.bytesSent = round.bytesReceived = 1'724'320, round.loss = 2.3 / i;
      events.push_back({run, strCat("w", worker), ++seq, round});
      if (worker > 0) continue;
      EvaluationRecord evaluation{.round = i, .t = t, .accuracy = 0.9 - 0.8 * std::exp(-i / 40.0) + 0.02 * rng.normal(), .loss = 2.3 / std::sqrt(i)};
      evaluation.samples = 64 * i * kWorkers, evaluation.seconds = round.evaluate;
      events.push_back({run, "w0", ++seq, evaluation});
    }
  }
  return events;
}

// Finished runs with the summaries that a recorder keeps of them.
std::vector<std::string> madeRuns(const std::string& path) {
  const char* const algorithms[] = {"esync", "ssgd", "asgd", "dc_asgd", "local_sgd"};
  std::vector<std::string> ids;
  store::StoreWriter store(path);
  for (int i = 0; i < kConfigurations * kSeeds; ++i) {
    store::RunRow run;
    run.id = store::newRunId(), run.seed = static_cast<std::uint64_t>(i % kSeeds + 1), run.state = store::RunState::kFinished;
    run.algorithm = algorithms[i / kSeeds % 5], run.model = "lenet", run.dataset = "fashion_mnist", run.partition = "iid";
    run.name = strCat("sweep ", i / kSeeds, " seed ", run.seed), run.groupHash = strCat("g", i / kSeeds), run.configHash = strCat(run.groupHash, "s", run.seed);
    run.specText = strCat(R"({"algorithm": {"id": ")", run.algorithm, R"("}, "batch_size": )", 16 + i / kSeeds, R"(, "seed": )", run.seed, "}");
    store.together([&] {
      std::vector<store::NodeRow> nodes;
      for (int worker = 0; worker < kWorkers; ++worker) nodes.push_back({.run = run.id, .id = strCat("w", worker), .role = "worker", .host = "local", .device = "cpu", .rank = worker});
      store.createRun(run, nodes);
      Rng rng = Rng::stream(1, "gallery", static_cast<std::uint64_t>(i));
      store.append(recordsOf(run.id, rng));
    });
    ids.push_back(run.id);
  }
  for (const std::string& run : summary::unsummarised(store)) store.keepSummary(run, summary::summaryToKeep(store::StoreReader(path), run).value());
  return ids;
}

// As the page has them, without its window.
struct Shown {
  compare::Comparison comparison;
  figure::FigureView view;
  compare::ResultsPane results;
  compare::FigureGallery gallery;
  double ready = 0, readyGallery = 0;  // s

  explicit Shown(const std::string& path) : comparison(path) {
    view.resize(900, 500), results.resize(1100, 230), gallery.resize(900, 130);
    QObject::connect(&comparison, &compare::Comparison::ready, &view, [this] { ready = secondsNow(), view.setFigure(comparison.figure()), results.setResults(comparison.results()); });
    QObject::connect(&comparison, &compare::Comparison::galleryReady, &gallery, [this] { readyGallery = secondsNow(), gallery.setGallery(comparison.gallery()); });
    view.show(), results.show(), gallery.show();
    QCoreApplication::processEvents();
  }
  void until(const std::function<bool()>& there) const {
    QTimer limit;  // also what wakes the loop
    limit.setSingleShot(true);
    limit.start(std::chrono::seconds(kPatience));
    while (!there()) {
      if (!limit.isActive()) throw Error(Errc::kFormat, strCat("the gallery was not painted within ", kPatience, " s"));
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
  }
};

}  // namespace

Result galleryPaint() {
  const Painting painting{};
  const TempFolder folder{};
  const std::string path = folder.path + "/paceline.db";
  const std::vector<std::string> runs = madeRuns(path);
  std::vector<double> seen, whole, figures, galleries;
  for (int turn = 0; turn < kTurns; ++turn) {
    Shown shown(path);
    const double began = secondsNow();
    shown.comparison.setRuns(runs);
    shown.until([&] { return !shown.comparison.gallery().empty() && shown.gallery.seenArePainted(); });
    seen.push_back(1000 * (secondsNow() - began));
    shown.until([&] { return !shown.comparison.gallery().empty() && shown.gallery.waiting() == 0; });
    whole.push_back(1000 * (secondsNow() - began));
    figures.push_back(1000 * (shown.ready - began)), galleries.push_back(1000 * (shown.readyGallery - began));
  }
  return {.id = "gallery_paint_ms", .value = median(whole), .unit = "ms", .target = 100, .higherIsBetter = false,
          .note = strCat("250 runs of ", kRounds, " rounds are chosen: figure, results table and every small picture painted, from a store that was not read before; median of ", kTurns),
          .inputs = {{"seen_ms", median(seen)}, {"figure_ready_ms", median(figures)}, {"gallery_ready_ms", median(galleries)}}};
}

}  // namespace paceline::bench
