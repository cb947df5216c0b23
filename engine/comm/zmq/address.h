// Addresses that a wire may listen on, as ZeroMQ writes them. Pure; throws Error{kHost}.
#pragma once

#include <string>

namespace paceline::zeromq {

// "127.0.0.1", "10.0.0.5", "fd00::1": an ephemeral port there. "ipc:///dir": a socket named after the node in that directory. Names and
// addresses that mean every interface (0.0.0.0, ::, *) are refused: nothing of a run listens where nobody chose it to.
std::string bindAddress(const std::string& address, int node);
bool isPrivate(const std::string& address);  // never leaves this host: ipc

std::string nodeName(int node);  // "n3"

}  // namespace paceline::zeromq
