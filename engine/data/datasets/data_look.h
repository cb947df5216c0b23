// A look at a data set: how many samples each class has, and some pictures, the same ones for the same seed. Any thread; takes as long as loading the set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/datasets/data_check.h"

namespace paceline::datasets {

constexpr int kMostLooked = 200;    // pictures
constexpr int kLookedSide = 96;     // px: larger pictures are made smaller

struct LookWish {
  std::string split = "train";  // or "test"
  int count = 24;               // pictures; 0 to kMostLooked
  std::uint64_t seed = 1;       // draws them; a set that is made from a seed is that of seed 1
};

struct LookedSample {
  std::int64_t index = 0;  // in its split
  int label = 0;
  Shape stored{};          // of the whole picture
  Picture picture{};       // at most kLookedSide px a side; empty where it does not decode
  std::string problem{};   // why it does not
  std::string numbers{};   // of what is no picture: the first of them
  std::string target{};    // of a set without classes: likewise
};

struct DataLook {
  std::string id, path;  // path: a folder, or "built in"
  int classes = 0;
  std::vector<std::string> classNames = {};  // empty: numbers
  std::vector<CheckedSplit> splits = {};     // counted
  std::string split;
  std::uint64_t seed = 0;
  std::vector<LookedSample> samples = {};    // by class, then by index
};

// Path "": where runs find it, or made. Throws Error{kUsage} for a wish that is none, Error{kData} where the set is not here, and what loading it throws.
DataLook lookAt(const DatasetDef& def, const std::string& path, const LookWish& wish);

// No side longer than `most`: each pixel is the mean of those it stands for.
Picture reduced(const Picture& picture, int most);

}  // namespace paceline::datasets
