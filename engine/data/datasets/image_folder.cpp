// Pictures of any size in folders, one a class: train/CLASS/*.jpg and val/CLASS/*.jpg, as ImageNet is kept.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/datasets/file_set.h"
#include "engine/data/formats/readers.h"

namespace paceline::datasets {
namespace {

namespace fs = std::filesystem;

class FolderImages final : public ImageFiles {
 public:
  FolderImages(std::string folder, std::vector<std::string> paths) : folder_(std::move(folder)), paths_(std::move(paths)) {}
  void decode(std::size_t index, Picture& into) const override {
    PACELINE_CHECK(index < paths_.size(), "picture index");
    formats::decodePicture(strCat(folder_, "/", paths_[index]), into);
  }

 private:
  std::string folder_;
  std::vector<std::string> paths_;  // below folder_
};

[[noreturn]] void refuse(const fs::path& folder, const std::error_code& why) {
  throw Error(Errc::kFile, strCat(folder.string(), ": cannot be read: ", why.message()));
}

bool isPicture(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

// Below split/name; Tiny ImageNet has a folder more. Linked folders are not followed: they could go in circles.
std::vector<std::string> picturesOf(const std::string& split, const std::string& name) {
  const fs::path folder = fs::path(split) / name;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    std::error_code ignored;
    if (entry->path().filename().native().front() != '.' && isPicture(entry->path()) && entry->is_regular_file(ignored))
      found.push_back(strCat(name, "/", entry->path().lexically_relative(folder).string()));
  }
  if (error) refuse(folder, error);
  if (found.empty()) throw Error(Errc::kData, strCat(folder.string(), ": has no pictures (.jpg, .jpeg, .png)"));
  std::sort(found.begin(), found.end());
  return found;
}

// Every .jpg, .jpeg and .png below split/CLASS, class by class and in byte order of their paths; they are decoded when asked for.
// Each class has at least one.
Images imagesIn(const std::string& split, const std::vector<std::string>& classes) {
  Images images;
  std::vector<std::string> paths;
  for (std::size_t label = 0; label < classes.size(); ++label) {
    std::vector<std::string> found = picturesOf(split, classes[label]);
    images.labels.insert(images.labels.end(), found.size(), static_cast<std::uint16_t>(label));
    std::move(found.begin(), found.end(), std::back_inserter(paths));
  }
  images.files = std::make_shared<const FolderImages>(split, std::move(paths));
  return images;
}

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
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

Dataset loadedFolder(const DatasetDef& def, const std::string& folder, const Params& params) {
  const std::string train = folder + "/train", test = folder + (isFolder(folder + "/val") ? "/val" : "/test");
  if (!isFolder(test)) throw Error(Errc::kData, strCat("dataset \"image_folder\": ", folder, " has neither val nor test"));
  const std::vector<std::string> classes = classFolders(train);
  requireSame(train, classes, test, classFolders(test));
  return {.stored = def.shape,
          .shape = {},
          .classes = static_cast<int>(classes.size()),
          .train = imagesIn(train, classes),
          .test = imagesIn(test, classes),
          .skipBroken = params.boolean("skip_broken")};
}

}  // namespace

std::vector<std::string> classFolders(const std::string& split) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(split, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (name.front() != '.' && entry->is_directory(ignored)) names.push_back(name);
  }
  if (error) refuse(split, error);
  if (names.empty()) throw Error(Errc::kData, strCat(split, ": has no class folders"));
  if (std::ssize(names) > kMostClasses) throw Error(Errc::kData, strCat(split, ": has ", names.size(), " class folders, the limit is ", kMostClasses));
  std::sort(names.begin(), names.end());
  return names;
}

DatasetDef image_folder() {
  DatasetDef def;
  def.id = "image_folder";
  def.title = "Folder of pictures";
  def.summary = "JPEG and PNG pictures of any size in train/CLASS and val/CLASS (or test/CLASS), the layout of ImageNet; decoded while training.";
  def.reference = "Deng, Dong, Socher, Li, Li, Fei-Fei 2009, ImageNet";
  def.params = {advanced(booleanParam("skip_broken", false, "Leave pictures that do not decode out of their batch, named and counted, instead of ending the run."))};
  def.shape = Shape{.channels = 3, .height = 224, .width = 224};
  def.classes = 0;
  FileSet set{.pathHelp = "Folder with train and val (or test), a folder a class in each",
              .folders = {"image_folder", "imagenet"},
              .holds = [](const std::string& folder) { return isFolder(folder + "/train"); },
              .looksFor = "train/",
              .hint = "name a folder that has train and val as the data set's path",
              // DGS and torchvision's example of ImageNet.
              .recipe = {.augment = "resized_crop_flip",
                         .normalise = "imagenet",
                         .statistics = {{.name = "imagenet", .mean = {0.485F, 0.456F, 0.406F}, .deviation = {0.229F, 0.224F, 0.225F}}},
                         .files = true},
              .load = loadedFolder};
  return ofFiles(std::move(def), std::move(set));
}

}  // namespace paceline::datasets
