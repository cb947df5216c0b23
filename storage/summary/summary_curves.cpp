#include "storage/summary/summary_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/core/json/json_text.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

// What rounds added up to by a round. Exact for the worker whose rounds the evaluations count, and for all where workers share round numbers; the others'
// rounds of an asynchronous method count when they ended by the moment of the evaluation.
class Progress {
 public:
  Progress(const CurveInput& input, std::size_t reference) : traffic_(input.traffic) {
    for (std::size_t i = 0; i < input.rounds.size(); ++i)
      for (const RoundRecord* round : input.rounds[i]) {
        if (i == reference || input.synchronous)
          byRound_.push_back({static_cast<double>(round->round), round});
        else if (const double trained = round->t - round->evaluate; !std::isnan(trained))
          byTime_.push_back({trained, round});
      }
    std::ranges::stable_sort(byRound_, {}, &Step::at);
    std::ranges::stable_sort(byTime_, {}, &Step::at);
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
  const TrafficRule& traffic_;
  std::vector<Step> byRound_, byTime_;
  std::size_t byRoundTaken_ = 0, byTimeTaken_ = 0;
  std::int64_t samples_ = 0, bytes_ = 0;
};

struct Evaluated {
  std::string by, of;
  std::vector<const EvaluationRecord*> records;
};

std::vector<Evaluated> evaluatedOf(const CurveInput& input) {
  std::vector<Evaluated> all;
  for (const std::string& worker : input.workers) all.push_back({.by = worker, .of = "", .records = {}});  // by rank first
  for (const store::EvaluationRow& row : input.data.evaluations) {
    const std::string of = row.record.of == row.node ? std::string() : row.record.of;
    auto place = std::ranges::find_if(all, [&](const Evaluated& each) { return each.by == row.node && each.of == of; });
    if (place == all.end()) place = all.insert(all.end(), {.by = row.node, .of = of, .records = {}});
    place->records.push_back(&row.record);
  }
  std::erase_if(all, [](const Evaluated& each) { return each.records.empty(); });
  for (Evaluated& each : all) std::ranges::stable_sort(each.records, {}, &EvaluationRecord::round);
  return all;
}

// Whose rounds the evaluations count: the worker that was evaluated, else the one that evaluated, else the coordinator.
std::size_t referenceOf(const CurveInput& input, const Evaluated& evaluated) {
  for (const std::string& id : {evaluated.of, evaluated.by})
    if (const auto found = std::find(input.workers.begin(), input.workers.end(), id); found != input.workers.end())
      return static_cast<std::size_t>(found - input.workers.begin());
  return input.evaluator;
}

EvaluationCurve curveOf(const CurveInput& input, const Evaluated& evaluated) {
  EvaluationCurve curve{.by = evaluated.by, .of = evaluated.of, .points = {}};
  const std::size_t reference = referenceOf(input, evaluated);
  Progress progress(input, reference);
  const WorkerRounds& rounds = input.rounds[reference];
  for (const EvaluationRecord* evaluation : evaluated.records) {
    CurvePoint point;
    point.round = evaluation->round, point.seconds = evaluation->t;
    point.accuracy = evaluation->accuracy, point.loss = evaluation->loss;
    if (evaluation->consensus) point.consensus = *evaluation->consensus;
    if (evaluation->validationAccuracy) point.validation = *evaluation->validationAccuracy;
    const auto round = std::ranges::lower_bound(rounds, evaluation->round, {}, &RoundRecord::round);
    const bool found = round != rounds.end() && (*round)->round == evaluation->round;
    point.publishedSeconds = publishedElapsed(found ? (*round)->t : evaluation->t + evaluation->seconds);
    progress.advance(evaluation->round, evaluation->t, point);
    curve.points.push_back(point);
  }
  return curve;
}

constexpr double kResnet18Mib = 42.6;  // drawer.py's, for every model
constexpr double kMib = 1024.0 * 1024.0;

// One way, one worker, MiB: drawer.py's constant for ResNet-18 and whatever came from ESync, else 4 * parameters / 2^20 where the run's versions say
// "parameters"; NaN when they do not.
double modelMib(const store::RunRow& run) {
  if (run.source.starts_with("esync") || run.model == "resnet18_v1") return kResnet18Mib;
  const Json versions = jsonOrNull(run.versions);
  const auto parameters = versions.is_object() ? numberFromJson(versions.value("parameters", Json())) : std::nullopt;
  return parameters ? 4.0 * *parameters / kMib : kNone;
}

double lastElapsed(const WorkerRounds& rounds) { return rounds.empty() ? 0 : publishedElapsed(rounds.back()->t); }

double truncatedRatio(double amount, double seconds) { return seconds > 0 ? std::trunc(amount / seconds) : kNone; }

}  // namespace

int curvePreference(const EvaluationRecord& evaluation, const std::string& node, const std::string& roleOfNode) {
  if (evaluation.of == "mean") return 3;
  if (!evaluation.of.empty() && evaluation.of != node) return 0;
  return roleOfNode == "evaluator" ? 2 : 1;
}

std::vector<EvaluationCurve> evaluationCurves(const CurveInput& input) {
  std::vector<Evaluated> all = evaluatedOf(input);
  if (all.empty() || input.workers.empty()) return {};
  std::map<std::string, std::string> roles;
  for (const store::NodeRow& node : input.data.nodes) roles[node.id] = node.role;
  const auto preference = [&roles](const Evaluated& each) { return curvePreference(*each.records.front(), each.by, roles[each.by]); };
  const auto best = std::max_element(all.begin(), all.end(), [&](const Evaluated& a, const Evaluated& b) {  // the first of equals
    return std::make_pair(preference(a), a.records.size()) < std::make_pair(preference(b), b.records.size());
  });
  std::rotate(all.begin(), best, best + 1);
  std::vector<EvaluationCurve> curves;
  for (const Evaluated& each : all) curves.push_back(curveOf(input, each));
  return curves;
}

Curve exchangedCurve(const CurveInput& input) {
  std::vector<const RoundRecord*> rounds;
  for (const WorkerRounds& worker : input.rounds)
    for (const RoundRecord* round : worker)
      if (round->kept && std::isfinite(*round->kept) && std::isfinite(round->t)) rounds.push_back(round);
  std::ranges::stable_sort(rounds, {}, &RoundRecord::t);
  const std::size_t together = std::max<std::size_t>(1, input.rounds.size());
  Curve curve;
  CurvePoint point;
  for (std::size_t begin = 0; begin < rounds.size(); begin += together) {
    const std::size_t end = std::min(rounds.size(), begin + together);
    double kept = 0;
    for (std::size_t i = begin; i < end; ++i) {
      kept += *rounds[i]->kept;
      point.samples += rounds[i]->samples, point.bytes += input.traffic.bytesOf(*rounds[i]);
    }
    point.round = static_cast<std::int64_t>(begin / together) + 1;
    point.seconds = rounds[end - 1]->t, point.publishedSeconds = publishedElapsed(point.seconds);
    point.kept = kept / static_cast<double>(end - begin);
    curve.push_back(point);
  }
  return curve;
}

std::vector<MetricCurve> metricCurves(const CurveInput& input) {
  std::map<std::string, std::vector<const store::MetricRow*>> byName;
  for (const store::MetricRow& row : input.data.metrics)
    if (row.record.round > 0 && std::isfinite(row.record.t)) byName[row.record.name].push_back(&row);  // round 0: a total of the run, no curve
  std::vector<MetricCurve> curves;
  for (auto& [name, rows] : byName) {
    std::ranges::stable_sort(rows, {}, [](const store::MetricRow* row) { return row->record.t; });
    std::set<std::string> nodes;
    for (const store::MetricRow* row : rows) nodes.insert(row->node);
    MetricCurve& curve = curves.emplace_back(MetricCurve{.name = name, .points = {}});
    Progress progress(input, input.evaluator);
    for (std::size_t begin = 0; begin < rows.size(); begin += nodes.size()) {
      const std::size_t end = std::min(rows.size(), begin + nodes.size());
      CurvePoint point;
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += rows[i]->record.value, point.round = std::max(point.round, rows[i]->record.round);
      point.value = sum / static_cast<double>(end - begin);
      point.seconds = rows[end - 1]->record.t, point.publishedSeconds = publishedElapsed(point.seconds);
      progress.advance(point.round, point.seconds, point);
      curve.points.push_back(point);
    }
  }
  return curves;
}

std::vector<EdgeSummary> edgeSummaries(const RunData& data) {
  std::vector<EdgeSummary> edges;
  std::vector<double> steps;         // of the worker that an edge's records cover
  std::vector<std::int64_t> before;  // round of its last record
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const store::EdgeRow& row : data.edges) {
    const EdgeRecord& record = row.record;
    const auto [place, fresh] = places.try_emplace({row.node, record.peer}, edges.size());
    if (fresh) edges.push_back({.node = row.node, .peer = record.peer}), steps.push_back(0), before.push_back(0);
    const std::size_t i = place->second;
    EdgeSummary& edge = edges[i];
    const auto covered = static_cast<double>(std::max<std::int64_t>(1, record.round - before[i]));
    if (std::isfinite(record.age)) edge.ageMean += covered * record.age, steps[i] += covered;
    before[i] = record.round;
    edge.exchanges += record.exchanges, edge.lost += record.lost;
    edge.bytesSent += record.bytesSent, edge.bytesReceived += record.bytesReceived;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].ageMean /= std::max(1.0, steps[i]);
  return edges;
}

std::optional<bool> recordedSynchronous(const store::RunRow& run) {
  const Json versions = jsonOrNull(run.versions);
  if (!versions.is_object() || !versions.contains("synchronous")) return std::nullopt;
  return versions["synchronous"] == true;
}

// Asynchronous methods exchange with servers and read no aggregation, whatever their document names.
TrafficRule::TrafficRule(const store::RunRow& run, std::span<const store::NodeRow> nodes)
    : throughServers_(std::ranges::find(nodes, "server", &store::NodeRow::role) != nodes.end()) {
  if (throughServers_ && !run.specText.empty() && recordedSynchronous(run).value_or(true))
    throughServers_ = parseRunSpec(run.specText).spec.aggregation.id == Aggregation{}.id;
}

double publishedElapsed(double totalTime) { return std::nearbyint(totalTime); }

double publishedAggregate(const RoundRecord& round) { return rounded(round.send + round.wait + round.receive, 4); }

bool publishedAccuracy(const store::RunRow& run, double accuracy) {
  return std::isfinite(accuracy) && (accuracy != 0 || run.source == "esync summary");
}

double publishedComputingRatio(const WorkerRounds& rounds) {
  double aggregate = 0;
  for (const RoundRecord* round : rounds) aggregate += publishedAggregate(*round);
  const double elapsed = lastElapsed(rounds);
  return elapsed > 0 ? 1 - aggregate / elapsed : kNone;
}

double publishedThroughput(const CurveInput& input) {
  if (input.workers.empty()) return kNone;
  double samples = 0;
  for (const WorkerRounds& rounds : input.rounds)
    for (const RoundRecord* round : rounds) samples += static_cast<double>(round->samples);
  return truncatedRatio(samples, lastElapsed(input.rounds[0]));
}

double publishedTraffic(const CurveInput& input, std::int64_t accuracies) {
  if (input.data.run.algorithm == "standalone") return 0;
  if (input.workers.empty()) return kNone;
  const double mib = modelMib(input.data.run);
  if (std::isnan(mib)) return kNone;
  if (input.data.run.algorithm == "esync" || input.data.run.algorithm == "ssgd") {
    const auto messages = static_cast<double>(accuracies) * static_cast<double>(input.workers.size());
    return truncatedRatio(messages * mib, lastElapsed(input.rounds[input.evaluator]));
  }
  std::size_t iterations = 0;
  for (const WorkerRounds& rounds : input.rounds) iterations += rounds.size();
  return truncatedRatio(static_cast<double>(iterations) * mib, lastElapsed(input.rounds[0]));
}

}  // namespace paceline::summary
