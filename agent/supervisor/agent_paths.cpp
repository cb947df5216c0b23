#include "agent/supervisor/agent_paths.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline {
namespace {

std::string hostLabel() {  // up to the first dot, as a socket's path must be short
  utsname name{};
  ::uname(&name);
  const std::string full = name.nodename, label = full.substr(0, full.find('.'));
  return label.empty() || label.find('/') != std::string::npos ? "host" : label;
}

std::string chosenFolder() {
  if (const std::string own = environment("PACELINE_AGENT_DIR"); !own.empty()) return std::filesystem::absolute(own).string();
  const std::string host = hostLabel();
  if (const std::string cache = environment("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/paceline/agent/" + host;
  const std::string home = environment("HOME");
  if (home.empty()) throw Error(Errc::kHost, "neither PACELINE_AGENT_DIR, XDG_CACHE_HOME nor HOME is set");
  return home + "/.cache/paceline/agent/" + host;
}

void makePrivate(const std::string& folder) {
  std::error_code error;
  const auto parent = std::filesystem::path(folder).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(Errc::kHost, strCat("cannot make the agent's folder ", folder, ": ", std::strerror(errno)));
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw Error(Errc::kHost, strCat("the agent's folder ", folder, " is not a folder"));
  if (status.st_uid != ::geteuid())
    throw Error(Errc::kHost, strCat("the agent's folder ", folder, " belongs to user ", status.st_uid, ", not to ", ::geteuid()));
  if ((status.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
    throw Error(Errc::kHost, strCat("cannot make the agent's folder ", folder, " private: ", std::strerror(errno)));
}

}  // namespace

sockaddr_un AgentPaths::socketAddress() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.c_str(), socket.size() + 1);  // agentPaths() checked that it fits
  return address;
}

AgentPaths agentPaths() {
  const std::string folder = chosenFolder();
  AgentPaths paths{.folder = folder,
                   .socket = folder + "/agent.sock",
                   .pidFile = folder + "/agent.pid",
                   .lockFile = folder + "/agent.lock",
                   .upLock = folder + "/up.lock",
                   .logFile = folder + "/agent.log",
                   .runs = folder + "/runs",
                   .checkpoints = folder + "/checkpoints"};
  constexpr std::size_t kLimit = sizeof(sockaddr_un::sun_path) - 1;
  if (paths.socket.size() > kLimit)
    throw Error(Errc::kHost, strCat("the socket's path ", paths.socket, " has ", paths.socket.size(), " bytes, more than the ", kLimit,
                                    " a Unix socket can have; set PACELINE_AGENT_DIR to a shorter folder"));
  makePrivate(folder);
  makePrivate(paths.runs);
  return paths;
}

}  // namespace paceline
