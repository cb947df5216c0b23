#include "agent/supervisor/probe.h"

#include <arpa/inet.h>
#include <gnu/libc-version.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sched.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "agent/supervisor/host_load.h"
#include "agent/supervisor/watch.h"

namespace paceline {
namespace {

using Json = nlohmann::json;

std::string osName() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("PRETTY_NAME=")) {
      const std::string value = line.substr(12);
      return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
    }
  return "Linux";
}

Json interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return Json::array();
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(first, &::freeifaddrs);
  std::map<std::string, Json> byName;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    Json& found = byName[entry->ifa_name];
    if (found.is_null())
      found = {{"name", entry->ifa_name},
               {"up", (entry->ifa_flags & IFF_UP) != 0},
               {"loopback", (entry->ifa_flags & IFF_LOOPBACK) != 0},
               {"addresses", Json::array()}};
    char text[INET6_ADDRSTRLEN] = "";
    const int family = entry->ifa_addr == nullptr ? AF_UNSPEC : entry->ifa_addr->sa_family;
    if (family == AF_INET) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
    if (family == AF_INET6) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr, text, sizeof text);
    if (*text != '\0') found["addresses"].push_back(text);
  }
  Json all = Json::array();
  for (auto& [name, found] : byName) all.push_back(std::move(found));
  return all;
}

// The file that a worker would be linked to, without loading it: that would take half a second.
Json torchLibrary() {
  std::vector<std::string> folders;
  if (const char* paths = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream list(paths);
    for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder);
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/libtorch/lib"})
    folders.emplace_back(folder);
  for (const std::string& folder : folders) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().filename().string().starts_with("libtorch_cpu.so"))
        return std::filesystem::canonical(entry.path(), ignored).string();
  }
  return nullptr;
}

int usableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

}  // namespace

std::string probeJson(const std::string& folder) {
  utsname name{};
  ::uname(&name);
  HostLoadMeter meter;
  const HostLoad load = meter.measure();
  struct statvfs disk{};
  ::statvfs(folder.c_str(), &disk);
  const Json json = {{"paceline", PACELINE_VERSION},
                     {"hostname", name.nodename},
                     {"os", osName()},
                     {"kernel", name.release},
                     {"arch", name.machine},
                     {"libc", gnu_get_libc_version()},
                     {"cpus", usableCpus()},
                     {"cpus_installed", ::sysconf(_SC_NPROCESSORS_ONLN)},
                     {"memory_total_bytes", load.memoryTotalBytes},
                     {"memory_free_bytes", load.memoryTotalBytes - load.memoryUsedBytes},
                     {"disk_free_bytes", static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize)},
                     {"agent_folder", folder},
                     {"interfaces", interfaces()},
                     {"torch_library", torchLibrary()},
                     {"clock", {{"unix_s", unixNow()}, {"monotonic_s", steadySeconds()}}}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace paceline
