#include "engine/nn/models/layers.h"

namespace paceline {

ModelDef logistic() {
  return {.id = "logistic",
          .title = "Logistic regression",
          .summary = "One dense layer with soft-max: convex, fast, good for checking algorithms.",
          .parameterCount = 7850,
          .make = [](const Params&, const Shape& shape, int classes) {
            return std::make_shared<layers::DenseLayers>(std::vector<std::int64_t>{shape.channels * shape.height * shape.width, classes});
          }};
}

}  // namespace paceline
