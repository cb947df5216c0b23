// LeNet-5 as DGS trains it on 3x32x32 pictures: maxima and ReLU where LeCun et al. 1998 have averages and tanh.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct LeNet5 final : Net {
  LeNet5(const Shape& shape, int classes)
      : conv1(register_module("conv1", layers::convolution(shape.channels, 6, {.kernel = 5, .padding = 0, .bias = true}))),
        conv2(register_module("conv2", layers::convolution(6, 16, {.kernel = 5, .padding = 0, .bias = true}))),
        dense(register_module("dense", std::make_shared<layers::DenseLayers>(
                                           std::vector<std::int64_t>{16 * side(shape.height) * side(shape.width), 120, 84, classes}))) {}
  torch::Tensor forward(torch::Tensor images) override {
    const torch::Tensor x = torch::max_pool2d(conv1(images).relu_(), 2);
    return dense->forward(torch::max_pool2d(conv2(x).relu_(), 2));
  }
  static std::int64_t side(int pixels) { return ((pixels - 4) / 2 - 4) / 2; }

  torch::nn::Conv2d conv1, conv2;
  std::shared_ptr<layers::DenseLayers> dense;
};

}  // namespace

std::vector<ModelDef> lenet5() {
  return {{.id = "lenet5",
           .title = "LeNet-5",
           .summary = "Two 5x5 convolutions (6 and 16 maps) with ReLU and 2x2 maxima, then dense layers of 120, 84 and one per class.",
           .reference = "LeCun et al. 1998; activations as in DGS",
           .inputs = {{3, 32, 32}, {1, 28, 28}, {1, 32, 32}, {3, 28, 28}},
           .init = "torch",
           .parameterCount = 62006,
           .convolutional = true,
           .make = madeOf<LeNet5>}};
}

}  // namespace paceline
