// What the edges of a decentralised method carried and how old it was: one bar per direction of an edge.
#include <algorithm>
#include <cmath>

#include "app/figures/parts/groups.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct EdgePlan {
  std::string id, title, yTitle, note;
  std::function<double(const summary::EdgeSummary&)> value;
};

constexpr std::size_t kMostEdges = 48;  // directions; more cannot be told apart

std::string edgeLabel(const summary::EdgeSummary& edge) { return strCat(edge.peer, " → ", edge.node); }

bool hasEdges(const parts::RunGroup& group) {
  return std::ranges::any_of(group.members, [](const summary::RunSummary* run) { return !run->edges.empty(); });
}

BarSet barsOf(const parts::RunGroup& group, const std::vector<std::string>& labels, const EdgePlan& plan, std::vector<std::string>& notes) {
  BarSet bars{.label = group.label, .series = group.series};
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
    bars.values.push_back(summary::statistic(values).mean);
  }
  return bars;
}

// Mean over the seeds of a configuration; runs without edges are named in the notes.
Figure edgeFigure(const EdgePlan& plan, const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = plan.id, .title = plan.title, .variant = options.variant, .y = parts::valueAxis(plan.yTitle, options.logY)};
  auto groups = parts::groupRuns(parts::pointersTo(runs), options);
  parts::leaveOut(groups, figure, "no edges recorded", std::not_fn(hasEdges));
  std::vector<std::string>& labels = figure.x.categories;
  for (const parts::RunGroup& group : groups)
    for (const summary::RunSummary* run : group.members)
      for (const summary::EdgeSummary& edge : run->edges)
        if (std::ranges::find(labels, edgeLabel(edge)) == labels.end()) labels.push_back(edgeLabel(edge));
  if (labels.size() > kMostEdges) {
    figure.notes.push_back(strCat("the first ", kMostEdges, " of ", labels.size(), " directions are drawn; the export has all"));
    labels.resize(kMostEdges);
  }
  for (const parts::RunGroup& group : groups) {
    figure.bars.push_back(barsOf(group, labels, plan, figure.notes));
    if (group.members.size() > 1) figure.notes.push_back(parts::membersNote(group));
  }
  parts::noteUnpublished(figure);
  figure.notes.insert(figure.notes.begin(), figure.empty() ? strCat(kNothingToDraw, "no run that recorded edges (decentralised methods do)") : plan.note);
  return figure;
}

}  // namespace

FigureDef edge_age() {
  const EdgePlan plan{.id = "edge_age",
                      .title = "Age of received vectors",
                      .yTitle = "local steps",
                      .note = "steps that the receiving worker had taken since it applied the newest vector, mean over its steps",
                      .value = [](const summary::EdgeSummary& edge) { return edge.ageMean; }};
  return parts::planned("Age per edge", "How old a neighbour's vector is when a decentralised method uses it, for each direction of an edge.", plan, edgeFigure);
}

FigureDef edge_traffic() {
  const EdgePlan plan{.id = "edge_traffic",
                      .title = "Traffic per edge",
                      .yTitle = "MB received",
                      .note = "bytes that the worker at the arrow's head received from the other, as measured, in 10^6",
                      .value = [](const summary::EdgeSummary& edge) { return static_cast<double>(edge.bytesReceived) / 1e6; }};
  return parts::planned("Traffic per edge", "What each direction of an edge of a decentralised method carried.", plan, edgeFigure);
}

}  // namespace paceline
