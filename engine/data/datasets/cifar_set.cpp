#include <map>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/formats/readers.h"

namespace paceline::datasets {
namespace {

using formats::Bytes;
using formats::isFile;

constexpr std::size_t kPixelBytes = 3 * 32 * 32;
constexpr std::uint64_t kFileLimit = std::uint64_t{1} << 30;  // the largest published one has 153 700 000 bytes

void append(const std::string& name, const Bytes& records, const CifarLayout& layout, Images& images) {
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

// Where the files are for a folder or archive `path`: that archive, a folder of files, or an archive in it; "": nowhere.
std::string sourceAt(const std::string& path, const std::vector<PublishedFile>& files, const std::string& inner) {
  if (isFile(path)) return path;
  for (const std::string& folder : {path, strCat(path, "/", inner)})
    if (isFile(strCat(folder, "/", files[1].name))) return folder;
  const std::string archive = strCat(path, "/", files[0].name);
  return isFile(archive) ? archive : "";
}

void readCifar(const std::string& source, const std::vector<PublishedFile>& files, const CifarLayout& layout, Dataset& data) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < files.size(); ++i) names.push_back(files[i].name);
  const bool packed = isFile(source);
  std::map<std::string, Bytes> members;
  if (packed) members = formats::readTar(source, names, kFileLimit);
  for (const std::string& name : names) {
    const std::string path = strCat(source, packed ? ": " : "/", name);
    if (!(packed ? members.contains(name) : isFile(path))) throw Error(Errc::kData, strCat(source, ": has no ", name));
    append(path, packed ? members[name] : formats::readBytes(path, kFileLimit), layout, name == names.back() ? data.test : data.train);
    members.erase(name);
  }
}

}  // namespace

DatasetDef cifarDataset(DatasetDef def, const CifarLayout& layout) {
  def.params = {anyCountParam()};
  def.shape = Shape{.channels = 3, .height = 32, .width = 32};
  def.classes = layout.classes;
  def.trainCount = 50000;
  def.testCount = 10000;
  const std::string& archive = def.files[0].name;
  FileSet set{.pathHelp = strCat("The folder ", layout.folder, ", a folder with ", archive, ", or that archive itself"),
              .folders = {def.folder, layout.folder},
              .holds = [files = def.files, layout](const std::string& path) { return !sourceAt(path, files, layout.folder).empty(); },
              .looksFor = strCat(def.files[1].name, " or ", archive),
              // The two published sets differ in their statistics: DGS's of the training set, ps_pytorch's in steps of 0.1 of 255.
              .recipe = {.augment = "crop_flip",
                         .normalise = "cifar",
                         .statistics = {{.name = "cifar", .mean = {0.4914F, 0.4822F, 0.4465F}, .deviation = {0.2023F, 0.1994F, 0.2010F}},
                                        {.name = "cifar_ps_pytorch",
                                         .mean = {125.3F / 255, 123.0F / 255, 113.9F / 255},
                                         .deviation = {63.0F / 255, 62.1F / 255, 66.7F / 255}}}},
              .load = [layout](const DatasetDef& facts, const std::string& folder, const Params& params) {
                const std::string source = sourceAt(folder, facts.files, layout.folder);
                Dataset data{.stored = facts.shape, .shape = facts.shape, .classes = layout.classes};
                readCifar(source, facts.files, layout, data);
                requireCounts(facts, source, data, params);
                return data;
              }};
  return ofFiles(std::move(def), std::move(set));
}

}  // namespace paceline::datasets
