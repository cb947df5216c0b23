// Where the bars of a figure stand, for every renderer. Pure functions.
#pragma once

#include <vector>

#include "app/figures/figure.h"

namespace paceline::parts {

// Where bars stand: in a category only the sets that have a value or a text there take room. keys[set][category].
constexpr double kBarFill = 0.94;  // of a bar's place
struct BarPlaces {
  double width = 0.5;
  bool named = false;  // the categories say which set a bar belongs to: no legend is needed
  std::vector<std::vector<double>> keys;
};
BarPlaces barPlaces(const Figure& figure);
std::vector<double> stackTops(const Figure& figure, std::size_t sets);  // how high the first `sets` of each category are together

}  // namespace paceline::parts
