// "search" of a suite's document -> its space. Private to suites.
#pragma once

#include "engine/core/spec/search.h"
#include "engine/core/spec/suite.h"
#include "engine/core/spec/suite_axes.h"

namespace paceline {

// Findings, and where there is no error suite.search; its points are then one for each value of the lists and for both ends of the ranges: what is
// checked before anything runs.
void readSearch(const OrderedJson& document, const std::vector<std::string>& keys, std::vector<Axis> axes, ParsedSuite& suite);

}  // namespace paceline
