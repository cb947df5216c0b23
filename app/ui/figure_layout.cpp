#include "app/ui/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace paceline {
namespace {

constexpr double kLineRoom = 0.04, kBarRoom = 0.1;  // of the y range, above and below

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
  return range;
}

}  // namespace

AxisRange xRange(const Figure& figure) {
  if (figure.lines.empty()) return {-0.5, std::max(0.5, static_cast<double>(figure.x.categories.size()) - 0.5)};
  Extent extent;
  for (const Line& line : figure.lines) extent.take(line.x, figure.x.log);
  return ranged(figure.x, extent, 0);
}

AxisRange yRange(const Figure& figure) {
  const bool log = figure.y.log;
  Extent extent;
  for (const Line& line : figure.lines) extent.take(line.y, log);
  for (const Band& band : figure.bands) extent.take(band.lower, log), extent.take(band.upper, log);
  for (const BarSet& bars : figure.bars) extent.take(bars.values, log);
  for (const Reference& reference : figure.references) extent.take({reference.value}, log);
  if (!figure.bars.empty()) extent.take({0.0}, log);
  return ranged(figure.y, extent, figure.bars.empty() ? kLineRoom : kBarRoom);
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
  return extent.known() &&
         std::all_of(figure.lines.begin(), figure.lines.end(), [&](const Line& l) { return !l.x.empty() && l.x.back() >= border; });
}

bool allNamed(const Figure& figure) {
  return std::none_of(figure.lines.begin(), figure.lines.end(), [](const Line& line) { return line.label.empty(); });
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

}  // namespace paceline
