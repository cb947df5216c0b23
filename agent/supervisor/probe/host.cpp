// CPUs, disks, load and GPUs of this host.
#include "agent/supervisor/probe/probe.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/fd.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/dates.h"

namespace paceline::probe {
namespace {

const std::set<std::string> kFlags{"avx", "avx2", "fma", "avx512f", "amx_tile", "aes", "vaes", "asimd", "sve"};

// "model name : AMD EPYC", on ARM "Model" or nothing; flags are called "Features" there.
void readCpuInfo(const std::string& path, CpuFacts& facts) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - (colon > 0)) + 1);
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    const std::string value = begin == std::string::npos ? "" : line.substr(begin);
    if (facts.model.empty() && (key == "model name" || key == "Model")) facts.model = value;
    if (!facts.flags.empty() || (key != "flags" && key != "Features")) continue;
    std::istringstream words(value);
    for (std::string word; words >> word;)
      if (kFlags.contains(word)) facts.flags.push_back(word);
  }
}

bool readNumber(const std::string& path, double& value) {
  std::ifstream file(path);
  return static_cast<bool>(file >> value);  // "max" is no number: no limit
}

// A limit holds for everything below it, so the least on the way up to the mount counts. In a container our path may not exist: then its root.
template <class Read>
double leastUpwards(const std::string& mount, const std::string& group, Read read) {
  double least = std::numeric_limits<double>::infinity();
  std::string path = group;
  while (true) {
    least = std::min(least, read(mount + path));
    if (path.empty() || path == "/") return least;
    const std::size_t slash = path.rfind('/');
    path = slash == std::string::npos ? "" : path.substr(0, slash);
  }
}

double quotaV2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period && quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

double quotaV1(const std::string& folder) {
  double quota = 0, period = 0;
  const bool limited = readNumber(folder + "/cpu.cfs_quota_us", quota) && readNumber(folder + "/cpu.cfs_period_us", period);
  return limited && quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

double bytesIn(const std::string& file) {
  double value = 0;
  constexpr double kUnlimited = 1LL << 60;  // version 1 writes a huge number for "none"
  return readNumber(file, value) && value > 0 && value < kUnlimited ? value : std::numeric_limits<double>::infinity();
}

double memoryV2(const std::string& folder) { return bytesIn(folder + "/memory.max"); }
double memoryV1(const std::string& folder) { return bytesIn(folder + "/memory.limit_in_bytes"); }

void readGroups(const std::string& root, CpuFacts& facts) {
  const std::string mount = root + "/sys/fs/cgroup";
  double quota = std::numeric_limits<double>::infinity(), memory = quota;
  for (const auto& [controllers, path] : contain::ownCgroups(root)) {
    if (controllers.empty()) {
      quota = std::min(quota, leastUpwards(mount, path, quotaV2));
      memory = std::min(memory, leastUpwards(mount, path, memoryV2));
    }
    const std::string named = strCat(",", controllers, ",");
    if (named.find(",cpu,") != std::string::npos) quota = std::min(quota, leastUpwards(mount + "/cpu", path, quotaV1));
    if (named.find(",memory,") != std::string::npos) memory = std::min(memory, leastUpwards(mount + "/memory", path, memoryV1));
  }
  if (std::isfinite(quota)) facts.quota = quota;
  if (std::isfinite(memory)) facts.memoryLimitBytes = static_cast<std::int64_t>(memory);
}

int allowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

// The block device below a folder: quotas are asked of it by name.
std::string deviceOf(const std::string& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) return "";
  const std::string wanted = strCat(major(status.st_dev), ":", minor(status.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");  // "36 35 98:0 /root /mnt options ... - ext4 /dev/sda1 options"
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream head(line), tail(line.substr(dash + 3));
    std::string id, parent, number, type, device;
    head >> id >> parent >> number;
    tail >> type >> device;
    if (number == wanted && device.starts_with('/')) return device;
  }
  return "";
}

std::optional<std::int64_t> quotaLeft(const std::string& device) {
  dqblk quota{};
  if (device.empty() || ::quotactl(QCMD(Q_GETQUOTA, USRQUOTA), device.c_str(), static_cast<int>(::geteuid()), reinterpret_cast<caddr_t>(&quota)) != 0)
    return std::nullopt;
  constexpr std::uint32_t kBoth = QIF_BLIMITS | QIF_SPACE;
  const std::uint64_t limit = quota.dqb_bhardlimit != 0 ? quota.dqb_bhardlimit : quota.dqb_bsoftlimit;  // in KiB
  if ((quota.dqb_valid & kBoth) != kBoth || limit == 0) return std::nullopt;
  const std::uint64_t bytes = limit << 10;
  return bytes > quota.dqb_curspace ? static_cast<std::int64_t>(bytes - quota.dqb_curspace) : 0;
}

std::pair<std::int64_t, std::int64_t> ticksIn(const std::string& line) {  // busy, all; of a line "cpu 1 2 ..." or "cpu3 1 2 ..."
  std::istringstream words(line);
  std::string name;
  std::int64_t user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0;
  words >> name >> user >> nice >> system >> idle >> ioWait >> irq >> softIrq >> steal;
  const std::int64_t busy = user + nice + system + irq + softIrq + steal;
  return {busy, busy + idle + ioWait};
}

std::pair<std::int64_t, std::int64_t> cpuTicks() {  // of all CPUs: the first line
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  return ticksIn(line);
}

bool isAllowed(const std::string& line, const cpu_set_t& set) {  // "cpu3 ..."
  if (!line.starts_with("cpu")) return false;
  std::size_t cpu = 0;
  return std::from_chars(line.data() + 3, line.data() + line.size(), cpu).ec == std::errc() && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set);
}

void readMemory(HostLoad& load) {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t kib = 0, total = 0, available = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    fields >> key >> kib;
    if (key == "MemTotal:") total = kib;
    if (key == "MemAvailable:") available = kib;
  }
  load.memoryTotalBytes = total * 1024;
  load.memoryUsedBytes = (total - available) * 1024;
}

void readNetwork(HostLoad& load) {
  std::ifstream file("/proc/net/dev");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;  // the two lines of headings
    std::istringstream fields(line.substr(colon + 1));
    std::int64_t received = 0, skipped = 0, sent = 0;
    fields >> received;
    for (int i = 0; i < 7; ++i) fields >> skipped;
    fields >> sent;
    load.networkReceivedBytes += received;
    load.networkSentBytes += sent;
  }
}

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

CpuFacts cpuFacts(const std::string& root) {
  CpuFacts facts;
  readCpuInfo(root + "/proc/cpuinfo", facts);
  facts.installed = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  facts.allowed = allowedCpus();
  readGroups(root, facts);
  facts.usable = facts.allowed > 0 ? facts.allowed : facts.installed;
  if (facts.quota > 0) facts.usable = std::min(facts.usable, static_cast<int>(std::ceil(facts.quota)));
  facts.usable = std::max(facts.usable, 1);
  return facts;
}

CpuTimes cpuTimes(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  timespec own{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  CpuTimes times{.at = steadySeconds(), .own = static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec)};
  const auto ticksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::ifstream file(root + "/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (!isAllowed(line, set)) continue;
    const auto [busy, all] = ticksIn(line);
    times.busy += static_cast<double>(busy) / ticksPerSecond;
    times.all += static_cast<double>(all) / ticksPerSecond;
  }
  return times;
}

std::optional<double> othersBetween(const CpuTimes& before, const CpuTimes& after) {
  const double seconds = after.at - before.at;
  if (seconds <= 0 || after.all <= before.all) return std::nullopt;
  return std::max(0.0, ((after.busy - before.busy) - (after.own - before.own)) / seconds);
}

DiskFacts diskFacts(const std::string& folder) {
  DiskFacts facts;
  std::error_code error;
  std::filesystem::path existing = folder;
  while (!std::filesystem::is_directory(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
  facts.folder = existing.string();
  struct statvfs disk{};
  if (::statvfs(facts.folder.c_str(), &disk) != 0) return facts;
  facts.totalBytes = static_cast<std::int64_t>(disk.f_blocks) * static_cast<std::int64_t>(disk.f_frsize);
  facts.freeBytes = static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  facts.quotaFreeBytes = quotaLeft(deviceOf(facts.folder));
  return facts;
}

std::string defaultCacheFolder() {
  const std::string cache = userCacheFolder();
  return cache.empty() ? "" : cache + "/paceline";
}

HostLoadMeter::HostLoadMeter() { std::tie(busy_, all_) = cpuTicks(); }

HostLoad HostLoadMeter::measure() {
  HostLoad load{.t = recordDates().now()};
  const auto [busy, all] = cpuTicks();
  if (all > all_) load.cpu = static_cast<double>(busy - busy_) / static_cast<double>(all - all_);
  std::tie(busy_, all_) = std::pair(busy, all);
  readMemory(load);
  readNetwork(load);
  return load;
}

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
