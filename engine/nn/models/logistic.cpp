#include "engine/nn/model.h"

namespace paceline {
namespace {

struct Logistic final : Net {
  Logistic(const Shape& shape, int classes) : dense(shape.channels * shape.height * shape.width, classes) {
    register_module("dense", dense);
  }
  torch::Tensor forward(torch::Tensor images) override { return dense(images.flatten(1)); }
  torch::nn::Linear dense;
};

}  // namespace

ModelDef logistic() {
  return {.id = "logistic",
          .title = "Logistic regression",
          .summary = "One dense layer with soft-max: convex, fast, good for checking algorithms.",
          .reference = "",
          .params = {},
          .inputs = {},
          .parameterCount = 7850,
          .make = [](const Params&, const Shape& shape, int classes) { return std::make_shared<Logistic>(shape, classes); }};
}

}  // namespace paceline
