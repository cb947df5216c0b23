// Pictures of any size in folders, one a class: train/CLASS/*.jpg and val/CLASS/*.jpg, as ImageNet is kept.
#include <algorithm>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/data/images/image_files.h"
#include "engine/data/images/image_params.h"
#include "engine/data/datasets/places.h"

namespace paceline::datasets {
namespace {

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

// DGS and torchvision's example of ImageNet.
images::Recipe imageNetRecipe() {
  return {.augment = "resized_crop_flip",
          .padding = "zero",
          .normalise = "imagenet",
          .statistics = {{.name = "imagenet", .mean = {0.485F, 0.456F, 0.406F}, .deviation = {0.229F, 0.224F, 0.225F}}},
          .files = true};
}

std::string listed(const std::vector<std::string>& names) {  // the first three
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 3); ++i) text += strCat(i == 0 ? "" : ", ", names[i]);
  return names.size() > 3 ? strCat(text, " and ", names.size() - 3, " more") : text;
}

void requireSame(const std::string& train, const std::vector<std::string>& classes, const std::string& test, const std::vector<std::string>& others) {
  std::vector<std::string> lacking, extra;
  std::set_difference(classes.begin(), classes.end(), others.begin(), others.end(), std::back_inserter(lacking));
  std::set_difference(others.begin(), others.end(), classes.begin(), classes.end(), std::back_inserter(extra));
  if (lacking.empty() && extra.empty()) return;
  throw Error(Errc::kData, strCat(test, ": has ", others.size(), " classes, ", train, " has ", classes.size(), lacking.empty() ? "" : strCat("; it lacks ", listed(lacking)),
                                  extra.empty() ? "" : strCat("; it has besides ", listed(extra))));
}

Dataset loaded(const Places& places, const Params& params) {
  const std::string folder = required(places, params), train = folder + "/train";
  const std::string test = isFolder(folder + "/val") ? folder + "/val" : folder + "/test";
  if (!isFolder(test)) throw Error(Errc::kData, strCat("dataset \"image_folder\": ", folder, " has neither val nor test"));
  const std::vector<std::string> classes = images::classFolders(train);
  requireSame(train, classes, test, images::classFolders(test));
  Dataset data{.stored = {.channels = 3, .height = 224, .width = 224}, .shape = {}, .classes = static_cast<int>(classes.size()),
               .train = images::imagesIn(train, classes), .test = images::imagesIn(test, classes), .training = {}, .testing = {}};
  data.skipBroken = params.boolean("skip_broken");
  images::applyImageParams(imageNetRecipe(), params, data);
  return data;
}

}  // namespace

DatasetDef image_folder() {
  DatasetDef def;
  def.id = "image_folder";
  def.title = "Folder of pictures";
  def.summary = "JPEG and PNG pictures of any size in train/CLASS and val/CLASS (or test/CLASS), the layout of ImageNet; decoded while training.";
  def.reference = "Deng, Dong, Socher, Li, Li, Fei-Fei 2009, ImageNet";
  def.params = {pathParam("Folder with train and val (or test), a folder a class in each"),
                booleanParam("skip_broken", false, "Leave pictures that do not decode out of their batch, named and counted, instead of ending the run.")};
  def.shape = Shape{.channels = 3, .height = 224, .width = 224};
  def.classes = 0;
  images::addImageParams(def, imageNetRecipe());
  const Places places{.id = def.id, .folders = {"image_folder", "imagenet"}, .systemFolders = {}, .holds = [](const std::string& folder) { return isFolder(folder + "/train"); },
                      .looksFor = "train/", .hint = "set /dataset/params/path to a folder that has train and val"};
  def.locate = [places](const Params& params) { return located(places, params); };
  def.load = [places](const Params& params, std::uint64_t) { return loaded(places, params); };
  return def;
}

}  // namespace paceline::datasets
