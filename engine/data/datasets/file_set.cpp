#include "engine/data/datasets/file_set.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"
#include "engine/data/formats/readers.h"

namespace paceline::images {
namespace {

ParamSpec augmentParam(const Recipe& recipe) {
  std::vector<std::string> choices{"none", "flip", "crop", "crop_flip"};
  std::vector<std::string> words{"none", "flip", "crop", "crop and flip"};
  std::string help = "What is random about training pictures: flip: left to right, every second one; crop: moved by up to 4 pixels over a padded edge";
  if (recipe.files) {
    choices.push_back("resized_crop_flip");
    words.push_back("resized crop and flip");
    help += "; resized crop: a random part of the picture (ImageNet's); without a crop the middle is taken";
  }
  return worded(choiceParam("augment", recipe.augment, std::move(choices), help + ". Test pictures are never augmented."), std::move(words));
}

void setAugmentation(const std::string& augment, bool files, datasets::Dataset& data) {
  const bool padded = augment == "crop" || augment == "crop_flip", resized = augment == "resized_crop_flip";
  const Crop whole = files && !padded ? Crop::kCentre : Crop::kNone;
  data.training.crop = padded ? Crop::kPadded : resized ? Crop::kResized : whole;
  data.training.flip = augment.ends_with("flip");
  data.testing.crop = whole;
}

void setStatistics(const Recipe& recipe, const std::string& name, datasets::Dataset& data) {
  if (name == "none") return;
  const auto channels = static_cast<std::size_t>(data.shape.channels);
  ChannelStatistics chosen{.name = name, .mean = {0.5F}, .deviation = {0.5F}};  // half
  for (const ChannelStatistics& statistics : recipe.statistics)
    if (statistics.name == name) chosen = statistics;
  if (chosen.mean.size() == 1) {
    chosen.mean.resize(channels, chosen.mean.front());
    chosen.deviation.resize(channels, chosen.deviation.front());
  }
  if (chosen.mean.size() != channels)
    throw Error(Errc::kSpec, strCat("/dataset/params/normalise: \"", name, "\" is for ", chosen.mean.size(), " channels, the pictures have ", channels));
  for (Transform* how : {&data.training, &data.testing}) {
    how->mean = chosen.mean;
    how->deviation = chosen.deviation;
  }
}

}  // namespace

void addImageParams(datasets::DatasetDef& def, const Recipe& recipe) {
  std::vector<std::string> statistics{"none", "half"};
  for (const ChannelStatistics& one : recipe.statistics) statistics.push_back(one.name);
  def.inFiles = recipe.files;
  const std::string usual = recipe.files ? strCat("0: ", def.shape.height, ".") : "0: as it is.";
  def.params.push_back(advanced(integerParam("resize", 0, 0, 1024, "Side in pixels of the square that pictures are resized to (bilinear); " + usual)));
  def.params.push_back(augmentParam(recipe));
  def.params.push_back(advanced(choiceParam("crop_padding", recipe.padding, {"zero", "reflect", "grey"}, "What the crop sees beyond the edge: 0, the mirrored picture or 127.")));
  def.params.push_back(advanced(choiceParam("normalise", recipe.normalise, std::move(statistics), "Mean and deviation per channel that pixels in [0, 1] are normalised by; half: (x - 0.5) / 0.5.")));
  def.params.push_back(advanced(integerParam("loader_threads", 1, 0, 64,
                                    "Threads that prepare batches while a worker computes, beyond its own \"threads\"; 0: it prepares them itself, as it always does "
                                    "where pictures in memory are only scaled.")));
}

void applyImageParams(const Recipe& recipe, const Params& params, datasets::Dataset& data) {
  data.shape = shapeOf(data.stored, params);
  data.training = {};
  data.training.output = data.shape;
  const std::string& padding = params.text("crop_padding");
  data.training.padding = padding == "reflect" ? Padding::kReflect : padding == "grey" ? Padding::kGrey : Padding::kZero;
  // ImageNet's 256 for 224 (and 342 for 299).
  data.training.shorterSide = static_cast<int>(std::lround(std::min(data.shape.height, data.shape.width) * 256.0 / 224.0));
  data.testing = data.training;
  setAugmentation(params.text("augment"), recipe.files, data);
  setStatistics(recipe, params.text("normalise"), data);
}

}  // namespace paceline::images

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

// Why it cannot be loaded, and what to do: `data set "cifar10" is not on lab-pc: there is no data_batch_1.bin in /data/cifar10; get it with ...`.
std::string absence(const std::string& id, const FileSet& set, const Params& params) {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::vector<std::string> looked;
  std::error_code ignored;
  for (const std::string& path : candidates(set, params)) looked.push_back(std::filesystem::absolute(path, ignored).string());
  return strCat("data set \"", id, "\" is not on ", host, ": there is no ", set.looksFor, " in ", listed(looked), "; ", set.hint);
}

}  // namespace

DatasetDef ofFiles(DatasetDef def, FileSet set) {
  if (set.hint.empty()) set.hint = strCat("get it with paceline data download ", def.id, ", or name its folder as the data set's path");
  def.params.insert(def.params.begin(), textParam("path", "", set.pathHelp + "; empty: look in the usual places."));
  images::addImageParams(def, set.recipe);
  def.locate = [set](const Params& params) { return located(set, params); };
  def.load = [facts = def, set](const Params& params, std::uint64_t) {
    const std::string folder = located(set, params);
    if (folder.empty()) throw Error(Errc::kData, absence(facts.id, set, params));
    Dataset data = set.load(facts, folder, params);
    images::applyImageParams(set.recipe, params, data);
    return data;
  };
  return def;
}

ParamSpec anyCountParam() { return advanced(booleanParam({"any_count", "Any number of images"}, false, "Take files with another number of images than the published ones have: a subset made on purpose.")); }

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

// ---- IDX

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

Dataset loadedIdx(const DatasetDef& def, const std::string& folder, const Params&) {
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
                .load = loadedIdx};
  return ofFiles(std::move(def), std::move(files));
}

// ---- CIFAR

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
