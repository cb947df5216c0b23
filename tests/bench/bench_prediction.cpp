// From an edit in the form to its prediction: 16 workers of LeNet, as the window asks for it.
#include <algorithm>

#include <QEventLoop>
#include <QTimer>

#include "app/cluster/worker/worker_answer.h"
#include "app/models/experiment/run_prediction.h"
#include "engine/core/base/error.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"
#include "tests/bench/temp_folder.h"

namespace paceline::bench {
namespace {

constexpr int kWorkers = 16, kEdits = 9;

RunSpec document() {
  RunSpec spec;
  spec.name = "predicted", spec.algorithm.id = "ssgd", spec.model.id = "lenet", spec.dataset.id = "synthetic";
  for (int i = 0; i <= kWorkers; ++i) {
    NodeSpec node;
    node.id = i == 0 ? "s0" : strCat("w", i - 1), node.role = i == 0 ? Role::kServer : Role::kWorker;
    if (i > 0) node.emulate.stepSeconds = 0.05, node.emulate.bandwidthMbps = 1000;
    spec.nodes.push_back(std::move(node));
  }
  spec.evaluate.everyRounds = 0, spec.stop.rounds = 1000;
  return spec;
}

// Until the prediction of this step time is there, ms.
double edited(experiment::ExperimentDraft& draft, experiment::RunPrediction& prediction, double step) {
  QEventLoop loop;
  const predict::Prediction* before = prediction.prediction();
  QObject::connect(&prediction, &experiment::RunPrediction::changed, &loop, [&] {
    if (!prediction.pending() && prediction.prediction() != before) loop.quit();
  });
  QTimer::singleShot(60'000, &loop, [&loop] { loop.exit(1); });
  const double begun = secondsNow();
  draft.edit([step](RunSpec& spec) { spec.nodes[1].emulate.stepSeconds = step; });
  if (loop.exec() != 0) throw Error(Errc::kData, strCat("no prediction came within a minute: ", prediction.problem().toStdString()));
  return (secondsNow() - begun) * 1e3;
}

}  // namespace

Result predictionAfterEdit() {
  const Painting painting;
  const TempFolder folder;
  experiment::ExperimentDraft draft;
  experiment::RunPrediction prediction(draft, [] { return std::vector<predict::HostSpeed>(); }, experiment::localPrediction(folder.path + "/bench.db"));
  draft.setCatalog(std::make_shared<const Catalog>(worker::describeLocal()));
  draft.load(document());
  prediction.setWatched(true);
  const double first = edited(draft, prediction, 0.06);
  std::vector<double> later;
  for (int i = 0; i < kEdits; ++i) later.push_back(edited(draft, prediction, 0.07 + 0.01 * i));
  return {.id = "prediction_ms", .value = median(later), .unit = "ms", .target = 1000, .higherIsBetter = false,
          .note = "from an edit in the form to its prediction, ssgd with 16 workers of LeNet and a server, median of 9; first_ms: with asking paceline-worker for the network",
          .inputs = {{"shortest_ms", std::ranges::min(later)}, {"longest_ms", std::ranges::max(later)}, {"first_ms", first}}};
}

}  // namespace paceline::bench
