// ResNet v1 as ESync trains it: the ImageNet stem (7x7 stride 2, 3x3 pooling stride 2) even on 28x28 images, where a picture shrinks
// 28, 14, 7, 7, 4, 2, 1. Every block adds its input to what it computes and takes the ReLU of the sum.
#include "engine/nn/models/residual.h"

namespace paceline {
namespace {

ModelDef gluonResNet(int depth, const std::string& summary, const std::vector<int>& blocks, bool bottleneck, std::int64_t parameterCount) {
  return {.id = strCat("resnet", depth, "_v1"),
          .title = strCat("ResNet-", depth, " v1"),
          .summary = summary,
          .reference = "He, Zhang, Ren, Sun 2016, CVPR; stem and blocks as in Gluon's model of this name",
          .parameterCount = parameterCount,
          .convolutional = true,
          .minimumBatch = 2,
          .make = residual::maker([blocks, bottleneck](const Params&) {
            return residual::Layout{
                .norm = layers::batchNorms, .widths = {64, 128, 256, 512}, .depths = blocks, .bottleneck = bottleneck, .gluon = true, .imageNetStem = true};
          })};
}

}  // namespace

std::vector<ModelDef> resnet_v1() {
  return {gluonResNet(18, "Residual network of eight basic blocks behind the ImageNet stem, as ESync trains it; batch normalisation.", {2, 2, 2, 2}, false, 11175370),
          gluonResNet(50,
                      "Residual network of sixteen bottlenecks behind the ImageNet stem, as ESync trains it: stride on the first 1x1 convolution, biases in "
                      "the 1x1 ones.",
                      {3, 4, 6, 3}, true, 23541130)};
}

}  // namespace paceline
