#include "app/figures/parts/curves.h"

namespace paceline {

FigureDef kept_fraction() {
  static const parts::CurvePlan plan{.id = "kept_fraction",
                                     .title = "Kept fraction",
                                     .yTitle = "fraction of elements sent",
                                     .value = &summary::CurvePoint::kept,
                                     .yMin = 0.0,
                                     .points = &summary::RunSummary::exchanged,
                                     .note = "each point: mean over as many rounds as there are workers, in the order of their ends",
                                     .lacking = "its method sends everything",
                                     .nothing = "no run of a sparse method"};
  return {.id = plan.id,
          .title = plan.title,
          .summary = "Share of the gradient's elements that sparse methods send, as their warm-up and thresholds made it.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::recordedCurveFigure(plan, runs, options); }};
}

}  // namespace paceline
