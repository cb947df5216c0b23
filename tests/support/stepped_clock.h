// Sets the wall clock of single programs, as a user or ntpd sets that of a computer; the steady clock goes on. A program obeys when stepped_clock.cpp
// is one of its sources or is preloaded, with all its libraries. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace paceline::tests {

// The seconds by which the wall clocks of programs with this variable are off: a file with one std::int64_t, looked at whenever the time is asked for.
inline constexpr const char* kClockStepVariable = "PACELINE_TEST_CLOCK_STEP";

// Writes such a file, and as often as it likes; not while it is made may a program read it.
class ClockStep {
 public:
  explicit ClockStep(std::string path);  // 0 s; fails the process when it cannot
  ~ClockStep();
  ClockStep(const ClockStep&) = delete;
  ClockStep& operator=(const ClockStep&) = delete;
  void set(std::int64_t seconds);  // not on top of what was set before
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::int64_t* seconds_;
};

void stepOwnClock(std::int64_t seconds);  // that of this process

}  // namespace paceline::tests
