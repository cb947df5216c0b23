#include <algorithm>
#include <set>

#include "app/figures/parts/curves.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline {
namespace {

Figure build(const Summaries& runs, const FigureOptions& options) {
  const std::vector<std::string> names = metricNames(runs);
  const std::string name = options.metric.empty() && !names.empty() ? names.front() : options.metric;
  const parts::CurvePlan plan{.id = "metric",
                       .title = name.empty() ? "Recorded metric" : name,
                       .yTitle = name,
                       .value = &summary::CurvePoint::value,
                       .points = [&name](const summary::RunSummary& run) -> const std::vector<summary::CurvePoint>& {
                         static const std::vector<summary::CurvePoint> kNone;
                         const auto found = std::ranges::find(run.metrics, name, &summary::MetricCurve::name);
                         return found == run.metrics.end() ? kNone : found->points;
                       },
                       .note = "each point: mean over one record of every node that records it, in the order of their times",
                       .lacking = name.empty() ? "its method records no metric of its own" : strCat("it records no ", name),
                       .nothing = name.empty() ? "no run with a metric of its method's own" : strCat("no run with ", name, "; recorded: ", listed(names))};
  Figure figure = parts::recordedCurveFigure(plan, runs, options);
  if (options.metric.empty() && names.size() > 1) figure.notes.push_back(strCat("recorded: ", listed(names), "; this is the first"));
  return figure;
}

}  // namespace

std::vector<std::string> metricNames(const Summaries& runs) {
  std::set<std::string> names;
  for (const summary::RunSummary& run : runs)
    for (const summary::MetricCurve& metric : run.metrics) names.insert(metric.name);
  return {names.begin(), names.end()};
}

FigureDef metric() {
  return {.id = "metric",
          .title = "Recorded metric",
          .summary = "What a method recorded under a name of its own, over time, rounds, epochs, samples or traffic.",
          .build = build,
          .ofMetric = true};
}

}  // namespace paceline
