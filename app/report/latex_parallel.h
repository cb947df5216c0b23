// Parallel coordinates as pgfplots. Private to report.
#pragma once

#include <string>

#include "app/figures/figure.h"

namespace paceline::report {

// A line of each run over all axes, each axis from its own least to its own greatest value, told at its ends; words at their places.
std::string parallelLatex(const Figure& figure);

}  // namespace paceline::report
