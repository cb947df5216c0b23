#include "app/search/parzen.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/spec/varied_values.h"

namespace paceline::search {
namespace {

constexpr int kDigits = 4;
constexpr int kBellDraws = 100;  // of a bell, until one lies in the range

double logOf(const SearchRange& range, double value) { return range.scale == SearchScale::kLog ? std::log(value) : value; }
double normalBelow(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace

double placeOf(const SearchRange& range, double value) {
  const double low = logOf(range, range.from), high = logOf(range, range.to);
  return std::clamp((logOf(range, value) - low) / (high - low), 0.0, 1.0);
}

double valueAt(const SearchRange& range, double place) {
  const double low = logOf(range, range.from), high = logOf(range, range.to), between = low + std::clamp(place, 0.0, 1.0) * (high - low);
  const double value = range.scale == SearchScale::kLog ? std::exp(between) : between;
  return std::clamp(range.integer ? std::round(value) : roundedTo(value, kDigits), range.from, range.to);
}

Parzen::Parzen(const SearchAxis& axis, const std::vector<double>& tried) : axis_(axis) {
  const auto count = static_cast<double>(tried.size());
  if (!axis.range) {
    const auto values = static_cast<double>(axis.labels.size());
    for (std::size_t value = 0; value < axis.labels.size(); ++value)
      weights_.push_back((static_cast<double>(std::ranges::count(tried, static_cast<double>(value))) + 1) / (count + values));
    return;
  }
  std::vector<double> places;
  for (const double value : tried) places.push_back(placeOf(*axis.range, value));
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double below = i == 0 ? places[i] : places[i] - places[i - 1], above = i + 1 == places.size() ? 1 - places[i] : places[i + 1] - places[i];
    Bell bell{.centre = places[i], .deviation = std::max({below, above, 1 / (1 + count)})};
    bell.mass = normalBelow((1 - bell.centre) / bell.deviation) - normalBelow(-bell.centre / bell.deviation);
    bells_.push_back(bell);
  }
}

double Parzen::density(double at) const {
  if (!axis_.range) return weights_.at(static_cast<std::size_t>(at));
  const double place = placeOf(*axis_.range, at);
  double sum = 1;
  for (const Bell& bell : bells_) {
    const double z = (place - bell.centre) / bell.deviation;
    sum += std::exp(-z * z / 2) / (bell.deviation * std::sqrt(2 * std::numbers::pi) * bell.mass);
  }
  return sum / (1 + static_cast<double>(bells_.size()));
}

double Parzen::bounded(const Bell& bell, Rng& rng) const {
  for (int i = 0; i < kBellDraws; ++i)
    if (const double place = bell.centre + bell.deviation * rng.normal(); place >= 0 && place <= 1) return place;
  return bell.centre;
}

double Parzen::draw(Rng& rng) const {
  if (!axis_.range) {
    double rest = rng.uniform();
    std::size_t value = 0;
    while (value + 1 < weights_.size() && rest >= weights_[value]) rest -= weights_[value++];
    return static_cast<double>(value);
  }
  const std::uint64_t which = rng.below(bells_.size() + 1);
  return valueAt(*axis_.range, which == bells_.size() ? rng.uniform() : bounded(bells_[which], rng));
}

}  // namespace paceline::search
