// LeNet-5 as DGS trains it on 3x32x32 pictures: maxima and ReLU where LeCun et al. 1998 have averages and tanh.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct LeNet5 final : Net {
  LeNet5(const Shape& shape, int classes)
      : conv1(layers::convolution(shape.channels, 6, {.kernel = 5, .padding = 0, .bias = true})),
        conv2(layers::convolution(6, 16, {.kernel = 5, .padding = 0, .bias = true})),
        dense1(16 * side(shape.height) * side(shape.width), 120),
        dense2(120, 84),
        dense3(84, classes) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("dense1", dense1);
    register_module("dense2", dense2);
    register_module("dense3", dense3);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(conv1(images).relu_(), 2);
    x = torch::max_pool2d(conv2(x).relu_(), 2);
    x = dense1(x.flatten(1)).relu_();
    return dense3(dense2(x).relu_());
  }
  static std::int64_t side(int pixels) { return ((pixels - 4) / 2 - 4) / 2; }

  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear dense1, dense2, dense3;
};

}  // namespace

std::vector<ModelDef> lenet5() {
  return {{.id = "lenet5",
           .title = "LeNet-5",
           .summary =
               "Two 5x5 convolutions (6 and 16 maps) with ReLU and 2x2 maxima, then dense layers of 120, 84 and one per class.",
           .reference = "LeCun et al. 1998; activations as in DGS",
           .params = {},
           .inputs = {{3, 32, 32}, {1, 28, 28}, {1, 32, 32}, {3, 28, 28}},
           .init = "torch",
           .parameterCount = 62006,
           .convolutional = true,
           .make = [](const Params&, const Shape& shape, int classes) { return std::make_shared<LeNet5>(shape, classes); }}};
}

}  // namespace paceline
