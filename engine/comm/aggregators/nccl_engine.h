// NVIDIA's NCCL between CUDA devices as the engine of an aggregation, in builds with PACELINE_CUDA; without, there is none. Vectors lie in
// host memory, so each mean copies to the device and back. Inside one host, as all foreign engines (aggregation_engine.h).
#pragma once

#include <vector>

#include "engine/comm/aggregators/aggregator.h"

namespace paceline::aggregators {

enum class NcclMethod { kRing, kTree };  // NCCL's own, by its NCCL_ALGO

// The engines given and, where this program has it, NCCL.
std::vector<AggregationEngine> withNccl(NcclMethod method, std::vector<AggregationEngine> engines);

}  // namespace paceline::aggregators
