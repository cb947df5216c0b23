#include "agent/supervisor/probe/facts.h"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "agent/supervisor/captured.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::probe {
namespace {

Json gpu(std::size_t index, const std::string& name, const std::string& uuid, std::int64_t bytes, std::int64_t freeBytes) {
  return {{"index", index}, {"name", name}, {"uuid", uuid}, {"memory_bytes", bytes}, {"memory_free_bytes", freeBytes}};
}

constexpr double kSmiSeconds = 60;  // the part of the probe has its own, shorter

// The part of nvml.h that is used; its layout has been the same since the driver's version 331.
struct NvmlMemory {
  unsigned long long total = 0, free = 0, used = 0;
};

class Nvml {
 public:
  Nvml() {
    const char* names[] = {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
    for (const char* name : names)
      if (library_ == nullptr) library_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw Error(Errc::kHost, "libnvidia-ml.so.1 cannot be opened");
    expect(call<int()>("nvmlInit_v2")(), "nvmlInit_v2");
  }

  Json devices() {
    unsigned count = 0;
    expect(call<int(unsigned*)>("nvmlDeviceGetCount_v2")(&count), "nvmlDeviceGetCount_v2");
    Json all = Json::array();
    for (unsigned i = 0; i < count; ++i) {
      void* device = nullptr;
      if (call<int(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2")(i, &device) != 0) continue;  // fell off the bus, or is not for us
      char name[128] = "", uuid[128] = "";
      NvmlMemory memory;
      call<int(void*, char*, unsigned)>("nvmlDeviceGetName")(device, name, sizeof name - 1);
      call<int(void*, char*, unsigned)>("nvmlDeviceGetUUID")(device, uuid, sizeof uuid - 1);
      call<int(void*, NvmlMemory*)>("nvmlDeviceGetMemoryInfo")(device, &memory);
      all.push_back(gpu(i, name, uuid, static_cast<std::int64_t>(memory.total), static_cast<std::int64_t>(memory.free)));
    }
    return all;
  }

  std::string driver() {
    char version[96] = "";
    call<int(char*, unsigned)>("nvmlSystemGetDriverVersion")(version, sizeof version - 1);
    return version;
  }

 private:
  template <class Function>
  Function* call(const char* name) {
    void* found = ::dlsym(library_, name);
    if (found == nullptr) throw Error(Errc::kHost, strCat("libnvidia-ml.so.1 has no ", name));
    return reinterpret_cast<Function*>(found);
  }
  static void expect(int code, const char* what) {
    if (code != 0) throw Error(Errc::kHost, strCat(what, " ended with code ", code));
  }

  void* library_ = nullptr;  // never closed: the process ends
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream fields(line);
  for (std::string cell; std::getline(fields, cell, ',');) {
    const std::size_t begin = cell.find_first_not_of(" \t"), end = cell.find_last_not_of(" \t\r");
    found.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return found;
}

std::int64_t mebibytes(const std::string& cell) {  // "[N/A]" on devices that share the host's memory
  const long long value = std::atoll(cell.c_str());
  return value > 0 ? static_cast<std::int64_t>(value) << 20 : 0;
}

}  // namespace

std::string gpusFromNvml() {
  Nvml nvml;
  return dumped(Json{{"source", "nvml"}, {"driver", nvml.driver()}, {"gpus", nvml.devices()}});
}

std::string gpusFromNvidiaSmi() {
  constexpr const char* kQuery = "--query-gpu=index,name,uuid,memory.total,memory.free,driver_version";
  Json all = Json::array();
  std::string driver;
  std::istringstream lines(captured({"nvidia-smi", kQuery, "--format=csv,noheader,nounits"}, {}, kSmiSeconds).output);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cell = cells(line);
    if (cell.size() != 6) continue;  // "No devices were found"
    all.push_back(gpu(static_cast<std::size_t>(std::atoi(cell[0].c_str())), cell[1], cell[2], mebibytes(cell[3]), mebibytes(cell[4])));
    driver = cell[5];
  }
  if (all.empty()) throw Error(Errc::kHost, "nvidia-smi names no GPU");
  return dumped(Json{{"source", "nvidia-smi"}, {"driver", driver}, {"gpus", all}});
}

std::string gpusFromProc(const std::string& folder) {
  Json all = Json::array();
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder + "/gpus", error), end; !error && entry != end; entry.increment(error)) {
    std::ifstream file(entry->path() / "information");
    std::string name = "NVIDIA GPU", uuid;
    for (std::string line; std::getline(file, line);) {
      const std::size_t colon = line.find(':'), begin = line.find_first_not_of(" \t", colon == std::string::npos ? colon : colon + 1);
      if (begin == std::string::npos) continue;
      if (line.starts_with("Model")) name = line.substr(begin);
      if (line.starts_with("GPU UUID")) uuid = line.substr(begin);
    }
    all.push_back(gpu(all.size(), name, uuid, 0, 0));
  }
  return dumped(Json{{"source", all.empty() ? "none" : "proc"}, {"driver", ""}, {"gpus", all}});
}

}  // namespace paceline::probe
