// The environment of this process, and this user's folders in it by the XDG Base Directory rules. Any thread, while nobody changes the environment.
#pragma once

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

// For sockets: what lies there may go with the user's last session.
inline std::string userRuntimeFolder() {
  if (std::string runtime = environment("XDG_RUNTIME_DIR"); !runtime.empty()) return runtime;
  const std::string temporary = environment("TMPDIR");
  return temporary.empty() ? "/tmp" : temporary;
}

// Where data sets are looked for and `paceline data download` puts them.
inline std::string userDataSets() {
  const std::string data = userDataFolder();
  return data.empty() ? "" : data + "/paceline/data";
}

}  // namespace paceline
