#include "app/figures/parts/bars.h"
#include "app/figures/parts/published.h"

namespace paceline {
namespace {

// drawer.py, figure 2: int(rounds x workers x model size in MiB / elapsed seconds); asynchronous methods count their own
// iterations.
Figure published(const std::vector<summary::RunSummary>& runs) {
  Figure figure = parts::newFigure("traffic", "Traffic load", Variant::kPublished);
  figure.y = {.title = "MBytes per second", .min = 0.0, .max = {}, .log = false, .categories = {}};
  figure.notes.push_back("drawer.py: int(rounds x workers x model MiB / elapsed time), one direction");
  for (const parts::RunGroup& group : parts::publishedOrder(parts::pointersTo(runs), figure))
    parts::addMeanBar(figure, group, {group.first().publishedTrafficMbPerSecond});
  if (figure.empty()) figure.notes.push_back("nothing to draw: no run of the four algorithms");
  return figure;
}

Figure corrected(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  Figure figure = parts::barFigure({.id = "traffic",
                             .title = "Traffic load",
                             .yTitle = "MB per second",
                             .value = [](const summary::RunSummary& run) { return run.trafficBytesPerSecond / 1e6; }},
                            parts::pointersTo(runs), options);
  if (!figure.empty()) figure.notes.push_back("bytes that the workers sent and received, as measured, in 10^6, / wall time");
  return figure;
}

}  // namespace

FigureDef traffic() {
  return {.id = "traffic",
          .title = "Traffic",
          .summary = "Bytes that the workers send and receive in a second.",
          .build = [](const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
            return options.variant == Variant::kPublished ? published(runs) : corrected(runs, options);
          }};
}

}  // namespace paceline
