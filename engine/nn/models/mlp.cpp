#include "engine/nn/models/layers.h"

namespace paceline {

ModelDef mlp() {
  const auto make = [](const Params& params, const Shape& shape, int classes) {
    std::vector<std::int64_t> sizes{shape.channels * shape.height * shape.width};
    for (const char* name : {"hidden_1", "hidden_2"})
      if (params.integer(name) > 0) sizes.push_back(params.integer(name));
    sizes.push_back(classes);
    return std::make_shared<layers::DenseLayers>(sizes);
  };
  return {.id = "mlp",
          .title = "Multi-layer perceptron",
          .summary = "One or two hidden dense layers with ReLU.",
          .params = {integerParam({"hidden_1", "First hidden layer"}, 256, 1, 16384, "Units of the first hidden layer."),
                     integerParam({"hidden_2", "Second hidden layer"}, 128, 0, 16384, "Units of the second hidden layer; 0: there is none.")},
          .parameterCount = 235146,
          .make = make};
}

}  // namespace paceline
