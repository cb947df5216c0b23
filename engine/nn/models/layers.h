// What the convolution nets of this folder are built from: LibTorch's layers with this field's defaults, a chain of parts and parts side
// by side. Included by models/*.cpp only. Parts own their parts; one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/nn/model.h"

namespace paceline::layers {

using Pair = torch::ExpandingArray<2>;  // height, width; or one number for both

struct Conv {
  Pair kernel = 3;
  int stride = 1;
  std::optional<int> padding = std::nullopt;  // none: half the kernel, which keeps the size at stride 1
  int groups = 1;
  bool bias = false;
};

inline torch::nn::Conv2d convolution(int from, int to, const Conv& how = {}) {
  const Pair half({(*how.kernel)[0] / 2, (*how.kernel)[1] / 2});
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, how.kernel)
                               .stride(how.stride)
                               .padding(how.padding ? Pair(*how.padding) : half)
                               .groups(how.groups)
                               .bias(how.bias));
}

// Momentum 0.1 is the share of the new batch: MXNet's 0.9 of the old.
inline torch::nn::BatchNorm2d batchNorm(int channels, double eps = 1e-5) {
  return torch::nn::BatchNorm2d(torch::nn::BatchNorm2dOptions(channels).eps(eps).momentum(0.1));
}

// Batch normalisation whose gamma is 1 for ever (MXNet's fix_gamma). Its beta is trained, or 0 for ever as well.
struct FixedScaleNorm final : Net {
  FixedScaleNorm(int channels, double eps, bool shifts = true) : eps(eps) {
    if (shifts) bias = register_parameter("bias", torch::zeros(channels));
    mean = register_buffer("running_mean", torch::zeros(channels));
    variance = register_buffer("running_var", torch::ones(channels));
  }
  torch::Tensor forward(torch::Tensor x) override {
    return torch::batch_norm(x, {}, bias, mean, variance, is_training(), 0.1, eps, true);
  }
  double eps;
  torch::Tensor bias, mean, variance;
};

enum class Activation { kNone, kRelu, kRelu6 };

inline torch::Tensor activated(torch::Tensor x, Activation activation) {  // in place
  if (activation == Activation::kRelu) return x.relu_();
  return activation == Activation::kRelu6 ? torch::hardtanh_(x, 0, 6) : x;
}

// Convolution, batch normalisation, activation.
struct ConvolutionNorm final : Net {
  ConvolutionNorm(int from, int to, const Conv& how = {}, Activation activation = Activation::kRelu, double eps = 1e-5)
      : convolution(layers::convolution(from, to, how)), norm(batchNorm(to, eps)), activation(activation) {
    register_module("conv", convolution);
    register_module("bn", norm);
  }
  torch::Tensor forward(torch::Tensor x) override { return activated(norm(convolution(x)), activation); }
  torch::nn::Conv2d convolution;
  torch::nn::BatchNorm2d norm;
  Activation activation;
};

inline torch::Tensor globalAverage(const torch::Tensor& x) { return x.mean({2, 3}); }  // [batch, channels]

// A part without parameters: pooling, an activation.
struct Apply final : Net {
  explicit Apply(std::function<torch::Tensor(const torch::Tensor&)> function) : function(std::move(function)) {}
  torch::Tensor forward(torch::Tensor x) override { return function(x); }
  std::function<torch::Tensor(const torch::Tensor&)> function;
};

// Parts one after the other, named part1, part2, ...
struct Chain : Net {
  template <class Part, class... Arguments>
  Chain& add(Arguments&&... arguments) {
    parts.push_back(register_module(strCat("part", parts.size() + 1), std::make_shared<Part>(std::forward<Arguments>(arguments)...)));
    return *this;
  }
  torch::Tensor forward(torch::Tensor x) override {
    for (const std::shared_ptr<Net>& part : parts) x = part->forward(x);
    return x;
  }
  std::vector<std::shared_ptr<Net>> parts;
};

// Chains over the same input, their channels one after the other.
struct SideBySide : Net {
  Chain& branch() {
    branches.push_back(register_module(strCat("branch", branches.size() + 1), std::make_shared<Chain>()));
    return *branches.back();
  }
  torch::Tensor forward(torch::Tensor x) override {
    std::vector<torch::Tensor> outputs;
    for (const std::shared_ptr<Chain>& chain : branches) outputs.push_back(chain->forward(x));
    return torch::cat(outputs, 1);
  }
  std::vector<std::shared_ptr<Chain>> branches;
};

}  // namespace paceline::layers
