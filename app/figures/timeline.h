// A timeline as a figure: its lanes as rows, its phases as sets of spans; notes say how far lanes may be apart, and the longest wait. Pure.
#pragma once

#include <string>

#include "app/figures/figure.h"
#include "app/figures/lanes/lanes.h"

namespace paceline {

Figure figureOf(const lanes::Timeline& timeline, const std::string& run);  // run: its name, for the title

}  // namespace paceline
