// A set that was published with a known number of images is refused with another: a download that broke off must not train silently.
#pragma once

#include <string>

#include "engine/data/datasets/dataset.h"

namespace paceline::datasets {

ParamSpec anyCountParam();  // "any_count", default false

// Throws Error{kData} naming `source` and both numbers unless the parameter any_count is set.
void requireCounts(const DatasetDef& def, const std::string& source, const Dataset& data, const Params& params);

}  // namespace paceline::datasets
