#include "app/ui/figure/smooth_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace paceline::figure {
namespace {

// All four parts of a premultiplied pixel times part / 255.
QRgb scaled(QRgb pixel, unsigned part) {
  unsigned even = (pixel & 0xff00ffU) * part, odd = ((pixel >> 8) & 0xff00ffU) * part;
  even = ((even + ((even >> 8) & 0xff00ffU) + 0x800080U) >> 8) & 0xff00ffU;
  odd = (odd + ((odd >> 8) & 0xff00ffU) + 0x800080U) & 0xff00ff00U;
  return even | odd;
}

}  // namespace

SmoothLines::SmoothLines(const QRect& area, double ratio) : area_(area), ratio_(ratio), image_((QSizeF(area.size()) * ratio).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied) {
  image_.setDevicePixelRatio(ratio);
  image_.fill(Qt::transparent);
  pixels_ = reinterpret_cast<QRgb*>(image_.bits());
}

void SmoothLines::blend(int x, int y, double share, QRgb colour, int alpha) {
  if (x < 0 || y < 0 || x >= image_.width() || y >= image_.height()) return;
  const auto part = static_cast<unsigned>(std::lround(alpha * share));
  QRgb& pixel = pixels_[static_cast<std::ptrdiff_t>(y) * image_.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb)) + x];
  pixel = scaled(colour, part) + scaled(pixel, 255 - part);
}

// Pixel column by pixel column of a flat line, row by row of a steep one: each pixel gets as much of the colour as the line covers of its column.
void SmoothLines::draw(const QLineF& line, const QColor& colour, double width) {
  QPointF from = (line.p1() - QPointF(area_.topLeft())) * ratio_, to = (line.p2() - QPointF(area_.topLeft())) * ratio_;
  const bool steep = std::abs(to.y() - from.y()) > std::abs(to.x() - from.x());
  if (steep) from = from.transposed(), to = to.transposed();
  if (from.x() > to.x()) std::swap(from, to);
  if (!(to.x() > from.x())) return;
  const double slope = (to.y() - from.y()) / (to.x() - from.x()), half = width * ratio_ / 2 * std::sqrt(1 + slope * slope);
  const QRgb opaque = colour.rgb() | 0xff000000U;
  const int alpha = colour.alpha(), last = std::min(static_cast<int>(std::ceil(to.x())), steep ? image_.height() : image_.width());
  for (int x = std::max(0, static_cast<int>(std::floor(from.x()))); x < last; ++x) {
    const double begin = std::max<double>(x, from.x()), end = std::min<double>(x + 1, to.x());
    const double middle = from.y() + slope * ((begin + end) / 2 - from.x()), low = middle - half, high = middle + half;
    for (int y = static_cast<int>(std::floor(low)); y < high; ++y) {
      const double share = (std::min<double>(y + 1, high) - std::max<double>(y, low)) * (end - begin);
      steep ? blend(y, x, share, opaque, alpha) : blend(x, y, share, opaque, alpha);
    }
  }
}

}  // namespace paceline::figure
