#include "app/ui/figure/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paceline::figure {

namespace {

constexpr double kLineRoom = 0.04, kBarRoom = 0.1;  // of the y range, above and below
constexpr double kEdgeRoom = 0.02;
constexpr double kMarkReach = 0.03;  // of the x range: a published value that near is told

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(const std::vector<double>& values, bool positiveOnly) {
    for (const double v : values)
      if (std::isfinite(v) && (!positiveOnly || v > 0)) low = std::min(low, v), high = std::max(high, v);
  }
  bool known() const { return low <= high; }
};

AxisRange logRange(Extent extent, double room) {
  if (!extent.known()) return {0.1, 1};
  const double factor = room > 0 ? 1.1 : 1.0;
  if (extent.low == extent.high) return {extent.low / 2, extent.high * 2};
  return {extent.low / factor, extent.high * factor};
}

AxisRange linearRange(Extent extent, double room) {
  if (!extent.known()) return {0, 1};
  double low = extent.low;
  if (low > 0 && low < 0.3 * extent.high) low = 0;
  const double width = extent.high > low ? extent.high - low : std::max(1e-9, std::abs(extent.high));
  const double bottom = low == 0 ? 0 : low - room * width;
  const double top = extent.high > low || extent.high != 0 ? extent.high + room * width : 1;
  return {bottom, top > bottom ? top : bottom + 1};
}

AxisRange ranged(const Axis& axis, const Extent& extent, double room) {
  AxisRange range = axis.log ? logRange(extent, room) : linearRange(extent, room);
  if (axis.min && (!axis.log || *axis.min > 0)) range.low = *axis.min;
  if (axis.max && *axis.max > range.low) range.high = *axis.max;
  if (!(range.high > range.low)) range.high = range.low + 1;
  if (room > 0 && !axis.log && extent.high >= range.high)
    range.high += kEdgeRoom * (range.high - range.low);  // a line on the edge is seen
  return range;
}

QString row(const QColor& colour, const std::string& label, const QString& value) {
  return QString("<tr><td style='color:%1'>■&nbsp;</td><td>%2&nbsp;&nbsp;</td><td align='right'><b>%3</b></td></tr>")
      .arg(colour.name(), QString::fromStdString(label).toHtmlEscaped(), value);
}

// Index of the point of a line that is nearest to x; nullopt when the line is empty.
std::optional<std::size_t> nearestPoint(const Line& line, double x) {
  if (line.x.empty()) return std::nullopt;
  const auto after = std::lower_bound(line.x.begin(), line.x.end(), x);
  if (after == line.x.begin()) return 0;
  const auto index = static_cast<std::size_t>(after - line.x.begin());
  if (after == line.x.end() || x - line.x[index - 1] <= line.x[index] - x) return index - 1;
  return index;
}

// What a paper reports there, with where it does: a row for each mark that is not farther than `reach` from x.
QString publishedRows(const Figure& figure, double x, double reach, FigureStyle style, bool dark) {
  QString rows;
  for (const PublishedMark& mark : figure.published) {
    if (!(std::abs(mark.x - x) <= reach)) continue;
    const bool whole = mark.low && mark.high;
    const QString band = whole ? QString(" (%1 – %2)").arg(exactNumber(*mark.low), exactNumber(*mark.high)) : QString();
    rows += row(seriesLook(mark.series, style, dark).colour, mark.label, exactNumber(mark.lying ? mark.x : mark.y) + band).replace("■", "◇");
    rows += QString("<tr><td></td><td colspan='2'>%1</td></tr>").arg(QString::fromStdString(mark.source).toHtmlEscaped());
  }
  return rows;
}

QString barCard(const Figure& figure, double x, FigureStyle style, bool dark) {
  const auto at = static_cast<std::size_t>(std::max(0.0, std::round(x)));
  if (at >= figure.x.categories.size()) return {};
  QString rows;
  for (const BarSet& bars : figure.bars) {
    if (at >= bars.values.size()) continue;
    const bool missing = std::isnan(bars.values[at]);
    const std::string words = missing && at < bars.texts.size() ? bars.texts[at] : std::string();
    if (missing && words.empty()) continue;
    const QString value = missing ? QString::fromStdString(words) : exactNumber(bars.values[at]);
    rows += row(seriesLook(bars.series, style, dark).colour, bars.label, value);
  }
  rows += publishedRows(figure, static_cast<double>(at), 0, style, dark);
  return rows.isEmpty() ? rows
                        : QString("<b>%1</b><table cellspacing='1'>%2</table>")
                              .arg(QString::fromStdString(figure.x.categories[at]).toHtmlEscaped(), rows);
}

}  // namespace

AxisRange panned(AxisRange range, AxisRange all, double share) {
  const double least = std::min(0.0, all.low - range.low), most = std::max(0.0, all.high - range.high);
  const double by = std::clamp(share * (range.high - range.low), least, most);
  return {range.low + by, range.high + by};
}

AxisRange xRange(const Figure& figure) {
  if (figure.empty() || !figure.axes.empty()) return {0, 1};
  Extent spans;
  for (const SpanSet& set : figure.spans) spans.take(set.begin, false), spans.take(set.end, false);
  if (!figure.spans.empty()) return ranged(figure.x, spans, 0);
  if (figure.lines.empty()) return {-0.5, std::max(0.5, static_cast<double>(figure.x.categories.size()) - 0.5)};
  Extent extent;
  for (const Line& line : figure.lines) extent.take(line.x, figure.x.log);
  for (const PublishedMark& mark : figure.published) extent.take({mark.x, mark.lying ? mark.high.value_or(mark.x) : mark.x}, figure.x.log);
  return ranged(figure.x, extent, 0);
}

AxisRange yRange(const Figure& figure) {
  if (!figure.spans.empty()) return {-0.5, static_cast<double>(figure.y.categories.size()) - 0.5};
  if (!figure.axes.empty()) return {0, 1};
  const bool log = figure.y.log;
  Extent extent;
  for (const Line& line : figure.lines) extent.take(line.y, log);
  for (const Band& band : figure.bands) extent.take(band.lower, log), extent.take(band.upper, log);
  if (figure.stacked) extent.take(stackTops(figure, figure.bars.size()), log);
  else
    for (const BarSet& bars : figure.bars) extent.take(bars.values, log);
  for (const Reference& reference : figure.references) extent.take({reference.value}, log);
  for (const PublishedMark& mark : figure.published) extent.take(mark.lying ? std::vector{mark.y} : std::vector{mark.y, mark.low.value_or(mark.y), mark.high.value_or(mark.y)}, log);
  if (!figure.bars.empty()) extent.take({0.0}, log);
  return ranged(figure.y, extent, figure.bars.empty() ? kLineRoom : kBarRoom);
}

std::vector<BandEntry> bandEntries(const Figure& figure) {
  std::vector<BandEntry> entries;
  for (const Band& band : figure.bands) {
    std::string words = band.label;
    for (const Line& line : figure.lines)
      if (!line.faint && !line.label.empty() && words.starts_with(line.label + " ")) words = band.label.substr(line.label.size() + 1);
    if (words.empty()) continue;
    const auto known = std::find_if(entries.begin(), entries.end(), [&words](const BandEntry& entry) { return entry.words == words; });
    if (known == entries.end()) entries.push_back({.words = words, .series = band.series});
    else if (known->series != band.series) known->series.reset();
  }
  return entries;
}

double linesWidth(const QString& text, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& line : text.split('\n')) widest = std::max(widest, metrics.horizontalAdvance(line));
  return widest;
}

QString inLines(const QString& text, const QFontMetricsF& metrics, double room) {
  QStringList lines;
  for (const QString& word : text.split(' ')) {
    const QString longer = lines.isEmpty() ? word : lines.last() + ' ' + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room) lines.last() = longer;
    else lines << word;
  }
  return lines.join('\n');
}

QString titleInLines(const QString& title, const QFontMetricsF& metrics, double room) {
  if (metrics.horizontalAdvance(title) <= room) return title;
  const qsizetype before = title.lastIndexOf(' ', title.size() / 2), after = title.indexOf(' ', title.size() / 2);
  const qsizetype at = before < 0 || (after >= 0 && after + before < title.size()) ? after : before;
  return at < 0 ? title : title.left(at) + '\n' + title.mid(at + 1);
}

CategoryNames categoryNames(const std::vector<std::string>& names, const QFontMetricsF& metrics, double room, double most) {
  CategoryNames plain, cut;
  double widest = 0, widestLine = 0;
  qsizetype lines = 1;
  for (const std::string& name : names) {
    plain.texts << QString::fromStdString(name);
    cut.texts << QString(plain.texts.last()).replace(", ", "\n");
    widest = std::max(widest, metrics.horizontalAdvance(plain.texts.last()));
    widestLine = std::max(widestLine, linesWidth(cut.texts.last(), metrics));
    lines = std::max(lines, cut.texts.last().count('\n') + 1);
  }
  if (widest <= room) return plain;
  if (widestLine <= room) return cut;
  CategoryNames& upright = 2 * widest > most && static_cast<double>(lines) * metrics.height() <= room ? cut : plain;
  upright.upright = true;
  for (QString& text : upright.texts) {
    QStringList parts = text.split('\n');
    for (QString& part : parts) part = metrics.elidedText(part, Qt::ElideMiddle, most);
    text = parts.join('\n');
  }
  return upright;
}

LegendFit legendFit(const std::vector<double>& widths, double rowHeight, const QSize& figure) {
  constexpr double kShare = 0.42, kBeside = 54;  // of the height, at most; icon and gaps, px
  const auto wide = [&](std::size_t columns) {
    std::vector<double> widest(columns, 0);
    for (std::size_t i = 0; i < widths.size(); ++i) widest[i % columns] = std::max(widest[i % columns], widths[i] + kBeside);
    return std::accumulate(widest.begin(), widest.end(), 0.0);
  };
  LegendFit fit;
  for (const double scale : {1.0, 0.9, 0.8}) {  // 9 pt at least 7.2: smaller cannot be read in print
    fit = {.scale = scale, .columns = 1};
    for (std::size_t columns = 2; columns <= std::min<std::size_t>(8, widths.size()); ++columns)
      if (scale * wide(columns) <= figure.width() - 16) fit.columns = static_cast<int>(columns);
    const auto rows = (widths.size() + static_cast<std::size_t>(fit.columns) - 1) / static_cast<std::size_t>(fit.columns);
    if (static_cast<double>(rows) * (scale * rowHeight * 1.2 + 1) <= kShare * figure.height()) break;
  }
  return fit;
}

double lastFinite(const Line& line) {
  for (std::size_t i = line.y.size(); i-- > 0;)
    if (std::isfinite(line.y[i])) return line.y[i];
  return 0;
}

bool endsAtRight(const Figure& figure) {
  Extent extent;
  for (const Line& line : figure.lines) extent.take(line.x, false);
  const double border = extent.low + 0.875 * (extent.high - extent.low);
  return extent.known() && std::all_of(figure.lines.begin(), figure.lines.end(),
                                       [&](const Line& l) { return l.faint || (!l.x.empty() && l.x.back() >= border); });
}

bool allNamed(const Figure& figure) {
  return std::none_of(figure.lines.begin(), figure.lines.end(),
                      [](const Line& line) { return line.label.empty() && !line.faint; });
}

Visible visiblePart(const std::vector<double>& x, const std::vector<double>& y, AxisRange range, std::size_t columns) {
  const std::size_t n = std::min(x.size(), y.size());
  const auto end = x.begin() + static_cast<std::ptrdiff_t>(n);
  auto first = static_cast<std::size_t>(std::lower_bound(x.begin(), end, range.low) - x.begin());
  auto last = static_cast<std::size_t>(std::upper_bound(x.begin(), end, range.high) - x.begin());
  first -= first > 0 ? 1 : 0;
  last = std::max(first, std::min(n, last + 1));
  const auto cut = [first, last](const std::vector<double>& v) {
    return std::vector<double>(v.begin() + static_cast<std::ptrdiff_t>(first), v.begin() + static_cast<std::ptrdiff_t>(last));
  };
  Visible part{.x = cut(x), .y = cut(y), .of = last - first};
  if (part.of > 2 * columns) {
    Decimated few = decimate(part.x, part.y, columns);
    part.x = std::move(few.x), part.y = std::move(few.y);
  }
  return part;
}

QString hoverCard(const Figure& figure, double x, FigureStyle style, bool dark) {
  if (!figure.axes.empty()) return {};  // its own handles tell
  if (!figure.bars.empty() && figure.lines.empty()) return barCard(figure, x, style, dark);
  struct Row {
    double value;
    QString text;
  };
  std::vector<Row> rows;
  for (const Line& line : figure.lines) {
    const auto at = nearestPoint(line, x);
    if (!at || *at >= line.y.size() || line.faint) continue;
    const bool ended = x > line.x.back() && line.x.size() > 1;
    const QString value = (ended ? QObject::tr("%1 (last)") : QString("%1")).arg(exactNumber(line.y[*at]));
    rows.push_back({line.y[*at], row(seriesLook(line.series, style, dark).colour, line.label, value)});
  }
  if (rows.empty()) return {};
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value > b.value; });
  constexpr std::size_t kMost = 14;
  QString text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) text += rows[i].text;
  if (rows.size() > kMost) text += QString("<tr><td></td><td colspan='2'>%1</td></tr>").arg(QObject::tr("and %1 more").arg(rows.size() - kMost));
  const AxisRange range = xRange(figure);
  text += publishedRows(figure, x, kMarkReach * (range.high - range.low), style, dark);
  return QString("%1: <b>%2</b><table cellspacing='1'>%3</table>")
      .arg(QString::fromStdString(figure.x.title).toHtmlEscaped(), exactNumber(x), text);
}

}  // namespace paceline::figure
