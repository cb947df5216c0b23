#include "app/figures/parts/curves.h"

namespace paceline {
namespace {

Figure build(const Summaries& runs, const FigureOptions& options) {
  Figure figure = parts::curveFigure({.id = "loss", .title = "Test loss", .yTitle = "test loss", .value = &summary::CurvePoint::loss}, parts::pointersTo(runs), options);
  figure.variant = options.variant;
  if (options.variant == Variant::kPublished)
    figure.notes.push_back("no published script draws the loss: measured values in the published look");
  return figure;
}

}  // namespace

FigureDef loss() {
  return {.id = "loss", .title = "Loss", .summary = "Test loss over time, rounds, epochs, samples or traffic.", .build = build};
}

}  // namespace paceline
