// Inception v3 (Szegedy et al. 2016) without the auxiliary classifier, as Gluon has it and ESync trains it. Blocks A to E are the paper's
// figures 5, 10 (grids that shrink), 6 and 7.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace v3 {

using layers::Chain;
using layers::Conv;

struct Step {
  int to;  // channels
  Conv how;
};

Chain& convolve(Chain& chain, int from, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    chain.add<layers::ConvolutionNorm>(from, step.to, step.how, layers::Activation::kRelu, 1e-3);
    from = step.to;
  }
  return chain;
}

void halve(Chain& chain) {
  chain.add<layers::Apply>([](const torch::Tensor& x) { return torch::max_pool2d(x, 3, 2); });
}

const Conv kPoint = {.kernel = 1};
const Conv kThree = {.kernel = 3};
const Conv kHalving = {.kernel = 3, .stride = 2, .padding = 0};
const Conv kFive = {.kernel = 5};
const Conv kWide = {.kernel = {1, 7}}, kTall = {.kernel = {7, 1}};
const Conv kShortWide = {.kernel = {1, 3}}, kShortTall = {.kernel = {3, 1}};

struct Block : layers::SideBySide {
  void pooled(int from, int to) {  // zeros of the border count in the mean
    Chain& chain = branch();
    chain.add<layers::Apply>([](const torch::Tensor& x) { return torch::avg_pool2d(x, 3, 1, 1); });
    convolve(chain, from, {{to, kPoint}});
  }
};

struct BlockA final : Block {  // 35x35; 224 + pool channels
  BlockA(int from, int pool) {
    convolve(branch(), from, {{64, kPoint}});
    convolve(branch(), from, {{48, kPoint}, {64, kFive}});
    convolve(branch(), from, {{64, kPoint}, {96, kThree}, {96, kThree}});
    pooled(from, pool);
  }
};

struct BlockB final : Block {  // 35x35 to 17x17; 480 channels more
  explicit BlockB(int from) {
    convolve(branch(), from, {{384, kHalving}});
    convolve(branch(), from, {{64, kPoint}, {96, kThree}, {96, kHalving}});
    halve(branch());
  }
};

struct BlockC final : Block {  // 17x17; 768 channels
  BlockC(int from, int inside) {
    convolve(branch(), from, {{192, kPoint}});
    convolve(branch(), from, {{inside, kPoint}, {inside, kWide}, {192, kTall}});
    convolve(branch(), from, {{inside, kPoint}, {inside, kTall}, {inside, kWide}, {inside, kTall}, {192, kWide}});
    pooled(from, 192);
  }
};

struct BlockD final : Block {  // 17x17 to 8x8; 512 channels more
  explicit BlockD(int from) {
    convolve(branch(), from, {{192, kPoint}, {320, kHalving}});
    convolve(branch(), from, {{192, kPoint}, {192, kWide}, {192, kTall}, {192, kHalving}});
    halve(branch());
  }
};

struct Fork final : layers::SideBySide {  // 1x3 and 3x1 over the same input
  Fork(int from, int to) {
    convolve(branch(), from, {{to, kShortWide}});
    convolve(branch(), from, {{to, kShortTall}});
  }
};

struct BlockE final : Block {  // 8x8; 2048 channels
  explicit BlockE(int from) {
    convolve(branch(), from, {{320, kPoint}});
    convolve(branch(), from, {{384, kPoint}}).add<Fork>(384, 384);
    convolve(branch(), from, {{448, kPoint}, {384, kThree}}).add<Fork>(384, 384);
    pooled(from, 192);
  }
};

struct Inception final : Net {
  Inception(const Shape& shape, int classes) : dense(2048, classes) {
    const Conv shrinking{.kernel = 3, .padding = 0};
    Chain& all = convolve(*features, shape.channels, {{32, kHalving}, {32, shrinking}, {64, kThree}});  // 299 to 149, 147
    halve(all);  // 147 to 73
    convolve(all, 64, {{80, kPoint}, {192, shrinking}});
    halve(all);  // 71 to 35
    all.add<BlockA>(192, 32).add<BlockA>(256, 64).add<BlockA>(288, 64).add<BlockB>(288);
    all.add<BlockC>(768, 128).add<BlockC>(768, 160).add<BlockC>(768, 160).add<BlockC>(768, 192);
    all.add<BlockD>(768).add<BlockE>(1280).add<BlockE>(2048);
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override {
    const torch::Tensor x = torch::avg_pool2d(features->forward(images), 8).flatten(1);
    return dense(layers::dropped(x, 0.5, is_training()));
  }
  std::shared_ptr<Chain> features = register_module("features", std::make_shared<Chain>());
  torch::nn::Linear dense;
};

}  // namespace v3
}  // namespace

ModelDef inception_v3() {
  return {.id = "inception_v3",
          .title = "Inception v3",
          .summary = "Eleven blocks of parallel convolutions on 299x299 images, as ESync trains it: no auxiliary classifier, dropout 0.5 before "
                     "the last layer; batch normalisation.",
          .reference = "Szegedy et al. 2016, CVPR; as in Gluon",
          .inputs = {Shape{1, 299, 299}, Shape{3, 299, 299}},
          .parameterCount = 21805482,
          .random = true,
          .convolutional = true,
          .make = madeOf<v3::Inception>};
}

}  // namespace paceline
