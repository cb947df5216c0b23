// Requests to partitioners over made labels, and what came out of them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/core/base/rng.h"
#include "engine/data/partitioners/partitioner.h"

namespace paceline::testing_splits {

using Labels = std::vector<std::uint16_t>;
using Counts = std::map<int, int>;

inline Labels balancedLabels(std::size_t perClass) {  // ten classes in random order
  Labels labels(perClass * 10);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint16_t>(i % 10);
  Rng(1).shuffle(std::span<std::uint16_t>(labels));
  return labels;
}

inline partitioners::PartitionRequest request(const std::string& id, const Labels& labels, int world,
                         const std::map<std::string, ParamValue>& params = {}) {
  std::vector<Finding> findings;
  partitioners::PartitionRequest made;
  made.labels = labels;
  made.world = world;
  made.params = completeParams(partitioners::findPartitioner(id)->params, Params(params), "/partition/params", findings);
  EXPECT_TRUE(findings.empty());
  return made;
}

inline partitioners::Partition split(const std::string& id, const partitioners::PartitionRequest& asked) { return partitioners::findPartitioner(id)->split(asked); }

inline std::vector<Counts> classCounts(const partitioners::Partition& partition, const Labels& labels) {
  std::vector<Counts> counts;
  for (const auto& part : partition.indices) {
    counts.emplace_back();
    for (const std::uint32_t i : part) ++counts.back()[labels[i]];
  }
  return counts;
}

inline std::vector<std::size_t> sizes(const partitioners::Partition& partition) {
  std::vector<std::size_t> result;
  for (const auto& part : partition.indices) result.push_back(part.size());
  return result;
}

}  // namespace paceline::testing_splits
