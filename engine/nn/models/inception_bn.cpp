// What MXNet-G trains on CIFAR-10 beside ResNets: MXNet's inception-bn-28-small and a net of three convolutions. Every convolution has a bias
// and a norm (eps 1e-3) whose gamma is fixed to 1.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace small {

struct Filter final : Net {  // convolution, norm, ReLU
  Filter(int from, int to, int kernel, int stride = 1)
      : convolution(register_module("conv", layers::convolution(from, to, {.kernel = kernel, .stride = stride, .bias = true}))),
        norm(register_module("bn", std::make_shared<layers::FixedScaleNorm>(to, 1e-3))) {}
  torch::Tensor forward(torch::Tensor x) override { return norm->forward(convolution(x)).relu_(); }
  torch::nn::Conv2d convolution;
  std::shared_ptr<layers::FixedScaleNorm> norm;
};

struct Simple final : layers::SideBySide {
  Simple(int from, int point, int three) {
    branch().add<Filter>(from, point, 1);
    branch().add<Filter>(from, three, 3);
  }
};

struct Down final : layers::SideBySide {  // half the size
  Down(int from, int three) {
    branch().add<Filter>(from, three, 3, 2);
    branch().add<layers::Apply>([](const torch::Tensor& x) { return torch::max_pool2d(x, 3, 2, 1); });
  }
};

struct InceptionBn final : Net {
  InceptionBn(const Shape& shape, int classes) : dense(336, classes) {
    features->add<Filter>(shape.channels, 96, 3);
    features->add<Simple>(96, 32, 32).add<Simple>(64, 32, 48).add<Down>(80, 80);  // 28 to 14
    features->add<Simple>(160, 112, 48).add<Simple>(160, 96, 64).add<Simple>(160, 80, 80).add<Simple>(160, 48, 96).add<Down>(144, 96);
    features->add<Simple>(240, 176, 160).add<Simple>(336, 176, 160);  // 7
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override { return dense(torch::avg_pool2d(features->forward(images), 7).flatten(1)); }
  std::shared_ptr<layers::Chain> features = register_module("features", std::make_shared<layers::Chain>());
  torch::nn::Linear dense;
};

struct Conv3 final : Net {
  Conv3(const Shape& shape, int classes)
      : conv1(register_module("conv1", std::make_shared<Filter>(shape.channels, 32, 5))),
        conv2(register_module("conv2", std::make_shared<Filter>(32, 32, 5))),
        conv3(register_module("conv3", std::make_shared<Filter>(32, 64, 5))),
        dense(register_module("dense", std::make_shared<layers::DenseLayers>(
                                           std::vector<std::int64_t>{64 * side(shape.height) * side(shape.width), 64, classes}))) {}
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(conv1->forward(images), 3, 2);
    x = torch::avg_pool2d(conv2->forward(x), 3, 2);
    return dense->forward(torch::avg_pool2d(conv3->forward(x), 3, 2));
  }
  static int side(int pixels) {  // three times 3x3 pooling with stride 2, rounded down: 28, 13, 6, 2
    for (int i = 0; i < 3; ++i) pixels = (pixels - 3) / 2 + 1;
    return pixels;
  }
  std::shared_ptr<Filter> conv1, conv2, conv3;
  std::shared_ptr<layers::DenseLayers> dense;
};

}  // namespace small
}  // namespace

// Counts at 3x28x28 and 10 classes, by hand. A filter from c to n channels with a kxk kernel has ckkn weights, n biases and n betas.
// inception_bn_small: 2784 + simple 30848 + 29856, down 57760, simple 87360 + 107840 + 128320 + 146208, down 124608, simple 388512 + 543648,
// dense 3370: 1651114. conv3: 2464 + 25664 + 51328, dense 256*64 + 64 and 650: 96554.
std::vector<ModelDef> inception_bn() {
  return {{.id = "inception_bn_small",
           .title = "Inception-BN-28 small",
           .summary = "Ten blocks of 1x1 beside 3x3 convolutions on 28x28 images, as MXNet-G trains it on CIFAR; norms with a fixed scale.",
           .reference = "Ioffe, Szegedy 2015; inception-bn-28-small of MXNet's examples and MXNet-G",
           .inputs = {Shape{3, 28, 28}, Shape{1, 28, 28}},
           .parameterCount = 1651114,
           .convolutional = true,
           .make = madeOf<small::InceptionBn>},
          {.id = "conv3",
           .title = "Three convolutions",
           .summary = "Three 5x5 convolutions of 32, 32 and 64 channels with pooling and norms, and a dense layer of 64, as MXNet-G trains it.",
           .reference = "3conv of MXNet-G",
           .inputs = {Shape{3, 28, 28}, Shape{1, 28, 28}, Shape{3, 32, 32}},
           .parameterCount = 96554,
           .convolutional = true,
           .make = madeOf<small::Conv3>}};
}

}  // namespace paceline
