// VGG-11 to 19 for 32x32 pictures as ps_pytorch trains them: the head has two layers of 512 units behind dropout.
#include "engine/nn/models/vgg_features.h"

namespace paceline {
namespace {

struct CifarVgg final : Net {
  CifarVgg(int depth, bool normalised, double dropout, int channels, int classes)
      : features(std::make_shared<layers::VggFeatures>(depth, channels, normalised ? layers::VggFeatures::Norm(norm) : nullptr)),
        dense1(512, 512),
        dense2(512, 512),
        dense3(512, classes),
        dropout(dropout) {
    register_module("features", features);
    register_module("dense1", dense1);
    register_module("dense2", dense2);
    register_module("dense3", dense3);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = features->forward(images).flatten(1);
    x = dense1(torch::dropout(x, dropout, is_training())).relu_();
    x = dense2(torch::dropout(x, dropout, is_training())).relu_();
    return dense3(x);
  }
  static torch::nn::AnyModule norm(int, int to) { return torch::nn::AnyModule(layers::batchNorm(to)); }

  std::shared_ptr<layers::VggFeatures> features;
  torch::nn::Linear dense1, dense2, dense3;
  double dropout;
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

}  // namespace

std::vector<ModelDef> vgg() {
  return {cifarVgg(11, false, 9750922),  cifarVgg(11, true, 9756426),   cifarVgg(13, false, 9935434),
          cifarVgg(13, true, 9941322),   cifarVgg(16, false, 15245130), cifarVgg(16, true, 15253578),
          cifarVgg(19, false, 20554826), cifarVgg(19, true, 20565834)};
}

}  // namespace paceline
