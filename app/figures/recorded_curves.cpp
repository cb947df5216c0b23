// One recorded value over the five axes: loss, consensus distance, kept fraction, a metric of the method's own. No published script draws them.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/figures/parts/curves.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/record/event.h"

namespace paceline {
namespace {

// Only of the runs that have the plan's value.
Figure recordedCurveFigure(const parts::CurvePlan& plan, const Summaries& runs, const FigureOptions& options) {
  parts::Runs having;
  std::vector<std::string> leftOut;
  for (const summary::RunSummary& run : runs) {
    const summary::Curve& points = plan.points(run);
    bool has = false;
    for (std::size_t i = 0; i < points.size() && !has; ++i) has = std::isfinite(points.number(plan.value, i));
    if (has)
      having.push_back(&run);
    else
      leftOut.push_back(strCat(parts::nameOf(run), ": left out, ", plan.lacking));
  }
  Figure figure = parts::curveFigure(plan, having, options);
  figure.variant = options.variant;
  if (!figure.empty()) figure.notes.push_back(plan.note);
  parts::noteUnpublished(figure);
  figure.notes.insert(figure.notes.end(), leftOut.begin(), leftOut.end());
  return figure;
}

Figure lossFigure(const Summaries& runs, const FigureOptions& options) {
  Figure figure = parts::curveFigure({.id = "loss", .title = "Test loss", .yTitle = "test loss", .value = summary::Column::kLoss}, parts::pointersTo(runs), options);
  figure.variant = options.variant;
  if (options.variant == Variant::kPublished)
    figure.notes.push_back("no published script draws the loss: measured values in the published look");
  return figure;
}

const summary::Curve& recordedAs(const std::string& name, const summary::RunSummary& run) {
  static const summary::Curve kNone;
  const auto found = std::ranges::find(run.metrics, name, &summary::MetricCurve::name);
  return found == run.metrics.end() ? kNone : found->points;
}

Figure metricFigure(const Summaries& runs, const FigureOptions& options) {
  const std::vector<std::string> names = metricNames(runs);
  const std::string name = options.metric.empty() && !names.empty() ? names.front() : options.metric;
  const parts::CurvePlan plan{.id = "metric",
                              .title = name.empty() ? "Recorded metric" : name,
                              .yTitle = name,
                              .value = summary::Column::kValue,
                              .points = [&name](const summary::RunSummary& run) -> const summary::Curve& { return recordedAs(name, run); },
                              .note = "each point: mean over one record of every node that records it, in the order of their times",
                              .lacking = name.empty() ? "its method records no metric of its own" : strCat("it records no ", name),
                              .nothing = name.empty() ? "no run with a metric of its method's own" : strCat("no run with ", name, "; recorded: ", listed(names))};
  Figure figure = recordedCurveFigure(plan, runs, options);
  if (options.metric.empty() && names.size() > 1) figure.notes.push_back(strCat("recorded: ", listed(names), "; this is the first"));
  return figure;
}

// The x axis and `value` of one curve or one kind of curves.
auto reading(summary::Column value, bool summary::Details::*curves) {
  return [=](const FigureOptions& options) {
    summary::Details details{.columns = {parts::columnOf(options.x), value}};
    details.*curves = true;
    return details;
  };
}

// The figure that a plan makes of `curves`.
FigureDef planned(std::string summary, const parts::CurvePlan& plan, bool summary::Details::*curves) {
  FigureDef def = parts::planned(plan.title, std::move(summary), plan, recordedCurveFigure);
  def.reads = reading(plan.value, curves);
  return def;
}

// Of the norms that workers record where the document's `records` says so.
FigureDef ofNorms(const std::string& id, std::string title, std::string yTitle, const std::string& meaning, std::string summary) {
  const parts::CurvePlan plan{.id = id,
                              .title = std::move(title),
                              .yTitle = std::move(yTitle),
                              .value = summary::Column::kValue,
                              .points = [id](const summary::RunSummary& run) -> const summary::Curve& { return recordedAs(id, run); },
                              .note = strCat("each point: mean over one record of every worker; ", meaning),
                              .lacking = "its document records no norms",
                              .nothing = "no run that records norms"};
  return planned(std::move(summary), plan, &summary::Details::metrics);
}

}  // namespace

FigureDef loss() {
  return {.id = "loss",
          .title = "Loss",
          .summary = "Test loss over time, rounds, epochs, samples or traffic.",
          .build = lossFigure,
          .reads = reading(summary::Column::kLoss, &summary::Details::curve)};
}

FigureDef consensus() {
  const parts::CurvePlan plan{.id = "consensus",
                              .title = "Consensus distance",
                              .yTitle = "distance from the mean of the workers",
                              .value = summary::Column::kConsensus,
                              .yMin = 0.0,
                              .note = "root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean",
                              .lacking = "no consensus distance recorded",
                              .nothing = "no run with a consensus distance"};
  return planned("How far apart the workers of a decentralised method are, over time, rounds, samples or traffic.", plan, &summary::Details::curve);
}

FigureDef kept_fraction() {
  const parts::CurvePlan plan{.id = "kept_fraction",
                              .title = "Kept fraction",
                              .yTitle = "fraction of elements sent",
                              .value = summary::Column::kKept,
                              .yMin = 0.0,
                              .points = &summary::RunSummary::exchanged,
                              .note = "each point: mean over as many rounds as there are workers, in the order of their ends",
                              .lacking = "its method sends everything",
                              .nothing = "no run of a sparse method"};
  return planned("Share of the gradient's elements that sparse methods send, as their warm-up and thresholds made it.", plan, &summary::Details::exchanged);
}

FigureDef gradient_norm() {
  return ofNorms(kGradientNorm, "Gradient norm", "norm of the gradient", "of mini-batches, before decay and clipping, mean over the local steps",
                 "How long workers' gradients are, over time, rounds, epochs, samples or traffic.");
}

FigureDef update_norm() {
  return ofNorms(kUpdateNorm, "Update norm", "norm of the update", "of what a round changes in a worker's parameters, by itself and by others",
                 "How far a round moves the parameters, over time, rounds, epochs, samples or traffic.");
}

FigureDef gradient_cosine() {
  return ofNorms(kGradientCosine, "Gradient and update", "cosine", "between the sum of a worker's gradients in a round and the step that its parameters made against it",
                 "How much of what a worker learns is where all go: cosine between its gradients and the update.");
}

std::vector<std::string> metricNames(const Summaries& runs) {
  std::set<std::string> names;
  for (const summary::RunSummary& run : runs)
    for (const summary::MetricCurve& metric : run.metrics) names.insert(metric.name);
  for (const char* name : {kGradientNorm, kUpdateNorm, kGradientCosine}) names.erase(name);  // these have figures of their own
  return {names.begin(), names.end()};
}

FigureDef metric() {
  return {.id = "metric",
          .title = "Recorded metric",
          .summary = "What a method recorded under a name of its own, over time, rounds, epochs, samples or traffic.",
          .build = metricFigure,
          .ofMetric = true,
          .reads = reading(summary::Column::kValue, &summary::Details::metrics)};
}

}  // namespace paceline
