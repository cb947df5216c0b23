#include "app/figures/parts/bars.h"

namespace paceline {

FigureDef traffic() {
  // drawer.py, figure 2: int(rounds x workers x model size in MiB / elapsed seconds); asynchronous methods count their own iterations.
  static const parts::RatePlan plan{.id = "traffic",
                                    .title = "Traffic load",
                                    .yTitle = "MB per second",
                                    .note = "bytes that the workers sent and received, as measured, in 10^6, / wall time",
                                    .value = [](const summary::RunSummary& run) { return run.trafficBytesPerSecond / 1e6; },
                                    .publishedYTitle = "MBytes per second",
                                    .publishedNote = "drawer.py: int(rounds x workers x model MiB / elapsed time), one direction",
                                    .publishedValue = &summary::RunSummary::publishedTrafficMbPerSecond};
  return {.id = plan.id,
          .title = "Traffic",
          .summary = "Bytes that the workers send and receive in a second.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::rateFigure(plan, runs, options); }};
}

}  // namespace paceline
