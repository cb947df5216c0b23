// Judges a host's answers: pure functions from facts to lines of the check list, so that every sentence has a test. Any thread.
// No text of a host makes them throw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cluster/deploy/elf.h"
#include "app/cluster/check/host_check.h"

namespace paceline::check {

// What our programs want of a host.
struct CheckNeeds {
  std::string system;    // as `uname -s -m` says: "Linux x86_64"
  std::string paceline;  // our version
  std::string torch;     // that our worker was built with: "1.13.0"; "": not known, any will do
  deploy::ElfNeeds programs;     // of the C and C++ libraries
  std::int64_t programBytes = 0, bundleBytes = 0;  // room they take; 0: not known
  std::string bundleProblem;                       // why no bundle of libraries can be made here
  double localSpeed = 0;                           // of this computer, GFLOP/s; 0: not known
};

// One answer to `paceline-agent clock`: when we asked and heard (seconds since 1970 here) and what its clock said.
struct ClockSample {
  double askedHere = 0, host = 0, heardHere = 0;
};
struct ClockOffset {
  double seconds = 0;  // host minus here
  double error = 0;    // at most: half the shortest round trip
};
ClockOffset offsetOf(const std::vector<ClockSample>& samples);  // of the sample with the shortest round trip; none: 0 and 0

CheckLine plannedCheck(const std::string& id);  // waiting

// Bytes 1 to 255 as an argument, and as they came back.
CheckLine judgeQuoting(const std::string& sent, const std::string& received);
CheckLine judgeSystem(const CheckNeeds& needs, const std::string& uname);

// `probe`: the agent's JSON text. Lines libc, libstdcxx, libraries, disk, cpu, memory, gpu, interface, agent, in this order. `dataAddress`: where other
// hosts would look for it when the entry names none.
std::vector<CheckLine> judgeProbe(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& dataAddress, const std::string& probe);
bool needsBundle(const CheckNeeds& needs, const std::string& probe);  // its libraries do not do for our worker

CheckLine judgeClock(const ClockOffset& offset);
CheckLine judgeSpeed(const CheckNeeds& needs, const hosts::HostEntry& entry, const std::string& compute);
double speedOf(const std::string& compute);  // GFLOP/s of all threads; 0: no such answer

// Usable addresses for the runs' traffic in a probe: {"eth0", "10.0.0.5"}, loopback and link-local ones left out unless there are no others.
struct InterfaceAddress {
  std::string interface, address;
};
std::vector<InterfaceAddress> addressesIn(const std::string& probe);

}  // namespace paceline::check
