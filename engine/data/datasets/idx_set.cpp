#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/formats/readers.h"

namespace paceline::datasets {
namespace {

constexpr const char* kTrainImages = "train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "train-labels-idx1-ubyte";
constexpr const char* kTestImages = "t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "t10k-labels-idx1-ubyte";

// "" when neither the file nor its .gz is there.
std::string fileIn(const std::string& folder, const char* name) {
  for (const char* ending : {"", ".gz"})
    if (const std::string path = strCat(folder, "/", name, ending); formats::isFile(path)) return path;
  return "";
}

Dataset loaded(const DatasetDef& def, const std::string& folder, const Params&) {
  const auto file = [&](const char* name) {
    std::string path = fileIn(folder, name);
    if (path.empty()) throw Error(Errc::kData, strCat("dataset \"", def.id, "\": ", folder, " has no ", name, " or ", name, ".gz"));
    return path;
  };
  Dataset data{.stored = def.shape, .shape = def.shape, .classes = def.classes};
  data.train = formats::readIdxImages(file(kTrainImages), file(kTrainLabels), data.stored, data.classes);
  data.test = formats::readIdxImages(file(kTestImages), file(kTestLabels), data.stored, data.classes);
  return data;
}

}  // namespace

DatasetDef idxDataset(DatasetDef def, IdxSet set) {
  const char* const names[] = {kTrainImages, kTrainLabels, kTestImages, kTestLabels};
  def.files = std::move(set.files);
  for (std::size_t i = 0; i < def.files.size(); ++i) {
    def.files[i].name = strCat(names[i], ".gz");
    def.files[i].url = set.url + def.files[i].name;
  }
  def.trainCount = 60000;
  def.testCount = 10000;
  FileSet files{.pathHelp = "Folder with the four IDX files, gzip or not",
                .folders = {def.folder},
                .systemFolders = {set.systemFolder},
                .holds = [](const std::string& folder) { return !fileIn(folder, kTrainImages).empty(); },
                .looksFor = strCat(kTrainImages, "[.gz]"),
                .hint = set.hint,
                .recipe = {.statistics = {{.name = def.id, .mean = {set.mean}, .deviation = {set.deviation}}}},
                .load = loaded};
  return ofFiles(std::move(def), std::move(files));
}

}  // namespace paceline::datasets
