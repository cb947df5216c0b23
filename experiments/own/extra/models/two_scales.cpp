// Two 3x3 convolutions of 8 and 16 maps, each halved by max pooling, and one dense layer. An example: a network is one file, written as with LibTorch
// everywhere; its tensors become views of the one vector that is exchanged.
#include "engine/nn/model.h"

namespace paceline {
namespace {

struct TwoScales final : Net {
  TwoScales(const Shape& shape, int classes)
      : fine(register_module("fine", torch::nn::Conv2d(torch::nn::Conv2dOptions(shape.channels, 8, 3).padding(1)))),
        coarse(register_module("coarse", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 16, 3).padding(1)))),
        dense(register_module("dense", torch::nn::Linear(16 * (shape.height / 4) * (shape.width / 4), classes))) {}
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(fine(images).relu_(), 2);
    x = torch::max_pool2d(coarse(x).relu_(), 2);
    return dense(x.flatten(1));
  }

  torch::nn::Conv2d fine, coarse;
  torch::nn::Linear dense;
};

}  // namespace

ModelDef two_scales() {
  return {.id = "two_scales",
          .title = "Two scales",
          .summary = "Two 3x3 convolutions (8 and 16 maps) with 2x2 max pooling and ReLU, then one dense layer.",
          .inputs = {Shape{1, 28, 28}, Shape{3, 32, 32}},
          .parameterCount = 9098,  // of 1x28x28 and 10 classes: 80 + 1168 + 7850
          .convolutional = true,
          .make = madeOf<TwoScales>};
}

}  // namespace paceline
