#include "engine/data/datasets/file_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

const images::Recipe kRecipe{.augment = "crop_flip",
                     .padding = "reflect",
                     .normalise = "published",
                     .statistics = {{.name = "published", .mean = {0.1F, 0.2F, 0.3F}, .deviation = {1, 2, 3}},
                                    {.name = "grey", .mean = {0.4F}, .deviation = {0.6F}}},
                     .files = false};

datasets::DatasetDef defined(const images::Recipe& recipe) {
  datasets::DatasetDef def;
  def.shape = {3, 32, 32};
  images::addImageParams(def, recipe);
  return def;
}

datasets::Dataset applied(const images::Recipe& recipe, const std::map<std::string, ParamValue>& given = {}, const Shape& stored = {3, 32, 32}) {
  std::vector<Finding> findings;
  const Params params = completeParams(defined(recipe).params, Params(given), "/dataset/params", findings);
  EXPECT_TRUE(findings.empty());
  datasets::Dataset data;
  data.stored = stored;
  images::applyImageParams(recipe, params, data);
  return data;
}

TEST(ImageParams, ChangeNothingByDefault) {
  const datasets::Dataset data = applied({}, {}, {1, 28, 28});
  EXPECT_EQ(data.shape, Shape{});
  for (const images::Transform& how : {data.training, data.testing}) {
    EXPECT_EQ(how.output, Shape{});
    EXPECT_EQ(how.crop, images::Crop::kNone);
    EXPECT_FALSE(how.draws());
    EXPECT_TRUE(how.mean.empty());
  }
}

TEST(ImageParams, TheRecipeIsTheDefault) {
  const datasets::Dataset data = applied(kRecipe);
  EXPECT_EQ(data.training.crop, images::Crop::kPadded);
  EXPECT_EQ(data.training.pad, 4);
  EXPECT_EQ(data.training.padding, images::Padding::kReflect);
  EXPECT_TRUE(data.training.flip);
  EXPECT_THAT(data.training.mean, ElementsAre(0.1F, 0.2F, 0.3F));
  EXPECT_THAT(data.testing.deviation, ElementsAre(1, 2, 3));
}

TEST(ImageParams, TestPicturesAreNeverAugmented) {
  for (const bool files : {false, true})
    for (const std::string augment : {"none", "flip", "crop", "crop_flip"})
      EXPECT_FALSE(applied({.files = files}, {{"augment", augment}}).testing.draws()) << augment;
}

TEST(ImageParams, ResizeIsTheSideOfTheOutput) {
  const datasets::Dataset data = applied(kRecipe, {{"resize", std::int64_t{224}}});
  EXPECT_EQ(data.shape, (Shape{3, 224, 224}));
  EXPECT_EQ(data.training.output, data.shape);
  EXPECT_EQ(data.testing.output, data.shape);
  EXPECT_EQ(data.stored, (Shape{3, 32, 32}));
}

TEST(ImageParams, FilesAreCroppedToTheirMiddleAsImageNetIs) {
  const images::Recipe recipe{.augment = "resized_crop_flip", .files = true};
  datasets::Dataset data = applied(recipe, {}, {3, 224, 224});
  EXPECT_EQ(data.training.crop, images::Crop::kResized);
  EXPECT_TRUE(data.training.flip);
  EXPECT_EQ(data.testing.crop, images::Crop::kCentre);
  EXPECT_EQ(data.testing.shorterSide, 256);
  EXPECT_EQ(applied(recipe, {{"resize", std::int64_t{299}}}).testing.shorterSide, 342);
  data = applied(recipe, {{"augment", std::string("flip")}}, {3, 224, 224});
  EXPECT_EQ(data.training.crop, images::Crop::kCentre);
  EXPECT_TRUE(data.training.flip);
}

TEST(ImageParams, OnlyFilesHaveTheResizedCrop) {
  const auto choices = [](const images::Recipe& recipe) {
    for (const ParamSpec& param : defined(recipe).params)
      if (param.name == "augment") return param.choices;
    return std::vector<std::string>{};
  };
  EXPECT_THAT(choices({}), ElementsAre("none", "flip", "crop", "crop_flip"));
  EXPECT_THAT(choices({.files = true}), ElementsAre("none", "flip", "crop", "crop_flip", "resized_crop_flip"));
}

TEST(ImageParams, NormaliseTakesStatisticsByName) {
  EXPECT_TRUE(applied(kRecipe, {{"normalise", std::string("none")}}).training.mean.empty());
  const datasets::Dataset half = applied(kRecipe, {{"normalise", std::string("half")}});
  EXPECT_THAT(half.training.mean, ElementsAre(0.5F, 0.5F, 0.5F));
  EXPECT_THAT(half.training.deviation, ElementsAre(0.5F, 0.5F, 0.5F));
  EXPECT_THAT(applied(kRecipe, {{"normalise", std::string("grey")}}).testing.mean, ElementsAre(0.4F, 0.4F, 0.4F));
}

TEST(ImageParams, RefuseStatisticsOfOtherChannels) {
  try {
    applied(kRecipe, {}, {1, 28, 28});
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dataset/params/normalise: \"published\" is for 3 channels, the pictures have 1");
  }
}

}  // namespace
}  // namespace paceline::tests
