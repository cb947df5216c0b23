#include "engine/data/datasets/data_look.h"

#include <numeric>
#include <set>

#include "tests/data/data_sets.h"
#include "tests/data/picture_files.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const datasets::DatasetDef& named(const char* id) { return *datasets::findDataset(id); }

std::vector<std::int64_t> indicesOf(const datasets::DataLook& look) {
  std::vector<std::int64_t> indices;
  for (const datasets::LookedSample& sample : look.samples) indices.push_back(sample.index);
  return indices;
}

TEST(DataLook, TheSameSeedShowsTheSameSamples) {
  const datasets::DataLook first = datasets::lookAt(named("synthetic"), "", {.count = 30, .seed = 7});
  const datasets::DataLook again = datasets::lookAt(named("synthetic"), "", {.count = 30, .seed = 7}), other = datasets::lookAt(named("synthetic"), "", {.count = 30, .seed = 8});
  EXPECT_EQ(indicesOf(first), indicesOf(again));
  EXPECT_EQ(first.samples.front().picture.pixels, again.samples.front().picture.pixels);
  EXPECT_NE(indicesOf(first), indicesOf(other));
  EXPECT_EQ(first.path, "built in");
  EXPECT_NE(indicesOf(first), indicesOf(datasets::lookAt(named("synthetic"), "", {.split = "test", .count = 30, .seed = 7})));
}

TEST(DataLook, SamplesAreDifferentOnesInOrderOfTheirClass) {
  const datasets::DataLook look = datasets::lookAt(named("synthetic"), "", {.count = 200});
  const std::vector<std::int64_t> indices = indicesOf(look);
  EXPECT_EQ(std::set(indices.begin(), indices.end()).size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(look.samples, {}, [](const datasets::LookedSample& sample) { return std::pair(sample.label, sample.index); }));
  ASSERT_EQ(look.splits.size(), 2U);
  EXPECT_EQ(std::accumulate(look.splits[0].perClass.begin(), look.splits[0].perClass.end(), std::int64_t{0}), 6000);
  EXPECT_EQ(look.splits[1].images, 1000);
}

TEST(DataLook, FashionMnistHasTheNamesOfItsClasses) {
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) GTEST_SKIP() << "Fashion-MNIST is not on this machine";
  const datasets::DataLook look = datasets::lookAt(named("fashion_mnist"), "", {.split = "test", .count = 12});
  EXPECT_EQ(look.path, "/usr/share/datasets/fashion-mnist");
  ASSERT_EQ(look.classNames.size(), 10U);
  EXPECT_EQ(look.classNames[9], "ankle boot");
  EXPECT_THAT(look.splits[0].perClass, ::testing::Each(6000));
  ASSERT_EQ(look.samples.size(), 12U);
  EXPECT_EQ(look.samples[0].picture.pixels.size(), 784U);
}

TEST(DataLook, OfAFolderLargePicturesAreReducedAndBrokenOnesSaySo) {
  const TempFolder folder{};
  for (const char* name : {"train/a/1.png", "train/b/2.png", "val/a/3.png", "val/b/4.png"}) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    writePng(folder / name, plainPixels(400, 200, {10, 20, 30}), 400, 200, PNG_FORMAT_RGB);
  }
  writePlain(folder / "train/b/2.png", {1, 2, 3, 4});
  const datasets::DataLook look = datasets::lookAt(named("image_folder"), folder.path(), {.count = 10});
  EXPECT_THAT(look.classNames, ElementsAre("a", "b"));
  ASSERT_EQ(look.samples.size(), 2U);  // all there are
  EXPECT_EQ(look.samples[0].stored, (Shape{.channels = 3, .height = 200, .width = 400}));
  EXPECT_EQ(look.samples[0].picture.shape, (Shape{.channels = 3, .height = 48, .width = 96}));
  EXPECT_THAT(look.samples[0].picture.pixels, ::testing::Each(::testing::AnyOf(10, 20, 30)));
  EXPECT_THAT(look.samples[1].problem, HasSubstr("/train/b/2.png: is neither JPEG nor PNG"));
  EXPECT_EQ(datasets::bytesAt(named("image_folder"), folder.path()) > 12, true);
}

TEST(DataLook, APixelThatIsReducedIsTheMeanOfThoseItStandsFor) {
  const datasets::Picture picture{.shape = {.channels = 1, .height = 2, .width = 4}, .pixels = {0, 10, 20, 30, 40, 50, 60, 70}};
  const datasets::Picture small = datasets::reduced(picture, 2);
  EXPECT_EQ(small.shape, (Shape{.channels = 1, .height = 1, .width = 2}));
  EXPECT_THAT(small.pixels, ElementsAre(25, 45));
  EXPECT_EQ(datasets::reduced(picture, 4).pixels, picture.pixels);
  const datasets::Picture line{.shape = {.channels = 1, .height = 1, .width = 1000}, .pixels = Bytes(1000, 9)};
  EXPECT_EQ(datasets::reduced(line, 96).shape, (Shape{.channels = 1, .height = 1, .width = 96}));
}

TEST(DataLook, WhatIsNoPictureIsItsFirstNumbersBesideItsTarget) {
  const TempFolder folder{};
  std::string text = "x,y\n";
  for (int row = 0; row < 20; ++row) text += "-2.5,0.25\n";
  writePlain(folder / "rows.csv", Bytes(text.begin(), text.end()));
  const datasets::DataLook look = datasets::lookAt(named("tensors"), folder / "rows.csv", {.count = 3});
  ASSERT_EQ(look.samples.size(), 3u);
  for (const datasets::LookedSample& sample : look.samples) {
    EXPECT_EQ(sample.numbers, "-2.5");
    EXPECT_EQ(sample.target, "0.25");
    EXPECT_EQ(sample.problem, "");
  }
  EXPECT_EQ(look.classes, 0);
  const datasets::DataLook letters = datasets::lookAt(named("text_characters"), "", {.count = 1});
  EXPECT_THAT(letters.samples.at(0).numbers, HasSubstr(" (of 64)"));
  EXPECT_THAT(letters.samples.at(0).target, HasSubstr(" (of 64)"));
}

TEST(DataLook, RefusesWhatIsNoWish) {
  const TempFolder folder{};
  const auto refused = [&](const datasets::LookWish& wish) { return refusal(folder, [&] { datasets::lookAt(named("synthetic"), "", wish); }); };
  EXPECT_EQ(refused({.split = "dev"}), "there are samples to train and to test, not to \"dev\"");
  EXPECT_EQ(refused({.count = 201}), "0 to 200 samples can be looked at, not 201");
  EXPECT_THAT(refusal(folder, [&] { datasets::lookAt(named("cifar10"), folder / "none", {}); }), HasSubstr("data set \"cifar10\" is not on "));
  EXPECT_TRUE(datasets::lookAt(named("synthetic"), "", {.count = 0}).samples.empty());
}

TEST(DataLook, EveryNamedClassIsOne) {
  for (const datasets::DatasetDef& def : datasets::datasets()) {
    if (def.classNames.empty()) continue;
    EXPECT_EQ(def.classNames.size(), static_cast<std::size_t>(def.classes)) << def.id;
    EXPECT_EQ(std::set(def.classNames.begin(), def.classNames.end()).size(), def.classNames.size()) << def.id;
  }
}

}  // namespace
}  // namespace paceline::tests
