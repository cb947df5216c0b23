// CPUs and memory that a process of ours may use, as /proc and the control groups say. Never throws; odd files count as absent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paceline::probe {

struct CpuFacts {
  std::string model;               // "AMD EPYC 9354"; "": not said
  std::vector<std::string> flags;  // of those that matter to us: avx, avx2, fma, avx512f, aes, vaes, asimd
  int installed = 0, allowed = 0;  // online; of those, in our affinity mask
  double quota = 0;                // CPUs worth of time that the control groups grant; 0: no limit
  int usable = 0;                  // threads worth starting: the least of the above, at least 1
  std::int64_t memoryLimitBytes = 0;  // of our control groups; 0: no limit
};

CpuFacts cpuFacts(const std::string& root = "");  // root: "" or a folder with proc/ and sys/ of a test

}  // namespace paceline::probe
