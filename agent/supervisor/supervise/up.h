// Reaching the supervisor from a command: connect, or start one first. All throw Error{kHost, kFile}.
#pragma once

#include <optional>
#include <string>

#include "agent/supervisor/agent_paths.h"
#include "agent/supervisor/fd.h"

namespace paceline::supervise {

// A supervisor runs when this returns: this process's background child, or one that was there. Races are settled by a lock.
// The greeting of the supervisor is returned with the connection.
struct Connection {
  Fd socket;
  std::string greeting;  // without the newline
};
Connection connectOrStart(const AgentPaths& paths);
std::optional<Connection> connectToRunning(const AgentPaths& paths);  // nullopt: none listens, or it is just going

// stdin -> supervisor -> stdout until the supervisor goes; after the end of stdin it answers what was asked, then closes. What the
// supervisor said last is given up when nobody takes any of it for 15 s (the other end of a lost connection).
void bridge(const Connection& connection);

// One request line, its reply line. Throws when none comes within a minute.
std::string ask(const Connection& connection, const std::string& request);

double idleSeconds();  // $PACELINE_AGENT_IDLE_S, else 60

}  // namespace paceline::supervise
