#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// drawer.py's order of devices: hosts descending; gpu0, gpu1, then cpu. Equal ones stay in rank order.
std::vector<summary::NodeSummary> scriptOrder(std::vector<summary::NodeSummary> nodes) {
  std::erase_if(nodes, [](const summary::NodeSummary& node) { return !summary::trains(node); });
  std::ranges::stable_sort(nodes, [](const summary::NodeSummary& a, const summary::NodeSummary& b) {
    if (a.host != b.host) return a.host > b.host;
    const bool aCpu = a.device == "cpu", bCpu = b.device == "cpu";
    return aCpu != bCpu ? bCpu : a.device < b.device;
  });
  return nodes;
}

// A published ratio of a worker stands in its category; one of the mean over the workers has none.
void markNodes(Figure& figure, const parts::RunGroup& group, bool script, const std::function<std::optional<std::size_t>(const std::string& node)>& categoryOf) {
  for (const PublishedValue& value : parts::belonging(parts::publishedOf(group), {.measures = {PublishedMeasure::kComputingRatio}, .script = script}, figure)) {
    const auto category = value.node.empty() ? std::nullopt : categoryOf(value.node);
    if (!category) continue;
    PublishedMark mark = parts::markOf(value, group.label, group.series, static_cast<double>(*category));
    mark.bars = group.label;
    parts::put(figure, std::move(mark));
  }
}

// drawer.py, figure 3: 1 - sum of aggregation times / last elapsed second; grouped by algorithm, no tick labels.
Figure published(const Summaries& runs) {
  Figure figure{.id = "computing_ratio", .title = "Computing time ratio", .variant = Variant::kPublished, .y = parts::valueAxis("computing time ratio")};
  figure.notes.push_back("drawer.py: 1 - aggregation time / elapsed time; evaluation and waiting for data count as computing");
  std::string order = "devices from the left:";
  for (const parts::RunGroup& group : parts::publishedOrder(parts::pointersTo(runs), figure)) {
    const bool first = figure.bars.empty();
    if (!first) figure.x.categories.emplace_back();  // the gap between two algorithms
    BarSet bars{.label = group.label, .series = group.series};
    bars.values.assign(figure.x.categories.size(), kNaN);
    std::map<std::string, std::size_t> categories;
    for (const summary::NodeSummary& node : scriptOrder(group.first().nodes)) {
      if (first) order += strCat(" ", node.host, "/", node.id);
      categories[node.id] = figure.x.categories.size();
      figure.x.categories.emplace_back();
      const bool finite = std::isfinite(node.publishedComputingRatio);
      bars.values.push_back(finite ? node.publishedComputingRatio : kNaN);
      if (!finite) figure.notes.push_back(strCat(group.label, " ", node.id, ": no bar, its value is not finite"));
    }
    figure.bars.push_back(std::move(bars));
    markNodes(figure, group, true, [&categories](const std::string& node) { return categories.contains(node) ? std::optional(categories.at(node)) : std::nullopt; });
  }
  for (BarSet& bars : figure.bars) bars.values.resize(figure.x.categories.size(), kNaN);
  figure.notes.push_back(figure.bars.empty() ? strCat(kNothingToDraw, parts::kNoPublishedRun)
                         : figure.empty()    ? strCat(kNothingToDraw, "the times of the workers' rounds are not recorded")
                                             : order);
  return figure;
}

std::string nodeLabel(const summary::NodeSummary& node) {
  const bool here = node.host.empty() || node.host == "local";
  return strCat(node.id, here ? "" : strCat(" ", node.host), node.device.empty() ? "" : strCat(" (", node.device, ")"));
}

std::vector<double> ratiosOf(const parts::RunGroup& group, const std::string& label) {
  std::vector<double> ratios;
  for (const summary::RunSummary* run : group.members)
    for (const summary::NodeSummary& node : run->nodes)
      if (nodeLabel(node) == label) ratios.push_back(node.busyRatio);
  return ratios;
}

BarSet barsOf(const parts::RunGroup& group, Figure& figure) {
  BarSet bars{.label = group.label, .series = group.series};
  for (const std::string& device : figure.x.categories) {
    const summary::Statistic found = summary::statistic(ratiosOf(group, device));  // no value at all: NaN
    const bool finite = std::isfinite(found.mean);
    bars.values.push_back(finite ? found.mean : kNaN);
    bars.texts.push_back(finite && group.members.size() > 1 ? strCat("± ", parts::deviationText(found)) : "");
  }
  if (group.members.size() > 1) figure.notes.push_back(parts::membersNote(group));
  markNodes(figure, group, false, [&](const std::string& id) -> std::optional<std::size_t> {
    const auto& nodes = group.first().nodes;
    const auto node = std::ranges::find(nodes, id, &summary::NodeSummary::id);
    const auto place = node == nodes.end() ? figure.x.categories.end() : std::ranges::find(figure.x.categories, nodeLabel(*node));
    return place == figure.x.categories.end() ? std::nullopt : std::optional(static_cast<std::size_t>(place - figure.x.categories.begin()));
  });
  return bars;
}

Figure corrected(const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = "computing_ratio", .title = "Computing time ratio", .y = {.title = "computing / total time", .min = 0.0, .max = 1.0}};
  for (const summary::RunSummary& run : runs)
    for (const summary::NodeSummary& node : run.nodes)
      if (summary::trains(node) && std::ranges::find(figure.x.categories, nodeLabel(node)) == figure.x.categories.end())
        figure.x.categories.push_back(nodeLabel(node));
  for (const parts::RunGroup& group : parts::groupRuns(parts::pointersTo(runs), options))
    if (!figure.x.categories.empty()) figure.bars.push_back(barsOf(group, figure));
  figure.notes.push_back(figure.x.categories.empty() ? strCat(kNothingToDraw, "no workers recorded")
                         : figure.empty()            ? strCat(kNothingToDraw, "the times of the workers' rounds are not recorded")
                                                     : "(fetch + forward and backward + local update) / total time of each worker");
  return figure;
}

}  // namespace

FigureDef computing_ratio() {
  return {.id = "computing_ratio",
          .title = "Computing time",
          .summary = "Share of its time that each worker computes instead of waiting and communicating.",
          .build = [](const Summaries& runs, const FigureOptions& options) {
            return options.variant == Variant::kPublished ? published(runs) : corrected(runs, options);
          }};
}

}  // namespace paceline
