// CPUs, disks and load of this host.
#include "agent/supervisor/probe/facts.h"

#include <sched.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

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
  std::ifstream groups(root + "/proc/self/cgroup");  // "0::/path" is version 2, "4:cpu,cpuacct:/path" version 1
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = strCat(",", line.substr(first + 1, second - first - 1), ","), path = line.substr(second + 1);
    if (controllers == ",,") {
      quota = std::min(quota, leastUpwards(mount, path, quotaV2));
      memory = std::min(memory, leastUpwards(mount, path, memoryV2));
    }
    if (controllers.find(",cpu,") != std::string::npos) quota = std::min(quota, leastUpwards(mount + "/cpu", path, quotaV1));
    if (controllers.find(",memory,") != std::string::npos)
      memory = std::min(memory, leastUpwards(mount + "/memory", path, memoryV1));
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

std::pair<std::int64_t, std::int64_t> cpuTicks() {  // busy, all
  std::ifstream file("/proc/stat");
  std::string name;
  std::int64_t user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0;
  file >> name >> user >> nice >> system >> idle >> ioWait >> irq >> softIrq >> steal;
  const std::int64_t busy = user + nice + system + irq + softIrq + steal;
  return {busy, busy + idle + ioWait};
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
  HostLoad load{.t = unixNow()};
  const auto [busy, all] = cpuTicks();
  if (all > all_) load.cpu = static_cast<double>(busy - busy_) / static_cast<double>(all - all_);
  std::tie(busy_, all_) = std::pair(busy, all);
  readMemory(load);
  readNetwork(load);
  return load;
}

}  // namespace paceline::probe
