// Test accuracy over time. The published variant has the formulas and the layout of ESync's drawer.py.
#include <algorithm>
#include <cmath>

#include "app/figures/parts/curves.h"
#include "app/figures/parts/published_marks.h"
#include "engine/core/base/error.h"
#include "storage/summary/table_text.h"

namespace paceline {
namespace {

struct PublishedCurve {
  int every = 5;                                 // only each so many-th evaluation is drawn
  int window = 10;                               // trailing moving average, padded on the left with the first value
  std::vector<std::vector<std::size_t>> marks;   // by series: places of single markers ...
  std::vector<std::size_t> markStart, markStep;  // ... and from markStart on every markStep-th
};

struct AccuracyPlan {
  std::string id, title, publishedTitle;
  std::string noRun;  // why the figure is empty where none of the runs belongs in it
  PublishedCurve script;
};

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

bool isPaperSetting(const std::vector<parts::RunGroup>& groups) {
  return !groups.empty() && std::ranges::all_of(groups, [](const parts::RunGroup& group) {
    return group.first().model == "resnet18_v1" && (group.first().dataset.empty() || group.first().dataset == "fashion_mnist");
  });
}

Line publishedCurve(const summary::RunSummary& run, int series, const PublishedCurve& plan, Figure& figure) {
  Line line{.label = displayName(run.algorithm), .series = series, .runId = run.id};
  std::vector<std::size_t> drawn;  // the script knows no evaluation before training
  for (std::size_t i = 0; i < run.curve.size(); ++i)
    if (run.curve.number(summary::Column::kRound, i) >= 1) drawn.push_back(i);
  const std::size_t points = drawn.size();
  const bool enough = points >= static_cast<std::size_t>(plan.every * plan.window);
  const std::size_t step = enough ? static_cast<std::size_t>(plan.every) : 1;
  if (!enough)
    figure.notes.push_back(
        strCat(line.label, ": all ", points, " points instead of every ", plan.every, "th, too few for the script's decimation"));
  line.x.push_back(0);
  std::vector<double> raw = {0.1};
  std::size_t notFinite = 0;
  for (std::size_t i = 0; i < points; i += step) {
    const summary::CurvePoint point = run.curve[drawn[i]];
    notFinite += std::isfinite(point.accuracy) ? 0 : 1;
    line.x.push_back(point.publishedSeconds / 60);
    raw.push_back(summary::rounded(point.accuracy, 3));
  }
  if (notFinite > 0) figure.notes.push_back(strCat(line.label, ": ", notFinite, " points are not finite: drawn as gaps"));
  line.y = paddedMean(raw, plan.window);
  line.markers = markersOf(plan, series, line.x.size());
  return line;
}

std::optional<Reference> standaloneReference(const parts::Runs& all, const FigureOptions& options) {
  if (options.standaloneAccuracy) return Reference{.label = "stand-alone", .value = *options.standaloneAccuracy};
  for (const summary::RunSummary* run : all)
    if (parts::isStandalone(*run) && run->accuracyLast && std::isfinite(*run->accuracyLast))
      return Reference{.label = "stand-alone", .value = *run->accuracyLast};
  return std::nullopt;
}

Figure publishedAccuracy(const AccuracyPlan& plan, const parts::Runs& drawn, const parts::Runs& all, const FigureOptions& options) {
  const PublishedCurve& script = plan.script;
  Figure figure{.id = plan.id, .title = plan.publishedTitle, .variant = Variant::kPublished};
  figure.x.title = "Time (minutes)";
  figure.y = {.title = "Test Accuracy", .min = 0.0, .max = 1.0};
  figure.notes.push_back(strCat("drawer.py: every ", script.every, "th point, led by (0, 0.1), mean of ", script.window,
                                " points, rounded to whole seconds and 0.001"));
  const std::vector<parts::RunGroup> groups = parts::publishedOrder(drawn, figure);
  for (const parts::RunGroup& group : groups) {
    if (group.first().curve.empty()) {
      figure.notes.push_back(strCat(group.label, ": left out, it has no evaluations"));
      continue;
    }
    figure.lines.push_back(publishedCurve(group.first(), group.series, script, figure));
    parts::markCurve(figure, group, figure.lines.back(), false, 60);
  }
  setTimeAxis(figure);
  auto reference = standaloneReference(all, options);
  if (!reference && isPaperSetting(groups)) {
    reference = Reference{.label = "stand-alone", .value = kPaperStandalone};
    figure.notes.push_back("stand-alone 0.926 is the script's constant, not measured here");
  }
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  if (figure.empty())
    figure.notes.push_back(strCat(kNothingToDraw, drawn.empty() ? plan.noRun : groups.empty() ? parts::kNoPublishedRun : "no run with evaluations"));
  return figure;
}

// Test accuracy of the drawn runs with the dashed line of stand-alone training: the option, else the last accuracy of a stand-alone run of `all`.
// Published: against minutes as the script draws it, with rounded seconds and accuracies, decimated, led by (0, 0.1), smoothed.
Figure accuracyFigure(const AccuracyPlan& plan, const parts::Runs& drawn, const parts::Runs& all, const FigureOptions& options) {
  if (options.variant == Variant::kPublished) return publishedAccuracy(plan, drawn, all, options);
  const std::string nothing = drawn.empty() ? plan.noRun : parts::CurvePlan{}.nothing;
  const parts::CurvePlan curves{.id = plan.id, .title = plan.title, .yTitle = "test accuracy", .value = summary::Column::kAccuracy, .yMin = 0.0, .yMax = 1.0, .nothing = nothing};
  Figure figure = parts::curveFigure(curves, drawn, options);
  const auto reference = standaloneReference(all, options);
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  return figure;
}

Figure iidFigure(const Summaries& runs, const FigureOptions& options) {
  // drawer.py, figure 0. Series in its order: ESync, SSGD, ASGD, DC-ASGD.
  static const AccuracyPlan plan{
      .id = "accuracy",
      .title = "Test accuracy",
      .publishedTitle = "Test accuracy, i.i.d.",
      .noRun = "every run has a partition that is not i.i.d.; accuracy_non_iid draws them",
      .script = {.every = 5, .window = 10, .marks = {{5, 7, 9}, {5}, {7, 10}, {13}}, .markStart = {15, 15, 40, 30}, .markStep = {32, 16, 32, 45}}};
  const bool published = options.variant == Variant::kPublished;
  const parts::Runs all = parts::pointersTo(runs);
  parts::Runs drawn;
  std::ranges::copy_if(all, std::back_inserter(drawn), [published](const summary::RunSummary* run) { return published ? parts::isIid(*run) : !parts::isStandalone(*run); });
  if (!published && drawn.empty()) drawn = all;  // nothing but stand-alone runs: they are the curves
  Figure figure = accuracyFigure(plan, drawn, all, options);
  if (published && drawn.size() < all.size()) figure.notes.insert(figure.notes.begin(), "runs that are not i.i.d. are in accuracy_non_iid");
  return figure;
}

Figure nonIidFigure(const Summaries& runs, const FigureOptions& options) {
  // drawer.py, figure 4.
  static const AccuracyPlan plan{
      .id = "accuracy_non_iid",
      .title = "Test accuracy, non-i.i.d.",
      .publishedTitle = "Test accuracy, non-i.i.d.",
      .noRun = "no run has a partition that is not i.i.d.",
      .script = {.every = 10, .window = 30, .marks = {{}, {}, {}, {}}, .markStart = {9, 12, 18, 40}, .markStep = {12, 14, 23, 24}}};
  const parts::Runs all = parts::pointersTo(runs);
  parts::Runs skewed;
  std::ranges::copy_if(all, std::back_inserter(skewed), [](const summary::RunSummary* run) { return !parts::isIid(*run) && !parts::isStandalone(*run); });
  return accuracyFigure(plan, skewed, all, options);
}

// The script draws over its own seconds.
summary::Details reads(const FigureOptions& options) {
  if (options.variant == Variant::kCorrected) return {.columns = {parts::columnOf(options.x), summary::Column::kAccuracy}, .curve = true};
  return {.columns = {summary::Column::kRound, summary::Column::kPublishedSeconds, summary::Column::kAccuracy}, .curve = true};
}

}  // namespace

FigureDef accuracy() {
  return {.id = "accuracy",
          .title = "Accuracy",
          .summary = "Test accuracy over time, rounds, epochs, samples or traffic, with the stand-alone accuracy as a dashed line.",
          .build = iidFigure,
          .reads = reads};
}

FigureDef accuracy_non_iid() {
  return {.id = "accuracy_non_iid",
          .title = "Accuracy, non-i.i.d.",
          .summary = "The same for runs whose workers hold different classes.",
          .build = nonIidFigure,
          .reads = reads};
}

}  // namespace paceline
