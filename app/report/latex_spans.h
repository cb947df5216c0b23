// Lanes as pgfplots. Private to report.
#pragma once

#include <string>

#include "app/figures/figure.h"

namespace paceline::report {

std::string coordinate(double value);  // seven digits; "nan", "inf"
std::string colourName(int series, bool published);
std::string spansLatex(const Figure& figure);  // "": it has none

}  // namespace paceline::report
