// Figures as pgfplots, their data inline. Pure; any thread. Private to report.
#pragma once

#include <string>

#include "app/report/report.h"

namespace paceline::report {

std::string paletteLatex();  // of the preamble: the palette's colours
// Of a long curve the extremes that can be seen, and a comment that says so; of many spans what each of some hundred columns shows most of.
std::string figureLatex(const Figure& figure, double heightMm);

}  // namespace paceline::report
