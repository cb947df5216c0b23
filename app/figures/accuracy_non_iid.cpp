#include <algorithm>

#include "app/figures/parts/curves.h"
#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 4.
parts::PublishedCurve scriptPlan() {
  return {.every = 10, .window = 30, .marks = {{}, {}, {}, {}}, .markStart = {9, 12, 18, 40}, .markStep = {12, 14, 23, 24}};
}

Figure build(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  const auto all = parts::pointersTo(runs);
  std::vector<const summary::RunSummary*> skewed;
  std::ranges::copy_if(all, std::back_inserter(skewed),
                       [](const summary::RunSummary* run) { return !parts::isIid(*run) && !parts::isStandalone(*run); });
  const std::string title = "Test accuracy, non-i.i.d.";
  if (options.variant == Variant::kPublished)
    return parts::publishedAccuracy(parts::newFigure("accuracy_non_iid", title, Variant::kPublished), skewed, scriptPlan(), options, all);
  Figure figure = parts::curveFigure({.id = "accuracy_non_iid",
                               .title = title,
                               .yTitle = "test accuracy",
                               .value = &summary::CurvePoint::accuracy,
                               .yMin = 0.0,
                               .yMax = 1.0},
                              skewed, options);
  const auto reference = parts::standaloneReference(all, options);
  if (reference && !figure.lines.empty()) figure.references.push_back(*reference);
  if (skewed.empty()) figure.notes.push_back("no run has a partition that is not i.i.d.");
  return figure;
}

}  // namespace

FigureDef accuracy_non_iid() {
  return {.id = "accuracy_non_iid",
          .title = "Accuracy, non-i.i.d.",
          .summary = "The same for runs whose workers hold different classes.",
          .build = build};
}

}  // namespace paceline
