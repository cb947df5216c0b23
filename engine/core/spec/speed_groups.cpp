#include "engine/core/spec/speed_groups.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// Sums of squares of ranges of sorted values, about each range's mean.
class Spread {
 public:
  explicit Spread(const std::vector<double>& sorted) : sum_(sorted.size() + 1), squares_(sorted.size() + 1) {
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      sum_[i + 1] = sum_[i] + sorted[i];
      squares_[i + 1] = squares_[i] + sorted[i] * sorted[i];
    }
  }
  double of(std::size_t begin, std::size_t end) const {
    const double sum = sum_[end] - sum_[begin];
    return std::max(0.0, squares_[end] - squares_[begin] - sum * sum / static_cast<double>(end - begin));
  }

 private:
  std::vector<double> sum_, squares_;
};

// In one dimension the best groups are ranges of the sorted values: best[k][i] = least W of the first i values in k groups, from
// best[k - 1]. Wang & Song, "Ckmeans.1d.dp", 2011.
struct Partition {
  double within = 0;
  std::vector<std::size_t> begins;  // of each group
};

std::vector<Partition> partitionsOf(const std::vector<double>& sorted, std::size_t most) {
  const std::size_t n = sorted.size();
  const Spread spread(sorted);
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  best[0] = 0;
  std::vector<std::vector<std::size_t>> begin(most + 1, std::vector<std::size_t>(n + 1));
  std::vector<Partition> partitions(most + 1);
  for (std::size_t k = 1; k <= most; ++k) {
    std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
    for (std::size_t i = k; i <= n; ++i)
      for (std::size_t j = k - 1; j < i; ++j)
        if (const double within = best[j] + spread.of(j, i); within < next[i]) next[i] = within, begin[k][i] = j;
    best = std::move(next);
    partitions[k].within = best[n];
    for (std::size_t g = k, end = n; g > 0; end = begin[g--][end]) partitions[k].begins.push_back(begin[g][end]);
    std::reverse(partitions[k].begins.begin(), partitions[k].begins.end());
  }
  return partitions;
}

std::size_t chosen(const std::vector<Partition>& partitions, const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  double noise = 0;
  for (const double speed : sorted) noise += kSpeedNoise * speed * kSpeedNoise * speed;
  std::size_t best = 1;
  double highest = -1;
  for (std::size_t k = 2; k < partitions.size(); ++k) {
    const double between = partitions[1].within - partitions[k].within, groups = static_cast<double>(k);
    const double index = between / (groups - 1) / ((partitions[k].within + noise) / (n - groups));
    if (index > highest) highest = index, best = k;
  }
  return best;
}

}  // namespace

std::vector<int> groupsBySpeed(std::span<const double> stepSeconds, int groups) {
  const std::size_t n = stepSeconds.size();
  PACELINE_CHECK(n > 0 && groups >= 0 && static_cast<std::size_t>(groups) <= n, strCat(groups, " groups of ", n, " workers"));
  std::vector<std::size_t> order(n);  // fastest first, then by rank
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return stepSeconds[a] < stepSeconds[b]; });
  std::vector<double> speeds;
  for (const std::size_t rank : order) speeds.push_back(1 / stepSeconds[rank]);

  std::size_t count = static_cast<std::size_t>(groups);
  const bool alike = speeds.front() <= kAlikeSpeeds * speeds.back();
  if (groups == 0 && alike) count = 1;
  const std::size_t tried = std::min<std::size_t>(n - 1, kMaxSpeedGroups);
  const std::vector<Partition> partitions = partitionsOf(speeds, count > 0 ? count : std::max<std::size_t>(tried, 1));
  // Of two that are not alike there is nothing between one group and two to compare.
  if (count == 0) count = n > 2 ? chosen(partitions, speeds) : n;
  std::vector<int> group(n);
  if (count == n) {
    for (std::size_t i = 0; i < n; ++i) group[order[i]] = static_cast<int>(i);
    return group;
  }
  const std::vector<std::size_t>& begins = partitions[count].begins;
  for (std::size_t g = 0; g < count; ++g)
    for (std::size_t i = begins[g]; i < (g + 1 < count ? begins[g + 1] : n); ++i) group[order[i]] = static_cast<int>(g);
  return group;
}

}  // namespace paceline
