// Where this user's supervisor lives: $PACELINE_AGENT_DIR, else paceline/agent/HOST below $XDG_CACHE_HOME or ~/.cache. By host, because
// homes are often shared between hosts; not $XDG_RUNTIME_DIR, because that is deleted with its spools when the user's last session ends.
#pragma once

#include <sys/un.h>

#include <string>

namespace paceline {

struct AgentPaths {
  std::string folder;    // 0700, ours
  std::string socket;    // of the supervisor
  std::string pidFile;   // "PID START_TIME\n" of the supervisor
  std::string lockFile;  // held (flock) by the supervisor as long as it lives
  std::string upLock;    // held while somebody starts one
  std::string logFile;   // the supervisor's stderr
  std::string runs;      // one folder per run: run.json and one spool per node
  std::string checkpoints;  // one folder per run, in it one per node; they stay when the run is forgotten

  sockaddr_un socketAddress() const;
};

AgentPaths agentPaths();  // makes the folders; throws Error{kHost}: not ours, cannot be made, too long for a socket

}  // namespace paceline
