// What the convolution nets of this folder are built from: LibTorch's layers with this field's defaults, a chain of parts and parts side
// by side. Included by models/*.cpp only. Parts own their parts; one thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
      : convolution(register_module("conv", layers::convolution(from, to, how))),
        norm(register_module("bn", batchNorm(to, eps))),
        activation(activation) {}
  torch::Tensor forward(torch::Tensor x) override { return activated(norm(convolution(x)), activation); }
  torch::nn::Conv2d convolution;
  torch::nn::BatchNorm2d norm;
  Activation activation;
};

inline torch::Tensor globalAverage(const torch::Tensor& x) { return x.mean({2, 3}); }  // [batch, channels]

// As torch::dropout and torch::feature_dropout, to the same bits, but drawn from the step's own generator: that of LibTorch belongs to all threads. On a device from
// the device's. Drawn row major whatever the layout of x, as LibTorch 1.13 does.
inline torch::Tensor noiseOf(const torch::Tensor& x, double share, at::IntArrayRef noiseSizes) {
  const torch::NoGradGuard noGrad;
  torch::Tensor noise = torch::empty(noiseSizes.empty() ? x.sizes() : noiseSizes, x.options());
  return noise.bernoulli_(1 - share, stepGenerator()).div_(1 - share);
}
inline torch::Tensor dropped(const torch::Tensor& x, double share, bool training) {
  if (!training || share == 0 || x.is_cuda()) return torch::dropout(x, share, training);
  return x * noiseOf(x, share, {});
}
inline torch::Tensor droppedMaps(const torch::Tensor& x, double share, bool training) {
  if (!training || share == 0 || x.is_cuda()) return torch::feature_dropout(x, share, training);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
  sizes[0] = x.size(0), sizes[1] = x.size(1);
  return x * noiseOf(x, share, sizes);
}

// Dense layers with ReLU between them, over an input of any shape. Of what goes through all of them but the last, dropout leaves out a share
// behind the ReLU or, where it comes first, before the layer.
struct DenseLayers final : Net {
  explicit DenseLayers(const std::vector<std::int64_t>& sizes, double dropout = 0, bool dropsFirst = false) : dropout(dropout), dropsFirst(dropsFirst) {
    for (std::size_t i = 1; i < sizes.size(); ++i) layers.push_back(register_module(strCat("dense", i), torch::nn::Linear(sizes[i - 1], sizes[i])));
  }
  torch::Tensor forward(torch::Tensor x) override {
    x = x.flatten(1);
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) x = dropsFirst ? layers[i](dropped(x)).relu_() : dropped(layers[i](x).relu_());
    return layers.back()(x);
  }
  torch::Tensor dropped(const torch::Tensor& x) const { return layers::dropped(x, dropout, is_training()); }
  double dropout;
  bool dropsFirst;
  std::vector<torch::nn::Linear> layers;
};

// AlexNet's convolutions with ReLU; maxima over `window` pixels a side with stride 2 after the first two and the last.
struct AlexFeatures final : Net {
  AlexFeatures(int channels, int padding, int window) : window(window) {
    add(channels, 64, {.kernel = 11, .stride = 4, .padding = padding, .bias = true});
    add(64, 192, {.kernel = 5, .bias = true});
    add(192, 384, {.bias = true});
    add(384, 256, {.bias = true});
    add(256, 256, {.bias = true});
  }
  torch::Tensor forward(torch::Tensor x) override {
    for (std::size_t i = 0; i < convolutions.size(); ++i) {
      x = convolutions[i](x).relu_();
      if (i == 0 || i == 1 || i == 4) x = torch::max_pool2d(x, window, 2);
    }
    return x;
  }
  void add(int from, int to, const Conv& how) {
    convolutions.push_back(register_module(strCat("conv", convolutions.size() + 1), convolution(from, to, how)));
  }
  std::vector<torch::nn::Conv2d> convolutions;
  int window;
};

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

// Which normalisation stands behind a convolution, for the families that let the experiment choose.
using Norm = std::function<torch::nn::AnyModule(int channels)>;

// ceil(counted / perGroup) groups over `channels`; `counted` is `channels` except in ECL's VGG. Throws Error{kSpec} where it does
// not divide.
inline torch::nn::AnyModule groupNorm(int channels, int counted, std::int64_t perGroup) {
  const std::int64_t groups = (counted + perGroup - 1) / perGroup;
  if (channels % groups != 0)
    throw Error(Errc::kSpec,
                strCat("group_channels: ", perGroup, " makes ", groups, " groups, which do not divide ", channels, " channels"));
  return torch::nn::AnyModule(torch::nn::GroupNorm(torch::nn::GroupNormOptions(groups, channels)));
}

inline Norm groupNorms(std::int64_t perGroup) {
  return [perGroup](int channels) { return groupNorm(channels, channels, perGroup); };
}

// 16 and 32 channels a group: Wu, He 2018, ECCV, table 3, and ECL.
inline ParamSpec groupChannelsParam(std::int64_t fallback, const std::string& where = "") {
  return advanced(integerParam("group_channels", fallback, 1, 4096,
                      strCat(where, "channels that group normalisation takes together; the number of groups is rounded up.")));
}

inline std::vector<ParamSpec> normParams() {
  return {choiceParam("norm", "batch", {"batch", "group"}, "Normalisation over the batch, or over groups of channels of one picture."),
          groupChannelsParam(16, "With norm group: ")};
}

inline torch::nn::AnyModule batchNorms(int channels) { return torch::nn::AnyModule(batchNorm(channels)); }

inline Norm normOf(const Params& params) { return params.text("norm") == "group" ? groupNorms(params.integer("group_channels")) : batchNorms; }

// register_module() for a norm.
inline torch::nn::AnyModule named(Net& net, const std::string& name, torch::nn::AnyModule module) {
  net.register_module(name, module.ptr());
  return module;
}

// By depth: convolutions with 64, 128, 256, 512 and 512 channels.
inline const std::map<int, std::vector<int>> kVggStages = {{11, {1, 1, 2, 2, 2}}, {13, {2, 2, 2, 2, 2}}, {16, {2, 2, 3, 3, 3}}, {19, {2, 2, 4, 4, 4}}};

// The convolutions of the VGG nets (Simonyan, Zisserman 2015, ICLR, table 1): 3x3 with bias, ReLU, 2x2 maximum after every stage;
// five of these halve a picture of 32 pixels to one.
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

inline ParamSpec dropoutParam(ParamName name, double fallback, std::string help) {
  return realParam(std::move(name), fallback, 0, 0.95, std::move(help));
}

}  // namespace paceline::layers
