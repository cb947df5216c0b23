// The two tensors of a mini-batch, which show the batch's own memory. Torch inside; engine/nn only.
#pragma once

#include <torch/types.h>

#include "engine/data/loader.h"

namespace paceline {

struct BatchTensors {
  torch::Tensor inputs;   // [count, ...], of images [count, channels, height, width]
  torch::Tensor targets;  // [count, ...], of classes [count], int64
};

// Views: valid as long as the batch. Nothing writes to them.
inline BatchTensors tensorsOf(const Batch& batch, const datasets::Dataset& data, bool channelsLast) {
  const auto tensorOf = [&](const void* memory, const std::vector<std::int64_t>& dims, datasets::Element type) {
    std::vector<std::int64_t> sizes{static_cast<std::int64_t>(batch.count)};
    sizes.insert(sizes.end(), dims.begin(), dims.end());
    const auto as = type == datasets::Element::kFloat ? torch::kFloat : torch::kLong;
    if (channelsLast && sizes.size() == 4) return torch::from_blob(const_cast<void*>(memory), sizes, c10::get_channels_last_strides_2d(sizes), as);
    return torch::from_blob(const_cast<void*>(memory), sizes, as);
  };
  return {.inputs = tensorOf(batch.inputs, data.inputDims(), data.form.inputType), .targets = tensorOf(batch.targets, data.form.target, data.form.targetType)};
}

}  // namespace paceline
