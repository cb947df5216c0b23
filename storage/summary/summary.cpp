// Measured formulas. A round counts as trained at its end less its evaluation. The window of a run goes from the first beginning
// of a round of any worker to the last end of one: all rates are per second of that one window, whoever ended earlier.
#include "storage/summary/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "storage/summary/summary_curves.h"

namespace paceline::summary {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Worker {
  store::NodeRow node;
  WorkerRounds rounds;  // by round number
  std::size_t evaluations = 0;
};

bool isWorker(const store::NodeRow& node) { return node.role == "worker"; }

// A node of the run that is no worker: an evaluator, a server.
bool declaredElse(const RunData& data, const std::string& id) {
  return std::ranges::any_of(data.nodes, [&id](const store::NodeRow& node) { return node.id == id && !isWorker(node); });
}

std::vector<Worker> workersOf(const RunData& data) {
  std::vector<Worker> workers;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const store::NodeRow& node : data.nodes)
    if (isWorker(node)) workers.push_back({.node = node, .rounds = {}});
  std::ranges::stable_sort(workers, {}, [](const Worker& worker) { return worker.node.rank; });
  for (std::size_t i = 0; i < workers.size(); ++i) places[workers[i].node.id] = i;
  const auto workerOf = [&](const std::string& id) -> Worker& {  // one that only its records name comes last
    const auto [place, fresh] = places.try_emplace(id, workers.size());
    if (fresh) workers.push_back({.node = {.run = data.run.id, .id = id, .role = "", .host = "", .device = ""}, .rounds = {}});
    return workers[place->second];
  };
  for (const store::RoundRow& row : data.rounds) workerOf(row.node).rounds.push_back(&row.record);
  for (const store::EvaluationRow& row : data.evaluations)
    if (!declaredElse(data, row.node)) ++workerOf(row.node).evaluations;
  for (Worker& worker : workers) std::ranges::stable_sort(worker.rounds, {}, &RoundRecord::round);
  return workers;
}

// The worker that evaluated most; where none did (an evaluator node does it), the one that the document names, else the first.
std::size_t evaluatorOf(const std::vector<Worker>& workers, const store::RunRow& run) {
  const auto most = std::ranges::max_element(workers, {}, &Worker::evaluations);
  if (most->evaluations > 0 || run.specText.empty()) return static_cast<std::size_t>(most - workers.begin());
  const std::string on = parseRunSpec(run.specText).spec.evaluate.on;
  const auto named = std::ranges::find(workers, on, [](const Worker& worker) { return worker.node.id; });
  return named == workers.end() ? 0 : static_cast<std::size_t>(named - workers.begin());
}

NodeSummary summaryOf(const Worker& worker) {
  NodeSummary node;
  node.id = worker.node.id, node.role = worker.node.role, node.host = worker.node.host, node.device = worker.node.device;
  double busy = 0, sparse = 0;
  for (const RoundRecord* round : worker.rounds) {
    ++node.rounds;
    node.samples += round->samples;
    node.fetchSeconds += round->fetch, node.updateSeconds += round->update, node.querySeconds += round->query;
    node.computeSeconds += round->compute, node.waitSeconds += round->wait;
    node.sendSeconds += round->send, node.receiveSeconds += round->receive;
    node.evaluateSeconds += round->evaluate, node.totalSeconds += round->total;
    node.localStepsMean += static_cast<double>(round->localSteps), node.stalenessMean += round->staleness;
    node.bytesSent += round->bytesSent, node.bytesReceived += round->bytesReceived;
    node.localSteps.emplace_back(round->round, round->localSteps);
    if (std::isfinite(round->staleness)) ++node.stalenessRounds[std::llround(round->staleness)];
    if (round->kept && std::isfinite(*round->kept)) node.keptMean = node.keptMean.value_or(0) + *round->kept, ++sparse;
    busy += round->fetch + round->compute + round->update;
  }
  const double count = std::max<double>(1, static_cast<double>(node.rounds));
  node.localStepsMean /= count, node.stalenessMean /= count;
  if (node.keptMean) *node.keptMean /= sparse;
  // Nothing computed and nothing known (an imported summary) is not "idle all the time".
  const bool measured = node.totalSeconds > 0 && busy > 0;
  node.busyRatio = measured ? busy / node.totalSeconds : kNone;
  node.publishedComputingRatio = publishedComputingRatio(worker.rounds);
  return node;
}

NodeSummary summaryOfEvaluator(const store::NodeRow& row, const RunData& data) {
  NodeSummary node;
  node.id = row.id, node.role = row.role, node.host = row.host, node.device = row.device;
  node.busyRatio = node.publishedComputingRatio = kNone;
  for (const store::EvaluationRow& evaluation : data.evaluations)
    if (evaluation.node == row.id) node.evaluateSeconds += evaluation.record.seconds;
  return node;
}

void summariseExchange(RunSummary& summary, const std::vector<Worker>& workers) {
  double rounds = 0, sparse = 0, kept = 0;
  for (const Worker& worker : workers)
    for (const RoundRecord* round : worker.rounds) {
      ++rounds;
      if (round->kept && std::isfinite(*round->kept)) kept += *round->kept, ++sparse;
    }
  if (sparse > 0) summary.keptMean = kept / sparse;
  if (rounds > 0) {
    summary.bytesSentPerRound = static_cast<double>(summary.bytesSent) / rounds;
    summary.bytesReceivedPerRound = static_cast<double>(summary.bytesReceived) / rounds;
  }
}

void summariseLabels(RunSummary& summary, const RunData& data) {
  for (const store::LabelsRow& row : data.labels)  // told once; told again (a resumed recording), the newest holds
    for (NodeSummary& node : summary.nodes)
      if (node.id == row.node) node.labelCounts = row.record.counts;
  const bool oneSet = data.run.partition == "shared";  // then an epoch is the set that every worker has, however many they are
  std::int64_t samples = 0;
  for (const NodeSummary& node : summary.nodes) {
    if (!trains(node)) continue;
    if (node.labelCounts.empty()) return;
    samples = oneSet ? std::max(samples, sampleCount(node.labelCounts)) : samples + sampleCount(node.labelCounts);
  }
  if (samples > 0) summary.epochSamples = samples;
}

double windowSeconds(const std::vector<Worker>& workers) {
  double begin = kNever, end = 0;
  for (const Worker& worker : workers)
    for (const RoundRecord* round : worker.rounds)
      begin = std::min(begin, std::max(0.0, round->t - round->total)), end = std::max(end, round->t);
  return end > begin ? end - begin : 0;
}

void findTarget(RunSummary& summary) {
  summary.timeToTargetSeconds.reset();
  for (const auto& [accuracy, seconds] : summary.improvements)
    if (!summary.timeToTargetSeconds && accuracy >= summary.targetAccuracy) summary.timeToTargetSeconds = seconds;
}

void summariseCurves(RunSummary& summary, const CurveInput& input) {
  summary.otherCurves = evaluationCurves(input);
  if (!summary.otherCurves.empty()) {
    EvaluationCurve& own = summary.otherCurves.front();
    summary.curve = std::move(own.points), summary.curveBy = own.by, summary.curveOf = own.of;
    summary.otherCurves.erase(summary.otherCurves.begin());
  }
  summary.exchanged = exchangedCurve(input);
  summary.metrics = metricCurves(input);
}

void summarisePublished(RunSummary& summary, const CurveInput& input) {
  const store::RunRow& run = input.data.run;
  // The script takes the number of accuracies for the number of rounds; that holds for its own logs only, which evaluate every round.
  const auto accuracies = !run.source.starts_with("esync") ? summary.rounds : std::ranges::count_if(summary.curve, [&](const CurvePoint& p) {
    return p.round > 0 && publishedAccuracy(run, p.accuracy);
  });
  summary.publishedThroughput = publishedThroughput(input);
  summary.publishedTrafficMbPerSecond = publishedTraffic(input, accuracies);
}

}  // namespace

void summariseEvaluations(RunSummary& summary) {
  summary.accuracyLast.reset(), summary.accuracyBest.reset(), summary.validationBest.reset(), summary.lossLast.reset(), summary.consensusLast.reset();
  summary.improvements.clear();
  const Curve& curve = summary.curve;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double deciding = curve.deciding(i);
    if (summary.improvements.empty() ? std::isnan(deciding) : !(deciding > summary.improvements.back().first)) continue;
    summary.improvements.emplace_back(deciding, curve.number(Column::kSeconds, i));
    summary.accuracyBest = curve.number(Column::kAccuracy, i);
  }
  if (curve.isValidated() && !summary.improvements.empty()) summary.validationBest = summary.improvements.back().first;
  if (!curve.empty()) {
    const CurvePoint last = curve.back();
    summary.accuracyLast = last.accuracy, summary.lossLast = last.loss;
    if (!std::isnan(last.consensus)) summary.consensusLast = last.consensus;
  }
  findTarget(summary);
}

RunData loadRun(const store::StoreReader& store, const store::RunRow& run) {
  RunData data;
  data.run = run, data.nodes = store.nodes(run.id);
  eachList(data, [&]<class Record>(std::vector<store::RecordRow<Record>>& rows) { rows = store.records<Record>(run.id); });
  return data;
}

Statistic statistic(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .deviation = values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0};
}

double meanBusyRatio(const RunSummary& run) {
  double sum = 0;
  for (const NodeSummary& node : run.nodes)
    if (trains(node)) sum += node.busyRatio;
  return sum / static_cast<double>(std::ranges::count_if(run.nodes, trains));
}

void introduce(RunSummary& summary, const store::RunRow& run, const SummaryOptions& options) {
  summary.id = run.id, summary.name = run.name, summary.state = store::stateName(run.state), summary.seed = run.seed;
  summary.algorithm = run.algorithm, summary.model = run.model, summary.dataset = run.dataset, summary.partition = run.partition;
  summary.configHash = run.configHash, summary.groupHash = run.groupHash, summary.document = run.specText, summary.source = run.source;
  summary.targetAccuracy = options.targetAccuracy;
  findTarget(summary);
}

RunSummary summarise(const RunData& data, const SummaryOptions& options) {
  RunSummary summary = measured(data);
  introduce(summary, data.run, options);
  return summary;
}

RunSummary measured(const RunData& data) {
  const store::RunRow& run = data.run;
  RunSummary summary;
  const std::vector<Worker> workers = workersOf(data);
  const TrafficRule traffic(run, data.nodes);
  std::int64_t trafficBytes = 0;
  for (const Worker& worker : workers) {
    for (const RoundRecord* round : worker.rounds) trafficBytes += traffic.bytesOf(*round);
    const NodeSummary& node = summary.nodes.emplace_back(summaryOf(worker));
    summary.samples += node.samples, summary.bytesSent += node.bytesSent, summary.bytesReceived += node.bytesReceived;
  }
  for (const store::NodeRow& node : data.nodes)
    if (node.role == "evaluator") summary.nodes.push_back(summaryOfEvaluator(node, data));
  summary.edges = edgeSummaries(data);
  summariseLabels(summary, data);
  summary.wallSeconds = windowSeconds(workers);
  // What another tool's files did not say is not "nothing".
  const bool imported = run.state == store::RunState::kImported;
  const auto perSecond = [&](std::int64_t total) {
    if (imported && (total == 0 || summary.wallSeconds <= 0)) return kNone;
    return summary.wallSeconds > 0 ? static_cast<double>(total) / summary.wallSeconds : 0.0;
  };
  summary.throughputSamplesPerSecond = perSecond(summary.samples), summary.trafficBytesPerSecond = perSecond(trafficBytes);
  if (workers.empty()) return summary;
  summariseExchange(summary, workers);
  const std::size_t evaluator = evaluatorOf(workers, run);
  summary.evaluator = workers[evaluator].node.id;
  summary.rounds = static_cast<std::int64_t>(workers[evaluator].rounds.size());
  CurveInput input{.data = data, .traffic = traffic, .evaluator = evaluator, .synchronous = recordedSynchronous(run).value_or(false)};
  for (const Worker& worker : workers) input.workers.push_back(worker.node.id), input.rounds.push_back(worker.rounds);
  summariseCurves(summary, input);
  summariseEvaluations(summary);
  summarisePublished(summary, input);
  return summary;
}

}  // namespace paceline::summary
