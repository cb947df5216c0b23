#include "app/figures/parts/bars.h"

namespace paceline {

FigureDef edge_age() {
  static const parts::EdgePlan plan{.id = "edge_age",
                                    .title = "Age of received vectors",
                                    .yTitle = "local steps",
                                    .note = "steps that the receiving worker had taken since it applied the newest vector, mean over its steps",
                                    .value = [](const summary::EdgeSummary& edge) { return edge.ageMean; }};
  return {.id = plan.id,
          .title = "Age per edge",
          .summary = "How old a neighbour's vector is when a decentralised method uses it, for each direction of an edge.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::edgeFigure(plan, runs, options); }};
}

}  // namespace paceline
