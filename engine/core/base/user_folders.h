// The environment of this process, and this user's folders in it by the XDG Base Directory rules. Any thread, while nobody changes the environment.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace paceline {

inline std::string environment(const char* name) {  // "": not set
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline std::string userFolder(const char* variable, const char* belowHome) {
  if (std::string given = environment(variable); !given.empty()) return given;
  const std::string home = environment("HOME");
  return home.empty() ? "" : home + belowHome;
}

// What is below them is ours to name; "": neither the variable nor HOME is set.
inline std::string userCacheFolder() { return userFolder("XDG_CACHE_HOME", "/.cache"); }
inline std::string userConfigFolder() { return userFolder("XDG_CONFIG_HOME", "/.config"); }
inline std::string userDataFolder() { return userFolder("XDG_DATA_HOME", "/.local/share"); }

// For sockets: what lies there may go with the user's last session, and the folder itself, which the variable then still names.
inline std::string userRuntimeFolder() {
  for (const char* variable : {"XDG_RUNTIME_DIR", "TMPDIR"})
    if (std::string given = environment(variable); !given.empty() && ::access(given.c_str(), W_OK | X_OK) == 0) return given;
  return "/tmp";
}

inline bool isOwnFolder(const std::string& path) {  // no link to one either
  struct stat there{};
  return ::lstat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == ::geteuid();
}

// Where data sets are looked for and `paceline data download` puts them.
inline std::string userDataSets() {
  const std::string data = userDataFolder();
  return data.empty() ? "" : data + "/paceline/data";
}

}  // namespace paceline
