// Who trains on which sample. Pure functions: the same request gives the same cut on every node.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"

namespace paceline::partitioners {

struct PartitionRequest {
  std::span<const std::uint16_t> labels;  // of the training set
  int classes = 10;
  int world = 1;
  std::vector<double> shares;  // empty: equal; else one per rank, sums to 1
  std::uint64_t seed = 1;
  Params params;
};

struct Partition {
  std::vector<std::vector<std::uint32_t>> indices;  // per rank; disjoint where the definition says so
  bool shuffled = true;  // false: the order within a rank is kept in every epoch (ESync's non-i.i.d. split)
};

struct PartitionerDef : PartitionEntry {
  std::function<Partition(const PartitionRequest&)> split;  // throws Error{kData} when a rank would get nothing
};

const std::vector<PartitionerDef>& partitioners();
const PartitionerDef* findPartitioner(const std::string& id);

}  // namespace paceline::partitioners
