// ResNet-18 to 152 for small pictures as DGS and ps_pytorch train them: He's ImageNet layouts behind a 3x3 stem without pooling.
#include "engine/nn/models/residual.h"

namespace paceline {
namespace {

struct CifarResNet {
  int layers;
  std::vector<int> depths;
  bool bottleneck;
  std::int64_t parameterCount;  // as published, at 3x32x32 and 10 classes
};

ModelDef resnetCifar(const CifarResNet& net) {
  const auto make = [depths = net.depths, bottleneck = net.bottleneck](const Params& params, const Shape& shape, int classes) {
    residual::Layout layout{
        .norm = layers::normOf(params), .widths = {64, 128, 256, 512}, .depths = depths, .bottleneck = bottleneck};
    return std::make_shared<residual::Network>(layout, shape.channels, classes);
  };
  return {.id = strCat("resnet", net.layers),
          .title = strCat("ResNet-", net.layers, " for CIFAR"),
          .summary = strCat("Residual network of ", net.bottleneck ? "bottleneck" : "basic",
                            " blocks behind a 3x3 stem without pooling, as DGS and ps_pytorch train it."),
          .reference = "He, Zhang, Ren, Sun 2016, CVPR; stem as in DGS and ps_pytorch",
          .params = layers::normParams(),
          .inputs = residual::commonInputs(),
          .init = "torch",
          .parameterCount = net.parameterCount,
          .convolutional = true,
          .minimumBatch = 2,
          .make = make};
}

}  // namespace

std::vector<ModelDef> resnet_cifar() {
  std::vector<ModelDef> defs;
  for (const CifarResNet& net : {CifarResNet{18, {2, 2, 2, 2}, false, 11173962}, CifarResNet{34, {3, 4, 6, 3}, false, 21282122},
                                 CifarResNet{50, {3, 4, 6, 3}, true, 23520842}, CifarResNet{101, {3, 4, 23, 3}, true, 42512970},
                                 CifarResNet{152, {3, 8, 36, 3}, true, 58156618}})
    defs.push_back(resnetCifar(net));
  return defs;
}

}  // namespace paceline
