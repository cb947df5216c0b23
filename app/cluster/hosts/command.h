// One command on a host, to its end. Used by the thread that uses the host.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"

namespace paceline::hosts {

struct CommandResult {
  std::vector<std::string> lines;  // of stdout
  ProcessEnd end;
  std::string said() const;  // why it failed: the last line on stderr, else its exit code
};

struct CommandOptions {
  const std::string* input = nullptr;  // for its stdin
  double silenceSeconds = 120;         // without a line and without an end, then it counts as hung
  std::stop_token stop{};
};

// Throws Error{kHost}: it cannot be started, the connection is lost, it hangs; Error{kStopped} on request.
CommandResult runOn(Host& host, const std::vector<std::string>& command, const CommandOptions& options = {});

}  // namespace paceline::hosts
