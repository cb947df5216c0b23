#include "engine/data/datasets/places.h"

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"

namespace paceline::datasets {

ParamSpec pathParam(const std::string& what) { return textParam("path", "", what + "; empty: look in the usual places."); }

std::vector<std::string> candidates(const Places& places, const Params& params) {
  if (const std::string& given = params.text("path"); !given.empty()) return {given};
  std::vector<std::string> paths = places.systemFolders;
  for (const std::string& root : {environment("PACELINE_DATA"), userDataSets(), std::string("data")})
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

ParamSpec anyCountParam() { return booleanParam("any_count", false, "Take files with another number of images than the published ones have: a subset made on purpose."); }

void requireCounts(const DatasetDef& def, const std::string& source, const Dataset& data, const Params& params) {
  if (params.boolean("any_count")) return;
  const auto require = [&](const char* split, std::size_t found, std::int64_t published) {
    if (static_cast<std::int64_t>(found) != published)
      throw Error(Errc::kData, strCat("dataset \"", def.id, "\": ", source, " has ", found, " images to ", split, ", the published set has ", published,
                                      "; get it again, or set /dataset/params/any_count to true for a subset"));
  };
  require("train", data.train.count(), def.trainCount);
  require("test", data.test.count(), def.testCount);
}

}  // namespace paceline::datasets
