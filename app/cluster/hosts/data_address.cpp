#include "app/cluster/hosts/data_address.h"

#include <arpa/inet.h>
#include <netdb.h>

namespace paceline::hosts {
namespace {

// The IP that a name stands for; "": none, or it needs ~/.ssh/config to be understood.
std::string resolved(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (name.empty() || ::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return "";
  char text[INET6_ADDRSTRLEN] = "";
  const int failed = ::getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  ::freeaddrinfo(found);
  return failed == 0 ? text : "";
}

}  // namespace

std::string dataAddressOf(const HostEntry& entry) {
  if (!entry.dataAddress.empty() || entry.name == "local") return entry.dataAddress;
  return entry.kind == "local" ? "127.0.0.1" : resolved(entry.address);
}

}  // namespace paceline::hosts
