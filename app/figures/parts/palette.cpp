#include "app/figures/parts/palette.h"

#include <array>
#include <cstdlib>

namespace paceline {
namespace {

const std::vector<SeriesShape>& shapes(bool published) {
  // Okabe & Ito's eight, the algorithms' four first; the dark column is the same hue, lighter.
  static const std::vector<SeriesShape> modern{
      {0x0072b2, 0x4aa8e6, Marker::kCircle, 6, {}, Hatch::kNone},
      {0xd55e00, 0xf5823a, Marker::kTriangle, 6, {6, 3}, Hatch::kRising},
      {0x009e73, 0x2cc49b, Marker::kSquare, 6, {2, 2}, Hatch::kFalling},
      {0xcc79a7, 0xe39cc3, Marker::kDiamond, 6, {6, 2, 2, 2}, Hatch::kCross},
      {0xe69f00, 0xf0b43c, Marker::kTriangleDown, 6, {10, 3}, Hatch::kHorizontal},
      {0x56b4e9, 0x86cbf2, Marker::kPentagon, 6, {4, 2, 1, 2, 1, 2}, Hatch::kVertical},
      {0x000000, 0xe7eaee, Marker::kCross, 6, {1, 2}, Hatch::kGrid},
      {0xa89a00, 0xf0e442, Marker::kPlus, 6, {8, 2, 2, 2, 2, 2}, Hatch::kRising},
  };
  // drawer.py: "m-p" 8, orange dotted triangle 7, "b--s" 6, "g-.o" 7; hatches x / \ -. Those after them are ours.
  static const std::vector<SeriesShape> scripts{
      {0xbf00bf, 0xbf00bf, Marker::kPentagon, 8, {}, Hatch::kCross},
      {0xffa500, 0xffa500, Marker::kTriangle, 7, {1, 1.65}, Hatch::kRising},
      {0x0000ff, 0x0000ff, Marker::kSquare, 6, {3.7, 1.6}, Hatch::kFalling},
      {0x008000, 0x008000, Marker::kCircle, 7, {6.4, 1.6, 1, 1.6}, Hatch::kHorizontal},
      {0x8c564b, 0x8c564b, Marker::kDiamond, 7, {8, 2}, Hatch::kVertical},
      {0x00868b, 0x00868b, Marker::kTriangleDown, 7, {3, 1, 1, 1}, Hatch::kGrid},
      {0x000000, 0x000000, Marker::kCross, 6, {1, 3}, Hatch::kRising},
      {0x7f7f7f, 0x7f7f7f, Marker::kPlus, 6, {2, 4}, Hatch::kFalling},
  };
  return published ? scripts : modern;
}

}  // namespace

SeriesShape seriesShape(int series, bool published) {
  static constexpr std::array<std::size_t, 8> kModernShifts = {0, 4, 1, 5, 2, 6, 3, 7}, kPublishedShifts = {0, 4, 2, 6, 1, 5, 3, 7};  // by the time round
  const auto index = static_cast<std::size_t>(std::abs(series));
  const std::vector<SeriesShape>& all = shapes(published);
  const auto& shifts = published ? kPublishedShifts : kModernShifts;
  SeriesShape made = all[(index + shifts[index / all.size() % shifts.size()]) % all.size()];
  made.light = all[index % all.size()].light, made.dark = all[index % all.size()].dark;
  return made;
}

}  // namespace paceline
