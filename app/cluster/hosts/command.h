// One command on a host, to its end. Used by the thread that uses the host.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/cluster/hosts/host.h"

namespace paceline::hosts {

struct CommandResult {
  std::vector<std::string> lines;  // of stdout
  ProcessEnd end;
  std::string text() const;  // its lines, newlines between them
  std::string said() const;  // why it failed: the last line on stderr, else its exit code
};

struct CommandOptions {
  const std::string* input = nullptr;  // for its stdin
  double silenceSeconds = 120;         // without a line and without an end, then it counts as hung
  std::stop_token stop{};
};

// Throws Error{kHost}: it cannot be started, the connection is lost, it hangs; Error{kStopped} on request.
CommandResult runOn(Host& host, const std::vector<std::string>& command, const CommandOptions& options = {});

// The one way from an argument list to the text that a login shell on the other side gets. Pure, any thread.
// One word, taken literally by sh, bash, dash, ksh, zsh and fish whatever its bytes 1..255 are (by csh too, if it has no newline).
// Throws Error{kUsage} for a NUL.
std::string shellQuote(std::string_view word);

// `exec env NAME=VALUE... program arguments...`: exec, so that signals and exit codes are the program's own.
std::string shellCommand(const std::vector<std::string>& command, const std::map<std::string, std::string>& env = {});

}  // namespace paceline::hosts
