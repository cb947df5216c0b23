// From summaries to painted pixels: what a click on Compare costs.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_view.h"
#include "app/ui/figure/parallel_brushes.h"
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

// A part of an axis is dragged from its foot to its top, over every run and none.
Result parallelBrush() {
  const Painting painting{};
  constexpr int kRuns = 1000, kFields = 5, kMoves = 100;
  std::vector<summary::RunSummary> runs(kRuns);
  Rng rng = Rng::stream(1, "parallel", 0);
  for (int i = 0; i < kRuns; ++i) {
    summary::RunSummary& run = runs[static_cast<std::size_t>(i)];
    run.id = run.name = run.groupHash = strCat("run", i), run.algorithm = i % 2 == 0 ? "esync" : "ssgd";
    run.accuracyBest = 0.5 + 0.5 * rng.uniform(), run.throughputSamplesPerSecond = std::exp(10 * rng.uniform()), run.timeToTargetSeconds = 100 * rng.uniform(), run.trafficBytesPerSecond = 1e6 * rng.uniform() + 1;
    std::string params;
    for (int k = 0; k < kFields; ++k) params += strCat(k == 0 ? "" : ",", "\"rate_", k, "\":", rng.uniform());
    run.document = strCat(R"({"algorithm":{"id":")", run.algorithm, R"(","params":{)", params, R"(}},"batch_size":)", 16 << i % 4, "}");
  }
  const double began = secondsNow();
  const Figure figure = findFigure("parallel")->build(runs, {});
  const double built = (secondsNow() - began) * 1e3;
  figure::FigureView view;
  view.resize(1200, 700);
  view.setFigure(figure);
  view.grab();
  view.paintNow();
  auto* brushes = view.findChild<figure::ParallelBrushes*>("parallelBrushes");
  if (brushes == nullptr || figure.lines.size() != kRuns) throw Error(Errc::kFormat, strCat("the figure has ", figure.lines.size(), " lines and no brushes"));
  const auto axis = figure.shadedBy.value_or(0);
  std::vector<double> moves;
  for (int move = 0; move <= kMoves; ++move) {
    const double start = secondsNow();
    brushes->setPart(axis, figure::AxisPart{.low = 0, .high = static_cast<double>(move) / kMoves});
    view.grab();
    moves.push_back((secondsNow() - start) * 1e3);
  }
  std::ranges::sort(moves);
  return {.id = "parallel_brush_ms", .value = moves[moves.size() * 95 / 100], .unit = "ms", .target = 50, .higherIsBetter = false,
          .note = strCat("a brush moved over parallel coordinates of 1000 runs and ", figure.axes.size(), " axes at 1200 x 700: painted, 95th percentile of ", moves.size(), " moves"),
          .inputs = {{"median_ms", median(moves)}, {"build_ms", built}}};
}

}  // namespace paceline::bench
