// A program run to its end, its stdout and stderr taken. For short ones that may hang. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace paceline {

struct Captured {
  int code = 0;  // 128 + signal; 127: cannot be started (then `errors` says why)
  std::string output, errors;
};

// `env` is added to ours; runs in /. Killed after `seconds` (code 137). At most 64 MiB of output are kept.
Captured captured(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, double seconds);

}  // namespace paceline
