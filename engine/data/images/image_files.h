// Pictures in a folder a class: SPLIT/CLASS/... as ImageNet has it. Pure functions.
// Throws Error{kFile, kData}; each message names the folder.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::images {

// Names of the folders in `split`, in byte order; that order numbers the classes.
std::vector<std::string> classFolders(const std::string& split);

// Every .jpg, .jpeg and .png below split/CLASS, class by class and in byte order of their paths; they are decoded when asked for.
// Each class has at least one.
datasets::Images imagesIn(const std::string& split, const std::vector<std::string>& classes);

// Images that were left out because they do not decode: each is counted once, the first 20 are named on stderr. Any thread.
struct BrokenImage {
  std::uint32_t index = 0;
  std::string reason;  // names the file
};

class SkippedImages {
 public:
  void add(std::span<const BrokenImage> broken);
  std::uint64_t count() const;

 private:
  mutable std::mutex mutex_;  // guards indices_
  std::set<std::uint32_t> indices_;
};

}  // namespace paceline::images
