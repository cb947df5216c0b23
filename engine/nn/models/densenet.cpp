// DenseNet-121 and 169 of ECL: group normalisation, and the first two transitions keep the size.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace nn = torch::nn;

constexpr int kGrowth = 32, kBottleneck = 4 * kGrowth;

struct DenseSettings {
  layers::Norm norm;
  double dropout;  // behind each dense layer; the facts do not say where the published program has it: as in Huang et al. 2017, section 4
};

// Normalisation, ReLU, convolution.
struct Activated final : Net {
  Activated(int from, int to, int kernel, const DenseSettings& settings)
      : norm(layers::named(*this, "norm", settings.norm(from))),
        convolution(register_module("conv", layers::convolution(from, to, {.kernel = kernel}))) {}
  torch::Tensor forward(torch::Tensor x) override { return convolution(norm.forward(x).relu_()); }
  nn::AnyModule norm;
  nn::Conv2d convolution;
};

struct DenseBlock final : Net {
  DenseBlock(int from, int count, const DenseSettings& settings) : dropout(settings.dropout) {
    for (int i = 1; i <= count; ++i, from += kGrowth) {
      narrow.push_back(register_module(strCat("layer", i, "_narrow"), std::make_shared<Activated>(from, kBottleneck, 1, settings)));
      grow.push_back(register_module(strCat("layer", i, "_grow"), std::make_shared<Activated>(kBottleneck, kGrowth, 3, settings)));
    }
  }
  torch::Tensor forward(torch::Tensor x) override {
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      torch::Tensor maps = grow[i]->forward(narrow[i]->forward(x));
      if (dropout > 0) maps = layers::dropped(maps, dropout, is_training());
      x = torch::cat({x, maps}, 1);
    }
    return x;
  }
  double dropout;
  std::vector<std::shared_ptr<Activated>> narrow, grow;
};

struct DenseNet final : Net {
  DenseNet(const std::vector<int>& counts, const DenseSettings& settings, double lastDropout, const Shape& shape, int classes)
      : stem(register_module("stem", layers::convolution(shape.channels, 64, {.kernel = 7, .stride = 2}))),
        stemNorm(layers::named(*this, "stem_norm", settings.norm(64))),
        lastDropout(lastDropout) {
    int channels = 64;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      blocks.push_back(register_module(strCat("block", i + 1), std::make_shared<DenseBlock>(channels, counts[i], settings)));
      channels += counts[i] * kGrowth;
      if (i + 1 == counts.size()) break;
      transitions.push_back(register_module(strCat("transition", i + 1), std::make_shared<Activated>(channels, channels / 2, 1, settings)));
      channels /= 2;
    }
    lastNorm = layers::named(*this, "last_norm", settings.norm(channels));
    dense = register_module("dense", nn::Linear(channels, classes));
  }

  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::max_pool2d(stemNorm.forward(stem(images)).relu_(), 3, 2, 1);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      x = blocks[i]->forward(x);
      if (i < transitions.size()) x = transitions[i]->forward(x);
      if (i == 2) x = torch::avg_pool2d(x, 2);
    }
    x = layers::globalAverage(lastNorm.forward(x).relu_());
    return dense(layers::dropped(x, lastDropout, is_training()));
  }

 private:
  nn::Conv2d stem;
  nn::AnyModule stemNorm, lastNorm;
  std::vector<std::shared_ptr<DenseBlock>> blocks;
  std::vector<std::shared_ptr<Activated>> transitions;
  nn::Linear dense{nullptr};
  double lastDropout;
};

ModelDef densenetGn(int depth, std::vector<int> counts, std::int64_t parameterCount) {
  const auto make = [counts = std::move(counts)](const Params& params, const Shape& shape, int classes) {
    const DenseSettings settings{.norm = layers::groupNorms(params.integer("group_channels")),
                                 .dropout = params.real("drop_rate")};
    return std::make_shared<DenseNet>(counts, settings, params.real("last_drop_rate"), shape, classes);
  };
  return {.id = strCat("densenet", depth, "_gn"),
          .title = strCat("DenseNet-", depth, " with group normalisation (ECL)"),
          .summary = "Densely connected blocks with growth 32 behind the ImageNet stem; group normalisation, only the last transition "
                     "halves the size, as ECL has it.",
          .reference = "Huang, Liu, van der Maaten, Weinberger 2017, CVPR; layout as in ECL-ISVR (Niwa et al. 2021)",
          .params = {layers::groupChannelsParam(32),
                     layers::dropoutParam("drop_rate", 0.1, "Share of values left out behind each layer of a dense block."),
                     layers::dropoutParam("last_drop_rate", 0.5, "Share of values left out before the dense layer.")},
          .inputs = {{3, 32, 32}, {1, 28, 28}, {1, 32, 32}, {3, 28, 28}, {3, 64, 64}, {1, 64, 64}},
          .init = "torch",
          .parameterCount = parameterCount,
          .random = true,
          .convolutional = true,
          .make = make};
}

// At 3x32x32 and 10 classes. A layer with f channels before it: 2f + 128f + 2*128 + 9*128*32 = 130 f + 37 120. A block of k
// layers from c channels: 130 (k c + 32 k (k-1) / 2) + 37 120 k. A transition from c channels: 2c + c*c/2.
constexpr std::int64_t densenetParameters(const int (&counts)[4]) {
  std::int64_t sum = 3 * 64 * 49 + 2 * 64, channels = 64;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t k = counts[i];
    sum += 130 * (k * channels + 16 * k * (k - 1)) + 37120 * k;
    channels += kGrowth * k;
    if (i == 3) break;
    sum += 2 * channels + channels * channels / 2;
    channels /= 2;
  }
  return sum + 2 * channels + 10 * channels + 10;
}
// Published: 6.96 M in 26.6 MiB (a 3x3 stem would be 26.5) and 12.50 M in 47.7 MiB.
static_assert(densenetParameters({6, 12, 24, 16}) == 6964106 && densenetParameters({6, 12, 32, 32}) == 12501130);

}  // namespace

std::vector<ModelDef> densenet() {
  return {densenetGn(121, {6, 12, 24, 16}, 6964106), densenetGn(169, {6, 12, 32, 32}, 12501130)};
}

}  // namespace paceline
