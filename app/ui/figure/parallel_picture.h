// Parallel coordinates as a picture: where axes and values stand, and the painting. No plot library here. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include <QFont>
#include <QPainter>
#include <QRectF>

#include "app/figures/figure.h"
#include "app/ui/figure/figure_style.h"

namespace paceline::figure {

struct AxisPart {  // of an axis from its foot (0) to its top (1)
  double low = 0, high = 1;
  bool operator==(const AxisPart&) const = default;
};
using Brushes = std::vector<std::optional<AxisPart>>;  // one for each axis; nullopt: all of it

double shareOf(const Axis& axis, double y);      // where a value stands on its axis; NaN where it has no place
double valueAt(const Axis& axis, double share);  // what stands there; of words the nearest one's number
QString valueText(const Axis& axis, double y);   // "35k", "SSGD"
std::vector<std::size_t> linesWithin(const Figure& figure, const Brushes& brushes);  // those that are within every brush
QString partText(const Axis& axis, const AxisPart& part);  // "0.81 to 0.92", "ESync, SSGD"

struct ParallelPlaces {
  bool rows = false;      // the axes lie below each other: a narrow picture
  std::vector<double> x;  // of each axis, px; of rows its y
  double top = 0, bottom = 0, left = 0, right = 0;  // between which axes stand, or lie
  double spacing = 0;     // between two axes
  int titleLines = 3;     // at most; one where there is little height
  bool scale = true;      // of the colours; none there
  double y(const Axis& axis, double value) const { return bottom - shareOf(axis, value) * (bottom - top); }
  double shareAt(double y) const { return bottom > top ? (bottom - y) / (bottom - top) : 0; }
  QPointF at(const Figure& figure, std::size_t axis, double value) const {
    return rows ? QPointF(left + shareOf(figure.axes[axis], value) * (right - left), x[axis]) : QPointF(x[axis], y(figure.axes[axis], value));
  }
};

struct ParallelLook {
  FigureStyle style = FigureStyle::kModern;
  bool dark = false;
  QFont font{};
  bool words = true;    // titles, numbers and the scale of the colours
  bool picture = false;  // a file: every word is whole, so that axes become rows where there is too little room between them
};
ParallelPlaces placesOf(const Figure& figure, const QRectF& area, const ParallelLook& look);
bool haveRoom(const Figure& figure, const ParallelPlaces& places, const QFont& font, double leastHeight);  // axes as high as that, rows apart, no word longer than its place

// All lines faint and without colour where only some are chosen.
void paintLines(QPainter& painter, const Figure& figure, const ParallelPlaces& places, const std::vector<std::size_t>& lines, const ParallelLook& look, bool faint);
void paintLine(QPainter& painter, const Figure& figure, const ParallelPlaces& places, std::size_t line, const QPen& pen);
std::optional<std::size_t> lineAt(const Figure& figure, const ParallelPlaces& places, const std::vector<std::size_t>& lines, const QPointF& at, double reach);  // the nearest of them, within so many px
void paintAxes(QPainter& painter, const Figure& figure, const ParallelPlaces& places, const QRectF& area, const ParallelLook& look);

}  // namespace paceline::figure
