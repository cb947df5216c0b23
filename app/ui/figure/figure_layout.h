// Layout of a figure before it is painted: ranges, visible points, room for labels. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include <QFontMetricsF>
#include <QSize>
#include <QStringList>

#include "app/figures/figure.h"
#include "app/figures/parts/bar_places.h"
#include "app/ui/figure/figure_style.h"

namespace paceline::figure {

struct AxisRange {
  double low = 0, high = 1;
};
AxisRange xRange(const Figure& figure);
AxisRange panned(AxisRange range, AxisRange all, double share);  // moved by a share of itself within `all`: no time before the start
AxisRange yRange(const Figure& figure);

using parts::BarPlaces;
using parts::barPlaces;
using parts::kBarFill;
using parts::stackTops;

// Bands in the legend: a band that is named after a line ("ESync, 3 seeds ± std") is told by the rest ("± std"), equal words once.
struct BandEntry {
  std::string words;
  std::optional<int> series{};  // nullopt: of several series
};
std::vector<BandEntry> bandEntries(const Figure& figure);

// Words of a figure in the room there is, in px.
double linesWidth(const QString& text, const QFontMetricsF& metrics);  // of the widest of its lines
QString inLines(const QString& text, const QFontMetricsF& metrics, double room);  // broken at spaces; a word that is wider stays whole
QString titleInLines(const QString& title, const QFontMetricsF& metrics, double room);  // in two, where one is too long
struct CategoryNames {
  QStringList texts;
  bool upright = false;
};
// Side by side where each fits in `room`, else in lines cut at ", ", else upright (where half of `most` is not enough in lines, too) and no longer than `most`.
CategoryNames categoryNames(const std::vector<std::string>& names, const QFontMetricsF& metrics, double room, double most);
struct LegendFit {
  double scale = 1;  // of its font
  int columns = 1;
};
// As large as leaves the figure most of its height, in as many columns as there is room for: rows are filled one after the other, a column is as wide as its
// widest text (`widths`, at full size) and an icon.
LegendFit legendFit(const std::vector<double>& widths, double rowHeight, const QSize& figure);

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
