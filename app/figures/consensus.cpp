#include "app/figures/parts/curves.h"

namespace paceline {

FigureDef consensus() {
  static const parts::CurvePlan plan{.id = "consensus",
                                     .title = "Consensus distance",
                                     .yTitle = "distance from the mean of the workers",
                                     .value = &summary::CurvePoint::consensus,
                                     .yMin = 0.0,
                                     .note = "root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean",
                                     .lacking = "no consensus distance recorded",
                                     .nothing = "no run with a consensus distance"};
  return {.id = plan.id,
          .title = plan.title,
          .summary = "How far apart the workers of a decentralised method are, over time, rounds, samples or traffic.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::recordedCurveFigure(plan, runs, options); }};
}

}  // namespace paceline
