#include "app/figures/parts/published.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/figures/parts/curves.h"
#include "engine/core/base/error.h"
#include "storage/summary/table_text.h"

namespace paceline::parts {
namespace {

constexpr double kScriptMinutes = 120;
constexpr double kPaperStandalone = 0.926;  // ResNet-18 on Fashion-MNIST, drawer.py's constant

// `window` values each, the missing ones at the start stand for the first value.
std::vector<double> paddedMean(const std::vector<double>& y, int window) {
  std::vector<double> smoothed;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (int k = 0; k < window; ++k) sum += y[i >= static_cast<std::size_t>(k) ? i - static_cast<std::size_t>(k) : 0];
    smoothed.push_back(sum / window);
  }
  return smoothed;
}

std::vector<std::size_t> markersOf(const PublishedCurve& plan, int series, std::size_t points) {
  const auto s = static_cast<std::size_t>(series);
  std::vector<std::size_t> markers;
  for (const std::size_t place : plan.marks[s])
    if (place < points) markers.push_back(place);
  for (std::size_t place = plan.markStart[s]; place < points; place += plan.markStep[s]) markers.push_back(place);
  return markers;
}

// The script's axis ends at 120 minutes; runs far shorter would be a stroke at its left edge.
void setTimeAxis(Figure& figure) {
  double last = 0;
  for (const Line& line : figure.lines)
    if (!line.x.empty()) last = std::max(last, line.x.back());
  figure.x.min = 0.0;
  figure.x.max = kScriptMinutes;
  if (last > kScriptMinutes) figure.notes.push_back("cut at 120 minutes, as in the script");
  if (last <= 0 || last >= kScriptMinutes / 10) return;
  figure.x.max = last;
  figure.notes.push_back("x axis ends with the runs, which are shorter than a tenth of the script's 120 minutes");
}

bool isPaperSetting(const std::vector<RunGroup>& groups) {
  return !groups.empty() && std::ranges::all_of(groups, [](const RunGroup& group) {
    return group.first().model == "resnet18_v1" && (group.first().dataset.empty() || group.first().dataset == "fashion_mnist");
  });
}

Line publishedCurve(const summary::RunSummary& run, int series, const PublishedCurve& plan, Figure& figure) {
  Line line{.label = displayName(run.algorithm), .series = series, .runId = run.id};
  std::vector<summary::CurvePoint> curve = run.curve;
  std::erase_if(curve,
                [](const summary::CurvePoint& point) { return point.round < 1; });  // the script knows no evaluation before training
  const std::size_t points = curve.size();
  const bool enough = points >= static_cast<std::size_t>(plan.every * plan.window);
  const std::size_t step = enough ? static_cast<std::size_t>(plan.every) : 1;
  if (!enough)
    figure.notes.push_back(
        strCat(line.label, ": all ", points, " points instead of every ", plan.every, "th, too few for the script's decimation"));
  line.x.push_back(0);
  std::vector<double> raw = {0.1};
  std::size_t notFinite = 0;
  for (std::size_t i = 0; i < points; i += step) {
    const summary::CurvePoint& point = curve[i];
    notFinite += std::isfinite(point.accuracy) ? 0 : 1;
    line.x.push_back(point.publishedSeconds / 60);
    raw.push_back(summary::rounded(point.accuracy, 3));
  }
  if (notFinite > 0) figure.notes.push_back(strCat(line.label, ": ", notFinite, " points are not finite: drawn as gaps"));
  line.y = paddedMean(raw, plan.window);
  line.markers = markersOf(plan, series, line.x.size());
  return line;
}

std::optional<Reference> standaloneReference(const Runs& all, const FigureOptions& options) {
  if (options.standaloneAccuracy) return Reference{.label = "stand-alone", .value = *options.standaloneAccuracy};
  for (const summary::RunSummary* run : all)
    if (isStandalone(*run) && run->accuracyLast && std::isfinite(*run->accuracyLast))
      return Reference{.label = "stand-alone", .value = *run->accuracyLast};
  return std::nullopt;
}

Figure publishedAccuracy(const AccuracyPlan& plan, const Runs& drawn, const Runs& all, const FigureOptions& options) {
  const PublishedCurve& script = plan.script;
  Figure figure{.id = plan.id, .title = plan.publishedTitle, .variant = Variant::kPublished};
  figure.x.title = "Time (minutes)";
  figure.y = {.title = "Test Accuracy", .min = 0.0, .max = 1.0};
  figure.notes.push_back(strCat("drawer.py: every ", script.every, "th point, led by (0, 0.1), mean of ", script.window,
                                " points, rounded to whole seconds and 0.001"));
  const std::vector<RunGroup> groups = publishedOrder(drawn, figure);
  for (const RunGroup& group : groups) {
    if (group.first().curve.empty())
      figure.notes.push_back(strCat(group.label, ": left out, it has no evaluations"));
    else
      figure.lines.push_back(publishedCurve(group.first(), group.series, script, figure));
  }
  setTimeAxis(figure);
  auto reference = standaloneReference(all, options);
  if (!reference && isPaperSetting(groups)) {
    reference = Reference{.label = "stand-alone", .value = kPaperStandalone};
    figure.notes.push_back("stand-alone 0.926 is the script's constant, not measured here");
  }
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  if (figure.empty()) figure.notes.push_back("nothing to draw: no run of the four algorithms with evaluations fits");
  return figure;
}

}  // namespace

std::vector<RunGroup> publishedOrder(const Runs& runs, Figure& figure) {
  std::vector<RunGroup> chosen;
  std::set<int> taken;
  for (const summary::RunSummary* run : runs) {
    if (isStandalone(*run)) continue;
    const int series = seriesOf(run->algorithm);
    if (series > 3)
      figure.notes.push_back(strCat(nameOf(*run), ": left out, the script draws ESync, SSGD, ASGD and DC-ASGD only"));
    else if (!taken.insert(series).second)
      figure.notes.push_back(strCat(nameOf(*run), ": left out, the script draws one run of each algorithm"));
    else
      chosen.push_back({.label = displayName(run->algorithm), .series = series, .members = {run}});
  }
  std::ranges::sort(chosen, {}, &RunGroup::series);
  return chosen;
}

Figure accuracyFigure(const AccuracyPlan& plan, const Runs& drawn, const Runs& all, const FigureOptions& options) {
  if (options.variant == Variant::kPublished) return publishedAccuracy(plan, drawn, all, options);
  Figure figure = curveFigure({.id = plan.id, .title = plan.title, .yTitle = "test accuracy", .value = &summary::CurvePoint::accuracy, .yMin = 0.0, .yMax = 1.0}, drawn, options);
  const auto reference = standaloneReference(all, options);
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  return figure;
}

}  // namespace paceline::parts
