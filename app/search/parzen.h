// The density of points along one axis, estimated from those that were tried. Values only.
//
// Ranges (Bergstra, Bardenet, Bengio, Kegl 2011, section 4), over u in [0, 1]: the mean of a uniform prior and, for each tried u_i, a normal density
// around it cut to [0, 1]. Its deviation is the larger of the distances to its neighbours, the ends of the range among them, and at least 1 / (1 + n).
// Lists: (times tried + 1) / (n + number of values).
#pragma once

#include <vector>

#include "engine/core/base/rng.h"
#include "engine/core/spec/search.h"

namespace paceline::search {

// Where a value lies in its range, 0 to 1 (by its logarithm where the scale is), and the value of such a place: an integer, or one of four digits, within the range.
double placeOf(const SearchRange& range, double value);
double valueAt(const SearchRange& range, double place);

class Parzen {
 public:
  Parzen(const SearchAxis& axis, const std::vector<double>& tried);  // of that axis, as in SearchPoint

  double density(double at) const;
  double draw(Rng& rng) const;  // a value of the axis

 private:
  struct Bell {
    double centre = 0, deviation = 1, mass = 1;  // mass: of it within [0, 1]
  };
  double bounded(const Bell& bell, Rng& rng) const;

  const SearchAxis& axis_;
  std::vector<Bell> bells_;      // of a range
  std::vector<double> weights_;  // of a list; they sum to 1
};

}  // namespace paceline::search
