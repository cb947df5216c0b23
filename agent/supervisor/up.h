// Reaching the supervisor from a command: connect, or start one first. All throw Error{kHost, kFile}.
#pragma once

#include <string>

#include "agent/supervisor/agent_paths.h"
#include "agent/supervisor/fd.h"

namespace paceline {

// A supervisor runs when this returns: this process's background child, or one that was there. Races are settled by a lock.
// The greeting of the supervisor is returned with the connection.
struct Connection {
  Fd socket;
  std::string greeting;  // without the newline
};
Connection connectOrStart(const AgentPaths& paths);

// stdin -> supervisor -> stdout until the supervisor goes; after the end of stdin it answers what was asked, then closes.
void bridge(const Connection& connection);

double idleSeconds();  // $PACELINE_AGENT_IDLE_S, else 60

}  // namespace paceline
