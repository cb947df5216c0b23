// The two tensors of a mini-batch, made in place in memory that is reused for every batch. Torch inside; engine/nn only. One
// thread.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

#include "engine/data/dataset.h"

namespace paceline {

class BatchTensors {
 public:
  BatchTensors(const Shape& shape, std::size_t capacity, bool channelsLast);

  // At most `capacity` samples. What images() and labels() gave before now shows the new ones.
  void fill(const Images& images, std::span<const std::uint32_t> indices);
  const torch::Tensor& images() const { return images_; }  // [count, channels, height, width] in [0, 1]
  const torch::Tensor& labels() const { return labels_; }  // [count], int64

 private:
  Shape shape_;
  bool channelsLast_;
  torch::Tensor allImages_, allLabels_;  // of the whole capacity
  torch::Tensor images_, labels_;        // their first `count`
};

}  // namespace paceline
