// Addresses that a wire may listen on, as ZeroMQ writes them. Pure; throws Error{kHost}.
#pragma once

#include <algorithm>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "engine/core/base/error.h"

namespace paceline::zeromq {

inline std::string nodeName(int node) { return strCat("n", node); }

inline bool isPrivate(const std::string& address) { return address.starts_with("ipc://"); }  // never leaves this host

inline bool isAny(const in6_addr& address) {
  return IN6_IS_ADDR_UNSPECIFIED(&address) || (IN6_IS_ADDR_V4MAPPED(&address) && std::all_of(address.s6_addr + 12, address.s6_addr + 16, [](auto b) { return b == 0; }));
}

// "127.0.0.1", "10.0.0.5", "fd00::1": an ephemeral port there. "ipc:///dir": a socket named after the node in that directory. Names and
// addresses that mean every interface (0.0.0.0, ::, *) are refused: nothing of a run listens where nobody chose it to.
inline std::string bindAddress(const std::string& address, int node) {
  if (isPrivate(address)) return strCat(address, "/", nodeName(node), ".sock");
  const std::string bare = address.starts_with('[') && address.ends_with(']') ? address.substr(1, address.size() - 2) : address;
  in_addr four{};
  in6_addr six{};
  const bool isFour = inet_pton(AF_INET, bare.c_str(), &four) == 1;
  const bool isSix = !isFour && inet_pton(AF_INET6, bare.substr(0, bare.find('%')).c_str(), &six) == 1;
  if (!isFour && !isSix)
    throw Error(Errc::kHost, strCat("cannot listen on \"", address, "\": give the IP address of one of this host's interfaces, or ipc"));
  if (isFour ? four.s_addr == INADDR_ANY : isAny(six))
    throw Error(Errc::kHost, strCat("cannot listen on ", address, ": that is every interface of this host; choose the address of one"));
  return isFour ? strCat("tcp://", bare, ":*") : strCat("tcp://[", bare, "]:*");
}

}  // namespace paceline::zeromq
