// What the store knows of runs like one that is about to start.
#include <algorithm>
#include <map>

#include "app/predict/predict.h"
#include "app/why/simulated.h"
#include "storage/summary/summary.h"
#include "storage/summary/summary_curves.h"

namespace paceline::predict {
namespace {

constexpr std::size_t kMostDocuments = 30;  // that are read, the newest first
constexpr double kTarget = 0.8;             // accuracy, where the document stops at none; as in the tables of the terminal

// What a step's time depends on.
RunSpec stepPart(const RunSpec& spec) {
  RunSpec part;
  part.model = spec.model, part.dataset = spec.dataset, part.batchSize = spec.batchSize;
  return part;
}

RunSpec withoutLabels(RunSpec spec) {
  spec.name.clear(), spec.notes.clear(), spec.tags.clear(), spec.published = {}, spec.records = {}, spec.seed = 0, spec.serverRestarts = RunSpec().serverRestarts, spec.workerRestarts = RunSpec().workerRestarts, spec.lostData = RunSpec().lostData;
  return spec;
}

RunSpec learningPart(const RunSpec& whole) {
  RunSpec spec = withoutLabels(whole);
  spec.stop = {}, spec.evaluate = {}, spec.checkpointEveryRounds = 0, spec.checkpointResumes = RunSpec().checkpointResumes, spec.nodeSilentSeconds = RunSpec().nodeSilentSeconds, spec.learn = true, spec.wire.overlap = true;
  std::erase_if(spec.nodes, [](const NodeSpec& node) { return node.role != Role::kWorker; });
  for (NodeSpec& node : spec.nodes) node.host = "local", node.device = "cpu", node.threads = 1, node.emulate = {};
  return spec;
}

std::map<std::string, int> workersByHost(const RunSpec& spec) {
  std::map<std::string, int> counts;
  for (const int worker : spec.workers()) ++counts[spec.nodes[static_cast<std::size_t>(worker)].host];
  return counts;
}

// Somebody's step was measured, not emulated.
bool measuresSteps(const RunSpec& spec) {
  return std::ranges::any_of(spec.nodes, [](const NodeSpec& node) { return node.role == Role::kWorker && !node.emulate.stepSeconds && node.emulate.steps.empty(); });
}

std::optional<Target> reached(const store::StoreReader& store, const store::RunRow& row, double accuracy) {
  const summary::RunSummary run = summary::summaryOf(store, row, summary::Details(), {.targetAccuracy = accuracy});
  if (!run.timeToTargetSeconds || run.throughputSamplesPerSecond <= 0) return std::nullopt;
  return Target{.accuracy = accuracy, .samples = *run.timeToTargetSeconds * run.throughputSamplesPerSecond, .run = row.name.empty() ? row.id : row.name};
}

std::shared_ptr<const Like> calibrated(const store::StoreReader& store, const store::RunRow& row, const why::Simulator& simulate, Likes& likes) {
  if (const auto found = likes.find(row.id); found != likes.end()) return found->second;
  why::Explained run = why::readRun(store, row);
  why::Calibration measured = why::calibrated(run, why::briefly(run, simulate));
  run.data.rounds.clear(), run.data.busy.clear(), run.data.evaluations.clear();  // are not needed any more
  return likes[row.id] = std::make_shared<const Like>(Like{.run = std::move(run), .measured = std::move(measured)});
}

}  // namespace

bool sameStep(const RunSpec& a, const RunSpec& b) { return stepPart(a) == stepPart(b); }
bool sameLearning(const RunSpec& a, const RunSpec& b) { return learningPart(a) == learningPart(b); }
std::string keyOf(const RunSpec& spec) { return toJsonText(withoutLabels(spec)); }

Known knownOf(const store::StoreReader& store, const RunSpec& spec, std::vector<HostSpeed> hosts, std::vector<check::LinkMeasure> links, const why::Simulator& simulate, Likes& likes) {
  Known known{.like = {}, .hosts = std::move(hosts), .links = std::move(links), .target = {}};
  const auto places = workersByHost(spec);
  std::optional<store::RunRow> like;
  int best = -1;  // how much it tells: steps that were measured, on hosts with as many workers
  std::size_t read = 0;
  for (const store::RunRow& row : store.runs()) {
    if (row.model != spec.model.id || row.dataset != spec.dataset.id || row.state != store::RunState::kFinished || row.specText.empty() || row.source == "esync tree") continue;
    if (read++ == kMostDocuments || (best == 3 && known.target)) break;
    const ParsedSpec parsed = parseRunSpec(row.specText);
    if (hasErrors(parsed.findings)) continue;
    const int tells = (measuresSteps(parsed.spec) ? 2 : 0) + (workersByHost(parsed.spec) == places ? 1 : 0);
    if (row.source.empty() && tells > best && sameStep(parsed.spec, spec)) like = row, best = tells;
    if (!known.target && parsed.spec.learn && sameLearning(parsed.spec, spec)) known.target = reached(store, row, spec.stop.accuracy.value_or(kTarget));
  }
  if (like) known.like = calibrated(store, *like, simulate, likes);
  return known;
}

}  // namespace paceline::predict
