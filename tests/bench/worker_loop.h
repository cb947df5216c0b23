// One worker without peers, and two with a server, as several rows measure them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/record/event.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::bench {

inline constexpr const char* kStandalone = R"({"paceline": 1, "name": "bench", "seed": 3,
  "algorithm": {"id": "standalone", "params": {"learning_rate": 0.01}}, "model": {"id": "lenet"},
  "dataset": {"id": "synthetic", "params": {"train_count": 6400, "test_count": 100}}, "batch_size": 64,
  "nodes": [{"id": "w0", "role": "worker"}], "evaluate": {"every_rounds": 0}, "stop": {"seconds": 3}})";

inline constexpr const char* kTwoWorkers = R"({"paceline": 1, "name": "bench", "seed": 3,
  "algorithm": {"id": "asgd", "params": {"learning_rate": 0.01}}, "model": {"id": "lenet"},
  "dataset": {"id": "synthetic", "params": {"train_count": 6400, "test_count": 100}}, "batch_size": 64,
  "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "role": "worker"}, {"id": "w1", "role": "worker"}],
  "evaluate": {"every_rounds": 0}, "stop": {"seconds": 12}})";

RunSpec specOf(const std::string& text);  // throws Error{kSpec} for one with findings

struct LoopRate {
  double samplesPerSecond = 0;
  double emitFraction = 0, fetchFraction = 0;  // of the training thread's time
};

// Paceline's own worker loop, events formatted and written as a node does, without its first rounds. `alter` changes a round's record before that.
inline constexpr std::size_t kWarmRounds = 20;
LoopRate workerLoop(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& data, std::size_t warmRounds = kWarmRounds, const std::function<void(RoundRecord&)>& alter = {});

// Samples/s of all workers while all train, in a real run: processes of their own, through supervisor and recorder.
double realRunSamplesPerSecond(const RunSpec& spec);

}  // namespace paceline::bench
