// TCP connections for SSH sessions: within a time limit, and with the reason when there is none.
#pragma once

#include <string>

#include "engine/core/base/steady_seconds.h"

namespace paceline::ssh {

// "10.0.0.5:22", "[::1]:22".
std::string endpoint(const std::string& host, int port);

// A connected, non-blocking socket without Nagle's algorithm; the caller closes it. Tries every address of the name. Throws SshError{kReach}:
// `gpu1: "gpu1.lab" is not known to the name service; ...`, `gpu1: 10.0.0.5:22 refuses connections: ...`.
int connectTcp(const std::string& name, const std::string& host, int port, double seconds, double deadLinkSeconds);

// Waits until `fd` can be read (or written, where wanted); false: not within `seconds`.
bool waitReadable(int fd, double seconds, bool orWritable = false);

}  // namespace paceline::ssh
