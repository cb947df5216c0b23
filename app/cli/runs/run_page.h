// One run on one screen of text. Pure.
#pragma once

#include <string>

#include "storage/summary/summary.h"

namespace paceline {

std::string runPage(const RunData& data, const RunSummary& summary);

}  // namespace paceline
