#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <malloc.h>
#include <torch/version.h>

#include "engine/core/error.h"
#include "engine/nn/model.h"
#include "engine/nn/torch_memory.h"
#include "engine/nn/torch_objective.h"

namespace paceline {

std::vector<ModelEntry> modelCatalog() {
  std::vector<ModelEntry> entries;
  for (const ModelDef& def : models()) {
    ModelEntry entry;
    entry.id = def.id;
    entry.title = def.title;
    entry.summary = def.summary;
    entry.reference = def.reference;
    entry.params = def.params;
    entry.inputs = def.inputs;
    entry.minimumSide = def.minimumSide;
    entry.parameterCount = def.parameterCount;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> computeDevices() { return {"cpu"}; }  // what makeTorchObjective can compute on

std::string torchVersion() { return TORCH_VERSION; }

// LibTorch's own setting does not reach OpenBLAS. The launcher sets OPENBLAS_NUM_THREADS before the process starts, which also
// keeps OpenBLAS from starting threads at all; this covers a process that was started without it.
void useThreads(int threads) {
  PACELINE_CHECK(threads >= 1, "threads");
  at::set_num_threads(threads);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(threads);
}

void useDeterministicKernels(bool on) { at::globalContext().setDeterministicAlgorithms(on, /*warn_only=*/false); }

void keepFreedMemory() {
  static const bool done = [] {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // glibc takes no more
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 32 << 20);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace paceline
