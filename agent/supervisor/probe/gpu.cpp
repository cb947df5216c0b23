#include "agent/supervisor/probe/facts.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::probe {
namespace {

using Json = nlohmann::json;


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
      all.push_back({{"index", i}, {"name", name}, {"uuid", uuid}, {"memory_bytes", memory.total}, {"memory_free_bytes", memory.free}});
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
  // A fixed text: nothing in it comes from outside.
  constexpr const char* kCommand =
      "exec nvidia-smi --query-gpu=index,name,uuid,memory.total,memory.free,driver_version --format=csv,noheader,nounits";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(kCommand, "r"), &::pclose);
  if (!output) throw Error(Errc::kHost, "nvidia-smi cannot be started");
  std::string text;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, output.get())) text.append(buffer, got);
  Json all = Json::array();
  std::string driver;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cell = cells(line);
    if (cell.size() != 6) continue;  // "No devices were found"
    all.push_back({{"index", std::atoi(cell[0].c_str())},
                   {"name", cell[1]},
                   {"uuid", cell[2]},
                   {"memory_bytes", mebibytes(cell[3])},
                   {"memory_free_bytes", mebibytes(cell[4])}});
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
    Json gpu = {{"name", "NVIDIA GPU"}, {"uuid", ""}, {"memory_bytes", 0}, {"memory_free_bytes", 0}};
    for (std::string line; std::getline(file, line);) {
      const std::size_t colon = line.find(':'), begin = line.find_first_not_of(" \t", colon == std::string::npos ? colon : colon + 1);
      if (begin == std::string::npos) continue;
      if (line.starts_with("Model")) gpu["name"] = line.substr(begin);
      if (line.starts_with("GPU UUID")) gpu["uuid"] = line.substr(begin);
    }
    all.push_back(gpu);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i]["index"] = i;
  return dumped(Json{{"source", all.empty() ? "none" : "proc"}, {"driver", ""}, {"gpus", all}});
}

}  // namespace paceline::probe
