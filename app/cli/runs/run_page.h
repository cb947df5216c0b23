// One run on one screen of text. Pure.
#pragma once

#include <string>

#include "storage/summary/summary.h"

namespace paceline::cli {

std::string runPage(const summary::RunData& data, const summary::RunSummary& summary);

}  // namespace paceline::cli
