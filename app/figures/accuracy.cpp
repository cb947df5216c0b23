#include <algorithm>

#include "app/figures/parts/curves.h"
#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 0. Series in its order: ESync, SSGD, ASGD, DC-ASGD.
parts::PublishedCurve scriptPlan() {
  return {.every = 5,
          .window = 10,
          .marks = {{5, 7, 9}, {5}, {7, 10}, {13}},
          .markStart = {15, 15, 40, 30},
          .markStep = {32, 16, 32, 45}};
}

Figure published(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  Figure figure = parts::newFigure("accuracy", "Test accuracy, i.i.d.", Variant::kPublished);
  const auto all = parts::pointersTo(runs);
  std::vector<const summary::RunSummary*> iid;
  std::ranges::copy_if(all, std::back_inserter(iid), [](const summary::RunSummary* run) { return parts::isIid(*run); });
  if (iid.size() < all.size()) figure.notes.push_back("runs that are not i.i.d. are in accuracy_non_iid");
  return parts::publishedAccuracy(std::move(figure), iid, scriptPlan(), options, all);
}

Figure corrected(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  const auto all = parts::pointersTo(runs);
  std::vector<const summary::RunSummary*> drawn;
  std::ranges::copy_if(all, std::back_inserter(drawn), [](const summary::RunSummary* run) { return !parts::isStandalone(*run); });
  if (drawn.empty()) drawn = all;  // nothing but stand-alone runs: they are the curves
  Figure figure = parts::curveFigure({.id = "accuracy",
                               .title = "Test accuracy",
                               .yTitle = "test accuracy",
                               .value = &summary::CurvePoint::accuracy,
                               .yMin = 0.0,
                               .yMax = 1.0},
                              drawn, options);
  const auto reference = parts::standaloneReference(all, options);
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  return figure;
}

}  // namespace

FigureDef accuracy() {
  return {
      .id = "accuracy",
      .title = "Accuracy",
      .summary = "Test accuracy over time, rounds, epochs, samples or traffic, with the stand-alone accuracy as a dashed line.",
      .build = [](const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
        return options.variant == Variant::kPublished ? published(runs, options) : corrected(runs, options);
      }};
}

}  // namespace paceline
