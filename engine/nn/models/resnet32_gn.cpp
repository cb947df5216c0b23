// What ECL calls resnet32: He's ImageNet ResNet-34 with group normalisation and dropout. Not the small ResNet-32 of He's
// section 4.2.
#include "engine/nn/models/residual.h"

namespace paceline {

std::vector<ModelDef> resnet32_gn() {
  const auto make = [](const Params& params, const Shape& shape, int classes) {
    const residual::Layout layout{.norm = layers::groupNorms(params.integer("group_channels")),
                                  .widths = {64, 128, 256, 512},
                                  .depths = {3, 4, 6, 3},
                                  .imageNetStem = true,
                                  .mapDropout = params.real("drop_rate"),
                                  .dropout = params.real("last_drop_rate")};
    return std::make_shared<residual::Network>(layout, shape.channels, classes);
  };
  return {{.id = "resnet32_gn",
           .title = "\"ResNet-32\" of ECL",
           .summary = "In truth a ResNet-34 behind the ImageNet stem (7x7 stride 2, pooling: 32 pixels a side become 8) with "
                      "group normalisation "
                      "and dropout; the small ResNet-32 for CIFAR is resnet32.",
           .reference = "He, Zhang, Ren, Sun 2016, CVPR; Wu, He 2018, ECCV; layout as in ECL-ISVR (Niwa et al. 2021)",
           .params = {layers::groupChannelsParam(32),
                      layers::dropoutParam("drop_rate", 0.1,
                                           "Share of whole maps left out behind the stem and the first three stages."),
                      layers::dropoutParam("last_drop_rate", 0.5, "Share of values left out before the dense layer.")},
           .inputs = residual::commonInputs(),
           .init = "torch",
           .parameterCount = 21289802,
           .random = true,
           .convolutional = true,
           .make = make}};
}

}  // namespace paceline
