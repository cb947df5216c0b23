#include "app/figures/parts/curves.h"

namespace paceline {
namespace {

Figure build(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  const parts::CurvePlan plan{.id = "kept_fraction",
                       .title = "Kept fraction",
                       .yTitle = "fraction of elements sent",
                       .value = &summary::CurvePoint::kept,
                       .yMin = 0.0,
                       .yMax = {},
                       .points = &summary::RunSummary::exchanged,
                       .lacking = "its method sends everything",
                       .nothing = "no run of a sparse method"};
  return parts::recordedCurveFigure(plan, runs, options, "each point: mean over as many rounds as there are workers, in the order of their ends");
}

}  // namespace

FigureDef kept_fraction() {
  return {.id = "kept_fraction",
          .title = "Kept fraction",
          .summary = "Share of the gradient's elements that sparse methods send, as their warm-up and thresholds made it.",
          .build = build};
}

}  // namespace paceline
