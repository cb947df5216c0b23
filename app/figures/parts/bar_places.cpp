#include "app/figures/parts/bar_places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace paceline::parts {

namespace {

constexpr double kStackWidth = 0.72, kBarsWidth = 0.78;  // of the distance between two categories

}  // namespace

std::vector<double> stackTops(const Figure& figure, std::size_t sets) {
  std::vector<double> tops(figure.x.categories.size(), 0);
  for (std::size_t set = 0; set < std::min(sets, figure.bars.size()); ++set) {
    const std::vector<double>& values = figure.bars[set].values;
    for (std::size_t i = 0; i < std::min(values.size(), tops.size()); ++i)
      if (std::isfinite(values[i])) tops[i] += values[i];
  }
  return tops;
}

BarPlaces barPlaces(const Figure& figure) {
  if (figure.stacked) {
    std::vector<double> keys(figure.x.categories.size());
    std::iota(keys.begin(), keys.end(), 0.0);
    return {.width = kStackWidth, .named = false, .keys = std::vector<std::vector<double>>(figure.bars.size(), keys)};
  }
  const auto takesRoom = [](const BarSet& set, std::size_t i) {
    return std::isfinite(set.values[i]) || (i < set.texts.size() && !set.texts[i].empty());
  };
  std::vector<std::size_t> beside(figure.x.categories.size(), 0);
  for (const BarSet& set : figure.bars)
    for (std::size_t i = 0; i < std::min(set.values.size(), beside.size()); ++i) beside[i] += takesRoom(set, i) ? 1 : 0;
  const std::size_t most = beside.empty() ? 1 : std::max<std::size_t>(1, *std::max_element(beside.begin(), beside.end()));
  const double step = kBarsWidth / static_cast<double>(most);
  BarPlaces places;
  places.width = std::min(0.5, step * kBarFill);
  places.named = most == 1;
  std::vector<std::size_t> placed(beside.size(), 0);
  for (const BarSet& set : figure.bars) {
    std::vector<double> keys;
    for (std::size_t i = 0; i < std::min(set.values.size(), beside.size()); ++i) {
      if (takesRoom(set, i) && figure.x.categories[i] != set.label) places.named = false;
      const double shift = (static_cast<double>(placed[i]) - (static_cast<double>(beside[i]) - 1) / 2) * step;
      keys.push_back(static_cast<double>(i) + (takesRoom(set, i) ? shift : 0));
      placed[i] += takesRoom(set, i) ? 1 : 0;
    }
    places.keys.push_back(std::move(keys));
  }
  return places;
}

}  // namespace paceline::parts
