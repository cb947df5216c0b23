// The parameters that every set of pictures has, and what they mean. Pure functions.
#pragma once

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
