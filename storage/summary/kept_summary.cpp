// A summary as the store keeps it: its numbers one behind the other as they lie in memory, then for each curve its points and columns; the columns apart.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/core/base/error.h"
#include "storage/summary/summary_curves.h"

namespace paceline::summary {
namespace {

// Raised with every change of a number that a summary has or of what is visited here: summaries of other versions are made anew.
constexpr std::int64_t kFormulas = 4;
constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 32;  // of a run's records of one type

template <class Visit, Of<NodeSummary> Node>
void eachNumber(Visit& visit, Node& node) {
  visit(node.id), visit(node.role), visit(node.host), visit(node.device), visit(node.rounds), visit(node.samples);
  visit(node.fetchSeconds), visit(node.updateSeconds), visit(node.querySeconds), visit(node.computeSeconds), visit(node.waitSeconds);
  visit(node.sendSeconds), visit(node.receiveSeconds), visit(node.evaluateSeconds), visit(node.totalSeconds);
  visit(node.busyRatio), visit(node.publishedComputingRatio), visit(node.localStepsMean), visit(node.stalenessMean);
  visit(node.bytesSent), visit(node.bytesReceived), visit(node.stalenessRounds), visit(node.keptMean), visit(node.labelCounts);
}

template <class Visit, Of<EdgeSummary> Edge>
void eachNumber(Visit& visit, Edge& edge) {
  visit(edge.node), visit(edge.peer), visit(edge.exchanges), visit(edge.ageMean), visit(edge.bytesSent), visit(edge.bytesReceived), visit(edge.lost);
}

template <class Visit, Of<EvaluationCurve> Other>
void eachNumber(Visit& visit, Other& other) { visit(other.by), visit(other.of); }

template <class Visit, Of<MetricCurve> Metric>
void eachNumber(Visit& visit, Metric& metric) { visit(metric.name); }

// Not what introduce() has from the run's row.
template <class Visit, Of<RunSummary> Run>
void eachNumber(Visit& visit, Run& run) {
  visit(run.rounds), visit(run.samples), visit(run.wallSeconds), visit(run.throughputSamplesPerSecond), visit(run.trafficBytesPerSecond);
  visit(run.bytesSent), visit(run.bytesReceived), visit(run.evaluator), visit(run.accuracyLast), visit(run.accuracyBest), visit(run.validationBest), visit(run.lossLast);
  visit(run.improvements), visit(run.publishedThroughput), visit(run.publishedTrafficMbPerSecond), visit(run.bytesSentPerRound);
  visit(run.bytesReceivedPerRound), visit(run.keptMean), visit(run.consensusLast), visit(run.nodes), visit(run.curveBy), visit(run.curveOf);
  visit(run.otherCurves), visit(run.metrics), visit(run.edges), visit(run.epochSamples);
}

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Several = requires(T& values) { values.size(), values.begin(), values.insert(values.end(), *values.begin()); };

struct Packer {
  std::string bytes;

  template <class T>
  void operator()(const T& value) {
    if constexpr (Number<T>) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (std::same_as<T, std::string>) {
      (*this)(value.size()), bytes += value;
    } else if constexpr (Several<T>) {
      (*this)(value.size());
      for (const auto& item : value) (*this)(item);
    } else {
      eachNumber(*this, value);
    }
  }
  template <class A, class B>
  void operator()(const std::pair<A, B>& value) { (*this)(value.first), (*this)(value.second); }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
};

// Damaged bytes end with `broken`, never behind their end.
struct Unpacker {
  std::string_view rest;
  bool broken = false;

  template <class T>
  void operator()(T& value) {
    if constexpr (Number<T>) {
      if (take(sizeof value)) std::memcpy(&value, rest.data() - sizeof value, sizeof value);
    } else if constexpr (std::same_as<T, std::string>) {
      if (const std::size_t size = count(); take(size)) value.assign(rest.data() - size, size);
    } else if constexpr (Several<T>) {
      for (std::size_t left = count(); left > 0 && !broken; --left) {
        Item<T> item{};
        (*this)(item);
        value.insert(value.end(), std::move(item));
      }
    } else {
      eachNumber(*this, value);
    }
  }
  template <class A, class B>
  void operator()(std::pair<A, B>& value) { (*this)(value.first), (*this)(value.second); }
  template <class T>
  void operator()(std::optional<T>& value) {
    unsigned char has = 0;
    (*this)(has);
    if (has != 0) (*this)(value.emplace());
  }

  template <class T>
  struct ItemOf { using Type = typename T::value_type; };
  template <class A, class B>
  struct ItemOf<std::map<A, B>> { using Type = std::pair<A, B>; };
  template <class T>
  using Item = typename ItemOf<T>::Type;

  std::size_t count() {
    std::size_t items = 0;
    (*this)(items);
    return items;
  }
  bool take(std::size_t size) {
    broken = broken || size > rest.size();
    if (!broken) rest.remove_prefix(size);
    return !broken;
  }
};

// Calls visit(name, curve, whether details have it) for every curve, in a fixed order.
template <class Run, class Visit>
void eachCurve(Run& run, const Details& details, Visit&& visit) {
  visit(std::string("curve"), run.curve, details.curve);
  for (std::size_t i = 0; i < run.otherCurves.size(); ++i) visit(strCat("other ", i), run.otherCurves[i].points, details.others);
  visit(std::string("exchanged"), run.exchanged, details.exchanged);
  for (std::size_t i = 0; i < run.metrics.size(); ++i) visit(strCat("metric ", i), run.metrics[i].points, details.metrics);
}

template <class Visit>
void eachColumn(Visit&& visit) {
  for (std::size_t at = 0; at < kColumns; ++at) visit(static_cast<Column>(at), wordsOf(Column())[at]);
}

constexpr std::string_view kStepRounds = "rounds", kSteps = "steps";
std::string stepsName(std::size_t node, std::string_view column) { return strCat("local steps ", node, "/", column); }

void addLocalSteps(store::SummaryToKeep& kept, const RunSummary& run) {
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    Cells rounds, steps;
    for (const auto& [round, count] : run.nodes[i].localSteps) rounds.push_back(round), steps.push_back(count);
    if (!rounds.empty()) kept.columns.emplace_back(stepsName(i, kStepRounds), std::move(rounds)), kept.columns.emplace_back(stepsName(i, kSteps), std::move(steps));
  }
}

// False: the summary went meanwhile.
bool readLocalSteps(const store::StoreReader& store, std::int64_t key, RunSummary& run) {
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    NodeSummary& node = run.nodes[i];
    if (node.rounds == 0) continue;
    const auto count = static_cast<std::size_t>(node.rounds);
    const auto rounds = store.keptColumn(key, stepsName(i, kStepRounds), count), steps = store.keptColumn(key, stepsName(i, kSteps), count);
    if (!rounds || !steps) return false;
    for (std::size_t k = 0; k < count; ++k) node.localSteps.emplace_back((*rounds)[k], (*steps)[k]);
  }
  return true;
}

// nullopt: none of these formulas, or it went while it was read.
std::optional<RunSummary> keptSummary(const store::StoreReader& store, const std::string& run, const Details& details) {
  const std::optional<store::KeptSummary> kept = store.keptSummary(run, kFormulas);
  if (!kept) return std::nullopt;
  RunSummary summary;
  Unpacker unpack{.rest = kept->numbers};
  unpack(summary);
  bool whole = true;
  eachCurve(summary, details, [&](const std::string& name, Curve& curve, bool wanted) {
    std::uint64_t points = 0, there = 0;
    unpack(points), unpack(there);
    whole = whole && !unpack.broken && points < kMostPoints;
    if (whole) curve = Curve(points);
    eachColumn([&](Column column, const char* word) {
      if (!whole || !wanted || !details.columns.contains(column) || (there >> static_cast<unsigned>(column) & 1) == 0) return;
      std::optional<Cells> cells = store.keptColumn(kept->key, strCat(name, "/", word), points);
      whole = cells.has_value();
      if (whole) curve.setCells(column, *std::move(cells));
    });
  });
  whole = whole && (!details.localSteps || readLocalSteps(store, kept->key, summary));
  return whole ? std::optional(std::move(summary)) : std::nullopt;
}

// What lanes are made from.
std::shared_ptr<const RunData> loadTimeline(const store::StoreReader& store, const store::RunRow& run) {
  constexpr std::size_t kRounds = 1500;  // of a worker: a picture has not many more pixels
  constexpr double kEver = std::numeric_limits<double>::infinity();
  RunData data;
  data.run = run, data.nodes = store.nodes(run.id);
  data.busy = store.records<BusyRecord>(run.id), data.clocks = store.records<ClockRecord>(run.id), data.hostLoads = store.records<HostLoad>(run.id);
  for (const store::NodeRow& node : data.nodes)
    if (node.role == "worker") std::ranges::move(store.roundSpans(run.id, node.id, -kEver, kEver, kRounds), std::back_inserter(data.rounds));
  return std::make_shared<const RunData>(std::move(data));
}

// What a summary is made from.
RunData loadMeasured(const store::StoreReader& store, const store::RunRow& run) {
  RunData data;
  data.run = run, data.nodes = store.nodes(run.id);
  data.rounds = store.rounds(run.id), data.evaluations = store.evaluations(run.id);
  data.edges = store.records<EdgeRecord>(run.id), data.labels = store.records<LabelsRecord>(run.id), data.metrics = store.records<MetricRecord>(run.id);
  return data;
}

}  // namespace

Details Details::all() {
  Details all{.curve = true, .others = true, .exchanged = true, .metrics = true, .localSteps = true};
  eachColumn([&](Column column, const char*) { all.columns.insert(column); });
  return all;
}

bool Details::covers(const Details& other) const {
  Details both = *this;
  both.add(other);
  return std::tie(columns, curve, others, exchanged, metrics, localSteps, timeline) ==
         std::tie(both.columns, both.curve, both.others, both.exchanged, both.metrics, both.localSteps, both.timeline);
}

void Details::add(const Details& other) {
  columns.insert(other.columns.begin(), other.columns.end());
  curve |= other.curve, others |= other.others, exchanged |= other.exchanged, metrics |= other.metrics, localSteps |= other.localSteps, timeline |= other.timeline;
}

void keepOnly(RunSummary& run, const Details& details) {
  eachCurve(run, details, [&](const std::string&, Curve& curve, bool wanted) { curve.keepOnly(wanted ? details.columns : std::set<Column>()); });
  for (NodeSummary& node : run.nodes)
    if (!details.localSteps) std::exchange(node.localSteps, {});
  if (!details.timeline) run.timeline.reset();
}

RunSummary summaryOf(const store::StoreReader& store, const store::RunRow& run, const Details& details, const SummaryOptions& options) {
  std::optional<RunSummary> summary = keptSummary(store, run.id, details);
  if (!summary) {
    summary = measured(loadMeasured(store, run));
    keepOnly(*summary, details);
  }
  introduce(*summary, run, options);
  if (details.timeline) summary->timeline = loadTimeline(store, run);
  return *std::move(summary);
}

std::vector<std::string> unsummarised(const store::StoreWriter& store) { return store.unsummarised(kFormulas); }

std::optional<store::SummaryToKeep> summaryToKeep(const store::StoreReader& store, const std::string& run) {
  store::SummaryToKeep kept{.formulas = kFormulas, .of = store.recorded(run)};
  const std::optional<store::RunRow> row = store.find(run);
  if (!row) return std::nullopt;
  const RunSummary summary = measured(loadMeasured(store, *row));
  Packer pack;
  pack(summary);
  eachCurve(summary, {}, [&](const std::string& name, const Curve& curve, bool) {
    std::uint64_t there = 0;
    eachColumn([&](Column column, const char* word) {
      if (curve.cells(column).empty()) return;
      there |= std::uint64_t{1} << static_cast<unsigned>(column);
      kept.columns.emplace_back(strCat(name, "/", word), curve.cells(column));
    });
    pack(std::uint64_t{curve.size()}), pack(there);
  });
  addLocalSteps(kept, summary);
  kept.numbers = std::move(pack.bytes);
  return kept;
}

}  // namespace paceline::summary
