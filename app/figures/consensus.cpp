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
                       .lacking = "no consensus distance recorded"};
  std::vector<std::string> notes;
  const auto drawn = parts::havingValues(plan, parts::pointersTo(runs), notes);
  Figure figure = parts::curveFigure(plan, drawn, options);
  figure.variant = options.variant;
  if (figure.empty()) figure.notes = {"nothing to draw: no run with a consensus distance"};
  else figure.notes.push_back("root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean");
  if (options.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: as measured");
  figure.notes.insert(figure.notes.end(), notes.begin(), notes.end());
  return figure;
}

}  // namespace

FigureDef consensus() {
  return {.id = "consensus",
          .title = "Consensus distance",
          .summary = "How far apart the workers of a decentralised method are, over time, rounds, samples or traffic.",
          .build = build};
}

}  // namespace paceline
