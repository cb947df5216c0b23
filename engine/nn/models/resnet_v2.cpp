// ResNet v2: norm and ReLU come before each convolution, and what a block adds to is never touched (He, Zhang, Ren, Sun 2016, ECCV).
// Gluon's ResNet-50 as ESync trains it, and the CIFAR forms of MXNet-G (those of MXNet's own example).
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

namespace v2 {

using layers::convolution;
using torch::nn::BatchNorm2d;
using torch::nn::Conv2d;

struct Design {
  std::vector<int> blocks, channels;  // per stage; every stage but the first halves the size
  bool bottleneck = true;
  bool imageNetStem = true;     // 7x7 stride 2 and pooling; false: 3x3
  int stemChannels = 64;
  bool inputShifts = false;     // the norm of the input has a trained beta; its gamma is 1
  double eps = 1e-5;            // of every norm
};

// 3x3 - 3x3, or 1x1 - 3x3 - 1x1 with a quarter of the channels inside and the stride on the 3x3. The first block of a stage sends its
// normalised input through a 1x1 convolution instead of passing on the input itself.
struct Block final : Net {
  Block(int from, int to, int stride, bool projects, const Design& design) {
    const int inside = design.bottleneck ? to / 4 : to;
    if (design.bottleneck) {
      add(from, inside, {.kernel = 1}, design);
      add(inside, inside, {.stride = stride}, design);
      add(inside, to, {.kernel = 1}, design);
    } else {
      add(from, inside, {.stride = stride}, design);
      add(inside, to, {}, design);
    }
    if (projects) shortcut = register_module("shortcut", convolution(from, to, {.kernel = 1, .stride = stride}));
  }
  torch::Tensor forward(torch::Tensor x) override {
    torch::Tensor inner = norms[0](x).relu_();
    const torch::Tensor straight = shortcut.is_empty() ? x : shortcut(inner);
    inner = filters[0](inner);
    for (std::size_t i = 1; i < filters.size(); ++i) inner = filters[i](norms[i](inner).relu_());
    return inner.add_(straight);
  }

 private:
  void add(int from, int to, const layers::Conv& how, const Design& design) {
    const std::size_t number = filters.size() + 1;
    norms.push_back(register_module(strCat("bn", number), layers::batchNorm(from, design.eps)));
    filters.push_back(register_module(strCat("conv", number), convolution(from, to, how)));
  }
  std::vector<BatchNorm2d> norms;
  std::vector<Conv2d> filters;
  Conv2d shortcut{nullptr};
};

struct ResNet final : Net {
  ResNet(const Shape& shape, int classes, const Design& design) {
    input = register_module("input_bn", std::make_shared<layers::FixedScaleNorm>(shape.channels, design.eps, design.inputShifts));
    int from = design.stemChannels;
    stem = register_module("stem", convolution(shape.channels, from, design.imageNetStem ? layers::Conv{.kernel = 7, .stride = 2} : layers::Conv{}));
    if (design.imageNetStem) stemNorm = register_module("stem_bn", layers::batchNorm(from, design.eps));
    for (std::size_t stage = 0; stage < design.blocks.size(); ++stage) {
      for (int i = 0; i < design.blocks[stage]; ++i) {
        const int to = design.channels[stage], stride = i == 0 && stage > 0 ? 2 : 1;
        blocks->add<Block>(from, to, stride, i == 0, design);
        from = to;
      }
    }
    last = register_module("last_bn", layers::batchNorm(from, design.eps));
    dense = register_module("dense", torch::nn::Linear(from, classes));
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = stem(input->forward(images));
    if (!stemNorm.is_empty()) x = torch::max_pool2d(stemNorm(x).relu_(), 3, 2, 1);
    x = last(blocks->forward(x)).relu_();
    return dense(layers::globalAverage(x));
  }
  std::shared_ptr<layers::FixedScaleNorm> input;
  Conv2d stem{nullptr};
  BatchNorm2d stemNorm{nullptr}, last{nullptr};
  std::shared_ptr<layers::Chain> blocks = register_module("blocks", std::make_shared<layers::Chain>());
  torch::nn::Linear dense{nullptr};
};

auto maker(const Design& design) {
  return [design](const Params&, const Shape& shape, int classes) { return std::make_shared<ResNet>(shape, classes, design); };
}

}  // namespace v2
}  // namespace

// MXNet-G's counts at 3 channels and 10 classes, by hand. A block from c to n channels: two 3x3, 2c + 9cn + 2n + 9nn; a bottleneck with
// m = n/4, 2c + cm + 2m + 9mm + 2m + mn; the first of a stage has cn more. Beta of the input 3, stem 3*16*9 = 432.
// resnet20_v2: 435 + (4928 + 2*4672) + (14432 + 2*18560) + (57536 + 2*73984) + last norm 128 + dense 650 = 272541
// resnet164: 435 + (4704 + 17*4544) + (23808 + 17*17792) + (94720 + 17*70400) + last norm 512 + dense 2570 = 1703261
std::vector<ModelDef> resnet_v2() {
  const std::string paper = "He, Zhang, Ren, Sun 2016, ECCV; ";
  const auto cifar = [&](const char* id, const char* title, const char* blocks, std::int64_t parameterCount, const std::vector<int>& counts,
                         const std::vector<int>& channels, bool bottleneck) {
    return ModelDef{.id = id,
                    .title = title,
                    .summary = strCat(blocks, " behind a 3x3 convolution, as MXNet-G trains it on CIFAR-10."),
                    .reference = paper + "as in MXNet's example and MXNet-G",
                    .inputs = {Shape{3, 32, 32}, Shape{3, 28, 28}, Shape{1, 28, 28}, Shape{1, 32, 32}},
                    .parameterCount = parameterCount,
                    .convolutional = true,
                    .make = v2::maker({.blocks = counts,
                                       .channels = channels,
                                       .bottleneck = bottleneck,
                                       .imageNetStem = false,
                                       .stemChannels = 16,
                                       .inputShifts = true,
                                       .eps = 2e-5})};
  };
  return {{.id = "resnet50_v2",
           .title = "ResNet-50 v2",
           .summary = "Sixteen pre-activation bottlenecks behind the ImageNet stem, as ESync trains it; the input is normalised first, without "
                      "trained scale or shift.",
           .reference = paper + "as in Gluon",
           .parameterCount = 23514698,
           .convolutional = true,
           .minimumBatch = 2,
           .make = v2::maker({.blocks = {3, 4, 6, 3}, .channels = {256, 512, 1024, 2048}})},
          cifar("resnet20_v2", "ResNet-20 v2", "Nine pre-activation blocks of 16, 32 and 64 channels", 272541, {3, 3, 3}, {16, 32, 64}, false),
          cifar("resnet164", "ResNet-164", "54 pre-activation bottlenecks of 64, 128 and 256 channels", 1703261, {18, 18, 18}, {64, 128, 256}, true)};
}

}  // namespace paceline
