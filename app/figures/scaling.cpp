// Speed-up against what a sweep varies: the number of workers, or the bandwidth of links. Throughput over that of one worker alone, as DGS and ps_pytorch give it.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

struct ScalingPlan {
  std::string id, title, xTitle, unit, lacking, nothing, varied;
  std::function<std::optional<double>(const summary::RunSummary&)> x;
  void (*without)(Json& document);  // takes what varies out of it
  bool ideal;                       // x workers are x times as fast at best
  bool last;                        // without a run to compare with, the one with the largest x is; else with the smallest
};

std::optional<double> workersOf(const summary::RunSummary& run) {
  const auto count = std::ranges::count_if(run.nodes, [](const summary::NodeSummary& node) { return node.role == "worker"; });
  return count > 0 ? std::optional(static_cast<double>(count)) : std::nullopt;
}

// The narrowest link that its document emulates.
std::optional<double> bandwidthOf(const summary::RunSummary& run) {
  const Json document = jsonOrNull(run.document);
  std::optional<double> narrowest;
  if (!document.is_object() || !document.contains("nodes") || !document["nodes"].is_array()) return narrowest;
  for (const Json& node : document["nodes"]) {
    const Json given = node.is_object() && node.contains("emulate") && node["emulate"].is_object() ? node["emulate"].value("bandwidth_mbps", Json()) : Json();
    if (given.is_number()) narrowest = std::min(narrowest.value_or(given.get<double>()), given.get<double>());
  }
  return narrowest;
}

// Of nodes of one role that are alike one stays.
void withoutCount(Json& document) {
  if (!document.contains("nodes") || !document["nodes"].is_array()) return;
  std::set<std::string> seen;
  Json kept = Json::array();
  for (Json node : document["nodes"]) {
    if (!node.is_object()) continue;
    for (const char* own : {"id", "host", "share"}) node.erase(own);
    if (seen.insert(dumped(node)).second) kept.push_back(std::move(node));
  }
  document["nodes"] = std::move(kept);
}

void withoutBandwidth(Json& document) {
  if (!document.contains("nodes") || !document["nodes"].is_array()) return;
  for (Json& node : document["nodes"])
    if (node.is_object() && node.contains("emulate") && node["emulate"].is_object()) node["emulate"].erase("bandwidth_mbps");
}

// Runs that differ in x and seed only: a line.
struct Sweep {
  summary::RunSummary as{};  // its configuration without x
  std::map<double, parts::Runs> points{};
};

std::vector<Sweep> sweepsOf(const ScalingPlan& plan, const parts::Runs& runs, Figure& figure) {
  std::vector<Sweep> sweeps;
  std::map<std::string, std::size_t> places;
  for (const summary::RunSummary* run : runs) {
    const std::optional<double> x = plan.x(*run);
    if (!x || !(run->throughputSamplesPerSecond > 0)) {
      figure.notes.push_back(strCat(parts::nameOf(*run), ": left out, ", x ? "no rounds recorded" : plan.lacking));
      continue;
    }
    Json document = jsonOrNull(run->document);
    if (!document.is_object()) document = {{"model", {{"id", run->model}}}, {"dataset", {{"id", run->dataset}}}, {"partition", {{"id", run->partition}}}};
    for (const char* own : {"name", "seed", "notes", "tags", "published"}) document.erase(own);
    plan.without(document);
    const auto [place, isNew] = places.emplace(strCat(run->algorithm, '\n', dumped(document)), sweeps.size());
    if (isNew) {
      summary::RunSummary& as = sweeps.emplace_back().as;
      as.id = run->id, as.algorithm = run->algorithm, as.model = run->model, as.dataset = run->dataset, as.partition = run->partition, as.document = dumped(document);
    }
    sweeps[place->second].points[*x].push_back(run);
  }
  std::ranges::stable_sort(sweeps, {}, [](const Sweep& sweep) { return seriesOf(sweep.as.algorithm); });
  return sweeps;
}

double rateOf(const parts::Runs& runs) {
  std::vector<double> rates;
  for (const summary::RunSummary* run : runs) rates.push_back(run->throughputSamplesPerSecond);
  return summary::statistic(rates).mean;
}

// What all are compared with; each sweep's own run where there is none.
parts::Runs basesAmong(const parts::Runs& runs, const FigureOptions& options) {
  parts::Runs bases;
  const std::string wanted = options.reference.empty() ? "standalone" : options.reference;
  for (const summary::RunSummary* run : runs)
    if (run->id == wanted) return {run};
  for (const summary::RunSummary* run : runs)
    if (run->algorithm == wanted) bases.push_back(run);
  return bases;
}

// Published speed-ups by throughput over the algorithm that all are compared with.
void markSweep(Figure& figure, const Sweep& sweep, const std::string& label, int series, const std::string& over) {
  for (const auto& [x, members] : sweep.points)
    for (const PublishedValue& value : parts::belonging(parts::publishedOf(parts::RunGroup{.members = members}), {.measures = {PublishedMeasure::kSpeedupThroughput}, .over = over}, figure))
      parts::put(figure, parts::markOf(value, label, series, x));
}

void addSweep(Figure& figure, const Sweep& sweep, const std::string& label, int series, double base) {
  Line line{.label = label, .series = series};
  Band band{.label = "", .series = series};
  std::size_t most = 0;
  for (const auto& [x, members] : sweep.points) {
    std::vector<double> values;
    for (const summary::RunSummary* run : members) values.push_back(run->throughputSamplesPerSecond / base);
    const summary::Statistic found = summary::statistic(values);
    line.markers.push_back(line.x.size());
    line.x.push_back(x), line.y.push_back(found.mean);
    band.x.push_back(x), band.lower.push_back(found.mean - found.deviation), band.upper.push_back(found.mean + found.deviation);
    most = std::max(most, members.size());
  }
  if (most > 1) {
    band.label = strCat(label, " ± std of up to ", most, " seeds");
    figure.bands.push_back(std::move(band));
  }
  figure.lines.push_back(std::move(line));
}

Figure scalingFigure(const ScalingPlan& plan, const Summaries& all, const FigureOptions& options) {
  Figure figure{.id = plan.id, .title = plan.title, .variant = options.variant, .y = parts::valueAxis("speed-up", options.logY)};
  figure.x = {.title = plan.xTitle, .min = options.logX ? std::nullopt : std::optional(0.0), .log = options.logX};
  const parts::Runs runs = parts::pointersTo(all), bases = basesAmong(runs, options);
  parts::Runs drawn;
  std::ranges::copy_if(runs, std::back_inserter(drawn), [](const summary::RunSummary* run) { return !parts::isStandalone(*run); });
  const std::vector<Sweep> sweeps = sweepsOf(plan, drawn, figure);
  const bool varies = std::ranges::any_of(sweeps, [](const Sweep& sweep) { return sweep.points.size() > 1; });
  if (!sweeps.empty() && !varies) figure.notes.insert(figure.notes.begin(), strCat("one point a line: the ", plan.varied, " does not vary between runs that are alike otherwise"));
  parts::Runs configurations;
  std::set<std::string> algorithms;
  for (const Sweep& sweep : sweeps) configurations.push_back(&sweep.as), algorithms.insert(displayName(sweep.as.algorithm));
  const std::vector<std::string> differs = parts::differences(configurations, false, options.titles);
  std::set<int> taken;
  for (const Sweep& sweep : sweeps) taken.insert(seriesOf(sweep.as.algorithm));
  std::set<std::string> seen;
  int next = 4;  // the four published ones keep theirs
  const double common = bases.empty() ? 0 : rateOf(bases);
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const Sweep& sweep = sweeps[i];
    const std::string name = displayName(sweep.as.algorithm);
    const std::string label = differs[i].empty() ? name : algorithms.size() > 1 ? strCat(name, ", ", differs[i]) : differs[i];
    int series = seriesOf(sweep.as.algorithm);
    if (!seen.insert(sweep.as.algorithm).second) {
      while (taken.contains(next)) ++next;
      series = next;
      taken.insert(next);
    }
    const auto& [x, own] = plan.last ? *sweep.points.rbegin() : *sweep.points.begin();
    addSweep(figure, sweep, label, series, common > 0 ? common : rateOf(own));
    if (common > 0) markSweep(figure, sweep, label, series, bases.front()->algorithm);
    else figure.notes.push_back(strCat(label, ": samples/s over its own with ", summary::numberText(x), plan.unit, " (", parts::barText(rateOf(own)), ")"));
  }
  if (sweeps.empty()) {
    figure.notes.push_back(strCat(kNothingToDraw, plan.nothing));
    return figure;
  }
  if (common > 0) {
    const std::string over = bases.size() == 1 ? parts::nameOf(*bases.front()) : strCat(displayName(bases.front()->algorithm), ", ", bases.size(), " runs");
    figure.y.title = strCat("speed-up over ", displayName(bases.front()->algorithm));
    figure.notes.push_back(strCat("samples/s of all workers over those of ", over, " (", parts::barText(common), ")"));
  } else if (!options.reference.empty()) {
    figure.notes.push_back(strCat("the reference ", options.referenceName.empty() ? displayName(options.reference) : options.referenceName, " is not among the runs"));
  }
  if (plan.ideal && common > 0 && std::ranges::all_of(bases, [](const summary::RunSummary* base) { return workersOf(*base) == 1; })) {
    double most = 0;
    for (const Line& line : figure.lines) most = std::max(most, line.x.back());
    figure.lines.push_back({.label = "ideal", .series = 4, .x = {1, most}, .y = {1, most}, .faint = true});
    figure.notes.push_back("faint line: as many times as there are workers");
  }
  parts::noteUnpublished(figure);
  return figure;
}

}  // namespace

FigureDef scaling_workers() {
  const ScalingPlan plan{.id = "scaling_workers",
                         .title = "Speed-up against workers",
                         .xTitle = "workers",
                         .unit = " workers",
                         .lacking = "its workers are not recorded",
                         .nothing = "no run of several workers with rounds",
                         .varied = "number of workers",
                         .x = workersOf,
                         .without = withoutCount,
                         .ideal = true,
                         .last = false};
  return parts::planned("Against workers", "Throughput over one worker's alone by the number of workers, a line for each configuration.", plan, scalingFigure);
}

FigureDef scaling_bandwidth() {
  const ScalingPlan plan{.id = "scaling_bandwidth",
                         .title = "Speed-up against bandwidth",
                         .xTitle = "bandwidth (Mbit/s)",
                         .unit = " Mbit/s",
                         .lacking = "its document emulates no bandwidth",
                         .nothing = "no run with rounds whose document emulates a bandwidth",
                         .varied = "bandwidth",
                         .x = bandwidthOf,
                         .without = withoutBandwidth,
                         .ideal = false,
                         .last = true};
  return parts::planned("Against bandwidth", "Throughput over one worker's alone by the bandwidth that documents emulate, a line for each configuration.", plan, scalingFigure);
}

}  // namespace paceline
