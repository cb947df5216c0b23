// The learning side's public face: no torch here. Everything below it lives in engine/nn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/spec/catalog.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/core/base/objective.h"
#include "engine/core/spec/run_spec.h"
#include "engine/data/datasets/dataset.h"

namespace paceline {

// Model, data share and batch stream of one worker, as the spec says. All workers of a run start from identical parameters:
// initialisation depends on spec.seed only, batches on (seed, rank). Uses node.threads threads.
// Throws Error{kData, kUnsupported (device), kSpec}.
std::unique_ptr<Objective> makeTorchObjective(const RunSpec& spec, int rank, std::shared_ptr<const datasets::Dataset> data);

// For an evaluator node (index into spec.nodes): the same model with no data of its own to train on; gradient() is not for it.
std::unique_ptr<Objective> makeEvaluationObjective(const RunSpec& spec, int node, std::shared_ptr<const datasets::Dataset> data);

// What a TorchScript file is made of: loads it, which runs what is in it. Throws Error{kSpec, kFile, kData}.
struct ScriptReport {
  std::vector<Block> blocks;  // work is not known
  bool loss = false, metrics = false, draws = false;
};
ScriptReport scriptReport(const PinnedFile& file);

std::vector<ModelEntry> modelCatalog();
std::vector<std::string> computeDevices();  // what makeTorchObjective computes on here; "cpu"
std::string torchVersion();  // of the LibTorch that is loaded
void checkTorchVersion();    // throws Error{kUnsupported} where that is another release than the one this program was built for
std::string torchVersionIn(const std::string& buildSettings);             // of at::show_config(); "": it does not say
bool sameTorchRelease(const std::string& one, const std::string& other);  // major and minor: LibTorch keeps its binary interface no longer
std::string kernelsInUse(int threads);  // engine/core/record/kernels.h: of OpenBLAS, ATen and oneDNN as loaded; what does not say is left out
void useThreads(int threads);  // intra-op; call before the first tensor
void useDeterministicKernels(bool on);

}  // namespace paceline
