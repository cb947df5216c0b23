// How a figure's indices become colours, dashes, markers and hatches, in two styles. No plot library here. Any thread with a QGuiApplication.
#pragma once

#include <vector>

#include <QColor>
#include <QLineF>
#include <QPainterPath>
#include <QPen>
#include <QRectF>

#include "app/figures/figure.h"
#include "app/figures/parts/palette.h"

namespace paceline::figure {

enum class FigureStyle { kModern, kPublished };  // Okabe-Ito; as ESync's drawer.py painted
using paceline::Hatch;
using paceline::Marker;

struct SeriesLook {
  QColor colour;
  std::vector<double> dash;  // in pen widths; empty: solid
  Marker marker = Marker::kCircle;
  double markerSize = 6;     // px
  Hatch hatch = Hatch::kNone;
  double lineWidth = 1.5;
  bool whiteBars = false;    // white fill under the hatch, coloured edge
};
SeriesLook seriesLook(int series, FigureStyle style, bool dark);
SeriesLook lineLook(const Figure& figure, const Line& line, FigureStyle style, bool dark);  // an only line is plain: nothing to tell apart
// Above this many points a line is painted plain and 1 px wide: dashes and round joins of thousands of noisy segments cost seconds and
// cannot be seen; the markers still tell the series apart.
constexpr std::size_t kCrowdedPoints = 800;
QPen linePen(const SeriesLook& look, std::size_t points = 0);

struct ChartColours {
  QColor background, text, muted, grid, axis, reference;
};
ChartColours chartColours(FigureStyle style, bool dark);

QPainterPath markerPath(Marker marker, double size);
std::vector<QLineF> hatchLines(const QRectF& rect, Hatch hatch, double spacing);

// Which points of a line of n points carry a marker: as the figure says, else a few, staggered by series.
std::vector<std::size_t> markerIndices(const Line& line, std::size_t wanted = 7);

// Moves labels of `height` px apart within [top, bottom] as little as it can; empty: no room.
std::vector<double> spreadLabels(const std::vector<double>& wanted, double height, double top, double bottom);

// 0.25, 1 200, 35k, 1.2M: short enough for a tick.
QString shortNumber(double value);
// As shown when pointed at: five significant digits, thin groups.
QString exactNumber(double value);

}  // namespace paceline::figure
