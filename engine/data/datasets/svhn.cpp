// Street View House Numbers, cropped digits: train_32x32.mat and test_32x32.mat, X of 32 x 32 x 3 x N bytes and y of N labels.
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/formats/readers.h"

namespace paceline::datasets {
namespace {

constexpr const char* kTrain = "train_32x32.mat";
constexpr const char* kTest = "test_32x32.mat";
constexpr std::size_t kSide = 32, kArea = kSide * kSide, kPixels = 3 * kArea;

// MATLAB's first index (the row) varies fastest; ours is the last (the column).
void transpose(const std::uint8_t* from, std::uint8_t* to) {
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t y = 0; y < kSide; ++y)
      for (std::size_t x = 0; x < kSide; ++x) to[c * kArea + y * kSide + x] = from[c * kArea + x * kSide + y];
}

Images readDigits(const std::string& path) {
  std::map<std::string, formats::MatArray> arrays = formats::readMat(path, {"X", "y"});
  const formats::MatArray &pixels = arrays["X"], &labels = arrays["y"];
  std::vector<std::uint32_t> size = pixels.dimensions;
  if (size.size() == 3) size.push_back(1);  // MATLAB drops a last dimension of 1
  if (size.size() != 4 || size[0] != kSide || size[1] != kSide || size[2] != 3) {
    std::string text;
    for (const std::uint32_t each : pixels.dimensions) text += strCat(text.empty() ? "" : "x", each);
    throw Error(Errc::kFormat, strCat(path, ": array X is ", text, ", expected 32x32x3xN"));
  }
  const std::size_t count = size[3];
  if (labels.bytes.size() != count) throw Error(Errc::kFormat, strCat(path, ": array y has ", labels.bytes.size(), " labels, but X has ", count, " images"));
  if (count == 0) throw Error(Errc::kFormat, strCat(path, ": has 0 images"));
  Images images;
  images.pixels.resize(count * kPixels);
  images.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int label = labels.bytes[i];
    if (label < 1 || label > 10) throw Error(Errc::kFormat, strCat(path, ": label ", label, " at position ", i, " is out of range, must be 1 to 10"));
    images.labels[i] = static_cast<std::uint16_t>(label % 10);  // 10 is the digit 0
    transpose(pixels.bytes.data() + i * kPixels, images.pixels.data() + i * kPixels);
  }
  return images;
}

Dataset loadedSvhn(const DatasetDef& def, const std::string& folder, const Params& params) {
  const std::string test = strCat(folder, "/", kTest);
  if (!formats::isFile(test)) throw Error(Errc::kData, strCat("dataset \"svhn\": ", folder, " has no ", kTest));
  Dataset data{.stored = def.shape, .shape = def.shape, .classes = 10, .train = readDigits(strCat(folder, "/", kTrain)), .test = readDigits(test)};
  requireCounts(def, folder, data, params);
  return data;
}

}  // namespace

DatasetDef svhn() {
  DatasetDef def;
  def.id = "svhn";
  def.title = "SVHN";
  def.summary = "Colour 32x32 pictures of digits on houses, 73 257 to train and 26 032 to test; by default cropped and normalised. The published code also flips them (augment: crop_flip), which makes other digits of some.";
  def.reference = "Netzer, Wang, Coates, Bissacco, Wu, Ng 2011, Reading digits in natural images with unsupervised feature learning";
  def.folder = "svhn";
  // Sizes and checksums as in torchvision's prototype data sets.
  def.files = {{.name = kTrain, .url = "http://ufldl.stanford.edu/housenumbers/train_32x32.mat", .bytes = 182040794, .sha256 = "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8"},
               {.name = kTest, .url = "http://ufldl.stanford.edu/housenumbers/test_32x32.mat", .bytes = 64275384, .sha256 = "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b"}};
  def.params = {anyCountParam()};
  def.shape = Shape{.channels = 3, .height = 32, .width = 32};
  def.trainCount = 73257;
  def.testCount = 26032;
  FileSet set{.pathHelp = "Folder with train_32x32.mat and test_32x32.mat",
              .folders = {def.folder},
              .holds = [](const std::string& folder) { return formats::isFile(strCat(folder, "/", kTrain)); },
              .looksFor = kTrain,
              // ps_pytorch takes CIFAR's statistics, and also flips digits: there "crop_flip".
              .recipe = {.augment = "crop",
                         .normalise = "cifar",
                         .statistics = {{.name = "cifar", .mean = {0.4914F, 0.4822F, 0.4465F}, .deviation = {0.2023F, 0.1994F, 0.2010F}}}},
              .load = loadedSvhn};
  return ofFiles(std::move(def), std::move(set));
}

}  // namespace paceline::datasets
