// Descriptors, pipes and child processes (engine/core/base/fd.h), and programs that are run to their end.
#pragma once

#include <map>
#include <string>

#include "engine/core/base/fd.h"

namespace paceline {

// What a program said that was run to its end. For short ones that may hang. Any thread.
struct Captured {
  int code = 0;  // 128 + signal; 127: cannot be started (then `errors` says why)
  std::string output, errors;
};

// `env` is added to ours; runs in /. Killed after `seconds` (code 137). At most 64 MiB of output are kept.
Captured captured(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, double seconds);

}  // namespace paceline
