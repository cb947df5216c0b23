// What Paceline's training loop is measured against: plain LibTorch, written as one would by hand. No torch in this header.
#pragma once

#include <memory>

#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::bench {

// Trains spec's model on one thread per node.threads of the first worker: batches, forward, backward, SGD step on the module's
// own tensors; no objective, no flat vector. Same batches, same layout, same memory settings as the objective. Runs for about
// `seconds` after a short warm-up and returns samples per second. Throws what makeTorchObjective throws.
double bareLoopSamplesPerSecond(const RunSpec& spec, std::shared_ptr<const datasets::Dataset> data, double seconds);

// The built-in LeNet as a TorchScript file in a fresh folder; its path.
std::string scriptedLenet();

}  // namespace paceline::bench
