// AlexNet in the form of "One weird trick" (Krizhevsky 2014), as Gluon has it and ESync trains it.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

struct AlexNet final : Net {  // 224, conv 55, pool 27, pool 13, pool 6
  AlexNet(const Shape& shape, int classes)
      : features(register_module("features", std::make_shared<layers::AlexFeatures>(shape.channels, 2, 3))),
        dense(register_module("dense", std::make_shared<layers::DenseLayers>(std::vector<std::int64_t>{256 * 6 * 6, 4096, 4096, classes}, 0.5))) {}
  torch::Tensor forward(torch::Tensor images) override { return dense->forward(features->forward(images)); }
  std::shared_ptr<layers::AlexFeatures> features;
  std::shared_ptr<layers::DenseLayers> dense;
};

}  // namespace

ModelDef alexnet() {
  return {.id = "alexnet",
          .title = "AlexNet",
          .summary = "Five convolutions (64, 192, 384, 256, 256) and dense layers of 4096, 4096 and one per class; dropout 0.5 after the first two.",
          .reference = "Krizhevsky 2014, One weird trick; sizes as in Gluon and ESync",
          .inputs = {Shape{1, 224, 224}, Shape{3, 224, 224}},
          .parameterCount = 57029322,
          .random = true,
          .convolutional = true,
          .make = madeOf<AlexNet>};
}

}  // namespace paceline
