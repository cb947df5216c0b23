#include <algorithm>

#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 0. Series in its order: ESync, SSGD, ASGD, DC-ASGD.
const parts::AccuracyPlan& plan() {
  static const parts::AccuracyPlan kPlan{
      .id = "accuracy",
      .title = "Test accuracy",
      .publishedTitle = "Test accuracy, i.i.d.",
      .script = {.every = 5, .window = 10, .marks = {{5, 7, 9}, {5}, {7, 10}, {13}}, .markStart = {15, 15, 40, 30}, .markStep = {32, 16, 32, 45}}};
  return kPlan;
}

Figure build(const Summaries& runs, const FigureOptions& options) {
  const bool published = options.variant == Variant::kPublished;
  const parts::Runs all = parts::pointersTo(runs);
  parts::Runs drawn;
  std::ranges::copy_if(all, std::back_inserter(drawn), [published](const summary::RunSummary* run) { return published ? parts::isIid(*run) : !parts::isStandalone(*run); });
  if (!published && drawn.empty()) drawn = all;  // nothing but stand-alone runs: they are the curves
  Figure figure = parts::accuracyFigure(plan(), drawn, all, options);
  if (published && drawn.size() < all.size()) figure.notes.insert(figure.notes.begin(), "runs that are not i.i.d. are in accuracy_non_iid");
  return figure;
}

}  // namespace

FigureDef accuracy() {
  return {.id = "accuracy",
          .title = "Accuracy",
          .summary = "Test accuracy over time, rounds, epochs, samples or traffic, with the stand-alone accuracy as a dashed line.",
          .build = build};
}

}  // namespace paceline
