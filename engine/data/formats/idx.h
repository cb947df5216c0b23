// Reader of the IDX format (LeCun's MNIST files), plain or gzip, told apart by content. Pure functions, any thread.
// Throws Error{kFile} when a file cannot be read and Error{kFormat} when its bytes are off; each message names file and value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/data/datasets/dataset.h"

namespace paceline::formats {

struct IdxArray {
  std::vector<std::uint32_t> dimensions;  // as many as asked for
  std::vector<std::uint8_t> bytes;        // their product
};

// One file of unsigned bytes with exactly `rank` dimensions; no byte may be missing or left over.
IdxArray readIdx(const std::string& path, int rank);

// An image file and its label file: as many of one as of the other, images of `shape` (one channel), labels below `classes`.
datasets::Images readIdxImages(const std::string& imagesPath, const std::string& labelsPath, const Shape& shape, int classes);

}  // namespace paceline::formats
