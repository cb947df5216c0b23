// VGG nets for small pictures, as ps_pytorch and ECL train them.
#include "engine/nn/models/layers.h"

namespace paceline {
namespace {

using Sizes = std::vector<std::int64_t>;

// The head has two layers of 512 units behind dropout.
struct CifarVgg final : Net {
  CifarVgg(int depth, bool normalised, double dropout, int channels, int classes)
      : features(register_module(
            "features", std::make_shared<layers::VggFeatures>(depth, channels, normalised ? layers::VggFeatures::Norm(norm) : nullptr))),
        dense(register_module("dense", std::make_shared<layers::DenseLayers>(Sizes{512, 512, 512, classes}, dropout, true))) {}
  torch::Tensor forward(torch::Tensor images) override { return dense->forward(features->forward(images)); }
  static torch::nn::AnyModule norm(int, int to) { return layers::batchNorms(to); }
  std::shared_ptr<layers::VggFeatures> features;
  std::shared_ptr<layers::DenseLayers> dense;
};

ModelDef cifarVgg(int depth, bool normalised, std::int64_t parameterCount) {
  const auto make = [depth, normalised](const Params& params, const Shape& shape, int classes) {
    return std::make_shared<CifarVgg>(depth, normalised, params.real("dropout"), shape.channels, classes);
  };
  return {.id = strCat("vgg", depth, normalised ? "_bn" : ""),
          .title = strCat("VGG-", depth, normalised ? " with batch normalisation" : "", " for CIFAR"),
          .summary = strCat(depth - 3, " convolutions, ", normalised ? "each with batch normalisation, " : "",
                            "and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it."),
          .reference = "Simonyan, Zisserman 2015, ICLR; head as in ps_pytorch",
          .params = {layers::dropoutParam("dropout", 0.5, "Share of units left out before each of the two dense layers of 512.")},
          .inputs = {{3, 32, 32}, {1, 32, 32}},
          .init = "he",
          .parameterCount = parameterCount,
          .random = true,
          .convolutional = true,
          .minimumBatch = normalised ? 2 : 1,
          .make = make};
}

// ECL's: group normalisation, and the head of the ImageNet nets with layers of 4096 units (7x7 pixels, pooled or repeated to that size). Where the
// groups' count comes from is a peculiarity of the published program: the *input* channels.
struct GroupVgg final : Net {
  GroupVgg(int depth, std::int64_t perGroup, double dropout, int channels, int classes)
      : features(register_module("features", std::make_shared<layers::VggFeatures>(
                                                 depth, channels, [perGroup](int from, int to) { return layers::groupNorm(to, from, perGroup); }))),
        dense(register_module("dense", std::make_shared<layers::DenseLayers>(Sizes{512 * 7 * 7, 4096, 4096, classes}, dropout))) {}
  torch::Tensor forward(torch::Tensor images) override { return dense->forward(torch::adaptive_avg_pool2d(features->forward(images), {7, 7})); }
  std::shared_ptr<layers::VggFeatures> features;
  std::shared_ptr<layers::DenseLayers> dense;
};

ModelDef groupVgg(int depth, std::int64_t parameterCount) {
  const auto make = [depth](const Params& params, const Shape& shape, int classes) {
    return std::make_shared<GroupVgg>(depth, params.integer("group_channels"), params.real("last_drop_rate"), shape.channels, classes);
  };
  return {.id = strCat("vgg", depth, "_gn"),
          .title = strCat("VGG-", depth, " with group normalisation (ECL)"),
          .summary = strCat(depth - 3, " convolutions with group normalisation and the ImageNet head of 4096, 4096 and one unit per class, as ECL has it; ",
                            "half a gigabyte of parameters."),
          .reference = "Simonyan, Zisserman 2015, ICLR; normalisation as in ECL-ISVR (Niwa et al. 2021)",
          .params = {layers::groupChannelsParam(32), layers::dropoutParam("last_drop_rate", 0.5, "Share of units left out behind each dense layer of 4096.")},
          .inputs = {{3, 32, 32}, {1, 32, 32}, {3, 64, 64}, {1, 64, 64}, {3, 224, 224}, {1, 224, 224}},
          .init = "torch",
          .parameterCount = parameterCount,
          .random = true,
          .convolutional = true,
          .make = make};
}

}  // namespace

// ECL's are published to four digits: 128.8, 129.0 and 134.3 M. By hand, at 3x32x32 and 10 classes:
//   dense 25088*4096 + 4096 + 4096*4096 + 4096 + 4096*10 + 10 = 119 586 826;
//   convolutions with bias 9 220 480 (VGG-11), 9 404 992 (13), 14 714 688 (16);
//   normalisation 2 * (64 + 128 + 2*256 + 4*512) = 5 504, 2 * (2*64 + 2*128 + 2*256 + 4*512) = 5 888, 2 * (2*64 + 2*128 + 3*256 +
//   6*512) = 8 448.
std::vector<ModelDef> vgg() {
  return {cifarVgg(11, false, 9750922),
          cifarVgg(11, true, 9756426),
          cifarVgg(13, false, 9935434),
          cifarVgg(13, true, 9941322),
          cifarVgg(16, false, 15245130),
          cifarVgg(16, true, 15253578),
          cifarVgg(19, false, 20554826),
          cifarVgg(19, true, 20565834),
          groupVgg(11, 119586826 + 9220480 + 5504),
          groupVgg(13, 119586826 + 9404992 + 5888),
          groupVgg(16, 119586826 + 14714688 + 8448)};
}

}  // namespace paceline
