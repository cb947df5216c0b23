// Disk space of the runs' spools on this host, and its release. Throws Error{kFile, kHost}.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agent/supervisor/agent_paths.h"

namespace paceline::spool {

struct SpoolUse {
  std::string run;
  std::int64_t bytes = 0;
  bool active = false;
  std::string endedUtc;  // when the last record was written, "2026-01-31T12:00:00Z"; "": active
};

// One for each folder below `runsFolder`, readable or not.
std::vector<SpoolUse> spoolUse(const std::string& runsFolder, const std::function<bool(const std::string& run)>& active);
std::string toJson(const std::vector<SpoolUse>& uses);  // {"runs": [{"run", "bytes", "active", "ended_utc"}], "bytes"}

// `paceline-agent spools` and `paceline-agent forget`: asked of the supervisor, which is started when none runs (and ends when idle).
// Throw Error{kHost, kFile}.
std::string spoolsJson(const AgentPaths& paths);                              // spool_use.h
std::string dropCheckpoints(const AgentPaths& paths, const std::string& run);  // {"freed_bytes": n}; none is no error
std::string forgetRuns(const AgentPaths& paths, const std::string& runOrEnded);  // a run, or "--ended": {"runs": [...], "freed_bytes": n}

}  // namespace paceline::spool
