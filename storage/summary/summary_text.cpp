// Summaries as documents: JSON, CSV. JSON has no NaN: a number that is not known or not finite is null there and an empty cell in CSV.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/json/json_text.h"
#include "storage/summary/assumed.h"
#include "storage/summary/summary.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

constexpr const char* kHead = "{\n  \"runs\": [";

OrderedJson known(double value) { return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr); }
OrderedJson known(const std::optional<double>& value) { return value ? known(*value) : OrderedJson(nullptr); }

// A list of what `json` makes of each item.
template <class Items, class ToJson>
OrderedJson listOf(const Items& items, ToJson&& json) {
  OrderedJson list = OrderedJson::array();
  for (const auto& item : items) list.push_back(json(item));
  return list;
}
template <class Pairs>
OrderedJson pairsJson(const Pairs& pairs) {
  return listOf(pairs, [](const auto& pair) { return OrderedJson::array({pair.first, pair.second}); });
}

OrderedJson nodeJson(const NodeSummary& node) {
  return {{"id", node.id}, {"role", node.role}, {"host", node.host}, {"device", node.device}, {"rounds", node.rounds}, {"samples", node.samples},
          {"fetch_s", known(node.fetchSeconds)}, {"update_s", known(node.updateSeconds)}, {"query_s", known(node.querySeconds)},
          {"compute_s", known(node.computeSeconds)}, {"wait_s", known(node.waitSeconds)}, {"send_s", known(node.sendSeconds)},
          {"receive_s", known(node.receiveSeconds)}, {"evaluate_s", known(node.evaluateSeconds)}, {"total_s", known(node.totalSeconds)},
          {"busy_ratio", known(node.busyRatio)}, {"local_steps_mean", known(node.localStepsMean)}, {"staleness_mean", known(node.stalenessMean)},
          {"bytes_sent", node.bytesSent}, {"bytes_received", node.bytesReceived},
          {"local_steps", pairsJson(node.localSteps)}, {"staleness_rounds", pairsJson(node.stalenessRounds)}, {"kept_mean", known(node.keptMean)},
          {"train_samples", node.labelCounts.empty() ? OrderedJson(nullptr) : OrderedJson(sampleCount(node.labelCounts))},
          {"label_counts", node.labelCounts}};
}

// Where a point is on each of the x axes.
OrderedJson placeOf(const CurvePoint& point) {
  return {{"round", point.round}, {"t_s", known(point.seconds)}, {"samples", point.samples}, {"bytes", point.bytes}};
}

OrderedJson curveJson(const Curve& points) {
  return listOf(points, [](const CurvePoint& point) {
    OrderedJson json = placeOf(point);
    json["accuracy"] = known(point.accuracy), json["loss"] = known(point.loss);
    json["published_t_s"] = known(point.publishedSeconds), json["consensus"] = known(point.consensus);
    if (!std::isnan(point.validation)) json["validation"] = point.validation;
    return json;
  });
}

OrderedJson curveJson(const Curve& points, const char* key, double CurvePoint::*value) {
  return listOf(points, [&](const CurvePoint& point) {
    OrderedJson json = placeOf(point);
    json[key] = known(point.*value);
    return json;
  });
}

OrderedJson edgeJson(const EdgeSummary& edge) {
  return {{"node", edge.node}, {"peer", edge.peer}, {"exchanges", edge.exchanges}, {"age_mean", known(edge.ageMean)},
          {"bytes_sent", edge.bytesSent}, {"bytes_received", edge.bytesReceived}, {"lost", edge.lost}};
}

OrderedJson otherCurveJson(const EvaluationCurve& other) { return {{"by", other.by}, {"of", other.of}, {"curve", curveJson(other.points)}}; }

OrderedJson metricJson(const MetricCurve& metric) { return {{"name", metric.name}, {"curve", curveJson(metric.points, "value", &CurvePoint::value)}}; }

OrderedJson publishedJson(const RunSummary& run) {
  OrderedJson ratios = OrderedJson::object();
  for (const NodeSummary& node : run.nodes)
    if (trains(node)) ratios[node.id] = known(node.publishedComputingRatio);
  return {{"throughput", known(run.publishedThroughput)}, {"traffic_mb_per_s", known(run.publishedTrafficMbPerSecond)},
          {"computing_time_ratio", std::move(ratios)}};
}

// `lists`: what has as many items as there are nodes, points or edges.
OrderedJson runJson(const RunSummary& run, bool lists) {
  const auto list = [lists](auto&& json) { return lists ? json() : OrderedJson::array(); };
  return {{"id", run.id}, {"name", run.name}, {"state", run.state}, {"algorithm", run.algorithm}, {"model", run.model}, {"dataset", run.dataset},
          {"partition", run.partition}, {"seed", run.seed}, {"config_hash", run.configHash}, {"group_hash", run.groupHash},
          {"evaluator", run.evaluator}, {"rounds", run.rounds}, {"samples", run.samples}, {"wall_s", known(run.wallSeconds)},
          {"throughput_samples_per_s", known(run.throughputSamplesPerSecond)}, {"traffic_bytes_per_s", known(run.trafficBytesPerSecond)},
          {"bytes_sent", run.bytesSent}, {"bytes_received", run.bytesReceived},
          {"accuracy_last", known(run.accuracyLast)}, {"accuracy_best", known(run.accuracyBest)}, {"validation_best", known(run.validationBest)}, {"loss_last", known(run.lossLast)},
          {"target_accuracy", known(run.targetAccuracy)}, {"time_to_target_s", known(run.timeToTargetSeconds)},
          {"published", publishedJson(run)}, {"nodes", list([&] { return listOf(run.nodes, nodeJson); })},
          {"curve", list([&] { return curveJson(run.curve); })}, {"curve_by", run.curveBy}, {"curve_of", run.curveOf},
          {"other_curves", list([&] { return listOf(run.otherCurves, otherCurveJson); })},
          {"bytes_sent_per_round", known(run.bytesSentPerRound)}, {"bytes_received_per_round", known(run.bytesReceivedPerRound)},
          {"kept_mean", known(run.keptMean)}, {"consensus_last", known(run.consensusLast)}, 
          {"exchanged", list([&] { return curveJson(run.exchanged, "kept", &CurvePoint::kept); })}, {"edges", list([&] { return listOf(run.edges, edgeJson); })},
          {"epoch_samples", run.epochSamples ? OrderedJson(*run.epochSamples) : OrderedJson(nullptr)},
          {"metrics", list([&] { return listOf(run.metrics, metricJson); })}, {"source", run.source}, {"assumed", assumedOf(run)}};
}

}  // namespace

std::string SummariesJson::next(const RunSummary& run) { return (std::exchange(any_, true) ? "," : kHead) + deeper(dumped(runJson(run, true), 2)); }

std::string SummariesJson::end() const { return any_ ? "\n  ]\n}" : strCat(kHead, "]\n}"); }

std::string summariesToJson(const std::vector<RunSummary>& runs) {
  SummariesJson document;
  std::string text;
  for (const RunSummary& run : runs) text += document.next(run);
  return text + document.end();
}

std::string summariesToCsv(const std::vector<RunSummary>& runs, const std::vector<CsvColumn>& more) {
  constexpr const char* kColumns[] = {
      "id", "name", "state", "algorithm", "model", "dataset", "partition", "seed", "config_hash", "workers", "rounds", "samples", "wall_s",
      "throughput_samples_per_s", "traffic_bytes_per_s", "bytes_sent", "bytes_received", "accuracy_last", "accuracy_best", "loss_last",
      "target_accuracy", "time_to_target_s", "busy_ratio_mean", "published_throughput", "published_traffic_mb_per_s", "bytes_sent_per_round",
      "bytes_received_per_round", "kept_mean", "consensus_last", "source", "validation_best"};
  CsvTable table;
  for (const char* name : kColumns) table.cell(name);
  for (const CsvColumn& column : more) table.cell(column.title);
  table.endRow();
  for (const RunSummary& run : runs) {
    OrderedJson json = runJson(run, false);
    json["workers"] = std::ranges::count_if(run.nodes, trains), json["busy_ratio_mean"] = known(meanBusyRatio(run));
    const OrderedJson published = json["published"];
    for (const auto& [key, value] : published.items()) json["published_" + key] = value;
    for (const char* name : kColumns) {
      const OrderedJson& value = json.at(name);
      if (value.is_number_float()) table.cell(value.get<double>());
      else if (value.is_string()) table.cell(value.get_ref<const std::string&>());
      else table.cell(value.is_null() ? std::string() : value.dump());
    }
    for (const CsvColumn& column : more) table.cell(column.cells.at(static_cast<std::size_t>(&run - runs.data())));
    table.endRow();
  }
  return table.text();
}

}  // namespace paceline::summary
