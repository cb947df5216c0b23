// VGG-11, 13 and 16 of ECL: group normalisation, and the head of the ImageNet nets with layers of 4096 units (7x7 pixels, pooled
// or repeated to that size). Where the groups' count comes from is a peculiarity of the published program: the *input* channels.
#include "engine/nn/models/vgg_features.h"

namespace paceline {
namespace {

struct GroupVgg final : Net {
  GroupVgg(int depth, std::int64_t perGroup, double dropout, int channels, int classes)
      : features(std::make_shared<layers::VggFeatures>(
            depth, channels, [perGroup](int from, int to) { return layers::groupNorm(to, from, perGroup); })),
        dense1(512 * 7 * 7, 4096),
        dense2(4096, 4096),
        dense3(4096, classes),
        dropout(dropout) {
    register_module("features", features);
    register_module("dense1", dense1);
    register_module("dense2", dense2);
    register_module("dense3", dense3);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = torch::adaptive_avg_pool2d(features->forward(images), {7, 7}).flatten(1);
    x = torch::dropout(dense1(x).relu_(), dropout, is_training());
    x = torch::dropout(dense2(x).relu_(), dropout, is_training());
    return dense3(x);
  }
  std::shared_ptr<layers::VggFeatures> features;
  torch::nn::Linear dense1, dense2, dense3;
  double dropout;
};

ModelDef groupVgg(int depth, std::int64_t parameterCount) {
  const auto make = [depth](const Params& params, const Shape& shape, int classes) {
    return std::make_shared<GroupVgg>(depth, params.integer("group_channels"), params.real("last_drop_rate"), shape.channels,
                                      classes);
  };
  return {
      .id = strCat("vgg", depth, "_gn"),
      .title = strCat("VGG-", depth, " with group normalisation (ECL)"),
      .summary = strCat(
          depth - 3,
          " convolutions with group normalisation and the ImageNet head of 4096, 4096 and one unit per class, as ECL has it; ",
          "half a gigabyte of parameters."),
      .reference = "Simonyan, Zisserman 2015, ICLR; normalisation as in ECL-ISVR (Niwa et al. 2021)",
      .params = {layers::groupChannelsParam(32),
                 layers::dropoutParam("last_drop_rate", 0.5, "Share of units left out behind each dense layer of 4096.")},
      .inputs = {{3, 32, 32}, {1, 32, 32}, {3, 64, 64}, {1, 64, 64}, {3, 224, 224}, {1, 224, 224}},
      .init = "torch",
      .parameterCount = parameterCount,
      .random = true,
      .convolutional = true,
      .make = make};
}

}  // namespace

// Published to four digits: 128.8, 129.0 and 134.3 M. By hand, at 3x32x32 and 10 classes:
//   dense 25088*4096 + 4096 + 4096*4096 + 4096 + 4096*10 + 10 = 119 586 826;
//   convolutions with bias 9 220 480 (VGG-11), 9 404 992 (13), 14 714 688 (16);
//   normalisation 2 * (64 + 128 + 2*256 + 4*512) = 5 504, 2 * (2*64 + 2*128 + 2*256 + 4*512) = 5 888, 2 * (2*64 + 2*128 + 3*256 +
//   6*512) = 8 448.
std::vector<ModelDef> vgg_gn() {
  return {groupVgg(11, 119586826 + 9220480 + 5504), groupVgg(13, 119586826 + 9404992 + 5888),
          groupVgg(16, 119586826 + 14714688 + 8448)};
}

}  // namespace paceline
