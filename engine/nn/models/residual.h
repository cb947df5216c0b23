// Residual networks with a choice of normalisation, stem and shortcut: Gluon's v1, the ones of DGS and ps_pytorch, He's for CIFAR and ECL's.
// The block adds after its last normalisation and then applies ReLU (He, Zhang, Ren, Sun 2016, CVPR). Included by models/*.cpp only.
#pragma once

#include <memory>
#include <vector>

#include "engine/nn/models/layers.h"

namespace paceline::residual {

struct Layout {
  layers::Norm norm;
  std::vector<int> widths, depths;  // per stage: channels inside a block, number of blocks
  bool bottleneck = false;          // 1x1, 3x3, 1x1 to four times the width, instead of 3x3 twice; the 3x3 has the stride
  bool gluon = false;               // a bottleneck as in Gluon's v1: the first 1x1 has the stride, both 1x1 have a bias although a norm follows
  bool padded = false;              // shortcuts where the shape changes: every second pixel and zero channels, no parameters
  bool imageNetStem = false;        // 7x7 stride 2 and 3x3 maximum stride 2, instead of 3x3
  double mapDropout = 0;            // of whole maps, behind the stem and every stage but the last
  double dropout = 0;               // before the dense layer
};

inline torch::Tensor paddedShortcut(const torch::Tensor& x, int channels, int stride) {
  const torch::Tensor seen = stride == 1 ? x : x.slice(2, 0, {}, stride).slice(3, 0, {}, stride);
  return torch::constant_pad_nd(seen, {0, 0, 0, 0, 0, channels - x.size(1)});
}

struct Block final : Net {
  Block(int from, int width, int stride, const Layout& layout)
      : to(outputs(width, layout)), stride(stride), same(from == to && stride == 1), padded(layout.padded) {
    if (layout.bottleneck) {
      add(from, width, {.kernel = 1, .stride = layout.gluon ? stride : 1, .bias = layout.gluon}, layout);
      add(width, width, {.stride = layout.gluon ? 1 : stride}, layout);
      add(width, to, {.kernel = 1, .bias = layout.gluon}, layout);
    } else {
      add(from, width, {.stride = stride}, layout);
      add(width, to, {}, layout);
    }
    if (!same && !padded) {
      shortcut = register_module("shortcut", layers::convolution(from, to, {.kernel = 1, .stride = stride}));
      shortcutNorm = layers::named(*this, "shortcut_norm", layout.norm(to));
    }
  }

  torch::Tensor forward(torch::Tensor x) override {
    torch::Tensor y = x;
    for (std::size_t i = 0; i < convolutions.size(); ++i) {
      y = norms[i].forward(convolutions[i](y));
      if (i + 1 < convolutions.size()) y = y.relu_();
    }
    return y.add_(straight(x)).relu_();
  }

  static int outputs(int width, const Layout& layout) { return layout.bottleneck ? 4 * width : width; }

 private:
  torch::Tensor straight(const torch::Tensor& x) {
    if (same) return x;
    return padded ? paddedShortcut(x, to, stride) : shortcutNorm.forward(shortcut(x));
  }
  void add(int from, int channels, const layers::Conv& how, const Layout& layout) {
    const std::size_t number = convolutions.size() + 1;
    convolutions.push_back(register_module(strCat("conv", number), layers::convolution(from, channels, how)));
    norms.push_back(layers::named(*this, strCat("norm", number), layout.norm(channels)));
  }

  int to, stride;
  bool same, padded;
  std::vector<torch::nn::Conv2d> convolutions;
  std::vector<torch::nn::AnyModule> norms;
  torch::nn::Conv2d shortcut{nullptr};
  torch::nn::AnyModule shortcutNorm;
};

struct Network final : Net {
  Network(const Layout& layout, int channels, int classes) : layout(layout) {
    int from = layout.widths.front();
    const layers::Conv how = layout.imageNetStem ? layers::Conv{.kernel = 7, .stride = 2} : layers::Conv{};
    stem = register_module("stem", layers::convolution(channels, from, how));
    stemNorm = layers::named(*this, "stem_norm", layout.norm(from));
    for (std::size_t stage = 0; stage < layout.widths.size(); ++stage) {
      for (int i = 0; i < layout.depths[stage]; ++i) {
        const int stride = i == 0 && stage > 0 ? 2 : 1;
        blocks.push_back(register_module(strCat("stage", stage + 1, "_block", i + 1), std::make_shared<Block>(from, layout.widths[stage], stride, layout)));
        from = Block::outputs(layout.widths[stage], layout);
      }
      ends.push_back(blocks.size());
    }
    dense = register_module("dense", torch::nn::Linear(from, classes));
  }

  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = stemNorm.forward(stem(images)).relu_();
    if (layout.imageNetStem) x = torch::max_pool2d(x, 3, 2, 1);
    x = dropMaps(x);
    std::size_t block = 0;
    for (const std::size_t end : ends) {
      while (block < end) x = blocks[block++]->forward(x);
      if (end < blocks.size()) x = dropMaps(x);
    }
    x = layers::globalAverage(x);
    return dense(layout.dropout > 0 ? layers::dropped(x, layout.dropout, is_training()) : x);
  }

 private:
  torch::Tensor dropMaps(const torch::Tensor& x) { return layout.mapDropout > 0 ? layers::droppedMaps(x, layout.mapDropout, is_training()) : x; }

  Layout layout;
  torch::nn::Conv2d stem{nullptr};
  torch::nn::AnyModule stemNorm;
  std::vector<std::shared_ptr<Block>> blocks;
  std::vector<std::size_t> ends;  // of the stages, in blocks
  torch::nn::Linear dense{nullptr};
};

// `make` of networks whose layout follows from the parameters.
template <class LayoutOf>
auto maker(LayoutOf layoutOf) {
  return [layoutOf](const Params& params, const Shape& shape, int classes) { return std::make_shared<Network>(layoutOf(params), shape.channels, classes); };
}

// Where a network adapts to the size of its pictures: the sizes of the data sets it is used with, the published one first.
inline std::vector<Shape> commonInputs() {
  return {{3, 32, 32}, {1, 28, 28}, {1, 32, 32}, {3, 28, 28}, {3, 64, 64}, {1, 64, 64}, {3, 224, 224}, {1, 224, 224}};
}

}  // namespace paceline::residual
