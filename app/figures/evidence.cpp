#include "app/figures/evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "storage/summary/summary.h"

namespace paceline {
namespace {

constexpr int kMostSeeds = 1000;

// Of |t| below `t`: the density is one of cos^(n-1) over the angle whose tangent is t / sqrt(n). Simpson's rule.
double within(double t, double degrees) {
  constexpr int kParts = 400;
  const double scale = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) / std::sqrt(std::numbers::pi);
  const double most = std::atan(t / std::sqrt(degrees)), step = most / kParts;
  double sum = 0;
  for (int i = 0; i <= kParts; ++i) sum += std::pow(std::cos(i * step), degrees - 1) * (i == 0 || i == kParts ? 1 : i % 2 == 1 ? 4 : 2);
  return 2 * scale * sum * step / 3;
}

constexpr double kNormalFrom = 1e5, kNormal95 = 1.959963984540054;  // degrees; the normal distribution's quantile, to 1e-5

// As t > studentT95(degrees), without looking for that.
bool beyond95(double t, double degrees) { return degrees > kNormalFrom ? t > kNormal95 : within(t, degrees) > 0.95; }

double squared(double value) { return value * value; }

}  // namespace

double studentT95(double degrees) {
  if (degrees > kNormalFrom) return kNormal95;
  double low = 0, high = 2;
  while (within(high, degrees) < 0.95) high *= 2;
  for (int i = 0; i < 60; ++i) (within((low + high) / 2, degrees) < 0.95 ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

std::optional<MeanDifference> differenceOf(const std::vector<double>& first, const std::vector<double>& second) {
  if (first.size() < 2 || second.size() < 2) return std::nullopt;
  const summary::Statistic a = summary::statistic(first), b = summary::statistic(second);
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  const double va = squared(a.deviation) / n, vb = squared(b.deviation) / m;
  MeanDifference found{.mean = a.mean - b.mean};
  found.lower = found.upper = found.mean;
  if (va + vb <= 0) return found;
  const double degrees = squared(va + vb) / (squared(va) / (n - 1) + squared(vb) / (m - 1));
  const double half = studentT95(degrees) * std::sqrt(va + vb);
  found.lower -= half, found.upper += half;
  const double pooled = std::sqrt(((n - 1) * squared(a.deviation) + (m - 1) * squared(b.deviation)) / (n + m - 2));
  found.effect = found.mean / pooled * (1 - 3 / (4 * (n + m - 2) - 1));
  if (found.told() || found.mean == 0) return found;
  const int least = static_cast<int>(std::min(n, m));
  const auto tell = [&](int seeds) {
    const double each = (squared(a.deviation) + squared(b.deviation)) / seeds;
    const double both = squared(squared(a.deviation) + squared(b.deviation)) * (seeds - 1) / (squared(squared(a.deviation)) + squared(squared(b.deviation)));
    return beyond95(std::abs(found.mean) / std::sqrt(each), both);
  };
  if (!tell(kMostSeeds)) return found;
  int few = least, enough = kMostSeeds;  // more seeds tell whatever fewer do
  while (enough - few > 1) (tell((few + enough) / 2) ? enough : few) = (few + enough) / 2;
  found.more = enough - least;
  return found;
}

}  // namespace paceline
