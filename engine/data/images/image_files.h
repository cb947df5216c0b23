// Pictures in a folder a class: SPLIT/CLASS/... as ImageNet has it. Pure functions.
// Throws Error{kFile, kData}; each message names the folder.
#pragma once

#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::images {

// Names of the folders in `split`, in byte order; that order numbers the classes.
std::vector<std::string> classFolders(const std::string& split);

// Every .jpg, .jpeg and .png below split/CLASS, class by class and in byte order of their paths; they are decoded when asked for.
// Each class has at least one.
datasets::Images imagesIn(const std::string& split, const std::vector<std::string>& classes);

}  // namespace paceline::images
