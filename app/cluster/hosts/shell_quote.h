// The one way from an argument list to the text that a login shell on the other side gets. Pure, any thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/cluster/hosts/host.h"

namespace paceline::hosts {

// One word, taken literally by sh, bash, dash, ksh, zsh and fish whatever its bytes 1..255 are (by csh too, if it has no newline).
// Throws Error{kUsage} for a NUL.
std::string shellQuote(std::string_view word);

// `exec env NAME=VALUE... program arguments...`: exec, so that signals and exit codes are the program's own.
std::string shellCommand(const std::vector<std::string>& command, const std::map<std::string, std::string>& env = {});

// Sends every byte to `host` and back. "" when all arrive, else a sentence that says what to change.
std::string quotingProblem(Host& host);

}  // namespace paceline::hosts
