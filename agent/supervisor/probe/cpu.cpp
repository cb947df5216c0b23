#include "agent/supervisor/probe/facts.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "engine/core/base/error.h"

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

}  // namespace paceline::probe
