#include "app/ui/figure/figure_style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/models/words.h"
#include "app/ui/widgets/theme.h"

namespace paceline::figure {
namespace {

// Lines of slope +1 (rising in the picture) or -1, clipped to the rectangle.
void addDiagonals(const QRectF& r, bool rising, double spacing, std::vector<QLineF>& out) {
  const double reach = r.width() + r.height();
  for (double d = spacing / 2; d < reach; d += spacing) {
    const double x0 = std::max(0.0, d - r.height()), x1 = std::min(d, r.width());
    const double y0 = d - x0, y1 = d - x1;  // from the top left corner, falling towards the left
    if (rising)
      out.emplace_back(r.left() + x0, r.top() + y0, r.left() + x1, r.top() + y1);
    else
      out.emplace_back(r.left() + x0, r.bottom() - y0, r.left() + x1, r.bottom() - y1);
  }
}

QPainterPath polygon(int corners, double radius, double turn) {
  QPolygonF shape;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * M_PI * i / corners;
    shape << QPointF(radius * std::sin(angle), -radius * std::cos(angle));
  }
  QPainterPath path;
  path.addPolygon(shape);
  path.closeSubpath();
  return path;
}

QPainterPath strokes(double radius, double turn) {
  QPainterPath path;
  for (int i = 0; i < 2; ++i) {
    const double angle = turn + M_PI / 2 * i;
    path.moveTo(-radius * std::sin(angle), radius * std::cos(angle));
    path.lineTo(radius * std::sin(angle), -radius * std::cos(angle));
  }
  return path;
}

}  // namespace

SeriesLook seriesLook(int series, FigureStyle style, bool dark) {
  const bool published = style == FigureStyle::kPublished;
  const SeriesShape shape = seriesShape(series, published);
  return {.colour = QColor::fromRgb(dark ? shape.dark : shape.light), .dash = shape.dash, .marker = shape.marker, .markerSize = shape.size, .hatch = shape.hatch,
          .lineWidth = published ? 2.0 : 1.5, .whiteBars = published};
}

SeriesLook lineLook(const Figure& figure, const Line& line, FigureStyle style, bool dark) {
  SeriesLook look = seriesLook(line.series, style, dark);
  if (style == FigureStyle::kModern && figure.lines.size() == 1) look.dash.clear(), look.markerSize = 0;
  return look;
}

QPen linePen(const SeriesLook& look, std::size_t points) {
  if (points > kCrowdedPoints) return QPen(look.colour, 1);
  QPen pen(look.colour, look.lineWidth);
  pen.setCapStyle(Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  if (!look.dash.empty()) pen.setDashPattern(QList<qreal>(look.dash.begin(), look.dash.end()));
  return pen;
}

ChartColours chartColours(FigureStyle style, bool dark) {
  const bool night = dark && style == FigureStyle::kModern;
  const auto token = [night](widgets::Token t) { return widgets::Theme::value(t, night); };
  const QColor ink = style == FigureStyle::kPublished ? QColor(Qt::black) : token(widgets::Token::kText);
  return {.background = token(widgets::Token::kSurfaceRaised), .text = ink, .muted = style == FigureStyle::kPublished ? ink : token(widgets::Token::kTextMuted),
          .grid = token(widgets::Token::kGrid), .axis = style == FigureStyle::kPublished ? ink : token(widgets::Token::kBorder), .reference = ink};
}

QPainterPath markerPath(Marker marker, double size) {
  const double r = size / 2;
  switch (marker) {
    case Marker::kSquare: return polygon(4, r * 1.25, M_PI / 4);
    case Marker::kDiamond: return polygon(4, r * 1.25, 0);
    case Marker::kTriangle: return polygon(3, r * 1.25, 0);
    case Marker::kTriangleDown: return polygon(3, r * 1.25, M_PI);
    case Marker::kPentagon: return polygon(5, r * 1.1, 0);
    case Marker::kCross: return strokes(r, M_PI / 4);
    case Marker::kPlus: return strokes(r, 0);
    case Marker::kCircle: break;
  }
  QPainterPath circle;
  circle.addEllipse(QPointF(0, 0), r, r);
  return circle;
}

std::vector<QLineF> hatchLines(const QRectF& rect, Hatch hatch, double spacing) {
  std::vector<QLineF> lines;
  const QRectF r = rect.normalized();
  if (hatch == Hatch::kNone || r.width() < 1 || r.height() < 1) return lines;
  if (hatch == Hatch::kRising || hatch == Hatch::kCross) addDiagonals(r, true, spacing, lines);
  if (hatch == Hatch::kFalling || hatch == Hatch::kCross) addDiagonals(r, false, spacing, lines);
  if (hatch == Hatch::kHorizontal || hatch == Hatch::kGrid)
    for (double y = r.bottom() - spacing / 2; y > r.top(); y -= spacing) lines.emplace_back(r.left(), y, r.right(), y);
  if (hatch == Hatch::kVertical || hatch == Hatch::kGrid)
    for (double x = r.left() + spacing / 2; x < r.right(); x += spacing) lines.emplace_back(x, r.top(), x, r.bottom());
  return lines;
}

std::vector<std::size_t> markerIndices(const Line& line, std::size_t wanted) {
  const std::size_t n = line.x.size();
  std::vector<std::size_t> at;
  for (const std::size_t index : line.markers)
    if (index < n) at.push_back(index);
  if (!line.markers.empty() || n == 0) return at;
  const std::size_t step = std::max<std::size_t>(1, n / wanted);
  for (std::size_t i = step * static_cast<std::size_t>(line.series % 4 + 1) / 5; i < n; i += step) at.push_back(i);
  return at;
}

std::vector<double> spreadLabels(const std::vector<double>& wanted, double height, double top, double bottom) {
  const std::size_t n = wanted.size();
  if (static_cast<double>(n) * height > bottom - top) return {};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<double> at(wanted);
  double floor = top + height / 2;
  for (const std::size_t i : order) {  // down from the top, then back up from the bottom
    at[i] = std::max(at[i], floor);
    floor = at[i] + height;
  }
  double ceiling = bottom - height / 2;
  for (std::size_t k = n; k-- > 0;) {
    at[order[k]] = std::min(at[order[k]], ceiling);
    ceiling = at[order[k]] - height;
  }
  return at;
}

QString shortNumber(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  static constexpr std::array<std::pair<double, const char*>, 3> kUnits{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  const double size = std::abs(value);
  if (size >= 1e13 || (size > 0 && size < 1e-4)) return QString::number(value, 'g', 3);
  if (size >= 1e4)
    for (const auto& [unit, letter] : kUnits)
      if (size >= unit) return QString::number(value / unit, 'g', 4) + letter;
  return QString::number(value, 'g', 5);
}

QString exactNumber(double value) {
  if (!std::isfinite(value)) return shortNumber(value);
  const double size = std::abs(value);
  if (size >= 1e4 && size < 1e15) return countText(std::llround(value));
  return QString::number(value, 'g', 5);
}

}  // namespace paceline::figure
