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
BatchTensors tensorsOf(const Batch& batch, const Shape& shape, bool channelsLast);

}  // namespace paceline
