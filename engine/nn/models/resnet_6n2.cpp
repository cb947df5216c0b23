// ResNet-20, 32, 56 and 110: 6n + 2 layers in three stages of 16, 32 and 64 channels (He, Zhang, Ren, Sun 2016, section 4.2).
#include "engine/nn/models/residual.h"

namespace paceline {
namespace {

// At 3x32x32 and 10 classes, shortcuts without parameters:
//   stem 9*3*16 = 432; stage 1: 2n convolutions of 9*16*16 = 2304; stage 2: 9*16*32 + (2n-1)*9*32*32 = 4608 + (2n-1)*9216;
//   stage 3: 18432 + (2n-1)*36864; two numbers per normalised channel: 2*(16*(2n+1) + 32*2n + 64*2n) = 448n + 32; dense 64*10
//   + 10.
constexpr std::int64_t parametersOf(int n) {
  const std::int64_t convolutions = 432 + 2 * n * 2304 + 4608 + (2 * n - 1) * 9216 + 18432 + (2 * n - 1) * 36864;
  return convolutions + 448 * n + 32 + 650;
}
static_assert(parametersOf(3) == 269722 && parametersOf(5) == 464154 && parametersOf(9) == 853018 && parametersOf(18) == 1727962);

ModelDef resnet6n2(int n) {
  const auto make = [n](const Params& params, const Shape& shape, int classes) {
    residual::Layout layout{.norm = layers::normOf(params),
                            .widths = {16, 32, 64},
                            .depths = {n, n, n},
                            .padded = params.text("shortcut") == "identity"};
    return std::make_shared<residual::Network>(layout, shape.channels, classes);
  };
  std::vector<ParamSpec> params = layers::normParams();
  params.push_back(
      choiceParam("shortcut", "identity", {"identity", "projection"},
                  "Where the shape changes: every second pixel and zeros for the new channels (the paper's option A), or a "
                  "1x1 convolution with normalisation (option B)."));
  return {.id = strCat("resnet", 6 * n + 2),
          .title = strCat("ResNet-", 6 * n + 2, " for CIFAR"),
          .summary =
              strCat("Residual network of ", 3 * n, " basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures."),
          .reference = "He, Zhang, Ren, Sun 2016, CVPR, section 4.2",
          .params = std::move(params),
          .inputs = residual::commonInputs(),
          .init = "he",
          .parameterCount = parametersOf(n),
          .convolutional = true,
          .minimumBatch = 2,
          .make = make};
}

}  // namespace

std::vector<ModelDef> resnet_6n2() { return {resnet6n2(3), resnet6n2(5), resnet6n2(9), resnet6n2(18)}; }

}  // namespace paceline
