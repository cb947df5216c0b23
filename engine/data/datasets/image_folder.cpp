// Pictures of any size in folders, one a class: train/CLASS/*.jpg and val/CLASS/*.jpg, as ImageNet is kept.
#include <algorithm>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/images/image_files.h"

namespace paceline::datasets {
namespace {

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::string firstOf(const std::vector<std::string>& names) {  // the first three
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 3); ++i) text += strCat(i == 0 ? "" : ", ", names[i]);
  return names.size() > 3 ? strCat(text, " and ", names.size() - 3, " more") : text;
}

void requireSame(const std::string& train, const std::vector<std::string>& classes, const std::string& test, const std::vector<std::string>& others) {
  std::vector<std::string> lacking, extra;
  std::set_difference(classes.begin(), classes.end(), others.begin(), others.end(), std::back_inserter(lacking));
  std::set_difference(others.begin(), others.end(), classes.begin(), classes.end(), std::back_inserter(extra));
  if (lacking.empty() && extra.empty()) return;
  throw Error(Errc::kData, strCat(test, ": has ", others.size(), " classes, ", train, " has ", classes.size(), lacking.empty() ? "" : strCat("; it lacks ", firstOf(lacking)),
                                  extra.empty() ? "" : strCat("; it has besides ", firstOf(extra))));
}

Dataset loaded(const DatasetDef& def, const std::string& folder, const Params& params) {
  const std::string train = folder + "/train", test = folder + (isFolder(folder + "/val") ? "/val" : "/test");
  if (!isFolder(test)) throw Error(Errc::kData, strCat("dataset \"image_folder\": ", folder, " has neither val nor test"));
  const std::vector<std::string> classes = images::classFolders(train);
  requireSame(train, classes, test, images::classFolders(test));
  return {.stored = def.shape,
          .shape = {},
          .classes = static_cast<int>(classes.size()),
          .train = images::imagesIn(train, classes),
          .test = images::imagesIn(test, classes),
          .skipBroken = params.boolean("skip_broken")};
}

}  // namespace

DatasetDef image_folder() {
  DatasetDef def;
  def.id = "image_folder";
  def.title = "Folder of pictures";
  def.summary = "JPEG and PNG pictures of any size in train/CLASS and val/CLASS (or test/CLASS), the layout of ImageNet; decoded while training.";
  def.reference = "Deng, Dong, Socher, Li, Li, Fei-Fei 2009, ImageNet";
  def.params = {booleanParam("skip_broken", false, "Leave pictures that do not decode out of their batch, named and counted, instead of ending the run.")};
  def.shape = Shape{.channels = 3, .height = 224, .width = 224};
  def.classes = 0;
  FileSet set{.pathHelp = "Folder with train and val (or test), a folder a class in each",
              .folders = {"image_folder", "imagenet"},
              .holds = [](const std::string& folder) { return isFolder(folder + "/train"); },
              .looksFor = "train/",
              .hint = "set /dataset/params/path to a folder that has train and val",
              // DGS and torchvision's example of ImageNet.
              .recipe = {.augment = "resized_crop_flip",
                         .normalise = "imagenet",
                         .statistics = {{.name = "imagenet", .mean = {0.485F, 0.456F, 0.406F}, .deviation = {0.229F, 0.224F, 0.225F}}},
                         .files = true},
              .load = loaded};
  return ofFiles(std::move(def), std::move(set));
}

}  // namespace paceline::datasets
