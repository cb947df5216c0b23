#include "app/ui/figure/figure_hover.h"

#include <algorithm>
#include <cmath>

namespace paceline::figure {
namespace {

QString row(const QColor& colour, const std::string& label, const QString& value) {
  return QString("<tr><td style='color:%1'>■&nbsp;</td><td>%2&nbsp;&nbsp;</td><td align='right'><b>%3</b></td></tr>")
      .arg(colour.name(), QString::fromStdString(label).toHtmlEscaped(), value);
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
  return rows.isEmpty() ? rows
                        : QString("<b>%1</b><table cellspacing='1'>%2</table>")
                              .arg(QString::fromStdString(figure.x.categories[at]).toHtmlEscaped(), rows);
}

}  // namespace

std::optional<std::size_t> nearestPoint(const Line& line, double x) {
  if (line.x.empty()) return std::nullopt;
  const auto after = std::lower_bound(line.x.begin(), line.x.end(), x);
  if (after == line.x.begin()) return 0;
  const auto index = static_cast<std::size_t>(after - line.x.begin());
  if (after == line.x.end() || x - line.x[index - 1] <= line.x[index] - x) return index - 1;
  return index;
}

QString hoverCard(const Figure& figure, double x, FigureStyle style, bool dark) {
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
    const QString value = exactNumber(line.y[*at]) + (ended ? " (last)" : "");
    rows.push_back({line.y[*at], row(seriesLook(line.series, style, dark).colour, line.label, value)});
  }
  if (rows.empty()) return {};
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value > b.value; });
  constexpr std::size_t kMost = 14;
  QString text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) text += rows[i].text;
  if (rows.size() > kMost) text += QString("<tr><td></td><td colspan='2'>and %1 more</td></tr>").arg(rows.size() - kMost);
  return QString("%1: <b>%2</b><table cellspacing='1'>%3</table>")
      .arg(QString::fromStdString(figure.x.title).toHtmlEscaped(), exactNumber(x), text);
}

}  // namespace paceline::figure
