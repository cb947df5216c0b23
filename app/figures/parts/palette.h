// How an index of a figure's palette looks, as numbers: for every renderer (ui/figure, report). Any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace paceline {

enum class Marker { kCircle, kSquare, kTriangle, kPentagon, kDiamond, kTriangleDown, kCross, kPlus };
enum class Hatch { kNone, kCross, kRising, kFalling, kHorizontal, kVertical, kGrid };

struct SeriesShape {
  std::uint32_t light = 0, dark = 0;  // 0xrrggbb, on a light and on a dark ground
  Marker marker = Marker::kCircle;
  double size = 6;                    // of the marker, px
  std::vector<double> dash{};         // in pen widths; empty: solid
  Hatch hatch = Hatch::kNone;
};
// Okabe-Ito, or as ESync's drawer.py painted. Colours come again after eight series, each time with another one's dash, marker and hatch: 64 lines differ and, as some
// hatches are alike, 32 sets of bars.
SeriesShape seriesShape(int series, bool published);

}  // namespace paceline
