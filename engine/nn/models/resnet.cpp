// ResNets for small pictures: what ECL calls resnet32, He's small ones for CIFAR, and his ImageNet layouts as DGS and ps_pytorch train them.
#include "engine/nn/models/residual.h"

namespace paceline {
namespace {

// He's ImageNet ResNet-34 with group normalisation and dropout. Not the small ResNet-32 of He's section 4.2.
ModelDef resnetGn() {
  return {.id = "resnet32_gn",
          .title = "\"ResNet-32\" of ECL",
          .summary = "In truth a ResNet-34 behind the ImageNet stem (7x7 stride 2, pooling: 32 pixels a side become 8) with group normalisation "
                     "and dropout; the small ResNet-32 for CIFAR is resnet32.",
          .reference = "He, Zhang, Ren, Sun 2016, CVPR; Wu, He 2018, ECCV; layout as in ECL-ISVR (Niwa et al. 2021)",
          .params = {layers::groupChannelsParam(32),
                     layers::dropoutParam("drop_rate", 0.1, "Share of whole maps left out behind the stem and the first three stages."),
                     layers::dropoutParam("last_drop_rate", 0.5, "Share of values left out before the dense layer.")},
          .inputs = residual::commonInputs(),
          .init = "torch",
          .parameterCount = 21289802,
          .random = true,
          .convolutional = true,
          .make = residual::maker([](const Params& params) {
            return residual::Layout{.norm = layers::groupNorms(params.integer("group_channels")),
                                    .widths = {64, 128, 256, 512},
                                    .depths = {3, 4, 6, 3},
                                    .imageNetStem = true,
                                    .mapDropout = params.real("drop_rate"),
                                    .dropout = params.real("last_drop_rate")};
          })};
}

// ResNet-20, 32, 56 and 110: 6n + 2 layers in three stages of 16, 32 and 64 channels (He, Zhang, Ren, Sun 2016, section 4.2).
// At 3x32x32 and 10 classes, shortcuts without parameters:
//   stem 9*3*16 = 432; stage 1: 2n convolutions of 9*16*16 = 2304; stage 2: 9*16*32 + (2n-1)*9*32*32 = 4608 + (2n-1)*9216;
//   stage 3: 18432 + (2n-1)*36864; two numbers per normalised channel: 2*(16*(2n+1) + 32*2n + 64*2n) = 448n + 32; dense 64*10 + 10.
constexpr std::int64_t parametersOf(int n) {
  const std::int64_t convolutions = 432 + 2 * n * 2304 + 4608 + (2 * n - 1) * 9216 + 18432 + (2 * n - 1) * 36864;
  return convolutions + 448 * n + 32 + 650;
}
static_assert(parametersOf(3) == 269722 && parametersOf(5) == 464154 && parametersOf(9) == 853018 && parametersOf(18) == 1727962);

ModelDef resnet6n2(int n) {
  std::vector<ParamSpec> params = layers::normParams();
  params.push_back(advanced(choiceParam("shortcut", "identity", {"identity", "projection"},
                               "Where the shape changes: every second pixel and zeros for the new channels (the paper's option A), or a "
                               "1x1 convolution with normalisation (option B).")));
  return {.id = strCat("resnet", 6 * n + 2),
          .title = strCat("ResNet-", 6 * n + 2, " for CIFAR"),
          .summary = strCat("Residual network of ", 3 * n, " basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures."),
          .reference = "He, Zhang, Ren, Sun 2016, CVPR, section 4.2",
          .params = std::move(params),
          .inputs = residual::commonInputs(),
          .init = "he",
          .parameterCount = parametersOf(n),
          .convolutional = true,
          .minimumBatch = 2,
          .make = residual::maker([n](const Params& chosen) {
            return residual::Layout{
                .norm = layers::normOf(chosen), .widths = {16, 32, 64}, .depths = {n, n, n}, .padded = chosen.text("shortcut") == "identity"};
          })};
}

// ResNet-18 to 152 for small pictures as DGS and ps_pytorch train them: behind a 3x3 stem without pooling. The count is the published one, at
// 3x32x32 and 10 classes.
ModelDef resnetCifar(int depth, const std::vector<int>& blocks, bool bottleneck, std::int64_t parameterCount) {
  return {.id = strCat("resnet", depth),
          .title = strCat("ResNet-", depth, " for CIFAR"),
          .summary = strCat("Residual network of ", bottleneck ? "bottleneck" : "basic",
                            " blocks behind a 3x3 stem without pooling, as DGS and ps_pytorch train it."),
          .reference = "He, Zhang, Ren, Sun 2016, CVPR; stem as in DGS and ps_pytorch",
          .params = layers::normParams(),
          .inputs = residual::commonInputs(),
          .init = "torch",
          .parameterCount = parameterCount,
          .convolutional = true,
          .minimumBatch = 2,
          .make = residual::maker([blocks, bottleneck](const Params& params) {
            return residual::Layout{.norm = layers::normOf(params), .widths = {64, 128, 256, 512}, .depths = blocks, .bottleneck = bottleneck};
          })};
}

}  // namespace

std::vector<ModelDef> resnet() {
  return {resnetGn(),
          resnet6n2(3),
          resnet6n2(5),
          resnet6n2(9),
          resnet6n2(18),
          resnetCifar(18, {2, 2, 2, 2}, false, 11173962),
          resnetCifar(34, {3, 4, 6, 3}, false, 21282122),
          resnetCifar(50, {3, 4, 6, 3}, true, 23520842),
          resnetCifar(101, {3, 4, 23, 3}, true, 42512970),
          resnetCifar(152, {3, 8, 36, 3}, true, 58156618)};
}

}  // namespace paceline
