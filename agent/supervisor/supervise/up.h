// Where this user's supervisor lives, and reaching it from a command: connect, or start one first. All throw Error{kHost, kFile}.
#pragma once

#include <sys/un.h>

#include <functional>
#include <optional>
#include <string>

#include "agent/supervisor/fd.h"

namespace paceline {

// $PACELINE_AGENT_DIR, else paceline/agent/HOST below $XDG_CACHE_HOME or ~/.cache. By host, because homes are often shared between hosts; not
// $XDG_RUNTIME_DIR, because that is deleted with its spools when the user's last session ends.
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

namespace paceline::supervise {

struct Connection {
  Fd socket;
  std::string greeting;  // of the supervisor, without the newline
};
// A supervisor runs when this returns: this process's background child, or one that was there. Races are settled by a lock.
Connection connectOrStart(const AgentPaths& paths);
std::optional<Connection> connectToRunning(const AgentPaths& paths);  // nullopt: none listens, or it is just going

// stdin -> supervisor -> stdout until the supervisor goes; after the end of stdin it answers what was asked, then closes. What the
// supervisor said last is given up when nobody takes any of it for 15 s (the other end of a lost connection).
void bridge(const Connection& connection);

// One request line, its reply line. Throws when none comes within a minute.
std::string ask(const Connection& connection, const std::string& request);

// Is the supervisor until it ends; its exit code. `tell` gets "ready", or why it cannot be one.
int superviseHere(const AgentPaths& paths, const std::function<void(const std::string&)>& tell);

}  // namespace paceline::supervise
