// The two tensors of a mini-batch, which show the batch's own memory. Torch inside; engine/nn only.
#pragma once

#include <torch/types.h>

#include "engine/data/loader.h"

namespace paceline {

struct BatchTensors {
  torch::Tensor images;  // [count, channels, height, width]
  torch::Tensor labels;  // [count], int64
};

// Views: valid as long as the batch. Nothing writes to them.
inline BatchTensors tensorsOf(const Batch& batch, const Shape& shape, bool channelsLast) {
  const auto count = static_cast<std::int64_t>(batch.count);
  const std::vector<std::int64_t> sizes{count, shape.channels, shape.height, shape.width};
  float* pixels = const_cast<float*>(batch.pixels);
  std::int64_t* labels = const_cast<std::int64_t*>(batch.labels);
  return {.images = channelsLast ? torch::from_blob(pixels, sizes, c10::get_channels_last_strides_2d(sizes), torch::kFloat)
                                 : torch::from_blob(pixels, sizes, torch::kFloat),
          .labels = torch::from_blob(labels, {count}, torch::kLong)};
}

}  // namespace paceline
