#include "app/figures/parts/bars.h"

namespace paceline {

FigureDef edge_traffic() {
  static const parts::EdgePlan plan{.id = "edge_traffic",
                                    .title = "Traffic per edge",
                                    .yTitle = "MB received",
                                    .note = "bytes that the worker at the arrow's head received from the other, as measured, in 10^6",
                                    .value = [](const summary::EdgeSummary& edge) { return static_cast<double>(edge.bytesReceived) / 1e6; }};
  return {.id = plan.id,
          .title = "Traffic per edge",
          .summary = "What each direction of an edge of a decentralised method carried.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::edgeFigure(plan, runs, options); }};
}

}  // namespace paceline
