// DavidNet: the nine-layer residual net that D. Page trained fast on CIFAR-10, as DGS has it. The structure is the one that has
// the published 6 573 120 parameters at 3x32x32 and 10 classes:
//   convolutions 9 * (3*64 + 64*128 + 2*128*128 + 128*256 + 256*512 + 2*512*512) = 6 563 520,
//   normalisation 2 * (64 + 3*128 + 256 + 3*512) = 4 480, dense 512 * 10 without bias = 5 120.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

constexpr double kScale = 0.125;  // of the scores

struct DavidNet final : Net {
  DavidNet(const Shape& shape, int classes)
      : prepare(register_module("prepare", std::make_shared<layers::ConvolutionNorm>(shape.channels, 64))),
        dense(torch::nn::LinearOptions(512, classes).bias(false)) {
    int from = 64;
    for (const int to : {128, 256, 512}) {
      Stage stage{.widen = add("widen", from, to), .residual = {}};
      if (to != 256) stage.residual = {add("residual_a", to, to), add("residual_b", to, to)};
      stages.push_back(std::move(stage));
      from = to;
    }
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = prepare->forward(images);
    for (const Stage& stage : stages) {
      x = torch::max_pool2d(stage.widen->forward(x), 2);
      torch::Tensor y = x;
      for (const auto& part : stage.residual) y = part->forward(y);
      if (!stage.residual.empty()) x = x + y;
    }
    x = torch::max_pool2d(x, {x.size(2), x.size(3)}).flatten(1);  // over the whole picture: 4x4 of 32x32
    return dense(x) * kScale;
  }

 private:
  struct Stage {
    std::shared_ptr<layers::ConvolutionNorm> widen;
    std::vector<std::shared_ptr<layers::ConvolutionNorm>> residual;
  };
  std::shared_ptr<layers::ConvolutionNorm> add(const char* name, int from, int to) {
    return register_module(strCat("stage", stages.size() + 1, "_", name), std::make_shared<layers::ConvolutionNorm>(from, to));
  }
  std::shared_ptr<layers::ConvolutionNorm> prepare;
  std::vector<Stage> stages;
  torch::nn::Linear dense;
};

}  // namespace

std::vector<ModelDef> davidnet() {
  return {{.id = "davidnet",
           .title = "DavidNet (ResNet-9)",
           .summary = "Nine-layer residual net that learns CIFAR-10 in few epochs: 3x3 convolutions with batch normalisation and 2x2 maxima; "
                      "scores times 0.125, as DGS has it.",
           .reference = "D. Page 2018, How to train your ResNet",
           .inputs = {{3, 32, 32}, {1, 28, 28}, {1, 32, 32}, {3, 28, 28}, {3, 64, 64}, {1, 64, 64}},
           .init = "torch",
           .parameterCount = 6573120,
           .convolutional = true,
           .minimumBatch = 2,
           .make = madeOf<DavidNet>}};
}

}  // namespace paceline
