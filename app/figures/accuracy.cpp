#include <algorithm>

#include "app/figures/parts/curves.h"
#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 0. Series in its order: ESync, SSGD, ASGD, DC-ASGD.
PublishedCurve scriptPlan() {
  return {.every = 5,
          .window = 10,
          .marks = {{5, 7, 9}, {5}, {7, 10}, {13}},
          .markStart = {15, 15, 40, 30},
          .markStep = {32, 16, 32, 45}};
}

Figure published(const std::vector<RunSummary>& runs, const FigureOptions& options) {
  Figure figure = newFigure("accuracy", "Test accuracy, i.i.d.", Variant::kPublished);
  const auto all = pointersTo(runs);
  std::vector<const RunSummary*> iid;
  std::ranges::copy_if(all, std::back_inserter(iid), [](const RunSummary* run) { return isIid(*run); });
  if (iid.size() < all.size()) figure.notes.push_back("runs that are not i.i.d. are in accuracy_non_iid");
  return publishedAccuracy(std::move(figure), iid, scriptPlan(), options, all);
}

Figure corrected(const std::vector<RunSummary>& runs, const FigureOptions& options) {
  const auto all = pointersTo(runs);
  std::vector<const RunSummary*> drawn;
  std::ranges::copy_if(all, std::back_inserter(drawn), [](const RunSummary* run) { return !isStandalone(*run); });
  if (drawn.empty()) drawn = all;  // nothing but stand-alone runs: they are the curves
  Figure figure = curveFigure({.id = "accuracy",
                               .title = "Test accuracy",
                               .yTitle = "test accuracy",
                               .value = &CurvePoint::accuracy,
                               .yMin = 0.0,
                               .yMax = 1.0},
                              drawn, options);
  const auto reference = standaloneReference(all, options);
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  return figure;
}

}  // namespace

FigureDef accuracy() {
  return {
      .id = "accuracy",
      .title = "Accuracy",
      .summary = "Test accuracy over time, rounds, epochs, samples or traffic, with the stand-alone accuracy as a dashed line.",
      .build = [](const std::vector<RunSummary>& runs, const FigureOptions& options) {
        return options.variant == Variant::kPublished ? published(runs, options) : corrected(runs, options);
      }};
}

}  // namespace paceline
