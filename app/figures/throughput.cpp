#include <cmath>
#include <limits>

#include "app/figures/parts/bars.h"
#include "app/figures/parts/published.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// drawer.py, figure 1: int(sum of all devices' samples / last elapsed second of the first device).
Figure published(const std::vector<summary::RunSummary>& runs) {
  Figure figure = parts::newFigure("throughput", "Data throughput", Variant::kPublished);
  figure.y = {.title = "samples per second", .min = 0.0, .max = {}, .log = false, .categories = {}};
  figure.notes.push_back("drawer.py: int(samples of all devices / elapsed time of the first device)");
  for (const parts::RunGroup& group : parts::publishedOrder(parts::pointersTo(runs), figure))
    parts::addMeanBar(figure, group, {group.first().publishedThroughput});
  if (figure.empty()) figure.notes.push_back("nothing to draw: no run of the four algorithms");
  return figure;
}

Figure corrected(const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
  Figure figure = parts::barFigure({.id = "throughput",
                             .title = "Data throughput",
                             .yTitle = "samples per second",
                             .value = [](const summary::RunSummary& run) { return run.throughputSamplesPerSecond; }},
                            parts::pointersTo(runs), options);
  if (!figure.empty()) figure.notes.push_back("samples trained by all workers / wall time");
  return figure;
}

}  // namespace

FigureDef throughput() {
  return {.id = "throughput",
          .title = "Throughput",
          .summary = "Samples that all workers together train in a second.",
          .build = [](const std::vector<summary::RunSummary>& runs, const FigureOptions& options) {
            return options.variant == Variant::kPublished ? published(runs) : corrected(runs, options);
          }};
}

}  // namespace paceline
