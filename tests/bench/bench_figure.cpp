// From summaries to painted pixels: what a click on Compare costs.
#include <cmath>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_view.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/bench/bench.h"
#include "tests/bench/painting.h"

namespace paceline::bench {

Result figurePaint() {
  const Painting painting{};
  constexpr int kRuns = 20, kPoints = 10'000;
  const char* const algorithms[] = {"esync", "ssgd", "asgd", "dc_asgd"};
  std::vector<summary::RunSummary> runs(kRuns);
  for (int i = 0; i < kRuns; ++i) {
    summary::RunSummary& run = runs[static_cast<std::size_t>(i)];
    run.id = strCat("run", i), run.name = run.id, run.state = "finished", run.algorithm = algorithms[i % 4];
    run.configHash = run.groupHash = run.id;
    Rng rng = Rng::stream(1, "figure", static_cast<std::uint64_t>(i));
    for (int k = 0; k < kPoints; ++k)
      run.curve.push_back({.round = k + 1, .seconds = k * 0.5, .samples = k * 256, .bytes = k * 1'000'000LL,
                           .accuracy = 0.9 - 0.8 * std::exp(-k / 2000.0) + 0.02 * rng.normal(), .loss = 1.0});
  }
  const FigureDef* accuracy = findFigure("accuracy");
  if (accuracy == nullptr) throw Error(Errc::kUnsupported, "there is no accuracy figure");
  std::vector<double> build, paint, both;
  for (int turn = 0; turn < 7; ++turn) {
    const double began = secondsNow();
    const Figure figure = accuracy->build(runs, {});
    build.push_back((secondsNow() - began) * 1e3);
    if (figure.lines.size() != kRuns) throw Error(Errc::kFormat, strCat("the figure has ", figure.lines.size(), " lines, not ", kRuns));
    paint.push_back(figure::figurePaintMilliseconds(figure));
    both.push_back(build.back() + paint.back());
  }
  return {.id = "figure_paint_ms", .value = median(both), .unit = "ms", .target = 300, .higherIsBetter = false,
          .note = "accuracy figure of 20 runs with 10 000 points each: build and paint at 1200 x 700, median of 7",
          .inputs = {{"build_ms", median(build)}, {"paint_ms", median(paint)}}};
}

}  // namespace paceline::bench
