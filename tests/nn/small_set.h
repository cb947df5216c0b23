// A small synthetic set and the spec of one or more workers on it.
#pragma once

#include <memory>
#include <numeric>

#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"
#include "engine/nn/torch_objective.h"

namespace paceline::tests {

inline RunSpec specOf(const std::string& model, int workers = 1, std::int64_t trainCount = 320, std::int64_t testCount = 503) {
  RunSpec spec;
  spec.seed = 3;
  spec.model.id = model;
  spec.dataset.id = "synthetic";
  spec.dataset.params.set("train_count", trainCount);
  spec.dataset.params.set("test_count", testCount);
  spec.batchSize = 32;
  spec.nodes.resize(static_cast<std::size_t>(workers));
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) spec.nodes[i].id = std::string{'w', static_cast<char>('0' + i)};
  return spec;
}

inline std::vector<std::uint32_t> firstSamples(std::uint32_t count, std::uint32_t from = 0) {
  std::vector<std::uint32_t> samples(count);
  std::iota(samples.begin(), samples.end(), from);
  return samples;
}

}  // namespace paceline::tests
