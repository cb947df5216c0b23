// A data set of the four classic IDX files (train and t10k, images and labels) in one folder; files may end in .gz.
#pragma once

#include <string>
#include <vector>

#include "engine/data/dataset.h"

namespace paceline {

// Definition of a 1x28x28, 10-class set whose folder is the parameter "path" or, when that is empty, the first of
// `systemFolders`, $PACELINE_DATA/<folder>, ./data/<folder> that holds the files. `hint` ends the message when none does.
DatasetDef idxDataset(std::string id, std::string folder, std::vector<std::string> systemFolders, std::string hint);

}  // namespace paceline
