#include "engine/data/idx_dataset.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "engine/core/error.h"
#include "engine/data/idx.h"

namespace paceline {
namespace {

constexpr const char* kTrainImages = "train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "train-labels-idx1-ubyte";
constexpr const char* kTestImages = "t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "t10k-labels-idx1-ubyte";

struct Places {
  std::string id, folder;
  std::vector<std::string> systemFolders;
  std::string hint;
};

// "" when neither the file nor its .gz is there.
std::string fileIn(const std::string& folder, const char* name) {
  std::error_code ignored;
  for (const char* ending : {"", ".gz"}) {
    const std::string path = folder + "/" + name + ending;
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return "";
}

std::vector<std::string> candidates(const Places& places, const std::string& given) {
  if (!given.empty()) return {given};
  std::vector<std::string> folders = places.systemFolders;
  if (const char* root = std::getenv("PACELINE_DATA"); root != nullptr && *root != '\0')
    folders.push_back(strCat(root, "/", places.folder));
  folders.push_back("data/" + places.folder);
  return folders;
}

std::string located(const Places& places, const Params& params) {
  for (const std::string& folder : candidates(places, params.text("path")))
    if (!fileIn(folder, kTrainImages).empty()) return folder;
  return "";
}

std::string required(const Places& places, const std::string& folder, const char* name) {
  std::string path = fileIn(folder, name);
  if (path.empty())
    throw Error(Errc::kData, strCat("dataset \"", places.id, "\": ", folder, " has no ", name, " or ", name, ".gz"));
  return path;
}

Dataset loaded(const Places& places, const Params& params) {
  const std::string folder = located(places, params);
  if (folder.empty()) {
    std::string looked;
    for (const std::string& tried : candidates(places, params.text("path"))) looked += (looked.empty() ? "" : ", ") + tried;
    throw Error(Errc::kData, strCat("dataset \"", places.id, "\" was not found; looked for ", kTrainImages, "[.gz] in ", looked,
                                    "; ", places.hint));
  }
  Dataset data{.stored = Shape{}, .shape = Shape{}, .classes = 10, .train = {}, .test = {}, .training = {}, .testing = {}};
  data.train =
      readIdxImages(required(places, folder, kTrainImages), required(places, folder, kTrainLabels), data.shape, data.classes);
  data.test =
      readIdxImages(required(places, folder, kTestImages), required(places, folder, kTestLabels), data.shape, data.classes);
  return data;
}

}  // namespace

DatasetDef idxDataset(std::string id, std::string folder, std::vector<std::string> systemFolders, std::string hint) {
  const Places places{.id = id, .folder = std::move(folder), .systemFolders = std::move(systemFolders), .hint = std::move(hint)};
  DatasetDef def;
  def.id = std::move(id);
  def.params = {textParam("path", "", "Folder with the four IDX files, gzip or not; empty: look in the usual places.")};
  def.shape = Shape{};
  def.classes = 10;
  def.trainCount = 60000;
  def.testCount = 10000;
  def.locate = [places](const Params& params) { return located(places, params); };
  def.load = [places](const Params& params, std::uint64_t) { return loaded(places, params); };
  return def;
}

}  // namespace paceline
