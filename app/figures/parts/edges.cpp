#include "app/figures/parts/edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/base/error.h"

namespace paceline::parts {
namespace {

constexpr std::size_t kMostEdges = 48;  // directions; more cannot be told apart

std::string edgeLabel(const summary::EdgeSummary& edge) { return strCat(edge.peer, " → ", edge.node); }

bool hasEdges(const RunGroup& group) {
  return std::ranges::any_of(group.members, [](const summary::RunSummary* run) { return !run->edges.empty(); });
}

BarSet barsOf(const RunGroup& group, const std::vector<std::string>& labels, const EdgePlan& plan, std::vector<std::string>& notes) {
  BarSet bars{.label = group.label, .series = group.series, .values = {}, .texts = {}};
  for (const std::string& label : labels) {
    std::vector<double> values;
    bool lost = false;
    for (const summary::RunSummary* run : group.members)
      for (const summary::EdgeSummary& edge : run->edges) {
        if (edgeLabel(edge) != label) continue;
        if (edge.lost > 0 && !lost) notes.push_back(strCat(group.label, ", ", label, ": ", edge.peer, " was unreachable at times"));
        lost = lost || edge.lost > 0;
        if (const double value = plan.value(edge); std::isfinite(value)) values.push_back(value);
      }
    bars.values.push_back(values.empty() ? std::numeric_limits<double>::quiet_NaN() : statistic(values).mean);
  }
  return bars;
}

}  // namespace

Figure edgeFigure(const EdgePlan& plan, const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  Figure figure = newFigure(plan.id, plan.title, options.variant);
  figure.y = {.title = plan.yTitle, .min = 0.0, .max = {}, .log = options.logY, .categories = {}};
  if (options.logY) figure.y.min.reset();
  auto groups = groupRuns(pointersTo(runs), options.groupSeeds);
  std::erase_if(groups, [&figure](const RunGroup& group) {
    if (hasEdges(group)) return false;
    figure.notes.push_back(strCat(group.label, ": left out, no edges recorded"));
    return true;
  });
  std::vector<std::string>& labels = figure.x.categories;
  for (const RunGroup& group : groups)
    for (const summary::RunSummary* run : group.members)
      for (const summary::EdgeSummary& edge : run->edges)
        if (std::ranges::find(labels, edgeLabel(edge)) == labels.end()) labels.push_back(edgeLabel(edge));
  if (labels.size() > kMostEdges) {
    figure.notes.push_back(strCat("the first ", kMostEdges, " of ", labels.size(), " directions are drawn; the export has all"));
    labels.resize(kMostEdges);
  }
  for (const RunGroup& group : groups) {
    figure.bars.push_back(barsOf(group, labels, plan, figure.notes));
    if (group.members.size() > 1) figure.notes.push_back(membersNote(group));
  }
  if (options.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: as measured");
  figure.notes.insert(figure.notes.begin(), figure.empty() ? "nothing to draw: no run that recorded edges (decentralised methods do)" : plan.note);
  return figure;
}

}  // namespace paceline::parts
