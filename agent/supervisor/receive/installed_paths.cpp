#include "agent/supervisor/receive/installed_paths.h"


#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline::receive {

InstalledPaths installedPaths() {
  std::string folder = userCacheFolder();
  if (folder.empty()) throw Error(Errc::kHost, "neither XDG_CACHE_HOME nor HOME is set");
  folder += "/paceline";
  return {.folder = folder, .agents = folder + "/agents", .objects = folder + "/objects", .partial = folder + "/partial", .versions = folder + "/versions"};
}

}  // namespace paceline::receive
