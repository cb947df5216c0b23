#include "engine/data/formats/cifar_files.h"

#include <filesystem>
#include <map>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/formats/byte_file.h"
#include "engine/data/images/image_params.h"
#include "engine/data/datasets/places.h"
#include "engine/data/formats/tar_file.h"

namespace paceline::formats {
namespace {

constexpr std::size_t kPixelBytes = 3 * 32 * 32;
constexpr std::uint64_t kFileLimit = std::uint64_t{1} << 30;  // the largest published one has 153 700 000 bytes

using Bytes = std::vector<std::uint8_t>;

bool isFile(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

void append(const std::string& name, const Bytes& records, const CifarLayout& layout, datasets::Images& images) {
  const std::size_t labels = static_cast<std::size_t>(layout.labelBytes), record = labels + kPixelBytes;
  if (records.empty() || records.size() % record != 0)
    throw Error(Errc::kFormat, strCat(name, ": has ", records.size(), " bytes, which is no whole number of records of ", record));
  for (std::size_t i = 0; i < records.size() / record; ++i) {
    const std::uint8_t* at = records.data() + i * record;
    const int label = at[layout.label];
    if (label >= layout.classes)
      throw Error(Errc::kFormat, strCat(name, ": label ", label, " of record ", i, " is out of range, must be < ", layout.classes));
    images.labels.push_back(static_cast<std::uint16_t>(label));
    images.pixels.insert(images.pixels.end(), at + labels, at + record);
  }
}

// The two published sets differ in their statistics: DGS's of the training set, ps_pytorch's in steps of 0.1 of 255.
images::Recipe cifarRecipe() {
  return {.augment = "crop_flip",
          .padding = "zero",
          .normalise = "cifar",
          .statistics = {{.name = "cifar", .mean = {0.4914F, 0.4822F, 0.4465F}, .deviation = {0.2023F, 0.1994F, 0.2010F}},
                         {.name = "cifar_ps_pytorch",
                          .mean = {125.3F / 255, 123.0F / 255, 113.9F / 255},
                          .deviation = {63.0F / 255, 62.1F / 255, 66.7F / 255}}}};
}

datasets::Dataset loaded(const datasets::DatasetDef& def, const datasets::Places& places, const CifarLayout& layout, const Params& params) {
  const std::string source = cifarSource(datasets::required(places, params), layout);
  CifarSplits splits = readCifar(source, layout);
  datasets::Dataset data{.stored = def.shape, .shape = def.shape, .classes = layout.classes, .train = std::move(splits.train), .test = std::move(splits.test), .training = {}, .testing = {}};
  datasets::requireCounts(def, source, data, params);
  images::applyImageParams(cifarRecipe(), params, data);
  return data;
}

}  // namespace

std::string cifarSource(const std::string& path, const CifarLayout& layout) {
  if (isFile(path)) return path;
  for (const std::string& folder : {path, strCat(path, "/", layout.folder)})
    if (isFile(strCat(folder, "/", layout.train[0]))) return folder;
  const std::string archive = strCat(path, "/", layout.archive);
  return isFile(archive) ? archive : "";
}

CifarSplits readCifar(const std::string& source, const CifarLayout& layout) {
  std::vector<std::string> names = layout.train;
  names.push_back(layout.test);
  const bool packed = isFile(source);
  std::map<std::string, Bytes> members;
  if (packed) members = readTar(source, names, kFileLimit);
  CifarSplits splits;
  for (const std::string& name : names) {
    const bool there = packed ? members.contains(name) : isFile(strCat(source, "/", name));
    if (!there) throw Error(Errc::kData, strCat(source, ": has no ", name));
    datasets::Images& images = name == layout.test ? splits.test : splits.train;
    if (packed)
      append(strCat(source, ": ", name), members[name], layout, images);
    else
      append(strCat(source, "/", name), readBytes(strCat(source, "/", name), kFileLimit), layout, images);
    members.erase(name);
  }
  return splits;
}

datasets::DatasetDef cifarDataset(datasets::DatasetDef def, const CifarLayout& layout) {
  const datasets::Places places{.id = def.id,
                      .folders = {def.folder, layout.folder},
                      .systemFolders = {},
                      .holds = [layout](const std::string& path) { return !cifarSource(path, layout).empty(); },
                      .looksFor = strCat(layout.train[0], " or ", layout.archive),
                      .hint = strCat("get it with paceline data download ", def.id, " or set /dataset/params/path")};
  def.params = {datasets::pathParam(strCat("The folder ", layout.folder, ", a folder with ", layout.archive, ", or that archive itself")), datasets::anyCountParam()};
  def.shape = Shape{.channels = 3, .height = 32, .width = 32};
  def.classes = layout.classes;
  def.trainCount = 50000;
  def.testCount = 10000;
  images::addImageParams(def, cifarRecipe());
  def.locate = [places](const Params& params) { return datasets::located(places, params); };
  def.load = [facts = def, places, layout](const Params& params, std::uint64_t) { return loaded(facts, places, layout, params); };
  return def;
}

}  // namespace paceline::formats
