#include "engine/core/base/error.h"
#include "engine/nn/model.h"

namespace paceline {
namespace {

struct Mlp final : Net {
  Mlp(std::int64_t inputs, const std::vector<std::int64_t>& hidden, int classes) {
    for (const std::int64_t size : hidden) {
      add(inputs, size);
      inputs = size;
    }
    add(inputs, classes);
  }
  torch::Tensor forward(torch::Tensor images) override {
    torch::Tensor x = images.flatten(1);
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) x = layers[i](x).relu_();
    return layers.back()(x);
  }
  void add(std::int64_t from, std::int64_t to) {
    layers.push_back(register_module(strCat("dense", layers.size() + 1), torch::nn::Linear(from, to)));
  }
  std::vector<torch::nn::Linear> layers;
};

std::shared_ptr<Net> make(const Params& params, const Shape& shape, int classes) {
  std::vector<std::int64_t> hidden;
  for (const char* name : {"hidden_1", "hidden_2"})
    if (params.integer(name) > 0) hidden.push_back(params.integer(name));
  return std::make_shared<Mlp>(shape.channels * shape.height * shape.width, hidden, classes);
}

}  // namespace

ModelDef mlp() {
  return {.id = "mlp",
          .title = "Multi-layer perceptron",
          .summary = "One or two hidden dense layers with ReLU.",
          .reference = "",
          .params = {integerParam("hidden_1", 256, 1, 16384, "Units of the first hidden layer."),
                     integerParam("hidden_2", 128, 0, 16384, "Units of the second hidden layer; 0: there is none.")},
          .inputs = {},
          .parameterCount = 235146,
          .make = make};
}

}  // namespace paceline
