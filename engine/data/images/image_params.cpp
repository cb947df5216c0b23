#include "engine/data/images/image_params.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline::images {
namespace {

ParamSpec augmentParam(const Recipe& recipe) {
  std::vector<std::string> choices{"none", "flip", "crop", "crop_flip"};
  std::string help = "What is random about training pictures: flip: left to right, every second one; crop: moved by up to 4 pixels over a padded edge";
  if (recipe.files) {
    choices.push_back("resized_crop_flip");
    help += "; resized_crop_flip: a random part of the picture (ImageNet's); without a crop the middle is taken";
  }
  return choiceParam("augment", recipe.augment, std::move(choices), help + ". Test pictures are never augmented.");
}

void setAugmentation(const std::string& augment, bool files, datasets::Dataset& data) {
  const bool padded = augment == "crop" || augment == "crop_flip", resized = augment == "resized_crop_flip";
  const Crop whole = files && !padded ? Crop::kCentre : Crop::kNone;
  data.training.crop = padded ? Crop::kPadded : resized ? Crop::kResized : whole;
  data.training.flip = augment.ends_with("flip");
  data.testing.crop = whole;
}

void setStatistics(const Recipe& recipe, const std::string& name, datasets::Dataset& data) {
  if (name == "none") return;
  const auto channels = static_cast<std::size_t>(data.shape.channels);
  ChannelStatistics chosen{.name = name, .mean = {0.5F}, .deviation = {0.5F}};  // half
  for (const ChannelStatistics& statistics : recipe.statistics)
    if (statistics.name == name) chosen = statistics;
  if (chosen.mean.size() == 1) {
    chosen.mean.resize(channels, chosen.mean.front());
    chosen.deviation.resize(channels, chosen.deviation.front());
  }
  if (chosen.mean.size() != channels)
    throw Error(Errc::kSpec, strCat("/dataset/params/normalise: \"", name, "\" is for ", chosen.mean.size(), " channels, the pictures have ", channels));
  for (Transform* how : {&data.training, &data.testing}) {
    how->mean = chosen.mean;
    how->deviation = chosen.deviation;
  }
}

}  // namespace

void addImageParams(datasets::DatasetDef& def, const Recipe& recipe) {
  std::vector<std::string> statistics{"none", "half"};
  for (const ChannelStatistics& one : recipe.statistics) statistics.push_back(one.name);
  def.inFiles = recipe.files;
  const std::string usual = recipe.files ? strCat("0: ", def.shape.height, ".") : "0: as it is.";
  def.params.push_back(integerParam("resize", 0, 0, 1024, "Side in pixels of the square that pictures are resized to (bilinear); " + usual));
  def.params.push_back(augmentParam(recipe));
  def.params.push_back(choiceParam("crop_padding", recipe.padding, {"zero", "reflect", "grey"}, "What the crop sees beyond the edge: 0, the mirrored picture or 127."));
  def.params.push_back(choiceParam("normalise", recipe.normalise, std::move(statistics), "Mean and deviation per channel that pixels in [0, 1] are normalised by; half: (x - 0.5) / 0.5."));
  def.params.push_back(integerParam("loader_threads", 1, 0, 64,
                                    "Threads that prepare batches while a worker computes, beyond its own \"threads\"; 0: it prepares them itself, as it always does "
                                    "where pictures in memory are only scaled."));
}

void applyImageParams(const Recipe& recipe, const Params& params, datasets::Dataset& data) {
  data.shape = shapeOf(data.stored, params);
  data.training = {};
  data.training.output = data.shape;
  const std::string& padding = params.text("crop_padding");
  data.training.padding = padding == "reflect" ? Padding::kReflect : padding == "grey" ? Padding::kGrey : Padding::kZero;
  // ImageNet's 256 for 224 (and 342 for 299).
  data.training.shorterSide = static_cast<int>(std::lround(std::min(data.shape.height, data.shape.width) * 256.0 / 224.0));
  data.testing = data.training;
  setAugmentation(params.text("augment"), recipe.files, data);
  setStatistics(recipe, params.text("normalise"), data);
}

}  // namespace paceline::images
