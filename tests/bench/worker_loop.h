// One worker without peers, as several rows measure it.
#pragma once

#include <memory>
#include <string>

#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::bench {

inline constexpr const char* kStandalone = R"({"paceline": 1, "name": "bench", "seed": 3,
  "algorithm": {"id": "standalone", "params": {"learning_rate": 0.01}}, "model": {"id": "lenet"},
  "dataset": {"id": "synthetic", "params": {"train_count": 6400, "test_count": 100}}, "batch_size": 64,
  "nodes": [{"id": "w0", "role": "worker"}], "evaluate": {"every_rounds": 0}, "stop": {"seconds": 3}})";

RunSpec specOf(const std::string& text);  // throws Error{kSpec} for one with findings

struct LoopRate {
  double samplesPerSecond = 0;
  double emitFraction = 0, fetchFraction = 0;  // of the training thread's time
};

// Paceline's own worker loop, events formatted and written as a node does, without its first rounds.
LoopRate workerLoop(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& data, std::size_t warmRounds = 20);

}  // namespace paceline::bench
