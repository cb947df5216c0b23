// AlexNet in the form of "One weird trick" (Krizhevsky 2014), as Gluon has it and ESync trains it.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct AlexNet final : Net {
  AlexNet(int channels, int classes)
      : conv1(layers::convolution(channels, 64, {.kernel = 11, .stride = 4, .padding = 2, .bias = true})),
        conv2(layers::convolution(64, 192, {.kernel = 5, .bias = true})),
        conv3(layers::convolution(192, 384, {.bias = true})),
        conv4(layers::convolution(384, 256, {.bias = true})),
        conv5(layers::convolution(256, 256, {.bias = true})),
        dense1(256 * 6 * 6, 4096),
        dense2(4096, 4096),
        dense3(4096, classes) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("conv3", conv3);
    register_module("conv4", conv4);
    register_module("conv5", conv5);
    register_module("dense1", dense1);
    register_module("dense2", dense2);
    register_module("dense3", dense3);
  }
  torch::Tensor forward(torch::Tensor images) override {  // 224, conv 55, pool 27, pool 13, pool 6
    torch::Tensor x = torch::max_pool2d(conv1(images).relu_(), 3, 2);
    x = torch::max_pool2d(conv2(x).relu_(), 3, 2);
    x = conv4(conv3(x).relu_()).relu_();
    x = torch::max_pool2d(conv5(x).relu_(), 3, 2).flatten(1);
    x = torch::dropout(dense1(x).relu_(), 0.5, is_training());
    x = torch::dropout(dense2(x).relu_(), 0.5, is_training());
    return dense3(x);
  }
  torch::nn::Conv2d conv1, conv2, conv3, conv4, conv5;
  torch::nn::Linear dense1, dense2, dense3;
};

}  // namespace

ModelDef alexnet() {
  return {.id = "alexnet",
          .title = "AlexNet",
          .summary = "Five convolutions (64, 192, 384, 256, 256) and dense layers of 4096, 4096 and one per class; dropout 0.5 after the first two.",
          .reference = "Krizhevsky 2014, One weird trick; sizes as in Gluon and ESync",
          .params = {},
          .inputs = {Shape{1, 224, 224}, Shape{3, 224, 224}},
          .parameterCount = 57029322,
          .random = true,
          .convolutional = true,
          .make = [](const Params&, const Shape& shape, int classes) { return std::make_shared<AlexNet>(shape.channels, classes); }};
}

}  // namespace paceline
