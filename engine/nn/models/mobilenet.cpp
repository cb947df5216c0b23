// MobileNet v1 and v2 at width 1, as Gluon has them and ESync trains them: a convolution over each channel by itself (depthwise), then one
// over the channels of each pixel (1x1).
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace mobile {

using layers::Activation;
using layers::Chain;
using layers::Conv;
using layers::ConvolutionNorm;

Conv depthwise(int channels, int stride) { return {.kernel = 3, .stride = stride, .groups = channels}; }

struct Step {
  int channels, stride;
};

struct MobileNet1 final : Net {
  MobileNet1(const Shape& shape, int classes) : dense(1024, classes) {
    const std::vector<Step> steps = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                                     {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    features->add<ConvolutionNorm>(shape.channels, 32, Conv{.stride = 2});
    int from = 32;
    for (const Step& step : steps) {
      features->add<ConvolutionNorm>(from, from, depthwise(from, step.stride));
      features->add<ConvolutionNorm>(from, step.channels, Conv{.kernel = 1});
      from = step.channels;
    }
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override { return dense(layers::globalAverage(features->forward(images))); }
  std::shared_ptr<Chain> features = register_module("features", std::make_shared<Chain>());
  torch::nn::Linear dense;
};

// Widens (also by 1, as Gluon does), filters, narrows without activation; adds its input where the shape stays.
struct InvertedBottleneck final : Net {
  InvertedBottleneck(int from, int to, int widening, int stride) : adds(from == to && stride == 1) {
    const int wide = from * widening;
    body->add<ConvolutionNorm>(from, wide, Conv{.kernel = 1}, Activation::kRelu6);
    body->add<ConvolutionNorm>(wide, wide, depthwise(wide, stride), Activation::kRelu6);
    body->add<ConvolutionNorm>(wide, to, Conv{.kernel = 1}, Activation::kNone);
  }
  torch::Tensor forward(torch::Tensor x) override {
    const torch::Tensor filtered = body->forward(x);
    return adds ? filtered.add_(x) : filtered;
  }
  bool adds;
  std::shared_ptr<Chain> body = register_module("body", std::make_shared<Chain>());
};

struct MobileNet2 final : Net {
  MobileNet2(const Shape& shape, int classes) : scores(layers::convolution(1280, classes, {.kernel = 1})) {
    struct Group {
      int widening, channels, blocks, stride;
    };
    const std::vector<Group> groups = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    features->add<ConvolutionNorm>(shape.channels, 32, Conv{.stride = 2}, Activation::kRelu6);
    int from = 32;
    for (const Group& group : groups) {
      for (int i = 0; i < group.blocks; ++i) {
        features->add<InvertedBottleneck>(from, group.channels, group.widening, i == 0 ? group.stride : 1);
        from = group.channels;
      }
    }
    features->add<ConvolutionNorm>(from, 1280, Conv{.kernel = 1}, Activation::kRelu6);
    register_module("scores", scores);
  }
  torch::Tensor forward(torch::Tensor images) override {
    return scores(features->forward(images).mean({2, 3}, /*keepdim=*/true)).flatten(1);
  }
  std::shared_ptr<Chain> features = register_module("features", std::make_shared<Chain>());
  torch::nn::Conv2d scores;  // dense without bias, written as a 1x1 convolution
};

}  // namespace mobile
}  // namespace

std::vector<ModelDef> mobilenet() {
  return {{.id = "mobilenet_v1",
           .title = "MobileNet v1",
           .summary = "Thirteen pairs of a depthwise and a 1x1 convolution at width 1, as ESync trains it; batch normalisation, ReLU.",
           .reference = "Howard et al. 2017; as in Gluon",
           .parameterCount = 3216650,
           .convolutional = true,
           .minimumBatch = 2,
           .make = madeOf<mobile::MobileNet1>},
          {.id = "mobilenet_v2",
           .title = "MobileNet v2",
           .summary = "Seventeen inverted residual bottlenecks at width 1, as ESync trains it; batch normalisation, ReLU6, no bias anywhere.",
           .reference = "Sandler et al. 2018, CVPR; as in Gluon",
           .parameterCount = 2237184,
           .convolutional = true,
           .minimumBatch = 2,
           .make = madeOf<mobile::MobileNet2>}};
}

}  // namespace paceline
