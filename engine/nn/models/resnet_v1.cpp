// ResNet v1 as ESync trains it: the ImageNet stem (7x7 stride 2, 3x3 pooling stride 2) even on 28x28 images, where a picture shrinks
// 28, 14, 7, 7, 4, 2, 1. Every block adds its input to what it computes and takes the ReLU of the sum.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace v1 {

using layers::batchNorm;
using layers::convolution;
using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

struct Shortcut {  // the block's input, through 1x1 and norm where its shape changes
  void open(Net& block, int from, int to, int stride) {
    if (from == to && stride == 1) return;
    convolution = block.register_module("shortcut", layers::convolution(from, to, {.kernel = 1, .stride = stride}));
    norm = block.register_module("shortcut_bn", batchNorm(to));
  }
  torch::Tensor forward(const torch::Tensor& x) { return convolution.is_empty() ? x : norm(convolution(x)); }
  Conv2d convolution{nullptr};
  BatchNorm2d norm{nullptr};
};

struct BasicBlock final : Net {
  BasicBlock(int from, int to, int stride)
      : conv1(convolution(from, to, {.stride = stride})), bn1(batchNorm(to)), conv2(convolution(to, to)), bn2(batchNorm(to)) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    shortcut.open(*this, from, to, stride);
  }
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor straight = shortcut.forward(x);
    x = bn1(conv1(x)).relu_();
    return bn2(conv2(x)).add_(straight).relu_();
  }
  Conv2d conv1;
  BatchNorm2d bn1;
  Conv2d conv2;
  BatchNorm2d bn2;
  Shortcut shortcut;
};

// Gluon's v1: the stride is on the first 1x1, and both 1x1 have a bias although a norm follows.
struct Bottleneck final : Net {
  Bottleneck(int from, int to, int stride)
      : conv1(convolution(from, to / 4, {.kernel = 1, .stride = stride, .bias = true})),
        bn1(batchNorm(to / 4)),
        conv2(convolution(to / 4, to / 4)),
        bn2(batchNorm(to / 4)),
        conv3(convolution(to / 4, to, {.kernel = 1, .bias = true})),
        bn3(batchNorm(to)) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("bn2", bn2);
    register_module("conv3", conv3);
    register_module("bn3", bn3);
    shortcut.open(*this, from, to, stride);
  }
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor straight = shortcut.forward(x);
    x = bn1(conv1(x)).relu_();
    x = bn2(conv2(x)).relu_();
    return bn3(conv3(x)).add_(straight).relu_();
  }
  Conv2d conv1;
  BatchNorm2d bn1;
  Conv2d conv2;
  BatchNorm2d bn2;
  Conv2d conv3;
  BatchNorm2d bn3;
  Shortcut shortcut;
};

struct Stage {
  int blocks, channels;
};

template <class Block>
struct ResNet final : Net {
  ResNet(const Shape& shape, int classes, const std::vector<Stage>& stages)
      : stem(convolution(shape.channels, 64, {.kernel = 7, .stride = 2})), stemBn(batchNorm(64)) {
    register_module("stem", stem);
    register_module("stem_bn", stemBn);
    int from = 64;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      for (int i = 0; i < stages[stage].blocks; ++i) {
        const int to = stages[stage].channels, stride = i == 0 && stage > 0 ? 2 : 1;
        blocks.push_back(register_module(strCat("block", blocks.size() + 1), std::make_shared<Block>(from, to, stride)));
        from = to;
      }
    }
    dense = register_module("dense", torch::nn::Linear(from, classes));
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(stemBn(stem(images)).relu_(), 3, 2, 1);
    for (const auto& block : blocks) x = block->forward(x);
    return dense(layers::globalAverage(x));
  }
  Conv2d stem;
  BatchNorm2d stemBn;
  std::vector<std::shared_ptr<Block>> blocks;
  torch::nn::Linear dense{nullptr};
};

}  // namespace v1

}  // namespace

std::vector<ModelDef> resnet_v1() {
  const std::string reference = "He, Zhang, Ren, Sun 2016, CVPR; stem and blocks as in Gluon's model of this name";
  return {{.id = "resnet18_v1",
           .title = "ResNet-18 v1",
           .summary = "Residual network of eight basic blocks behind the ImageNet stem, as ESync trains it; batch normalisation.",
           .reference = reference,
           .params = {},
           .inputs = {},
           .parameterCount = 11175370,
           .convolutional = true,
           .minimumBatch = 2,
           .make =
               [](const Params&, const Shape& shape, int classes) {
                 const std::vector<v1::Stage> stages = {{2, 64}, {2, 128}, {2, 256}, {2, 512}};
                 return std::make_shared<v1::ResNet<v1::BasicBlock>>(shape, classes, stages);
               }},
          {.id = "resnet50_v1",
           .title = "ResNet-50 v1",
           .summary = "Residual network of sixteen bottlenecks behind the ImageNet stem, as ESync trains it: stride on the first 1x1 "
                      "convolution, biases in the 1x1 ones.",
           .reference = reference,
           .params = {},
           .inputs = {},
           .parameterCount = 23541130,
           .convolutional = true,
           .minimumBatch = 2,
           .make = [](const Params&, const Shape& shape, int classes) {
             const std::vector<v1::Stage> stages = {{3, 256}, {4, 512}, {6, 1024}, {3, 2048}};
             return std::make_shared<v1::ResNet<v1::Bottleneck>>(shape, classes, stages);
           }}};
}

}  // namespace paceline
