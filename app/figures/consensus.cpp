#include "app/figures/parts/curves.h"

namespace paceline {
namespace {

Figure build(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  const parts::CurvePlan plan{.id = "consensus",
                       .title = "Consensus distance",
                       .yTitle = "distance from the mean of the workers",
                       .value = &summary::CurvePoint::consensus,
                       .yMin = 0.0,
                       .yMax = {},
                       .lacking = "no consensus distance recorded",
                       .nothing = "no run with a consensus distance"};
  return parts::recordedCurveFigure(plan, runs, options, "root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean");
}

}  // namespace

FigureDef consensus() {
  return {.id = "consensus",
          .title = "Consensus distance",
          .summary = "How far apart the workers of a decentralised method are, over time, rounds, samples or traffic.",
          .build = build};
}

}  // namespace paceline
