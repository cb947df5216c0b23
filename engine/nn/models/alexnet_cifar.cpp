// AlexNet cut down to 32x32 pictures as DGS trains it: five convolutions and one dense layer.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct AlexNetCifar final : Net {  // 32 pixels a side become 8, 4, 2, 1
  AlexNetCifar(const Shape& shape, int classes)
      : features(register_module("features", std::make_shared<layers::AlexFeatures>(shape.channels, 5, 2))),
        dense(register_module("dense", torch::nn::Linear(256, classes))) {}
  torch::Tensor forward(torch::Tensor images) override { return dense(features->forward(images).flatten(1)); }
  std::shared_ptr<layers::AlexFeatures> features;
  torch::nn::Linear dense;
};

}  // namespace

std::vector<ModelDef> alexnet_cifar() {
  return {{.id = "alexnet_cifar",
           .title = "AlexNet for CIFAR",
           .summary = "Five convolutions (11x11 stride 4, 5x5, three 3x3) with ReLU and 2x2 maxima, and one dense layer, as DGS trains it.",
           .reference = "Krizhevsky, Sutskever, Hinton 2012, NIPS; sizes as in DGS",
           .inputs = {{3, 32, 32}, {1, 32, 32}},
           .init = "torch",
           .parameterCount = 2472266,
           .convolutional = true,
           .make = madeOf<AlexNetCifar>}};
}

}  // namespace paceline
