// A worker that does not learn: its vectors are hollow (engine/core/base/hollow.h), its batches only counted. What it and its servers send, and when, in virtual time is
// what a worker that learns sends, where the method's traffic does not follow from values (AlgorithmEntry::trafficByValue). Its loss is NaN: there is none. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/base/objective.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

struct CountedBatches {
  std::vector<std::size_t> samples;  // of an epoch, by rank
  std::size_t batchSize = 1;
  std::size_t minimum = 1;           // an epoch's leftover smaller than this is left out
  std::function<std::vector<std::size_t>(const std::vector<int>& lost)> without = {};  // samples by rank where these ranks are gone; empty: their data are left alone
};

// Workers of these blocks, which lie one after the other. Evaluators have no such objective: they would have nothing to evaluate.
ObjectiveFactory hollowObjectives(std::vector<Block> blocks, CountedBatches batches);

}  // namespace paceline
