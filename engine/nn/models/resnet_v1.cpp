// ResNet-18 v1 as ESync trains it: the ImageNet stem (7x7 stride 2, 3x3 pooling stride 2) even on 28x28 images.
#include "engine/core/error.h"
#include "engine/nn/model.h"

namespace paceline {
namespace {

namespace nn = torch::nn;

nn::Conv2d convolution(int from, int to, int kernel, int stride) {
  return nn::Conv2d(nn::Conv2dOptions(from, to, kernel).stride(stride).padding(kernel / 2).bias(false));
}

nn::BatchNorm2d normalisation(int channels) { return nn::BatchNorm2d(nn::BatchNorm2dOptions(channels).eps(1e-5).momentum(0.1)); }

struct BasicBlock final : Net {
  BasicBlock(int from, int to, int stride)
      : conv1(convolution(from, to, 3, stride)),
        bn1(normalisation(to)),
        conv2(convolution(to, to, 3, 1)),
        bn2(normalisation(to)) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    if (from == to && stride == 1) return;
    shortcut = register_module("shortcut", convolution(from, to, 1, stride));
    shortcutBn = register_module("shortcut_bn", normalisation(to));
  }
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor straight = shortcut.is_empty() ? x : shortcutBn(shortcut(x));
    x = bn1(conv1(x)).relu_();
    x = bn2(conv2(x));
    return x.add_(straight).relu_();
  }
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Conv2d shortcut{nullptr};
  nn::BatchNorm2d shortcutBn{nullptr};
};

struct ResNet18 final : Net {
  ResNet18(const Shape& shape, int classes)
      : stem(convolution(shape.channels, 64, 7, 2)), stemBn(normalisation(64)), dense(512, classes) {
    register_module("stem", stem);
    register_module("stem_bn", stemBn);
    int from = 64;
    for (const int to : {64, 128, 256, 512}) {
      for (int i = 0; i < 2; ++i) {
        const int stride = i == 0 && to != 64 ? 2 : 1;
        blocks.push_back(register_module(strCat("block", blocks.size() + 1), std::make_shared<BasicBlock>(from, to, stride)));
        from = to;
      }
    }
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(stemBn(stem(images)).relu_(), 3, 2, 1);
    for (const auto& block : blocks) x = block->forward(x);
    return dense(x.mean({2, 3}));  // global average
  }
  nn::Conv2d stem;
  nn::BatchNorm2d stemBn;
  std::vector<std::shared_ptr<BasicBlock>> blocks;
  nn::Linear dense;
};

}  // namespace

std::vector<ModelDef> resnet_v1() {
  return {{.id = "resnet18_v1",
          .title = "ResNet-18 v1",
          .summary = "Residual network of eight basic blocks behind the ImageNet stem, as ESync trains it; batch normalisation.",
          .reference = "He, Zhang, Ren, Sun 2016, CVPR; stem and blocks as in Gluon's resnet18_v1",
          .params = {},
          .inputs = {},
          .parameterCount = 11175370,
          .convolutional = true,
          .minimumBatch = 2,
          .make = [](const Params&, const Shape& shape, int classes) { return std::make_shared<ResNet18>(shape, classes); }}};
}

}  // namespace paceline
