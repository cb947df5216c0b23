// Whether two means differ, as a referee asks: interval, effect size, and how many seeds would tell. Pure functions.
#pragma once

#include <optional>
#include <vector>

namespace paceline {

// The quantile of Student's t for a two-sided interval of 95 %. `degrees` > 0, any number.
double studentT95(double degrees);

struct MeanDifference {
  double mean = 0;                  // of the first less that of the second
  double lower = 0, upper = 0;      // 95 % interval of it: Welch, "The generalization of Student's problem", 1947
  double effect = 0;                // Hedges' g: over the pooled standard deviation, without the bias of few values (Hedges 1981)
  std::optional<int> more{};        // values of each that would take 0 out of the interval, if mean and spread stay; nullopt: none needed, or more than 1000
  bool told() const { return lower > 0 || upper < 0; }
};
// nullopt: one of them has fewer than two values, so no spread is known.
std::optional<MeanDifference> differenceOf(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace paceline
