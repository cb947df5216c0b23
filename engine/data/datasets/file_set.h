// The parameters that every set of pictures has, and data sets whose files lie in a folder: where they are looked for, and what all of them
// have. Pure functions of the parameters, the environment and the disk; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/spec/params.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::images {

struct ChannelStatistics {
  std::string name;  // a choice of "normalise"
  std::vector<float> mean = {}, deviation = {};  // one per channel, of values in [0, 1]
};

// What the published trainings of one data set do.
struct Recipe {
  std::string augment = "none";    // the default of "augment": none, flip, crop, crop_flip; with files also resized_crop_flip
  std::string padding = "zero";    // the default of "crop_padding": zero, reflect, grey
  std::string normalise = "none";  // the default of "normalise"
  std::vector<ChannelStatistics> statistics = {};  // its choices beside none and half: (x - 0.5) / 0.5
  bool files = false;              // pictures of any size in files: cropped to the middle where they are not augmented
};

// Appends resize (0: as it is), augment, crop_padding, normalise and loader_threads (of BatchLoader) to def.params.
void addImageParams(datasets::DatasetDef& def, const Recipe& recipe);

// Sets shape, training and testing of a loaded set from completed parameters; `data.stored` and `data.classes` are set.
void applyImageParams(const Recipe& recipe, const Params& params, datasets::Dataset& data);

}  // namespace paceline::images

namespace paceline::datasets {

struct FileSet {
  std::string pathHelp;                        // of the parameter "path", by which a document names a folder
  std::vector<std::string> folders;            // its names below a folder of data sets, in the order they are tried
  std::vector<std::string> systemFolders = {};  // whole paths
  std::function<bool(const std::string& path)> holds;  // the set's files are there
  std::string looksFor;                        // "train-images-idx3-ubyte[.gz]", for the message that it is nowhere
  std::string hint = {};                       // ends that message; empty: it can be downloaded, or /dataset/params/path set
  images::Recipe recipe = {};
  // From the folder that holds it; `def` is complete. Stored shape and classes are set. Throws Error{kData, kFormat, kFile}.
  std::function<Dataset(const DatasetDef& def, const std::string& folder, const Params&)> load;
};

// Adds the parameters, location and loading of `set`. The folder is the parameter "path", or where that is empty the first that holds the set of: the
// system folders, $PACELINE_DATA/<folder>, ${XDG_DATA_HOME:-~/.local/share}/paceline/data/<folder> and ./data/<folder>. Loading throws Error{kData} that
// names this host and where it looked.
DatasetDef ofFiles(DatasetDef def, FileSet set);

// A set that was published with a known number of images is refused with another: a download that broke off must not train silently.
ParamSpec anyCountParam();  // "any_count", default false

// Throws Error{kData} naming `source` and both numbers unless the parameter any_count is set.
void requireCounts(const DatasetDef& def, const std::string& source, const Dataset& data, const Params& params);

// A 1x28x28, 10-class set of the four classic IDX files (train and t10k, images and labels) in one folder; files may end in .gz.
struct IdxSet {
  std::string systemFolder;
  std::string hint = {};
  float mean = 0, deviation = 1;
  std::string url;                   // of the folder with the published files
  std::vector<PublishedFile> files;  // their bytes and checksums: images and labels to train, images and labels to test
};
DatasetDef idxDataset(DatasetDef def, IdxSet set);

// The binary version of CIFAR-10 or CIFAR-100: records of one or two label bytes and 3 x 32 x 32 pixels. def.files: the archive, the files inside it
// to train, in order, and the one to test.
struct CifarLayout {
  std::string folder;  // inside the archive
  int labelBytes = 1;  // CIFAR-100: the coarse label, then the fine one
  int label = 0;       // which of them
  int classes = 10;
};
DatasetDef cifarDataset(DatasetDef def, const CifarLayout& layout);

// Of an image_folder: the names of the folders in `split`, in byte order; that order numbers the classes. Throws Error{kFile, kData} naming it.
std::vector<std::string> classFolders(const std::string& split);

}  // namespace paceline::datasets
