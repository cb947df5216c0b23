#include "app/ui/figure/parallel_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <QPaintEngine>

#include "app/models/words.h"
#include "app/ui/figure/figure_layout.h"
#include "app/ui/figure/smooth_lines.h"
#include "app/ui/widgets/theme.h"

namespace paceline::figure {
namespace {

constexpr double kGapPx = 6, kTitleGap = 8;  // px beside a word, between two titles
constexpr double kToolbar = 20;  // px above the titles on the screen
constexpr double kLowRows = 16;  // of text: a lower area has titles of one line and no scale
constexpr int kTickRows = 3;  // below an axis that lies: words that would touch are in the next one
constexpr std::size_t kFewValues = 8;  // of an axis: each has its tick
constexpr double kLeastSide = 24, kMostSide = 110;  // px left and right of the axes
constexpr double kScaleWidth = 160, kScaleHeight = 8;  // px, of the colours' scale
constexpr std::size_t kManyLines = 300, kFewLines = 60, kFewOnScreen = 12;  // how clear and how wide they are
constexpr double kFaint = 0.16;
constexpr int kPaperAlpha = 205;  // of 255; words are read over the lines

struct Tick {
  double value;
  QString text;
};

// 1, 2 or 5 times a power of ten: about `wanted` steps.
std::vector<double> evenTicks(double low, double high, int wanted) {
  if (!(high > low)) return {low};
  const double rough = (high - low) / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> powersOfTen(double low, double high) {
  std::vector<double> ticks;
  for (double exponent = std::ceil(std::log10(low) - 1e-9); exponent <= std::log10(high) + 1e-9; ++exponent) ticks.push_back(std::pow(10, exponent));
  return ticks;
}

// Values that few lines have are told each; words always.
std::vector<Tick> ticksOf(const Figure& figure, std::size_t axis) {
  const Axis& spec = figure.axes[axis];
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < spec.categories.size(); ++i) ticks.push_back({static_cast<double>(i), qtext(spec.categories[i])});
  if (!ticks.empty() || !spec.min || !spec.max) return ticks;
  std::set<double> distinct;
  for (const Line& line : figure.lines)
    if (distinct.size() <= kFewValues && std::isfinite(line.y[axis])) distinct.insert(line.y[axis]);
  const bool few = distinct.size() <= kFewValues;
  for (const double value : few ? std::vector<double>(distinct.begin(), distinct.end()) : spec.log ? powersOfTen(*spec.min, *spec.max) : evenTicks(*spec.min, *spec.max, 5)) ticks.push_back({value, shortNumber(few ? QString::number(value, 'g', 3).toDouble() : value)});
  return ticks;
}

// In lines that are no wider than `room`.
QStringList titleLines(const std::string& title, const QFontMetricsF& metrics, double room, int most) {
  QStringList lines = inLines(qtext(title), metrics, room).split('\n');
  if (lines.size() > most) lines = lines.mid(0, most - 1) << lines.mid(most - 1).join(' ');
  for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, room);
  return lines;
}

double titleRoom(const ParallelPlaces& places) { return std::max(24.0, places.spacing - kTitleGap); }

// Whether every title and every number has its place beside an axis that stands.
bool standWhole(const Figure& figure, const ParallelPlaces& places, const QFontMetricsF& metrics) {
  for (std::size_t axis = 0; axis < figure.axes.size(); ++axis) {
    const QString title = inLines(qtext(figure.axes[axis].title), metrics, titleRoom(places));
    if (linesWidth(title, metrics) > titleRoom(places) || title.count('\n') >= places.titleLines) return false;
    for (const Tick& tick : ticksOf(figure, axis))
      if (metrics.horizontalAdvance(tick.text) > (axis == 0 ? kMostSide : places.spacing) - 2 * kGapPx) return false;
  }
  return true;
}

// Axes below each other, each with its title above it and its numbers below.
ParallelPlaces rowsIn(const Figure& figure, const QRectF& area, const QFontMetricsF& metrics) {
  ParallelPlaces places;
  places.rows = true;
  places.left = area.left() + kLeastSide, places.right = std::max(places.left + 1, area.right() - kLeastSide);
  places.top = area.top() + 1.5 * metrics.height(), places.bottom = area.bottom() - metrics.height() * (kTickRows + (figure.shadedBy ? 1.75 : 0.5));
  const auto count = static_cast<double>(figure.axes.size());
  places.spacing = count > 1 ? (places.bottom - places.top) / (count - 1) : places.bottom - places.top;
  for (std::size_t i = 0; i < figure.axes.size(); ++i) places.x.push_back(places.top + places.spacing * static_cast<double>(i));
  return places;
}

// Blue for the least, orange for the greatest: told apart with any colour vision, on light and on dark.
QColor shade(double share, const ParallelLook& look) {
  const bool night = look.dark && look.style == FigureStyle::kModern;
  return widgets::mixed(seriesLook(0, FigureStyle::kModern, night).colour, seriesLook(1, FigureStyle::kModern, night).colour, share);
}

QColor colourOf(const Figure& figure, const Line& line, const ParallelLook& look) {
  if (!figure.shadedBy) return seriesLook(line.series, look.style, look.dark).colour;
  const double share = shareOf(figure.axes[*figure.shadedBy], line.y[*figure.shadedBy]);
  return std::isfinite(share) ? shade(share, look) : chartColours(look.style, look.dark).muted;
}

void paintScale(QPainter& painter, const Figure& figure, const QRectF& area, const ParallelLook& look) {
  if (!figure.shadedBy) return;
  const Axis& axis = figure.axes[*figure.shadedBy];
  const QFontMetricsF metrics(look.font);
  const QString before = QString("%1: %2").arg(qtext(axis.title), valueText(axis, axis.min.value_or(0))), behind = valueText(axis, axis.max.value_or(0));
  const double words = metrics.horizontalAdvance(before) + metrics.horizontalAdvance(behind) + 2 * kGapPx, scale = std::clamp(area.width() - words, 20.0, kScaleWidth), width = words + scale;
  const double left = std::max(area.left(), area.center().x() - width / 2), line = area.bottom() - metrics.descent() - 2;
  painter.setPen(chartColours(look.style, look.dark).text);
  painter.drawText(QPointF(left, line), before);
  const QRectF bar(left + metrics.horizontalAdvance(before) + kGapPx, line - metrics.ascent() / 2 - kScaleHeight / 2 + 1, scale, kScaleHeight);
  QLinearGradient colours(bar.topLeft(), bar.topRight());
  for (const double share : {0.0, 0.5, 1.0}) colours.setColorAt(share, shade(share, look));
  painter.fillRect(bar, colours);
  painter.drawText(QPointF(bar.right() + kGapPx, line), behind);
}

}  // namespace

double shareOf(const Axis& axis, double y) {
  if (!std::isfinite(y) || !axis.min || !axis.max) return std::numeric_limits<double>::quiet_NaN();
  if (!(*axis.max > *axis.min)) return 0.5;
  if (axis.log) return y > 0 ? std::log(y / *axis.min) / std::log(*axis.max / *axis.min) : std::numeric_limits<double>::quiet_NaN();
  return (y - *axis.min) / (*axis.max - *axis.min);
}

double valueAt(const Axis& axis, double share) {
  const double low = axis.min.value_or(0), high = axis.max.value_or(0);
  if (!axis.categories.empty()) return std::clamp(std::round(low + share * (high - low)), low, high);
  return axis.log ? low * std::pow(high / low, share) : low + share * (high - low);
}

QString valueText(const Axis& axis, double y) {
  if (!std::isfinite(y)) return "—";
  const auto word = static_cast<std::size_t>(std::max(0.0, y));
  if (!axis.categories.empty()) return word < axis.categories.size() ? qtext(axis.categories[word]) : QString();
  return shortNumber(QString::number(y, 'g', 4).toDouble());
}

std::vector<std::size_t> linesWithin(const Figure& figure, const Brushes& brushes) {
  constexpr double kEdge = 1e-9;  // a brush from one value to another has both
  std::vector<std::size_t> within;
  for (std::size_t i = 0; i < figure.lines.size(); ++i) {
    bool in = true;
    for (std::size_t axis = 0; axis < std::min(brushes.size(), figure.axes.size()) && in; ++axis) {
      if (!brushes[axis]) continue;
      const double share = shareOf(figure.axes[axis], figure.lines[i].y[axis]);
      in = share >= brushes[axis]->low - kEdge && share <= brushes[axis]->high + kEdge;  // what has no place there is not within
    }
    if (in) within.push_back(i);
  }
  return within;
}

QString partText(const Axis& axis, const AxisPart& part) {
  if (axis.categories.empty()) return QObject::tr("%1 to %2").arg(valueText(axis, valueAt(axis, part.low)), valueText(axis, valueAt(axis, part.high)));
  QStringList words;
  for (std::size_t i = 0; i < axis.categories.size(); ++i)
    if (const double share = shareOf(axis, static_cast<double>(i)); share >= part.low - 1e-9 && share <= part.high + 1e-9) words << qtext(axis.categories[i]);
  return words.join(", ");
}

ParallelPlaces placesOf(const Figure& figure, const QRectF& area, const ParallelLook& look) {
  const QFontMetricsF metrics(look.font);
  const std::size_t count = figure.axes.size();
  double left = look.words ? kLeastSide : 3, right = left;
  if (look.words && count > 0) {
    for (const Tick& tick : ticksOf(figure, 0)) left = std::max(left, metrics.horizontalAdvance(tick.text) + 2 * kGapPx);
    left = std::min(left, kMostSide);
    right = std::min(kMostSide, std::max(right, linesWidth(inLines(qtext(figure.axes.back().title), metrics, kMostSide), metrics) / 2));
  }
  ParallelPlaces places;
  places.spacing = count > 1 ? std::max(1.0, area.width() - left - right) / static_cast<double>(count - 1) : area.width() - left - right;
  for (std::size_t i = 0; i < count; ++i) places.x.push_back(count > 1 ? area.left() + left + places.spacing * static_cast<double>(i) : area.center().x());
  if (look.picture && look.words && !standWhole(figure, places, metrics)) return rowsIn(figure, area, metrics);
  const bool low = !look.picture && area.height() < kLowRows * metrics.height();
  if (low) places.titleLines = 1, places.scale = false;
  qsizetype lines = 0;
  for (const Axis& axis : figure.axes) lines = std::max(lines, titleLines(axis.title, metrics, titleRoom(places), places.titleLines).size());
  places.top = area.top() + (look.words ? static_cast<double>(lines) * metrics.height() + 3 * kGapPx + (look.picture || low ? 0 : kToolbar) : 3);
  places.bottom = area.bottom() - (look.words ? metrics.height() * (figure.shadedBy && places.scale ? 2 : 0.5) + kGapPx : 3);
  places.bottom = std::max(places.bottom, places.top + 1);
  return places;
}

bool haveRoom(const Figure& figure, const ParallelPlaces& places, const QFont& font, double leastHeight) {
  const QFontMetricsF metrics(font);
  if (!places.rows) return places.bottom - places.top >= leastHeight;
  double widest = 0;  // of what an axis says
  for (std::size_t axis = 0; axis < figure.axes.size(); ++axis) {
    widest = std::max(widest, metrics.horizontalAdvance(qtext(figure.axes[axis].title)));
    for (const Tick& tick : ticksOf(figure, axis)) widest = std::max(widest, metrics.horizontalAdvance(tick.text));
  }
  return places.spacing >= (kTickRows + 2.5) * metrics.height() && widest <= places.right - places.left + 2 * kLeastSide;
}

namespace {

// The parts of a line between gaps; of one point where it is alone between two axes without a place.
template <class Take>
void eachPiece(const Figure& figure, const ParallelPlaces& places, std::size_t line, const Take& take) {
  QPolygonF piece;
  for (std::size_t axis = 0; axis <= figure.axes.size(); ++axis) {
    const QPointF point = axis < figure.axes.size() ? places.at(figure, axis, figure.lines[line].y[axis]) : QPointF(std::numeric_limits<double>::quiet_NaN(), 0);
    if (std::isfinite(point.x()) && std::isfinite(point.y())) {
      piece << point;
      continue;
    }
    if (!piece.isEmpty()) take(piece);
    piece.clear();
  }
}

bool paintsPixels(const QPainter& painter) { return painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::Raster; }

// One by one they are painted many times faster than as one outline.
QList<QLineF> segmentsOf(const QPolygonF& line) {
  QList<QLineF> segments;
  for (qsizetype i = 1; i < line.size(); ++i) segments << QLineF(line[i - 1], line[i]);
  return segments;
}

constexpr double kDot = 2;  // px, half of it

}  // namespace

void paintLine(QPainter& painter, const Figure& figure, const ParallelPlaces& places, std::size_t line, const QPen& pen) {
  painter.setPen(pen);
  eachPiece(figure, places, line, [&](const QPolygonF& piece) {
    if (piece.size() == 1) painter.drawEllipse(piece.front(), kDot, kDot);
    else if (paintsPixels(painter)) painter.drawLines(segmentsOf(piece));
    else painter.drawPolyline(piece);
  });
}

std::optional<std::size_t> lineAt(const Figure& figure, const ParallelPlaces& places, const std::vector<std::size_t>& lines, const QPointF& at, double reach) {
  if (places.x.size() < 2 || at.x() < places.x.front() || at.x() > places.x.back()) return std::nullopt;
  const auto left = std::min(places.x.size() - 2, static_cast<std::size_t>((at.x() - places.x.front()) / places.spacing));
  const double share = (at.x() - places.x[left]) / places.spacing;
  std::optional<std::size_t> nearest;
  for (const std::size_t line : lines) {
    const std::vector<double>& y = figure.lines[line].y;
    const double off = std::abs((1 - share) * places.y(figure.axes[left], y[left]) + share * places.y(figure.axes[left + 1], y[left + 1]) - at.y());
    if (off <= reach) nearest = line, reach = off;
  }
  return nearest;
}

namespace {

// What lines may cover.
QRectF reachOf(const ParallelPlaces& places) {
  const QRectF reach = places.rows ? QRectF(QPointF(places.left, places.x.front()), QPointF(places.right, places.x.back())) : QRectF(QPointF(places.x.front(), places.top), QPointF(places.x.back(), places.bottom));
  return reach.adjusted(-kDot, -kDot, kDot, kDot);
}

}  // namespace

void paintLines(QPainter& painter, const Figure& figure, const ParallelPlaces& places, const std::vector<std::size_t>& lines, const ParallelLook& look, bool faint) {
  painter.save();
  const bool crowd = lines.size() > kManyLines && !look.picture;  // smooth ones take several times as long, at each move of a brush
  painter.setRenderHint(QPainter::Antialiasing, !crowd);
  std::optional<SmoothLines> smooth;
  if (!crowd && !look.picture && paintsPixels(painter)) smooth.emplace(reachOf(places).toAlignedRect(), painter.device()->devicePixelRatioF());
  painter.setBrush(Qt::NoBrush);
  const QColor paper = chartColours(look.style, look.dark).background;
  const double opacity = lines.size() > kManyLines ? 0.45 : lines.size() > kFewLines ? 0.65 : 0.9, width = lines.size() > (look.picture ? kFewLines : kFewOnScreen) ? 1 : 1.5;
  std::vector<std::size_t> order = lines;
  if (figure.shadedBy)  // what is best of the result lies on top
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::isfinite(figure.lines[i].y[*figure.shadedBy]) ? figure.lines[i].y[*figure.shadedBy] : -std::numeric_limits<double>::infinity(); });
  for (const std::size_t i : order) {
    QColor colour = faint ? chartColours(look.style, look.dark).muted : colourOf(figure, figure.lines[i], look);
    const double share = faint ? kFaint : opacity;
    if (crowd) colour = widgets::mixed(paper, colour, share);
    else colour.setAlphaF(static_cast<float>(share));
    QPen pen(colour, faint ? 1 : width);
    pen.setCosmetic(!look.picture && pen.widthF() <= 1);  // one pixel of the screen, whatever its scale: many are painted at each move of a brush
    if (!smooth) paintLine(painter, figure, places, i, pen);
    else
      eachPiece(figure, places, i, [&](const QPolygonF& piece) {
        for (const QLineF& segment : segmentsOf(piece)) smooth->draw(segment, colour, pen.widthF());
        if (piece.size() == 1) painter.setPen(pen), painter.drawEllipse(piece.front(), kDot, kDot);
      });
  }
  if (smooth) smooth->paint(painter);
  painter.restore();
}

namespace {

// Words of an axis that stands: numbers at its left, its title above.
void tellStanding(QPainter& painter, const Figure& figure, std::size_t axis, const ParallelPlaces& places, const QRectF& area, const ParallelLook& look) {
  const ChartColours colours = chartColours(look.style, look.dark);
  const QFontMetricsF metrics(look.font);
  QColor paper = colours.background;
  paper.setAlpha(kPaperAlpha);
  const double x = places.x[axis];
  double above = std::numeric_limits<double>::infinity();
  for (const Tick& tick : ticksOf(figure, axis)) {
    const double y = places.y(figure.axes[axis], tick.value);
    if (!std::isfinite(y) || above - y < metrics.height() * 0.95) continue;  // no room above the one before
    above = y;
    const double most = axis == 0 ? x - area.left() - kGapPx : places.spacing - 2 * kGapPx;
    const QString text = metrics.elidedText(tick.text, Qt::ElideRight, std::max(20.0, most));
    const QRectF words(x - kGapPx - metrics.horizontalAdvance(text), y - metrics.height() / 2, metrics.horizontalAdvance(text), metrics.height());
    painter.fillRect(words.adjusted(-1, 1, 1, -1), paper);
    painter.setPen(colours.muted);
    painter.drawLine(QPointF(x - 3, y), QPointF(x, y));
    painter.drawText(QPointF(words.left(), words.bottom() - metrics.descent()), text);
  }
  painter.setPen(colours.text);
  const QStringList lines = titleLines(figure.axes[axis].title, metrics, titleRoom(places), places.titleLines);
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const double width = metrics.horizontalAdvance(lines[i]), left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
    painter.drawText(QPointF(left, places.top - 2 * kGapPx - metrics.descent() - static_cast<double>(lines.size() - 1 - i) * metrics.height()), lines[i]);
  }
}

// Of one that lies: its title above, its numbers below; words in several rows, numbers that would touch are left out.
void tellLying(QPainter& painter, const Figure& figure, std::size_t axis, const ParallelPlaces& places, const QRectF& area, const ParallelLook& look) {
  const ChartColours colours = chartColours(look.style, look.dark);
  const QFontMetricsF metrics(look.font);
  QColor paper = colours.background;
  paper.setAlpha(kPaperAlpha);
  const double y = places.x[axis];
  const auto tell = [&](const QString& text, double left, double line, const QColor& ink) {
    painter.fillRect(QRectF(left - 1, line - metrics.ascent() + 1, metrics.horizontalAdvance(text) + 2, metrics.height() - 2), paper);
    painter.setPen(ink);
    painter.drawText(QPointF(left, line), text);
  };
  tell(qtext(figure.axes[axis].title), area.left(), y - kGapPx, colours.text);
  std::vector<double> ends(static_cast<std::size_t>(kTickRows), -std::numeric_limits<double>::infinity());  // of each row of words
  for (const Tick& tick : ticksOf(figure, axis)) {
    const double x = places.at(figure, axis, tick.value).x(), width = metrics.horizontalAdvance(tick.text);
    const double left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
    const auto row = std::ranges::find_if(ends, [&](double end) { return end + kGapPx <= left; });
    if (row == ends.end()) continue;
    *row = left + width;
    painter.setPen(colours.muted);
    painter.drawLine(QPointF(x, y), QPointF(x, y + 3));
    tell(tick.text, left, y + 4 + metrics.ascent() + static_cast<double>(row - ends.begin()) * metrics.height(), colours.muted);
    if (figure.axes[axis].categories.empty()) ends.assign(ends.size(), *row);
  }
}

}  // namespace

void paintAxes(QPainter& painter, const Figure& figure, const ParallelPlaces& places, const QRectF& area, const ParallelLook& look) {
  painter.save();
  const ChartColours colours = chartColours(look.style, look.dark);
  painter.setFont(look.font);
  for (std::size_t axis = 0; axis < figure.axes.size(); ++axis) {
    painter.setPen(QPen(look.words ? colours.muted : colours.axis, 1));
    if (places.rows) painter.drawLine(QPointF(places.left, places.x[axis]), QPointF(places.right, places.x[axis]));
    else painter.drawLine(QPointF(places.x[axis], places.top), QPointF(places.x[axis], places.bottom));
    if (look.words) (places.rows ? tellLying : tellStanding)(painter, figure, axis, places, area, look);
  }
  if (look.words && places.scale) paintScale(painter, figure, area, look);
  painter.restore();
}

}  // namespace paceline::figure
