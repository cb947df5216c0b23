// The name of the network interface that has an IP address: "lo" for 127.0.0.1. "": none has it. For libraries that are told where to listen by that name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

namespace paceline {

inline std::string interfaceAt(std::string_view address) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return "";
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(first, &::freeifaddrs);
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    char text[INET6_ADDRSTRLEN] = "";
    const int family = entry->ifa_addr == nullptr ? AF_UNSPEC : entry->ifa_addr->sa_family;
    if (family == AF_INET) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
    if (family == AF_INET6) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr, text, sizeof text);
    if (*text != '\0' && address == text) return entry->ifa_name;
  }
  return "";
}

}  // namespace paceline
