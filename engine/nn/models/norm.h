// Which normalisation stands behind a convolution, for the families that let the experiment choose. Included by models/*.cpp
// only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/nn/models/layers.h"

namespace paceline::layers {

using Norm = std::function<torch::nn::AnyModule(int channels)>;

// ceil(counted / perGroup) groups over `channels`; `counted` is `channels` except in ECL's VGG. Throws Error{kSpec} where it does
// not divide.
inline torch::nn::AnyModule groupNorm(int channels, int counted, std::int64_t perGroup) {
  const std::int64_t groups = (counted + perGroup - 1) / perGroup;
  if (channels % groups != 0)
    throw Error(Errc::kSpec,
                strCat("group_channels: ", perGroup, " makes ", groups, " groups, which do not divide ", channels, " channels"));
  return torch::nn::AnyModule(torch::nn::GroupNorm(torch::nn::GroupNormOptions(groups, channels)));
}

inline Norm groupNorms(std::int64_t perGroup) {
  return [perGroup](int channels) { return groupNorm(channels, channels, perGroup); };
}

// 16 and 32 channels a group: Wu, He 2018, ECCV, table 3, and ECL.
inline ParamSpec groupChannelsParam(std::int64_t fallback, const std::string& where = "") {
  return integerParam("group_channels", fallback, 1, 4096,
                      strCat(where, "channels that group normalisation takes together; the number of groups is rounded up."));
}

inline std::vector<ParamSpec> normParams() {
  return {choiceParam("norm", "batch", {"batch", "group"},
                      "Normalisation over the batch, or over groups of channels of one picture."),
          groupChannelsParam(16, "With norm group: ")};
}

inline Norm normOf(const Params& params) {
  if (params.text("norm") == "group") return groupNorms(params.integer("group_channels"));
  return [](int channels) { return torch::nn::AnyModule(batchNorm(channels)); };
}

inline ParamSpec dropoutParam(std::string name, double fallback, std::string help) {
  return realParam(std::move(name), fallback, 0, 0.95, std::move(help));
}

}  // namespace paceline::layers
