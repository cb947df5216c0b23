#include "engine/core/record/label_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace paceline {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double towards(double part, double middle) { return part > 0 ? part * std::log2(part / middle) : 0; }  // one term of a KL divergence

}  // namespace

std::int64_t sampleCount(const LabelCounts& counts) { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

int classesHeld(const LabelCounts& counts) {
  return static_cast<int>(std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; }));
}

std::vector<double> labelDistances(const std::vector<LabelCounts>& workers) {
  LabelCounts all;
  for (const LabelCounts& counts : workers) {
    all.resize(std::max(all.size(), counts.size()));
    for (std::size_t c = 0; c < counts.size(); ++c) all[c] += counts[c];
  }
  const auto total = static_cast<double>(sampleCount(all));
  std::vector<double> distances;
  for (const LabelCounts& counts : workers) {
    const auto own = static_cast<double>(sampleCount(counts));
    double divergence = own > 0 ? 0 : kNone;
    for (std::size_t c = 0; own > 0 && c < all.size(); ++c) {
      const double p = c < counts.size() ? static_cast<double>(counts[c]) / own : 0, q = static_cast<double>(all[c]) / total;
      divergence += (towards(p, (p + q) / 2) + towards(q, (p + q) / 2)) / 2;
    }
    distances.push_back(std::isnan(divergence) ? kNone : std::sqrt(std::clamp(divergence, 0.0, 1.0)));
  }
  return distances;
}

double meanLabelDistance(const std::vector<LabelCounts>& workers) {
  double sum = 0;
  int count = 0;
  for (const double distance : labelDistances(workers))
    if (!std::isnan(distance)) sum += distance, ++count;
  return count == 0 ? kNone : sum / count;
}

}  // namespace paceline
