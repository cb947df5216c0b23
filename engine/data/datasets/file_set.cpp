#include "engine/data/datasets/file_set.h"

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"

namespace paceline::datasets {
namespace {

std::vector<std::string> candidates(const FileSet& set, const Params& params) {
  if (const std::string& given = params.text("path"); !given.empty()) return {given};
  std::vector<std::string> paths = set.systemFolders;
  for (const std::string& root : {environment("PACELINE_DATA"), userDataSets(), std::string("data")})
    for (const std::string& folder : set.folders)
      if (!root.empty()) paths.push_back(strCat(root, "/", folder));
  return paths;
}

std::string located(const FileSet& set, const Params& params) {
  for (const std::string& path : candidates(set, params))
    if (set.holds(path)) return path;
  return "";
}

}  // namespace

DatasetDef ofFiles(DatasetDef def, FileSet set) {
  if (set.hint.empty()) set.hint = strCat("get it with paceline data download ", def.id, " or set /dataset/params/path");
  def.params.insert(def.params.begin(), textParam("path", "", set.pathHelp + "; empty: look in the usual places."));
  images::addImageParams(def, set.recipe);
  def.locate = [set](const Params& params) { return located(set, params); };
  def.load = [facts = def, set](const Params& params, std::uint64_t) {
    const std::string folder = located(set, params);
    if (folder.empty())
      throw Error(Errc::kData, strCat("dataset \"", facts.id, "\" was not found; looked for ", set.looksFor, " in ", listed(candidates(set, params)), "; ", set.hint));
    Dataset data = set.load(facts, folder, params);
    images::applyImageParams(set.recipe, params, data);
    return data;
  };
  return def;
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
