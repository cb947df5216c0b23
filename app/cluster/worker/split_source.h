// A document's division of the training set among workers, computed by the worker program on this computer. Any thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/record/label_counts.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::worker {

struct SplitCounts {
  std::vector<std::string> workers;  // ids by rank
  std::vector<LabelCounts> counts;   // of each
  bool operator==(const SplitCounts&) const = default;
};

// Throws Error{kHost} with the worker's own sentence where there is no such split; gives up when asked to stop.
SplitCounts splitOfSpec(const RunSpec& spec, const std::stop_token& stop = {});

SplitCounts parseSplit(const std::string& text);  // throws Error{kFormat}

}  // namespace paceline::worker
