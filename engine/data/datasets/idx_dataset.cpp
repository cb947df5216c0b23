#include "engine/data/datasets/idx_dataset.h"

#include <filesystem>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/formats/idx.h"
#include "engine/data/datasets/places.h"

namespace paceline::datasets {
namespace {

constexpr const char* kTrainImages = "train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "train-labels-idx1-ubyte";
constexpr const char* kTestImages = "t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "t10k-labels-idx1-ubyte";

// "" when neither the file nor its .gz is there.
std::string fileIn(const std::string& folder, const char* name) {
  std::error_code ignored;
  for (const char* ending : {"", ".gz"}) {
    const std::string path = strCat(folder, "/", name, ending);
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return "";
}

Dataset loaded(const Places& places, const images::Recipe& recipe, const Params& params) {
  const std::string folder = required(places, params);
  const auto file = [&](const char* name) {
    std::string path = fileIn(folder, name);
    if (path.empty()) throw Error(Errc::kData, strCat("dataset \"", places.id, "\": ", folder, " has no ", name, " or ", name, ".gz"));
    return path;
  };
  Dataset data{.stored = Shape{}, .shape = Shape{}, .classes = 10, .train = {}, .test = {}, .training = {}, .testing = {}};
  data.train = formats::readIdxImages(file(kTrainImages), file(kTrainLabels), data.stored, data.classes);
  data.test = formats::readIdxImages(file(kTestImages), file(kTestLabels), data.stored, data.classes);
  images::applyImageParams(recipe, params, data);
  return data;
}

}  // namespace

DatasetDef idxDataset(IdxSet set) {
  const Places places{.id = set.id,
                      .folders = {set.folder},
                      .systemFolders = std::move(set.systemFolders),
                      .holds = [](const std::string& folder) { return !fileIn(folder, kTrainImages).empty(); },
                      .looksFor = strCat(kTrainImages, "[.gz]"),
                      .hint = std::move(set.hint)};
  DatasetDef def;
  def.id = set.id;
  def.params = {pathParam("Folder with the four IDX files, gzip or not")};
  def.folder = set.folder;
  def.files = std::move(set.files);
  def.shape = Shape{};
  def.classes = 10;
  def.trainCount = 60000;
  def.testCount = 10000;
  images::addImageParams(def, set.recipe);
  def.locate = [places](const Params& params) { return located(places, params); };
  def.load = [places, recipe = set.recipe](const Params& params, std::uint64_t) { return loaded(places, recipe, params); };
  return def;
}

}  // namespace paceline::datasets
