// Summaries as documents: JSON, CSV, LaTeX. JSON has no NaN: a number that is not known or not finite is null there and an empty cell in CSV.
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/json/json_text.h"
#include "storage/summary/summary.h"
#include "storage/summary/table_text.h"

namespace paceline::summary {
namespace {

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

OrderedJson curveJson(const std::vector<CurvePoint>& points) {
  return listOf(points, [](const CurvePoint& point) {
    OrderedJson json = placeOf(point);
    json["accuracy"] = known(point.accuracy), json["loss"] = known(point.loss);
    json["published_t_s"] = known(point.publishedSeconds), json["consensus"] = known(point.consensus);
    return json;
  });
}

OrderedJson curveJson(const std::vector<CurvePoint>& points, const char* key, double CurvePoint::*value) {
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

OrderedJson runJson(const RunSummary& run) {
  return {{"id", run.id}, {"name", run.name}, {"state", run.state}, {"algorithm", run.algorithm}, {"model", run.model}, {"dataset", run.dataset},
          {"partition", run.partition}, {"seed", run.seed}, {"config_hash", run.configHash}, {"group_hash", run.groupHash},
          {"evaluator", run.evaluator}, {"rounds", run.rounds}, {"samples", run.samples}, {"wall_s", known(run.wallSeconds)},
          {"throughput_samples_per_s", known(run.throughputSamplesPerSecond)}, {"traffic_bytes_per_s", known(run.trafficBytesPerSecond)},
          {"bytes_sent", run.bytesSent}, {"bytes_received", run.bytesReceived},
          {"accuracy_last", known(run.accuracyLast)}, {"accuracy_best", known(run.accuracyBest)}, {"loss_last", known(run.lossLast)},
          {"target_accuracy", known(run.targetAccuracy)}, {"time_to_target_s", known(run.timeToTargetSeconds)},
          {"published", publishedJson(run)}, {"nodes", listOf(run.nodes, nodeJson)},
          {"curve", curveJson(run.curve)}, {"curve_by", run.curveBy}, {"curve_of", run.curveOf}, {"other_curves", listOf(run.otherCurves, otherCurveJson)},
          {"bytes_sent_per_round", known(run.bytesSentPerRound)}, {"bytes_received_per_round", known(run.bytesReceivedPerRound)},
          {"kept_mean", known(run.keptMean)}, {"consensus_last", known(run.consensusLast)}, {"exchanged", curveJson(run.exchanged, "kept", &CurvePoint::kept)},
          {"edges", listOf(run.edges, edgeJson)}, {"epoch_samples", run.epochSamples ? OrderedJson(*run.epochSamples) : OrderedJson(nullptr)},
          {"metrics", listOf(run.metrics, metricJson)}};
}

}  // namespace

std::string summariesToJson(const std::vector<RunSummary>& runs, int indent) {
  return dumped(OrderedJson{{"runs", listOf(runs, runJson)}}, indent);
}

std::string summariesToCsv(const std::vector<RunSummary>& runs) {
  constexpr const char* kColumns[] = {
      "id", "name", "state", "algorithm", "model", "dataset", "partition", "seed", "config_hash", "workers", "rounds", "samples", "wall_s",
      "throughput_samples_per_s", "traffic_bytes_per_s", "bytes_sent", "bytes_received", "accuracy_last", "accuracy_best", "loss_last",
      "target_accuracy", "time_to_target_s", "busy_ratio_mean", "published_throughput", "published_traffic_mb_per_s", "bytes_sent_per_round",
      "bytes_received_per_round", "kept_mean", "consensus_last"};
  CsvTable table;
  for (const char* name : kColumns) table.cell(name);
  table.endRow();
  for (const RunSummary& run : runs) {
    OrderedJson json = runJson(run);
    json["workers"] = std::ranges::count_if(run.nodes, trains), json["busy_ratio_mean"] = known(meanBusyRatio(run));
    const OrderedJson published = json["published"];
    for (const auto& [key, value] : published.items()) json["published_" + key] = value;
    for (const char* name : kColumns) {
      const OrderedJson& value = json.at(name);
      if (value.is_number_float()) table.cell(value.get<double>());
      else if (value.is_string()) table.cell(value.get_ref<const std::string&>());
      else table.cell(value.is_null() ? std::string() : value.dump());
    }
    table.endRow();
  }
  return table.text();
}

// The results table for a paper: one row per configuration, its seeds as mean +- sample standard deviation, the best of a column bold.
namespace {

struct Column {
  const char* title;
  int decimals;
  bool higherIsBetter;
  const char* missing;
  double (*value)(const RunSummary&);  // NaN: has none
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Column kColumns[] = {
    {"Accuracy (\\%)", 2, true, "--", [](const RunSummary& r) { return 100 * r.accuracyBest.value_or(kNone); }},
    {"Time to target (s)", 1, false, "not reached", [](const RunSummary& r) { return r.timeToTargetSeconds.value_or(kNone); }},
    {"Samples/s", 1, true, "--", [](const RunSummary& r) { return r.throughputSamplesPerSecond; }},
    {"Traffic (MB/s)", 2, false, "--", [](const RunSummary& r) { return r.trafficBytesPerSecond > 0 ? r.trafficBytesPerSecond / 1e6 : kNone; }},
    {"Busy (\\%)", 1, true, "--", [](const RunSummary& r) { return 100 * meanBusyRatio(r); }},
};

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> kWords = {{'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}, {'\\', "\\textbackslash{}"}, {'<', "\\textless{}"}, {'>', "\\textgreater{}"}};
  std::string out;
  for (const char c : text) {
    const auto word = kWords.find(c);
    if (word != kWords.end()) out += word->second;
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += {'\\', c};
    else out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

struct Cell {
  std::size_t values = 0, seeds = 0;  // seeds that have a value, and all
  Statistic of{};
};

Cell cellOf(const std::vector<const RunSummary*>& group, const Column& column) {
  std::vector<double> values;
  for (const RunSummary* run : group)
    if (const double value = column.value(*run); std::isfinite(value)) values.push_back(value);
  return {.values = values.size(), .seeds = group.size(), .of = statistic(values)};
}

std::string textOf(const Cell& cell, const Column& column, bool best) {
  if (cell.values == 0) return column.missing;
  const std::string mean = fixedText(cell.of.mean, column.decimals);
  std::string text = best ? strCat("\\textbf{", mean, "}") : mean;
  if (cell.values > 1) text += strCat(" $\\pm$ ", fixedText(cell.of.deviation, column.decimals));
  if (cell.values < cell.seeds) text += strCat(" (", cell.values, " of ", cell.seeds, ")");
  return text;
}

// Index of the best mean; none when there is nothing to compare.
std::optional<std::size_t> bestOf(const std::vector<Cell>& cells, bool higherIsBetter) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].values == 0) continue;
    const double mean = cells[i].of.mean;
    if (!best || (higherIsBetter ? mean > cells[*best].of.mean : mean < cells[*best].of.mean)) best = i;
  }
  return cells.size() > 1 ? best : std::nullopt;
}

}  // namespace

std::string summariesToLatex(const std::vector<RunSummary>& runs) {
  const auto groups = seedGroups(runs);
  std::vector<std::string> rows;
  for (const auto& group : groups)
    rows.push_back(strCat(escaped(group.front()->algorithm), " & ", escaped(group.front()->model), " & ", group.size()));
  std::string header = "Algorithm & Model & Runs", alignment = "llr";
  for (const Column& column : kColumns) {
    header += strCat(" & ", column.title), alignment += 'r';
    std::vector<Cell> cells;
    for (const auto& group : groups) cells.push_back(cellOf(group, column));
    const std::optional<std::size_t> best = bestOf(cells, column.higherIsBetter);
    for (std::size_t i = 0; i < cells.size(); ++i) rows[i] += strCat(" & ", textOf(cells[i], column, best == i));
  }
  std::string text =
      strCat("% needs \\usepackage{booktabs}; mean and sample standard deviation over runs that differ in the seed\n",
             "\\begin{tabular}{", alignment, "}\n\\toprule\n", header, " \\\\\n\\midrule\n");
  for (const std::string& row : rows) text += row + " \\\\\n";
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace paceline::summary
