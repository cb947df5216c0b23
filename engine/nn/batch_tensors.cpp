#include "engine/nn/batch_tensors.h"

namespace paceline {

BatchTensors tensorsOf(const Batch& batch, const Shape& shape, bool channelsLast) {
  const auto count = static_cast<std::int64_t>(batch.count);
  const std::vector<std::int64_t> sizes{count, shape.channels, shape.height, shape.width};
  float* pixels = const_cast<float*>(batch.pixels);
  std::int64_t* labels = const_cast<std::int64_t*>(batch.labels);
  return {.images = channelsLast ? torch::from_blob(pixels, sizes, c10::get_channels_last_strides_2d(sizes), torch::kFloat)
                                 : torch::from_blob(pixels, sizes, torch::kFloat),
          .labels = torch::from_blob(labels, {count}, torch::kLong)};
}

}  // namespace paceline
