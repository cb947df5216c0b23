#include "engine/data/images/image_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/data/formats/readers.h"

namespace paceline::images {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostClasses = 65535;  // of a label

class FolderImages final : public datasets::ImageFiles {
 public:
  FolderImages(std::string folder, std::vector<std::string> paths) : folder_(std::move(folder)), paths_(std::move(paths)) {}
  void decode(std::size_t index, datasets::Picture& into) const override {
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
  if (names.size() > kMostClasses) throw Error(Errc::kData, strCat(split, ": has ", names.size(), " class folders, the limit is ", kMostClasses));
  std::sort(names.begin(), names.end());
  return names;
}

datasets::Images imagesIn(const std::string& split, const std::vector<std::string>& classes) {
  datasets::Images images;
  std::vector<std::string> paths;
  for (std::size_t label = 0; label < classes.size(); ++label) {
    std::vector<std::string> found = picturesOf(split, classes[label]);
    images.labels.insert(images.labels.end(), found.size(), static_cast<std::uint16_t>(label));
    std::move(found.begin(), found.end(), std::back_inserter(paths));
  }
  images.files = std::make_shared<const FolderImages>(split, std::move(paths));
  return images;
}

}  // namespace paceline::images
