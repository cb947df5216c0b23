#include "agent/supervisor/receive/installed_paths.h"

#include <cstdlib>

#include "engine/core/base/error.h"

namespace paceline::receive {

InstalledPaths installedPaths() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string folder;
  if (cache != nullptr && *cache != '\0') folder = strCat(cache, "/paceline");
  else if (home != nullptr && *home != '\0') folder = strCat(home, "/.cache/paceline");
  else throw Error(Errc::kHost, "neither XDG_CACHE_HOME nor HOME is set");
  return {.folder = folder, .agents = folder + "/agents", .objects = folder + "/objects", .partial = folder + "/partial", .versions = folder + "/versions"};
}

}  // namespace paceline::receive
