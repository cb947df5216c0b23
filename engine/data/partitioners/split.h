// The cut of a run's training set that its document asks for, and what each worker got. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/record/label_counts.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::partitioners {

// By partition, the workers and their shares. Throws Error{kSpec} for what the document has wrong, Error{kData, kFile, kFormat} as the partitioner.
Partition splitOf(const RunSpec& spec, const datasets::Dataset& data);

LabelCounts labelCountsOf(std::span<const std::uint32_t> samples, std::span<const std::uint16_t> labels, int classes);
std::vector<LabelCounts> labelCountsOf(const Partition& partition, std::span<const std::uint16_t> labels, int classes);  // by rank

}  // namespace paceline::partitioners
