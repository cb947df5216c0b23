// Bounds of this process, for code that a user brings: what goes beyond them is an error of the call that asks for it, or this process's end.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>

namespace paceline {

struct ProcessLimits {
  std::int64_t memoryBytes = 0;  // beside what it has mapped now; 0: none
  int cpuSeconds = 0;            // of all threads; 0: none
  std::int64_t fileBytes = -1;   // of a file that it writes; -1: none
};

inline std::int64_t machineMemoryBytes() { return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE); }

inline std::int64_t mappedBytes() {  // of this process; 0: not known
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long long pages = 0;
  const bool read = std::fscanf(file, "%lld", &pages) == 1;
  std::fclose(file);
  return read ? pages * ::sysconf(_SC_PAGESIZE) : 0;
}

// The one sentence of a process whose time is over, from a signal's handler.
inline std::string timeIsOver;
inline void sayTimeIsOver(int) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, timeIsOver.data(), timeIsOver.size());
  ::_exit(1);
}

inline void limitThisProcess(const ProcessLimits& limits) {
  const auto lower = [](auto what, std::int64_t most) {
    rlimit now{};
    if (::getrlimit(what, &now) != 0) return;
    now.rlim_cur = std::min<rlim_t>(now.rlim_cur, static_cast<rlim_t>(most));
    (void)::setrlimit(what, &now);
  };
  if (limits.memoryBytes > 0) lower(RLIMIT_AS, mappedBytes() + limits.memoryBytes);
  if (limits.cpuSeconds > 0) {
    timeIsOver = "paceline-worker: the model file took more CPU time than it may, " + std::to_string(limits.cpuSeconds) + " s: it may never end\n";
    std::signal(SIGXCPU, &sayTimeIsOver);
    lower(RLIMIT_CPU, limits.cpuSeconds);
  }
  if (limits.fileBytes >= 0) lower(RLIMIT_FSIZE, limits.fileBytes);
}

inline void mayWriteFilesAgain() {
  rlimit now{};
  if (::getrlimit(RLIMIT_FSIZE, &now) != 0) return;
  now.rlim_cur = now.rlim_max;
  (void)::setrlimit(RLIMIT_FSIZE, &now);
}

}  // namespace paceline
