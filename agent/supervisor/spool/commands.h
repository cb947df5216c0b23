// `paceline-agent spools` and `paceline-agent forget`: asked of the supervisor, which is started when none runs (and ends when idle).
// Throw Error{kHost, kFile}.
#pragma once

#include <string>

#include "agent/supervisor/agent_paths.h"

namespace paceline::spool {

std::string spoolsJson(const AgentPaths& paths);                              // spool_use.h
std::string dropCheckpoints(const AgentPaths& paths, const std::string& run);  // {"freed_bytes": n}; none is no error
std::string forgetRuns(const AgentPaths& paths, const std::string& runOrEnded);  // a run, or "--ended": {"runs": [...], "freed_bytes": n}

}  // namespace paceline::spool
