// Reader of the binary version of CIFAR-10 and CIFAR-100: records of one or two label bytes and 3 x 32 x 32 pixels. Pure function.
// Throws Error{kFile, kFormat, kData}; each message names the file and the value.
#pragma once

#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::formats {

struct CifarLayout {
  std::string archive, folder;     // as published: "cifar-10-binary.tar.gz" and the folder inside it
  std::vector<std::string> train;  // file names, in order
  std::string test;
  int labelBytes = 1;  // CIFAR-100: the coarse label, then the fine one
  int label = 0;       // which of them
  int classes = 10;
};

// Where the files are for a folder or archive `path`: that archive, a folder of files, or an archive in it; "": nowhere.
std::string cifarSource(const std::string& path, const CifarLayout& layout);

struct CifarSplits {
  datasets::Images train, test;
};
CifarSplits readCifar(const std::string& source, const CifarLayout& layout);

// A data set of them, with the parameters path and any_count.
datasets::DatasetDef cifarDataset(datasets::DatasetDef def, const CifarLayout& layout);

}  // namespace paceline::formats
