// Layout of a figure before it is painted: ranges, visible points, room for labels. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

namespace paceline::figure {

struct AxisRange {
  double low = 0, high = 1;
};
AxisRange xRange(const Figure& figure);
AxisRange yRange(const Figure& figure);

// Where bars stand: in a category only the sets that have a value or a text there take room. keys[set][category].
struct BarPlaces {
  double width = 0.5;
  bool named = false;  // the categories say which set a bar belongs to: no legend is needed
  std::vector<std::vector<double>> keys;
};
BarPlaces barPlaces(const Figure& figure);
std::vector<double> stackTops(const Figure& figure, std::size_t sets);  // how high the first `sets` of each category are together

double lastFinite(const Line& line);  // its last y that is a number; 0 when there is none
bool endsAtRight(const Figure& figure);  // every line reaches the last eighth of the x range
bool allNamed(const Figure& figure);

// The part of a line within [low, high] and one point on either side, at most two points for each of `columns`.
struct Visible {
  std::vector<double> x, y;
  std::size_t of = 0;  // points there are in that part
};
Visible visiblePart(const std::vector<double>& x, const std::vector<double>& y, AxisRange range, std::size_t columns);

// What a figure says at one x, for the card beside the pointer. Rich text: the x, then a row for each series with its mark and its exact value. "" when there is nothing to say.
QString hoverCard(const Figure& figure, double x, FigureStyle style, bool dark);

}  // namespace paceline::figure
