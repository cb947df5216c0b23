#include <algorithm>

#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 4.
const parts::AccuracyPlan& plan() {
  static const parts::AccuracyPlan kPlan{
      .id = "accuracy_non_iid",
      .title = "Test accuracy, non-i.i.d.",
      .publishedTitle = "Test accuracy, non-i.i.d.",
      .script = {.every = 10, .window = 30, .marks = {{}, {}, {}, {}}, .markStart = {9, 12, 18, 40}, .markStep = {12, 14, 23, 24}}};
  return kPlan;
}

Figure build(const Summaries& runs, const FigureOptions& options) {
  const parts::Runs all = parts::pointersTo(runs);
  parts::Runs skewed;
  std::ranges::copy_if(all, std::back_inserter(skewed), [](const summary::RunSummary* run) { return !parts::isIid(*run) && !parts::isStandalone(*run); });
  Figure figure = parts::accuracyFigure(plan(), skewed, all, options);
  if (skewed.empty() && options.variant == Variant::kCorrected) figure.notes.push_back("no run has a partition that is not i.i.d.");
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
