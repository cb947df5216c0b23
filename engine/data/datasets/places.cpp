#include "engine/data/datasets/places.h"

#include <cstdlib>

#include "engine/core/base/error.h"

namespace paceline::datasets {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

ParamSpec pathParam(const std::string& what) { return textParam("path", "", what + "; empty: look in the usual places."); }

std::string userDataFolder() {
  if (const std::string xdg = variable("XDG_DATA_HOME"); !xdg.empty()) return xdg + "/paceline/data";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.local/share/paceline/data";
}

std::vector<std::string> candidates(const Places& places, const Params& params) {
  if (const std::string& given = params.text("path"); !given.empty()) return {given};
  std::vector<std::string> paths = places.systemFolders;
  for (const std::string& root : {variable("PACELINE_DATA"), userDataFolder(), std::string("data")})
    for (const std::string& folder : places.folders)
      if (!root.empty()) paths.push_back(strCat(root, "/", folder));
  return paths;
}

std::string located(const Places& places, const Params& params) {
  for (const std::string& path : candidates(places, params))
    if (places.holds(path)) return path;
  return "";
}

std::string required(const Places& places, const Params& params) {
  std::string path = located(places, params);
  if (!path.empty()) return path;
  std::string looked;
  for (const std::string& tried : candidates(places, params)) looked += (looked.empty() ? "" : ", ") + tried;
  throw Error(Errc::kData, strCat("dataset \"", places.id, "\" was not found; looked for ", places.looksFor, " in ", looked, "; ", places.hint));
}

}  // namespace paceline::datasets
