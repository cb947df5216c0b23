// Which TCP addresses processes listen on, read from /proc.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace paceline::tests {

std::vector<pid_t> childrenOf(pid_t parent);

// Addresses as text ("127.0.0.1", "::1"), one for each listening TCP socket of that process.
std::vector<std::string> listeningAddresses(pid_t process);
bool isEveryInterface(const std::string& address);  // "0.0.0.0", "::", "::ffff:0.0.0.0"

}  // namespace paceline::tests
