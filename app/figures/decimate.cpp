#include <algorithm>
#include <cmath>

#include "app/figures/figure.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct Extremes {
  std::size_t low, high;
  bool any = false;
};

Extremes extremesOf(const std::vector<double>& y, std::size_t begin, std::size_t end) {
  Extremes found{.low = begin, .high = begin};
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(y[i])) continue;
    if (!found.any || y[i] < y[found.low]) found.low = i;
    if (!found.any || y[i] > y[found.high]) found.high = i;
    found.any = true;
  }
  return found;
}

}  // namespace

Decimated decimate(const std::vector<double>& x, const std::vector<double>& y, std::size_t columns) {
  PACELINE_CHECK(x.size() == y.size(), "as many x as y");
  const std::size_t n = x.size();
  if (columns == 0 || n <= 2 * columns) return {x, y};
  Decimated out;
  out.x.reserve(2 * columns);
  out.y.reserve(2 * columns);
  const auto keep = [&](std::size_t i) {
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
  };
  for (std::size_t column = 0; column < columns; ++column) {
    const Extremes found = extremesOf(y, column * n / columns, (column + 1) * n / columns);
    keep(std::min(found.low, found.high));  // a column without a number stays a gap: its NaN is kept
    if (found.low != found.high) keep(std::max(found.low, found.high));
  }
  return out;
}

}  // namespace paceline
