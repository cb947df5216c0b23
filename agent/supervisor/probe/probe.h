// This host's hardware and software as one JSON object for the desktop. Never throws; what cannot be read is absent, null or 0, and
// "problems" says why. Never hangs: every part has its seconds. For programs with one thread: it forks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/record/event.h"

namespace paceline::probe {

std::string probeJson();
int activeRuns();  // of this user's supervisor; none is started for it, and one that does not answer has none

// Parts: questions that may hang or crash (drivers, dead network file systems, odd /proc), each asked in a process of its own, all at once.
struct ProbePart {
  std::string name;
  double seconds = 0;                 // then the process and what it started are killed
  std::function<std::string()> answer;  // runs in the child; what it throws is its problem; at most 1 MiB
};

struct PartAnswer {
  std::string text;     // "" when there is a problem
  std::string problem;  // "no answer within 3 s", "killed by signal 11", what was thrown; "" when good
};

// Returns when all have answered or run out of time. A child that cannot even be killed (a dead file system) is left to the kernel; it holds
// none of our stdin, stdout and stderr, so that nobody waits for it.
std::map<std::string, PartAnswer> askParts(const std::vector<ProbePart>& parts);

// CPUs and memory that a process of ours may use, as /proc and the control groups say. Never throws; odd files count as absent.
struct CpuFacts {
  std::string model;               // "AMD EPYC 9354"; "": not said
  std::vector<std::string> flags;  // of those that matter to us: avx, avx2, fma, avx512f, aes, vaes, asimd
  int installed = 0, allowed = 0;  // online; of those, in our affinity mask
  double quota = 0;                // CPUs worth of time that the control groups grant; 0: no limit
  int usable = 0;                  // threads worth starting: the least of the above, at least 1
  std::int64_t memoryLimitBytes = 0;  // of our control groups; 0: no limit
};

CpuFacts cpuFacts(const std::string& root = "");  // root: "" or a folder with proc/ and sys/ of a test

// Of the CPUs in our affinity mask, for what others do on them while we measure.
struct CpuTimes {
  double at = 0;              // steady seconds
  double busy = 0, all = 0;   // CPU seconds since boot, all of them together; all 0: /proc/stat does not say
  double own = 0;             // CPU seconds of this process
};
CpuTimes cpuTimes(const std::string& root = "");

// CPUs' worth of time that other processes took (and other virtual machines from ours); nullopt: /proc/stat does not say.
std::optional<double> othersBetween(const CpuTimes& before, const CpuTimes& after);

// Room on a file system, as far as this user may use it. May hang on a dead network file system: call it in a part of the probe.
struct DiskFacts {
  std::string folder;               // the nearest one above the wanted that exists
  std::int64_t totalBytes = 0, freeBytes = 0;
  std::optional<std::int64_t> quotaFreeBytes;  // nullopt: the file system knows no quota of this user
  std::int64_t usable() const { return quotaFreeBytes && *quotaFreeBytes < freeBytes ? *quotaFreeBytes : freeBytes; }
};

DiskFacts diskFacts(const std::string& folder);  // of a file that would be made in it; 0 where nothing can be read
std::string defaultCacheFolder();                // ${XDG_CACHE_HOME:-$HOME/.cache}/paceline; "": neither is set

// NVIDIA's GPUs of this host as JSON text: {"source": "nvml", "driver": "550.54", "gpus": [{"index", "name", "uuid", "memory_bytes",
// "memory_free_bytes"}]}.
// All three ask a driver that may hang or bring the process down: call them in a part of the probe (askParts) only.
// They throw Error{kHost} with the reason when they find no way to ask.
std::string gpusFromNvml();       // libnvidia-ml.so.1, opened at run time
std::string gpusFromNvidiaSmi();  // the program, found through PATH
std::string gpusFromProc(const std::string& folder = "/proc/driver/nvidia");  // names only: memory is 0; no folder: no GPUs

// Load of this machine from /proc/stat, /proc/meminfo and /proc/net/dev. One thread; what cannot be read stays 0.
class HostLoadMeter {
 public:
  HostLoadMeter();     // the first measure() counts from here
  HostLoad measure();  // cpu: since the last call

 private:
  std::int64_t busy_ = 0, all_ = 0;  // clock ticks of all cores
};

// Which C, C++ and torch libraries this host has, read from their files: the agent is linked statically, so its own say nothing about the host.
// Never throws; what is not found is empty.
struct LibraryFacts {
  std::string libcFile, libc;             // "2.36"; "musl" where that is the C library
  std::string libstdcxxFile, glibcxx, cxxabi;  // highest version: "3.4.30", "1.3.13"
  std::string torchFile, torch;           // "1.13.1"; "" version: its files do not say
};

LibraryFacts libraryFacts(const std::string& root = "");  // root: "" or a folder with etc/, usr/ ... of a test

// Parts, for tests. Highest X in "PREFIX" "X" of all strings in the file, X being digits and dots.
std::string highestVersionIn(const std::string& file, const std::string& prefix);
std::string libcVersionOf(const std::string& file);  // its banner's, else its highest GLIBC_ symbol's
bool isOurElf(const std::string& file);              // 64 bit, of this program's architecture

// How fast this host multiplies matrices in fp32, the work that training consists of: blocks that stay in the second-level cache, with the widest
// vectors the CPU has. A number to compare hosts by, not the peak of a tuned BLAS.
// What `paceline-agent compute SECONDS` prints (agent/README.md): the speed, and what else the host did meanwhile.
// One thread for half the time, then one per usable CPU. 0.1 to 60 s; throws Error{kUsage} otherwise.
std::string computeJson(const std::string& seconds);

// For tests: the kernels that this CPU can run, and their product of the benchmark's matrices, row by row; "plain" is the textbook's loop.
std::vector<std::string> computeKernels();
std::vector<float> computeProduct(const std::string& kernel);

}  // namespace paceline::probe
