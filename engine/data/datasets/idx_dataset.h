// A data set of the four classic IDX files (train and t10k, images and labels) in one folder; files may end in .gz.
#pragma once

#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"
#include "engine/data/images/image_params.h"

namespace paceline::datasets {

struct IdxSet {
  std::string id, folder;                  // folder: its name below a folder of data sets
  std::vector<std::string> systemFolders;  // whole paths
  std::string hint;                        // ends the message when it is nowhere
  images::Recipe recipe;
  std::vector<PublishedFile> files;        // the four, gzip
};

// Definition of a 1x28x28, 10-class set (places.h says where it is looked for).
DatasetDef idxDataset(IdxSet set);

}  // namespace paceline::datasets
