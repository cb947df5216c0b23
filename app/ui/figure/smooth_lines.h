// Smooth lines, a pixel or two wide, on a picture of its own. Qt's raster engine hands each smooth line that is longer than about a hundred pixels to several threads, which
// takes 60 us, many times longer than the line itself (Qt 6.4). One thread.
#pragma once

#include <QColor>
#include <QImage>
#include <QLineF>
#include <QPainter>

namespace paceline::figure {

class SmoothLines {
 public:
  SmoothLines(const QRect& area, double ratio);  // area: in the painter's units, of which `ratio` pixels each
  void draw(const QLineF& line, const QColor& colour, double width);
  void paint(QPainter& painter) const { painter.drawImage(area_.topLeft(), image_); }

 private:
  void blend(int x, int y, double share, QRgb colour, int alpha);

  QRect area_;
  double ratio_;
  QImage image_;
  QRgb* pixels_;  // of image_
};

}  // namespace paceline::figure
