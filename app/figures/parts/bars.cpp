#include "app/figures/parts/bars.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figures/parts/published.h"
#include "engine/core/base/error.h"

namespace paceline::parts {

void addBar(Figure& figure, const RunGroup& group, double value, std::string text) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (BarSet& bars : figure.bars) {
    bars.values.push_back(none);
    bars.texts.emplace_back();
  }
  figure.x.categories.push_back(group.label);
  BarSet bars{.label = group.label, .series = group.series};
  bars.values.assign(figure.x.categories.size(), none);
  bars.texts.assign(figure.x.categories.size(), "");
  bars.values.back() = value;
  bars.texts.back() = std::move(text);
  figure.bars.push_back(std::move(bars));
}

void addMeanBar(Figure& figure, const RunGroup& group, const std::vector<double>& values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    figure.notes.push_back(strCat(group.label, ": no bar, its value is not finite"));
    addBar(figure, group, std::numeric_limits<double>::quiet_NaN(), "not finite");
    return;
  }
  const summary::Statistic found = summary::statistic(values);
  if (values.size() == 1) {
    addBar(figure, group, found.mean, barText(found.mean));
    return;
  }
  addBar(figure, group, found.mean, strCat(barText(found.mean), " ± ", barText(found.deviation)));
  figure.notes.push_back(membersNote(group));
}

Figure rateFigure(const RatePlan& plan, const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  Figure figure{.id = plan.id, .title = plan.title, .variant = options.variant};
  figure.y = published ? valueAxis(plan.publishedYTitle) : valueAxis(plan.yTitle, options.logY);
  if (published) figure.notes.push_back(plan.publishedNote);
  for (const RunGroup& group : published ? publishedOrder(pointersTo(runs), figure) : groupRuns(pointersTo(runs), options.groupSeeds)) {
    std::vector<double> values;
    for (const summary::RunSummary* run : group.members) values.push_back(published ? run->*plan.publishedValue : plan.value(*run));
    addMeanBar(figure, group, values);
  }
  if (figure.empty()) figure.notes.push_back(published ? "nothing to draw: no run of the four algorithms" : "nothing to draw: no runs chosen");
  else if (!published) figure.notes.push_back(plan.note);
  return figure;
}

namespace {

constexpr std::size_t kMostEdges = 48;  // directions; more cannot be told apart

std::string edgeLabel(const summary::EdgeSummary& edge) { return strCat(edge.peer, " → ", edge.node); }

bool hasEdges(const RunGroup& group) {
  return std::ranges::any_of(group.members, [](const summary::RunSummary* run) { return !run->edges.empty(); });
}

BarSet barsOf(const RunGroup& group, const std::vector<std::string>& labels, const EdgePlan& plan, std::vector<std::string>& notes) {
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

}  // namespace

Figure edgeFigure(const EdgePlan& plan, const Summaries& runs, const FigureOptions& options) {
  Figure figure{.id = plan.id, .title = plan.title, .variant = options.variant, .y = valueAxis(plan.yTitle, options.logY)};
  auto groups = groupRuns(pointersTo(runs), options.groupSeeds);
  leaveOut(groups, figure, "no edges recorded", std::not_fn(hasEdges));
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
  noteUnpublished(figure);
  figure.notes.insert(figure.notes.begin(), figure.empty() ? "nothing to draw: no run that recorded edges (decentralised methods do)" : plan.note);
  return figure;
}

}  // namespace paceline::parts
