#include "app/figures/parts/bars.h"

namespace paceline {

FigureDef throughput() {
  // drawer.py, figure 1: int(sum of all devices' samples / last elapsed second of the first device).
  static const parts::RatePlan plan{.id = "throughput",
                                    .title = "Data throughput",
                                    .yTitle = "samples per second",
                                    .note = "samples trained by all workers / wall time",
                                    .value = &summary::RunSummary::throughputSamplesPerSecond,
                                    .publishedYTitle = "samples per second",
                                    .publishedNote = "drawer.py: int(samples of all devices / elapsed time of the first device)",
                                    .publishedValue = &summary::RunSummary::publishedThroughput};
  return {.id = plan.id,
          .title = "Throughput",
          .summary = "Samples that all workers together train in a second.",
          .build = [](const Summaries& runs, const FigureOptions& options) { return parts::rateFigure(plan, runs, options); }};
}

}  // namespace paceline
