#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/record/kernels.h"
#include "engine/nn/model.h"
#include "engine/nn/torch_objective.h"

namespace paceline {

std::vector<ModelEntry> modelCatalog() {
  std::vector<ModelEntry> entries;
  for (const ModelDef& def : models())
    entries.push_back({{def.id, def.title, def.summary, def.reference, def.params}, def.inputs, def.minimumSide, def.tokens, def.minimumBatch, def.parameterCount});
  return entries;
}

std::vector<std::string> computeDevices() {
  std::vector<std::string> devices{"cpu"};
  const auto count = torch::cuda::device_count();  // 0 without a driver, and where only LibTorch's CPU half is linked
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) devices.push_back(strCat("cuda:", i));
  return devices;
}

namespace {

// The word behind `name` in what LibTorch says of its build; "": it does not say.
std::string settingIn(const std::string& buildSettings, std::string_view name) {
  const std::size_t at = buildSettings.find(name);
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size();
  return buildSettings.substr(from, buildSettings.find_first_of(", \n", from) - from);
}

}  // namespace

std::string torchVersionIn(const std::string& buildSettings) { return settingIn(buildSettings, "TORCH_VERSION="); }

bool sameTorchRelease(const std::string& one, const std::string& other) {
  const auto release = [](const std::string& version) { return version.substr(0, version.find('.', version.find('.') + 1)); };
  return release(one) == release(other);
}

std::string torchVersion() {
  const std::string loaded = torchVersionIn(at::show_config());
  return loaded.empty() ? TORCH_VERSION : loaded;
}

void checkTorchVersion() {
  if (!sameTorchRelease(torchVersion(), TORCH_VERSION))
    throw Error(Errc::kUnsupported, strCat("this program was built for LibTorch " TORCH_VERSION " and has loaded ", torchVersion(),
                                           "; LD_LIBRARY_PATH may name the folder of another one"));
}

// LibTorch's own setting does not reach OpenBLAS. The launcher sets OPENBLAS_NUM_THREADS before the process starts, which also
// keeps OpenBLAS from starting threads at all; this covers a process that was started without it.
void useThreads(int threads) {
  PACELINE_CHECK(threads >= 1, "threads");
  at::set_num_threads(threads);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(threads);
}

std::string kernelsInUse(int threads) {
  Variables chosen;
  if (void* core = dlsym(RTLD_DEFAULT, "openblas_get_corename")) chosen[kOpenBlasVariable] = reinterpret_cast<const char* (*)()>(core)();
  if (const std::string capability = settingIn(at::show_config(), "CPU capability usage: "); !capability.empty()) {
    chosen[kAtenVariable] = capability;
    for (char& letter : chosen[kAtenVariable]) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  // dnnl_cpu_isa_t, in the order in which each has all of the one before.
  constexpr std::pair<int, const char*> kIsas[] = {{0x1, "SSE41"}, {0x3, "AVX"}, {0x7, "AVX2"}, {0xf, "AVX2_VNNI"}, {0x27, "AVX512_CORE"}, {0x67, "AVX512_CORE_VNNI"}, {0xe7, "AVX512_CORE_BF16"}};
  if (void* isa = dlsym(RTLD_DEFAULT, "dnnl_get_effective_cpu_isa"))
    for (const auto& [value, name] : kIsas)
      if (value == reinterpret_cast<int (*)()>(isa)()) chosen[kOneDnnVariable] = name;
  if (const std::string precision = environment(kOneDnnPrecisionVariable); !precision.empty()) chosen[kOneDnnPrecisionVariable] = precision;
  return kernelsText(chosen, torchVersion(), threads);
}

void useDeterministicKernels(bool on) {
  if (on) ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);  // cuBLAS reads it at its first use: else sums may vary
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(on, /*warn_only=*/false);
  context.setDeterministicCuDNN(on);
  context.setBenchmarkCuDNN(false);  // the fastest kernel of this minute is not always the same
}

}  // namespace paceline
