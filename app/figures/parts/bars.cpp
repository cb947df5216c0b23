#include "app/figures/parts/bars.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/base/error.h"

namespace paceline::parts {

void addBar(Figure& figure, const RunGroup& group, double value, std::string text) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (BarSet& bars : figure.bars) {
    bars.values.push_back(none);
    bars.texts.emplace_back();
  }
  figure.x.categories.push_back(group.label);
  BarSet bars{.label = group.label, .series = group.series, .values = {}, .texts = {}};
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
  const Statistic found = statistic(values);
  if (values.size() == 1) {
    addBar(figure, group, found.mean, barText(found.mean));
    return;
  }
  addBar(figure, group, found.mean, strCat(barText(found.mean), " ± ", barText(found.deviation)));
  figure.notes.push_back(membersNote(group));
}

Figure barFigure(const BarPlan& plan, const std::vector<const summary::RunSummary*>& runs, const FigureOptions& options) {
  Figure figure = newFigure(plan.id, plan.title, Variant::kCorrected);
  figure.y = {.title = plan.yTitle, .min = 0.0, .max = {}, .log = options.logY, .categories = {}};
  if (options.logY) figure.y.min.reset();
  for (const RunGroup& group : groupRuns(runs, options.groupSeeds)) {
    std::vector<double> values;
    for (const summary::RunSummary* run : group.members) values.push_back(plan.value(*run));
    addMeanBar(figure, group, values);
  }
  if (figure.empty()) figure.notes.push_back("nothing to draw: no runs chosen");
  return figure;
}

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
