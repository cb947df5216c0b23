// LeNet 20-50-500 as ps_pytorch and DGS train it: no ReLU between the two dense layers.
#include "engine/nn/model.h"

namespace paceline {
namespace {

struct LeNet final : Net {
  LeNet(const Shape& shape, int classes)
      : conv1(register_module("conv1", torch::nn::Conv2d(shape.channels, 20, 5))),
        conv2(register_module("conv2", torch::nn::Conv2d(20, 50, 5))),
        dense1(register_module("dense1", torch::nn::Linear(50 * side(shape.height) * side(shape.width), 500))),
        dense2(register_module("dense2", torch::nn::Linear(500, classes))) {}
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(conv1(images), 2).relu_();
    x = torch::max_pool2d(conv2(x), 2).relu_();
    return dense2(dense1(x.flatten(1)));
  }
  static std::int64_t side(int pixels) { return ((pixels - 4) / 2 - 4) / 2; }

  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear dense1, dense2;
};

}  // namespace

ModelDef lenet() {
  return {.id = "lenet",
          .title = "LeNet 20-50-500",
          .summary = "Two 5x5 convolutions (20 and 50 maps) with 2x2 max pooling and ReLU, then dense layers of 500 and one per class.",
          .reference = "LeCun et al. 1998; sizes as in ps_pytorch and DGS",
          .inputs = {Shape{1, 28, 28}, Shape{1, 32, 32}, Shape{3, 32, 32}},
          .parameterCount = 431080,
          .convolutional = true,
          .make = madeOf<LeNet>};
}

}  // namespace paceline
