// What can be known of the division of a training set before the data is there. Private to validate.cpp; pure.
#pragma once

#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline {

// Appends findings about partition, shares and batch size of a document whose parameters are completed.
void checkSplit(const RunSpec& spec, const DatasetEntry& dataset, const PartitionEntry& partition, std::vector<Finding>& findings);

}  // namespace paceline
