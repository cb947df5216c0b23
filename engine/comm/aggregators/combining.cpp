#include "engine/comm/aggregators/combining.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/base/error.h"

namespace paceline::aggregators {
namespace {

// Of sorted values.
Real middle(std::span<const Real> values) {
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Real meanOf(std::span<const Real> values) {
  Real sum = 0;
  for (const Real value : values) sum += value;
  return sum / static_cast<Real>(values.size());
}

}  // namespace

Dense combined(std::span<const Dense> parts, const CombineFields& how) {
  const auto count = parts.size();
  const bool trims = how.how == Combining::kTrimmedMean;
  const int least = trims && !how.numbers.empty() ? how.numbers.front() : 0;
  if (least < 0 || (least > 0 && 2 * static_cast<std::size_t>(least) >= count))
    throw Error(Errc::kFormat, strCat("a trimmed mean of ", count, " contributions without the ", least, " largest and smallest is of nothing"));
  const bool ordered = how.how == Combining::kMedian || least > 0;
  const std::span<const Real> like = parts.front().values();
  if (!ordered || isHollow(like)) return Dense::sum(parts, Real(1) / static_cast<Real>(count));
  const auto trim = static_cast<std::size_t>(least);
  std::vector<Real> values(count);
  return Dense::made(like.size(), [&](std::span<Real> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t rank = 0; rank < count; ++rank) values[rank] = parts[rank].values()[i];
      std::ranges::sort(values, [](Real a, Real b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
      out[i] = trims ? meanOf(std::span(values).subspan(trim, count - 2 * trim)) : middle(values);
    }
  });
}

Dense distancesOf(std::span<const Dense> parts) {
  const std::size_t n = parts.size();
  return Dense::made(n * n, [&](std::span<Real> out) {
    std::ranges::fill(out, Real{0});
    if (isHollow(parts.front().values())) return;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < parts[a].values().size(); ++i) {
          const double off = static_cast<double>(parts[a].values()[i]) - static_cast<double>(parts[b].values()[i]);
          sum += off * off;
        }
        out[a * n + b] = out[b * n + a] = static_cast<Real>(sum);
      }
  });
}

std::vector<int> krum(std::span<const double> distances, int byzantine, int count) {
  const auto n = static_cast<int>(std::lround(std::sqrt(static_cast<double>(distances.size()))));
  const int nearest = std::min(std::max(1, n - byzantine - 2), n - 1);
  std::vector<double> scores;
  for (int rank = 0; rank < n; ++rank) {
    std::vector<double> others;
    for (int other = 0; other < n; ++other) {
      const double distance = distances[static_cast<std::size_t>(rank * n + other)];
      if (other != rank) others.push_back(std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance);
    }
    std::ranges::sort(others);
    scores.push_back(std::accumulate(others.begin(), others.begin() + nearest, 0.0));
  }
  std::vector<int> ranks(static_cast<std::size_t>(n));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::stable_sort(ranks, {}, [&](int rank) { return scores[static_cast<std::size_t>(rank)]; });
  ranks.resize(static_cast<std::size_t>(std::clamp(count, 1, n)));
  std::ranges::sort(ranks);  // summed in rank order
  return ranks;
}

}  // namespace paceline::aggregators
