// How many samples of each class each worker trains on, as numbers about the split. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace paceline {

using LabelCounts = std::vector<std::int64_t>;  // by class; absent at the end: 0

std::int64_t sampleCount(const LabelCounts& counts);
int classesHeld(const LabelCounts& counts);  // with at least one sample

// Of every worker's classes from those of all workers together: the Jensen-Shannon distance, the root of the divergence to base 2 (Endres
// & Schindelin 2003): 0 the same proportions, 1 no class in common. A worker without samples has none: NaN.
std::vector<double> labelDistances(const std::vector<LabelCounts>& workers);

// Mean of those that are numbers; NaN without any.
double meanLabelDistance(const std::vector<LabelCounts>& workers);

}  // namespace paceline
