// What the plotting library lacks, as its own plottables. For figure_view.cpp alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/parallel_picture.h"

namespace paceline::figure {

class ShortTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return shortNumber(std::abs(tick) < 1e-12 ? 0 : tick); }
};

class HatchedBars : public QCPBars {
 public:
  HatchedBars(QCPAxis* key, QCPAxis* value, Hatch hatch) : QCPBars(key, value), hatch_(hatch) {}

 protected:
  void draw(QCPPainter* painter) override {
    QCPBars::draw(painter);
    for (const QCPBarsData& bar : *mDataContainer)
      if (std::isfinite(bar.value)) drawHatch(painter, getBarRect(bar.key, bar.value));
  }
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override {
    QCPBars::drawLegendIcon(painter, rect);
    QRectF shape(0, 0, rect.width() * 0.67, rect.height() * 0.67);
    shape.moveCenter(rect.center());
    drawHatch(painter, shape);
  }

 private:
  void drawHatch(QCPPainter* painter, const QRectF& rect) const {
    painter->setPen(QPen(mPen.color(), 1));
    for (const QLineF& line : hatchLines(rect, hatch_, 7)) painter->drawLine(line);
  }
  Hatch hatch_;
};

// Lying bars: a graph without points that paints them, so that legend and layers treat it as one.
class LyingBars : public QCPGraph {
 public:
  // `aboveStrip`: a strip below is left to others.
  LyingBars(QCPAxis* key, QCPAxis* value, const SpanSet& set, QColor colour, bool aboveStrip)
      : QCPGraph(key, value), set_(set), colour_(colour), upper_(set.thin ? kStrip : -kHalf), lower_(aboveStrip ? kStrip : kHalf) {
    setPen(colour), setBrush(colour);
  }

 protected:
  void draw(QCPPainter* painter) override {
    const QCPRange seen = mKeyAxis->range();
    for (std::size_t i = 0; i < set_.rows.size(); ++i) {
      if (set_.end[i] < seen.lower || set_.begin[i] > seen.upper) continue;
      const auto row = static_cast<double>(set_.rows[i]);
      const QPointF a(mKeyAxis->coordToPixel(set_.begin[i]), mValueAxis->coordToPixel(row + upper_)), b(mKeyAxis->coordToPixel(set_.end[i]), mValueAxis->coordToPixel(row + lower_));
      QColor fill = colour_;
      fill.setAlphaF(static_cast<float>(std::clamp(set_.strength[i], 0.0, 1.0)));
      painter->fillRect(QRectF(a, b).normalized(), fill);
    }
  }
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override {
    const double height = rect.height() * (set_.thin ? 0.15 : 0.5);
    painter->fillRect(QRectF(rect.left(), rect.center().y() - height / 2, rect.width() * 0.67, height), colour_);
  }

 private:
  static constexpr double kHalf = 0.38, kStrip = 0.28;  // of a row's height, from its middle
  const SpanSet set_;
  QColor colour_;
  double upper_, lower_;
};

// Markers alone. The first and the last point of a line stand on the edges of the axes: their markers are painted whole.
class Markers : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

 protected:
  QRect clipRect() const override {
    const int half = static_cast<int>(std::ceil(mScatterStyle.size() / 2)) + 1;
    return QCPGraph::clipRect().adjusted(-half, -half, half, half);
  }
};

// All of the parallel coordinates, in the place of the axes: a graph without points that paints them.
class ParallelLines : public QCPGraph {
 public:
  ParallelLines(QCPAxis* key, QCPAxis* value, const Figure& figure, ParallelLook look, const bool& faint) : QCPGraph(key, value), figure_(figure), look_(std::move(look)), faint_(faint) {}

 protected:
  void draw(QCPPainter* painter) override {
    std::vector<std::size_t> all(figure_.lines.size());
    std::iota(all.begin(), all.end(), 0);
    const QRectF area = mKeyAxis->axisRect()->rect();
    const ParallelPlaces places = placesOf(figure_, area, look_);
    paintLines(*painter, figure_, places, all, look_, faint_);
    if (!faint_) paintAxes(*painter, figure_, places, area, look_);  // else who paints the chosen lines does, over them
  }

 private:
  const Figure& figure_;  // of the plot
  ParallelLook look_;
  const bool& faint_;
};

// What papers report: diamonds that nothing fills, over a light strip as long as their band. Whole at the edges of the axes.
class HollowMarks : public QCPGraph {
 public:
  struct Mark {
    QPointF at, low, high;  // the band's ends; low = high: none
    QColor colour;
  };
  HollowMarks(QCPAxis* key, QCPAxis* value, std::vector<Mark> marks, QColor paper, QColor ink, double size) : QCPGraph(key, value), marks_(std::move(marks)), paper_(paper), size_(size) { setPen(QPen(ink)); }

 protected:
  void draw(QCPPainter* painter) override {
    painter->setRenderHint(QPainter::Antialiasing);
    for (const Mark& mark : marks_) paintBand(painter, place(mark.low), place(mark.high), mark.colour, size_ / 2);
    for (const Mark& mark : marks_) paintDiamond(painter, place(mark.at), mark.colour, size_);
  }
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override { paintDiamond(painter, rect.center(), mPen.color(), 8); }
  QRect clipRect() const override { return QCPGraph::clipRect().adjusted(-10, -10, 10, 10); }

 private:
  QPointF place(const QPointF& coordinates) const { return {mKeyAxis->coordToPixel(coordinates.x()), mValueAxis->coordToPixel(coordinates.y())}; }
  void paintDiamond(QCPPainter* painter, const QPointF& at, const QColor& colour, double size) const {
    painter->setPen(QPen(colour, size / 6));
    painter->setBrush(paper_);
    painter->drawPath(markerPath(Marker::kDiamond, size).translated(at));
  }
  static void paintBand(QCPPainter* painter, const QPointF& a, const QPointF& b, QColor colour, double half) {
    if (a == b) return;
    colour.setAlphaF(0.22F);
    const bool lying = std::abs(a.x() - b.x()) > std::abs(a.y() - b.y());
    painter->fillRect(QRectF(a, b).normalized().adjusted(lying ? 0 : -half, lying ? -half : 0, lying ? 0 : half, lying ? half : 0), colour);
  }
  std::vector<Mark> marks_;
  QColor paper_;
  double size_;  // px
};

}  // namespace paceline::figure
