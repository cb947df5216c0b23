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

}  // namespace paceline::parts
