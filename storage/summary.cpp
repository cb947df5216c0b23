// Measured formulas. A round counts as trained at its end less its evaluation. The window of a run goes from the first beginning
// of a round of any worker to the last end of one: all rates are per second of that one window, whoever ended earlier.
#include "storage/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/json_number.h"
#include "storage/summary_published.h"
#include "storage/traffic.h"

namespace paceline {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Worker {
  NodeRow node;
  WorkerRounds rounds;  // by round number
  std::vector<const EvaluationRecord*> evaluations;
};

bool isWorker(const NodeRow& node) { return node.role == "worker"; }

std::vector<Worker> workersOf(const RunData& data) {
  std::vector<Worker> workers;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const NodeRow& node : data.nodes)
    if (isWorker(node)) workers.push_back({.node = node, .rounds = {}, .evaluations = {}});
  std::stable_sort(workers.begin(), workers.end(), [](const Worker& a, const Worker& b) { return a.node.rank < b.node.rank; });
  for (std::size_t i = 0; i < workers.size(); ++i) places[workers[i].node.id] = i;
  const auto workerOf = [&](const std::string& id) -> Worker& {  // one that only its records name comes last
    const auto [place, fresh] = places.try_emplace(id, workers.size());
    if (fresh)
      workers.push_back(
          {.node = {.run = data.run.id, .id = id, .role = "", .host = "", .device = ""}, .rounds = {}, .evaluations = {}});
    return workers[place->second];
  };
  for (const RoundRow& row : data.rounds) workerOf(row.node).rounds.push_back(&row.record);
  for (const EvaluationRow& row : data.evaluations) workerOf(row.node).evaluations.push_back(&row.record);
  for (Worker& worker : workers) {
    const auto byRound = [](const auto* a, const auto* b) { return a->round < b->round; };
    std::stable_sort(worker.rounds.begin(), worker.rounds.end(), byRound);
    std::stable_sort(worker.evaluations.begin(), worker.evaluations.end(), byRound);
  }
  return workers;
}

std::size_t evaluatorOf(const std::vector<Worker>& workers) {
  const auto most = std::max_element(workers.begin(), workers.end(), [](const Worker& a, const Worker& b) {
    return a.evaluations.size() < b.evaluations.size();
  });
  return static_cast<std::size_t>(most - workers.begin());
}

NodeSummary summaryOf(const Worker& worker) {
  NodeSummary node;
  node.id = worker.node.id, node.role = worker.node.role, node.host = worker.node.host, node.device = worker.node.device;
  double busy = 0;
  for (const RoundRecord* round : worker.rounds) {
    ++node.rounds;
    node.samples += round->samples;
    node.computeSeconds += round->compute, node.waitSeconds += round->wait;
    node.sendSeconds += round->send, node.receiveSeconds += round->receive;
    node.evaluateSeconds += round->evaluate, node.totalSeconds += round->total;
    node.localStepsMean += static_cast<double>(round->localSteps), node.stalenessMean += round->staleness;
    node.bytesSent += round->bytesSent, node.bytesReceived += round->bytesReceived;
    node.localSteps.emplace_back(round->round, round->localSteps);
    busy += round->fetch + round->compute + round->update;
  }
  const double count = std::max<double>(1, static_cast<double>(node.rounds));
  node.localStepsMean /= count, node.stalenessMean /= count;
  // Nothing computed and nothing known (an imported summary) is not "idle all the time".
  const bool measured = node.totalSeconds > 0 && busy > 0;
  node.busyRatio = measured ? busy / node.totalSeconds : std::numeric_limits<double>::quiet_NaN();
  node.publishedComputingRatio = publishedComputingRatio(worker.rounds);
  return node;
}

double windowSeconds(const std::vector<Worker>& workers) {
  double begin = kNever, end = 0;
  for (const Worker& worker : workers)
    for (const RoundRecord* round : worker.rounds)
      begin = std::min(begin, std::max(0.0, round->t - round->total)), end = std::max(end, round->t);
  return end > begin ? end - begin : 0;
}

// What rounds added up to by a round. Exact for the evaluating worker, and for all where workers share round numbers; the others'
// rounds of an asynchronous method count when they ended by the moment of the evaluation.
class Progress {
 public:
  Progress(const std::vector<Worker>& workers, std::size_t evaluator, bool synchronous, const Traffic& traffic) : traffic_(traffic) {
    for (std::size_t i = 0; i < workers.size(); ++i)
      for (const RoundRecord* round : workers[i].rounds) {
        if (i == evaluator || synchronous)
          byRound_.push_back({static_cast<double>(round->round), round});
        else if (const double trained = round->t - round->evaluate; !std::isnan(trained))
          byTime_.push_back({trained, round});
      }
    std::stable_sort(byRound_.begin(), byRound_.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
    std::stable_sort(byTime_.begin(), byTime_.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  }
  // Calls come with growing arguments.
  void advance(std::int64_t round, double seconds, CurvePoint& point) {
    take(byRound_, byRoundTaken_, static_cast<double>(round));
    take(byTime_, byTimeTaken_, seconds);
    point.samples = samples_, point.bytes = bytes_;
  }

 private:
  struct Step {
    double at;
    const RoundRecord* round;
  };
  void take(const std::vector<Step>& steps, std::size_t& taken, double until) {
    for (; taken < steps.size() && steps[taken].at <= until; ++taken) {
      samples_ += steps[taken].round->samples;
      bytes_ += traffic_.bytesOf(*steps[taken].round);
    }
  }
  const Traffic& traffic_;
  std::vector<Step> byRound_, byTime_;
  std::size_t byRoundTaken_ = 0, byTimeTaken_ = 0;
  std::int64_t samples_ = 0, bytes_ = 0;
};

// Whether all workers of the run go through the same rounds: its versions say so; unknown (imports) counts as not.
bool sharesRounds(const RunRow& run) {
  const Json versions = Json::parse(run.versions, nullptr, false);
  return versions.is_object() && versions.value("synchronous", Json(false)) == true;
}

std::vector<CurvePoint> curveOf(const std::vector<Worker>& workers, std::size_t evaluator, bool synchronous, const Traffic& traffic) {
  std::vector<CurvePoint> curve;
  Progress progress(workers, evaluator, synchronous, traffic);
  const WorkerRounds& rounds = workers[evaluator].rounds;
  for (const EvaluationRecord* evaluation : workers[evaluator].evaluations) {
    CurvePoint& point = curve.emplace_back();
    point.round = evaluation->round, point.seconds = evaluation->t;
    point.accuracy = evaluation->accuracy, point.loss = evaluation->loss;
    const auto round = std::lower_bound(rounds.begin(), rounds.end(), evaluation->round,
                                        [](const RoundRecord* r, std::int64_t number) { return r->round < number; });
    const bool found = round != rounds.end() && (*round)->round == evaluation->round;
    point.publishedSeconds = publishedElapsed(found ? (*round)->t : evaluation->t + evaluation->seconds);
    progress.advance(evaluation->round, evaluation->t, point);
  }
  return curve;
}

void summariseEvaluations(RunSummary& summary) {
  for (const CurvePoint& point : summary.curve) {
    if (!std::isnan(point.accuracy))
      summary.accuracyBest = std::max(summary.accuracyBest.value_or(point.accuracy), point.accuracy);
    if (!summary.timeToTargetSeconds && point.accuracy >= summary.targetAccuracy) summary.timeToTargetSeconds = point.seconds;
  }
  if (summary.curve.empty()) return;
  summary.accuracyLast = summary.curve.back().accuracy;
  summary.lossLast = summary.curve.back().loss;
}

void summarisePublished(RunSummary& summary, const RunRow& run, const std::vector<Worker>& workers, std::size_t evaluator) {
  std::vector<WorkerRounds> rounds;
  for (const Worker& worker : workers) rounds.push_back(worker.rounds);
  // The script takes the number of accuracies for the number of rounds; that holds for its own logs only, which evaluate every round.
  const bool scripts = run.source.starts_with("esync");
  const auto accuracies = !scripts ? summary.rounds : std::count_if(summary.curve.begin(), summary.curve.end(),
                                        [&](const CurvePoint& p) { return p.round > 0 && publishedAccuracy(run, p.accuracy); });
  const PublishedInput input{.run = run, .workers = rounds, .evaluator = evaluator, .accuracies = accuracies};
  summary.publishedThroughput = publishedThroughput(input);
  summary.publishedTrafficMbPerSecond = publishedTraffic(input);
}

}  // namespace

RunData loadRun(const StoreReader& store, const RunRow& run) {
  return {.run = run,
          .nodes = store.nodes(run.id),
          .rounds = store.rounds(run.id),
          .evaluations = store.evaluations(run.id),
          .notices = store.notices(run.id),
          .hostLoads = store.hostLoads(run.id),
          .edges = store.edges(run.id)};
}

RunSummary summarise(const RunData& data, const SummaryOptions& options) {
  const RunRow& run = data.run;
  RunSummary summary;
  summary.id = run.id, summary.name = run.name, summary.state = stateName(run.state), summary.seed = run.seed;
  summary.algorithm = run.algorithm, summary.model = run.model, summary.dataset = run.dataset, summary.partition = run.partition;
  summary.configHash = run.configHash, summary.groupHash = run.groupHash;
  summary.targetAccuracy = options.targetAccuracy;
  const std::vector<Worker> workers = workersOf(data);
  const Traffic traffic(run.specText, data.nodes);
  std::int64_t trafficBytes = 0;
  for (const Worker& worker : workers) {
    for (const RoundRecord* round : worker.rounds) trafficBytes += traffic.bytesOf(*round);
    const NodeSummary& node = summary.nodes.emplace_back(summaryOf(worker));
    summary.samples += node.samples, summary.bytesSent += node.bytesSent, summary.bytesReceived += node.bytesReceived;
  }
  summary.wallSeconds = windowSeconds(workers);
  if (summary.wallSeconds > 0) {
    summary.throughputSamplesPerSecond = static_cast<double>(summary.samples) / summary.wallSeconds;
    summary.trafficBytesPerSecond = static_cast<double>(trafficBytes) / summary.wallSeconds;
  }
  if (workers.empty()) return summary;
  const std::size_t evaluator = evaluatorOf(workers);
  summary.evaluator = workers[evaluator].node.id;
  summary.rounds = static_cast<std::int64_t>(workers[evaluator].rounds.size());
  summary.curve = curveOf(workers, evaluator, sharesRounds(run), traffic);
  summariseEvaluations(summary);
  summarisePublished(summary, run, workers, evaluator);
  return summary;
}

}  // namespace paceline
