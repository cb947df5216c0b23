// Summaries as documents. JSON has no NaN: a number that is not known or not finite is null there and an empty cell in CSV.
#include <algorithm>
#include <cmath>

#include "engine/core/json/json_number.h"
#include "storage/summary/summary.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered known(double value) { return std::isfinite(value) ? Ordered(value) : Ordered(nullptr); }
Ordered known(const std::optional<double>& value) { return value ? known(*value) : Ordered(nullptr); }
std::optional<double> knownCell(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }
std::optional<double> knownCell(const std::optional<double>& value) { return value ? knownCell(*value) : std::nullopt; }

Ordered toJson(const NodeSummary& node) {
  Ordered steps = Ordered::array();
  for (const auto& [round, count] : node.localSteps) steps.push_back({round, count});
  Ordered staleness = Ordered::array();
  for (const auto& [updates, count] : node.stalenessRounds) staleness.push_back({updates, count});
  return {{"id", node.id},
          {"role", node.role},
          {"host", node.host},
          {"device", node.device},
          {"rounds", node.rounds},
          {"samples", node.samples},
          {"compute_s", known(node.computeSeconds)},
          {"wait_s", known(node.waitSeconds)},
          {"send_s", known(node.sendSeconds)},
          {"receive_s", known(node.receiveSeconds)},
          {"evaluate_s", known(node.evaluateSeconds)},
          {"total_s", known(node.totalSeconds)},
          {"busy_ratio", known(node.busyRatio)},
          {"local_steps_mean", known(node.localStepsMean)},
          {"staleness_mean", known(node.stalenessMean)},
          {"bytes_sent", node.bytesSent},
          {"bytes_received", node.bytesReceived},
          {"local_steps", std::move(steps)},
          {"staleness_rounds", std::move(staleness)},
          {"kept_mean", known(node.keptMean)},
          {"train_samples", node.labelCounts.empty() ? Ordered(nullptr) : Ordered(sampleCount(node.labelCounts))},
          {"label_counts", node.labelCounts}};
}

Ordered toJson(const CurvePoint& point) {
  return {{"round", point.round},
          {"t_s", known(point.seconds)},
          {"samples", point.samples},
          {"bytes", point.bytes},
          {"accuracy", known(point.accuracy)},
          {"loss", known(point.loss)},
          {"published_t_s", known(point.publishedSeconds)},
          {"consensus", known(point.consensus)}};
}

Ordered toJson(const EdgeSummary& edge) {
  return {{"node", edge.node},
          {"peer", edge.peer},
          {"exchanges", edge.exchanges},
          {"age_mean", known(edge.ageMean)},
          {"bytes_sent", edge.bytesSent},
          {"bytes_received", edge.bytesReceived},
          {"lost", edge.lost}};
}

Ordered otherCurvesJson(const RunSummary& run) {
  Ordered curves = Ordered::array();
  for (const EvaluationCurve& other : run.otherCurves) {
    Ordered points = Ordered::array();
    for (const CurvePoint& point : other.points) points.push_back(toJson(point));
    curves.push_back({{"by", other.by}, {"of", other.of}, {"curve", std::move(points)}});
  }
  return curves;
}

Ordered exchangedJson(const RunSummary& run) {
  Ordered points = Ordered::array();
  for (const CurvePoint& point : run.exchanged)
    points.push_back({{"round", point.round},
                      {"t_s", known(point.seconds)},
                      {"samples", point.samples},
                      {"bytes", point.bytes},
                      {"kept", known(point.kept)}});
  return points;
}

Ordered publishedJson(const RunSummary& run) {
  Ordered ratios = Ordered::object();
  for (const NodeSummary& node : run.nodes)
    if (trains(node)) ratios[node.id] = known(node.publishedComputingRatio);
  return {{"throughput", known(run.publishedThroughput)},
          {"traffic_mb_per_s", known(run.publishedTrafficMbPerSecond)},
          {"computing_time_ratio", std::move(ratios)}};
}

Ordered toJson(const RunSummary& run) {
  Ordered nodes = Ordered::array(), curve = Ordered::array(), edges = Ordered::array();
  for (const NodeSummary& node : run.nodes) nodes.push_back(toJson(node));
  for (const CurvePoint& point : run.curve) curve.push_back(toJson(point));
  for (const EdgeSummary& edge : run.edges) edges.push_back(toJson(edge));
  return {{"id", run.id},
          {"name", run.name},
          {"state", run.state},
          {"algorithm", run.algorithm},
          {"model", run.model},
          {"dataset", run.dataset},
          {"partition", run.partition},
          {"seed", run.seed},
          {"config_hash", run.configHash},
          {"group_hash", run.groupHash},
          {"evaluator", run.evaluator},
          {"rounds", run.rounds},
          {"samples", run.samples},
          {"wall_s", known(run.wallSeconds)},
          {"throughput_samples_per_s", known(run.throughputSamplesPerSecond)},
          {"traffic_bytes_per_s", known(run.trafficBytesPerSecond)},
          {"bytes_sent", run.bytesSent},
          {"bytes_received", run.bytesReceived},
          {"accuracy_last", known(run.accuracyLast)},
          {"accuracy_best", known(run.accuracyBest)},
          {"loss_last", known(run.lossLast)},
          {"target_accuracy", known(run.targetAccuracy)},
          {"time_to_target_s", known(run.timeToTargetSeconds)},
          {"published", publishedJson(run)},
          {"nodes", std::move(nodes)},
          {"curve", std::move(curve)},
          {"curve_by", run.curveBy},
          {"curve_of", run.curveOf},
          {"other_curves", otherCurvesJson(run)},
          {"bytes_sent_per_round", known(run.bytesSentPerRound)},
          {"bytes_received_per_round", known(run.bytesReceivedPerRound)},
          {"kept_mean", known(run.keptMean)},
          {"consensus_last", known(run.consensusLast)},
          {"exchanged", exchangedJson(run)},
          {"edges", std::move(edges)},
          {"epoch_samples", run.epochSamples ? Ordered(*run.epochSamples) : Ordered(nullptr)}};
}

}  // namespace

std::string summariesToJson(const std::vector<RunSummary>& runs, int indent) {
  Ordered list = Ordered::array();
  for (const RunSummary& run : runs) list.push_back(toJson(run));
  return Ordered{{"runs", std::move(list)}}.dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

std::string summariesToCsv(const std::vector<RunSummary>& runs) {
  CsvTable table;
  for (const char* name : {"id",
                           "name",
                           "state",
                           "algorithm",
                           "model",
                           "dataset",
                           "partition",
                           "seed",
                           "config_hash",
                           "workers",
                           "rounds",
                           "samples",
                           "wall_s",
                           "throughput_samples_per_s",
                           "traffic_bytes_per_s",
                           "bytes_sent",
                           "bytes_received",
                           "accuracy_last",
                           "accuracy_best",
                           "loss_last",
                           "target_accuracy",
                           "time_to_target_s",
                           "busy_ratio_mean",
                           "published_throughput",
                           "published_traffic_mb_per_s",
                           "bytes_sent_per_round",
                           "bytes_received_per_round",
                           "kept_mean",
                           "consensus_last"})
    table.cell(name);
  table.endRow();
  for (const RunSummary& run : runs) {
    table.cell(run.id).cell(run.name).cell(run.state).cell(run.algorithm).cell(run.model).cell(run.dataset).cell(run.partition);
    table.cell(run.seed)
        .cell(run.configHash)
        .cell(static_cast<std::int64_t>(std::ranges::count_if(run.nodes, trains)))
        .cell(run.rounds)
        .cell(run.samples);
    table.cell(run.wallSeconds).cell(run.throughputSamplesPerSecond).cell(run.trafficBytesPerSecond);
    table.cell(run.bytesSent).cell(run.bytesReceived);
    table.cell(knownCell(run.accuracyLast)).cell(knownCell(run.accuracyBest)).cell(knownCell(run.lossLast));
    table.cell(run.targetAccuracy).cell(knownCell(run.timeToTargetSeconds)).cell(knownCell(meanBusyRatio(run)));
    table.cell(knownCell(run.publishedThroughput)).cell(knownCell(run.publishedTrafficMbPerSecond));
    table.cell(knownCell(run.bytesSentPerRound)).cell(knownCell(run.bytesReceivedPerRound));
    table.cell(knownCell(run.keptMean)).cell(knownCell(run.consensusLast));
    table.endRow();
  }
  return table.text();
}

}  // namespace paceline::summary
