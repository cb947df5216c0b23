// The convolutions of the VGG nets (Simonyan, Zisserman 2015, ICLR, table 1): 3x3 with bias, ReLU, 2x2 maximum after every stage;
// five of these halve a picture of 32 pixels to one. Included by models/*.cpp only.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/nn/models/layers.h"

namespace paceline::layers {

// By depth: convolutions with 64, 128, 256, 512 and 512 channels.
inline const std::map<int, std::vector<int>> kVggStages = {{11, {1, 1, 2, 2, 2}}, {13, {2, 2, 2, 2, 2}}, {16, {2, 2, 3, 3, 3}}, {19, {2, 2, 4, 4, 4}}};

struct VggFeatures final : Net {
  using Norm = std::function<torch::nn::AnyModule(int from, int to)>;  // empty: none

  VggFeatures(int depth, int channels, const Norm& norm) {
    const std::vector<int> depths = kVggStages.at(depth);
    for (std::size_t stage = 0; stage < depths.size(); ++stage) {
      for (int i = 0; i < depths[stage]; ++i) {
        const int to = stage < 3 ? 64 << stage : 512;
        const std::size_t number = steps.size() + 1;
        Step step{.convolution = register_module(strCat("conv", number), convolution(channels, to, {.bias = true})),
                  .norm = {},
                  .pooled = i + 1 == depths[stage]};
        if (norm) step.norm = named(*this, strCat("norm", number), norm(channels, to));
        steps.push_back(std::move(step));
        channels = to;
      }
    }
  }

  torch::Tensor forward(torch::Tensor x) override {
    for (Step& step : steps) {
      x = step.convolution(x);
      if (!step.norm.is_empty()) x = step.norm.forward(x);
      x = x.relu_();
      if (step.pooled) x = torch::max_pool2d(x, 2);
    }
    return x;
  }

 private:
  struct Step {
    torch::nn::Conv2d convolution;
    torch::nn::AnyModule norm;
    bool pooled;
  };
  std::vector<Step> steps;
};

}  // namespace paceline::layers
