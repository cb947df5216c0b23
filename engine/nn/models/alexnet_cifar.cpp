// AlexNet cut down to 32x32 pictures as DGS trains it: five convolutions and one dense layer.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct AlexNetCifar final : Net {
  AlexNetCifar(int channels, int classes) : dense(256, classes) {
    add(channels, 64, {.kernel = 11, .stride = 4, .padding = 5, .bias = true});
    add(64, 192, {.kernel = 5, .bias = true});
    add(192, 384, {.bias = true});
    add(384, 256, {.bias = true});
    add(256, 256, {.bias = true});
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor x) override {
    for (std::size_t i = 0; i < convolutions.size(); ++i) {
      x = convolutions[i](x).relu_();
      if (i == 0 || i == 1 || i == 4) x = torch::max_pool2d(x, 2);
    }
    return dense(x.flatten(1));  // 32 pixels a side have become 8, 4, 2, 1
  }
  void add(int from, int to, const layers::Conv& how) {
    convolutions.push_back(register_module(strCat("conv", convolutions.size() + 1), layers::convolution(from, to, how)));
  }
  std::vector<torch::nn::Conv2d> convolutions;
  torch::nn::Linear dense;
};

}  // namespace

std::vector<ModelDef> alexnet_cifar() {
  return {
      {.id = "alexnet_cifar",
       .title = "AlexNet for CIFAR",
       .summary =
           "Five convolutions (11x11 stride 4, 5x5, three 3x3) with ReLU and 2x2 maxima, and one dense layer, as DGS trains it.",
       .reference = "Krizhevsky, Sutskever, Hinton 2012, NIPS; sizes as in DGS",
       .params = {},
       .inputs = {{3, 32, 32}, {1, 32, 32}},
       .init = "torch",
       .parameterCount = 2472266,
       .convolutional = true,
       .make = [](const Params&, const Shape& shape, int classes) {
         return std::make_shared<AlexNetCifar>(shape.channels, classes);
       }}};
}

}  // namespace paceline
