// This host's hardware and software as one JSON object for the desktop. Never throws; what cannot be read is absent, null or 0, and
// "problems" says why. Never hangs: every part has its seconds. For programs with one thread: it forks.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace paceline::probe {

std::string probeJson();

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

}  // namespace paceline::probe
