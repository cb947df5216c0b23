#include "engine/nn/batch_tensors.h"

#include "engine/core/error.h"
#include "engine/data/batch_stream.h"

namespace paceline {

BatchTensors::BatchTensors(const Shape& shape, std::size_t capacity, bool channelsLast)
    : shape_(shape), channelsLast_(channelsLast) {
  const auto count = static_cast<std::int64_t>(capacity);
  const auto format = channelsLast ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous;
  allImages_ =
      torch::empty({count, shape.channels, shape.height, shape.width}, torch::TensorOptions(torch::kFloat).memory_format(format));
  allLabels_ = torch::empty({count}, torch::kLong);
  images_ = allImages_;
  labels_ = allLabels_;
}

void BatchTensors::fill(const Images& images, std::span<const std::uint32_t> indices) {
  const auto count = static_cast<std::int64_t>(indices.size());
  PACELINE_CHECK(count <= allLabels_.size(0), "a batch is larger than its buffer");
  gatherSamples(images, shape_, indices, channelsLast_, allImages_.data_ptr<float>(), allLabels_.data_ptr<std::int64_t>());
  if (count == labels_.size(0)) return;
  images_ = allImages_.narrow(0, 0, count);
  labels_ = allLabels_.narrow(0, 0, count);
}

}  // namespace paceline
