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
                       .lacking = "its method sends everything"};
  std::vector<std::string> notes;
  Figure figure = parts::curveFigure(plan, parts::havingValues(plan, parts::pointersTo(runs), notes), options);
  figure.variant = options.variant;
  if (figure.empty()) figure.notes = {"nothing to draw: no run of a sparse method"};
  else figure.notes.push_back("each point: mean over as many rounds as there are workers, in the order of their ends");
  if (options.variant == Variant::kPublished) figure.notes.push_back("no published script draws it: as measured");
  figure.notes.insert(figure.notes.end(), notes.begin(), notes.end());
  return figure;
}

}  // namespace

FigureDef kept_fraction() {
  return {.id = "kept_fraction",
          .title = "Kept fraction",
          .summary = "Share of the gradient's elements that sparse methods send, as their warm-up and thresholds made it.",
          .build = build};
}

}  // namespace paceline
