// Samples of a set as floats in a buffer: what a batch is made of. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/datasets/dataset.h"
#include "engine/data/images/skipped_images.h"

namespace paceline {

inline std::size_t sizeOf(const Shape& shape) {  // elements
  return static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
}

struct Gathering {
  const datasets::Images& images;
  const images::Transform& how;
  std::uint64_t seed = 0, epoch = 0;  // of what is random in the transform
  bool channelsLast = false;
};

// Returns how many samples there are. What does not decode goes into `broken` where data.skipBroken, else it is thrown: Error{kFormat, kFile}.
std::size_t gather(const datasets::Dataset& data, const Gathering& what, std::span<const std::uint32_t> indices, float* pixels, std::int64_t* labels,
                   std::vector<images::BrokenImage>& broken);

}  // namespace paceline
