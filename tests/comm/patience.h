// How long the tests of wires wait.
#pragma once

#include <limits>

namespace paceline::tests {

inline constexpr double kPatience = 60;  // seconds; a guard against hanging, not a measurement
inline constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace paceline::tests
