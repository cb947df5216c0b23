// Where a data set's files are looked for. Pure functions of the parameters, the environment and the disk; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/spec/params.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::datasets {

struct Places {
  std::string id;
  std::vector<std::string> folders;        // its names below a folder of data sets, in the order they are tried
  std::vector<std::string> systemFolders;  // whole paths
  std::function<bool(const std::string& path)> holds;  // the set's files are there
  std::string looksFor;                    // "train-images-idx3-ubyte[.gz]", for the message
  std::string hint;                        // ends the message: what to do
};

// Parameter "path", by which a document names a folder.
ParamSpec pathParam(const std::string& what);

// The parameter "path", or where that is empty the system folders, $PACELINE_DATA/<folder>,
// ${XDG_DATA_HOME:-~/.local/share}/paceline/data/<folder> and ./data/<folder>.
std::vector<std::string> candidates(const Places& places, const Params& params);
std::string located(const Places& places, const Params& params);  // the first that holds it; "": none
std::string required(const Places& places, const Params& params);  // the same; throws Error{kData} that says where it looked

// A set that was published with a known number of images is refused with another: a download that broke off must not train silently.
ParamSpec anyCountParam();  // "any_count", default false

// Throws Error{kData} naming `source` and both numbers unless the parameter any_count is set.
void requireCounts(const DatasetDef& def, const std::string& source, const Dataset& data, const Params& params);

}  // namespace paceline::datasets
