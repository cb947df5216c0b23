#include "engine/data/datasets/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "engine/core/base/error.h"
#include "engine/core/base/user_folders.h"
#include "tests/data/data_sets.h"
#include "tests/data/idx_files.h"

namespace paceline::tests {
namespace {

void writeSet(const TempFolder& folder) {  // three to train, plain; two to test, gzip
  writePlain(folder / "train-images-idx3-ubyte", idxBytes({3, 28, 28}, somePixels(3)));
  writePlain(folder / "train-labels-idx1-ubyte", idxBytes({3}, {1, 2, 3}));
  writeGzip(folder / "t10k-images-idx3-ubyte.gz", idxBytes({2, 28, 28}, somePixels(2)));
  writeGzip(folder / "t10k-labels-idx1-ubyte.gz", idxBytes({2}, {9, 0}));
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Datasets, AreKnownByTheirIds) {
  std::vector<std::string> ids;
  for (const datasets::DatasetDef& def : datasets::datasets()) {
    ids.push_back(def.id);
    EXPECT_EQ(datasets::findDataset(def.id), &def);
    EXPECT_FALSE(def.title.empty() || def.summary.empty());
  }
  EXPECT_THAT(ids, ::testing::UnorderedElementsAre("cifar10", "cifar100", "fashion_mnist", "image_folder", "mnist", "svhn", "synthetic", "tensors", "text_characters"));
  EXPECT_EQ(datasets::findDataset("cifar"), nullptr);
}

TEST(IdxDataset, ReadsTheFolderItIsGiven) {
  const TempFolder folder{};
  writeSet(folder);
  for (const char* id : {"fashion_mnist", "mnist"}) {
    const datasets::DatasetDef& def = *datasets::findDataset(id);
    const Params params = paramsFor(def, {{"path", folder.path()}});
    EXPECT_EQ(def.locate(params), folder.path());
    const datasets::Dataset data = def.load(params, 1);
    EXPECT_EQ(data.train.count(), 3U);
    EXPECT_EQ(data.test.labels, (std::vector<std::uint16_t>{9, 0}));
    EXPECT_EQ(data.shape, Shape{});
  }
}

TEST(IdxDataset, FindsTheFolderBelowPacelineData) {
  const TempFolder root{};
  std::filesystem::create_directory(root / "mnist");
  writePlain(root / "mnist/train-images-idx3-ubyte", idxBytes({3, 28, 28}, somePixels(3)));
  setenv("PACELINE_DATA", root.path().c_str(), 1);
  const datasets::DatasetDef& def = *datasets::findDataset("mnist");
  EXPECT_EQ(def.locate(paramsFor(def, {})), std::filesystem::exists("/usr/share/datasets/mnist/train-images-idx3-ubyte.gz")
                                                ? "/usr/share/datasets/mnist"
                                                : root / "mnist");
  unsetenv("PACELINE_DATA");
}

TEST(IdxDataset, SaysWhereItLooked) {
  const TempFolder folder{};
  const datasets::DatasetDef& def = *datasets::findDataset("fashion_mnist");
  const Params params = paramsFor(def, {{"path", folder / "nowhere"}});
  EXPECT_EQ(def.locate(params), "");
  EXPECT_EQ(message([&] { def.load(params, 1); }),
            "data set \"fashion_mnist\" is not on " + hostName() + ": there is no train-images-idx3-ubyte[.gz] in " + (folder / "nowhere") +
                "; get it with paceline data download fashion_mnist or the package dataset-fashion-mnist, or name its folder as the data set's path");
}

TEST(IdxDataset, SaysEveryPlaceWholeWhenItHasNoPath) {
  const TempFolder folder{};
  const std::string data = environment("PACELINE_DATA"), home = environment("XDG_DATA_HOME");
  setenv("PACELINE_DATA", (folder / "shared").c_str(), 1);
  setenv("XDG_DATA_HOME", (folder / "mine").c_str(), 1);
  const datasets::DatasetDef& def = *datasets::findDataset("cifar10");
  const std::string said = message([&] { def.load(paramsFor(def, {}), 1); });
  data.empty() ? unsetenv("PACELINE_DATA") : setenv("PACELINE_DATA", data.c_str(), 1);
  home.empty() ? unsetenv("XDG_DATA_HOME") : setenv("XDG_DATA_HOME", home.c_str(), 1);
  const std::string here = std::filesystem::current_path().string();
  std::string places;
  for (const std::string& root : {folder / "shared", folder / "mine/paceline/data", here + "/data"})
    for (const char* name : {"/cifar10", "/cifar-10-batches-bin"}) places += (places.empty() ? "" : ", ") + root + name;
  EXPECT_EQ(said, "data set \"cifar10\" is not on " + hostName() + ": there is no data_batch_1.bin or cifar-10-binary.tar.gz in " + places +
                      "; get it with paceline data download cifar10, or name its folder as the data set's path");
}

TEST(IdxDataset, NamesTheFileThatIsMissing) {
  const TempFolder folder{};
  writeSet(folder);
  std::filesystem::remove(folder / "t10k-labels-idx1-ubyte.gz");
  const datasets::DatasetDef& def = *datasets::findDataset("mnist");
  EXPECT_EQ(message([&] {
              def.load(paramsFor(def, {{"path", folder.path()}}), 1);
            }),
            "dataset \"mnist\": " + folder.path() + " has no t10k-labels-idx1-ubyte or t10k-labels-idx1-ubyte.gz");
}

TEST(FashionMnist, HasSixThousandOfEachClass) {
  const datasets::DatasetDef& def = *datasets::findDataset("fashion_mnist");
  const Params params = paramsFor(def, {});
  if (def.locate(params).empty()) GTEST_SKIP() << "Fashion-MNIST is not on this machine";
  const datasets::Dataset data = def.load(params, 1);
  EXPECT_EQ(data.train.count(), static_cast<std::size_t>(def.trainCount));
  EXPECT_EQ(data.test.count(), static_cast<std::size_t>(def.testCount));
  EXPECT_EQ(data.train.pixels.size(), 60000U * 784U);
  for (std::uint8_t label = 0; label < 10; ++label) {
    EXPECT_EQ(std::count(data.train.labels.begin(), data.train.labels.end(), label), 6000);
    EXPECT_EQ(std::count(data.test.labels.begin(), data.test.labels.end(), label), 1000);
  }
}

TEST(Synthetic, IsAFunctionOfTheSeed) {
  const datasets::DatasetDef& def = *datasets::findDataset("synthetic");
  const Params params = paramsFor(def, {{"train_count", std::int64_t{200}}, {"test_count", std::int64_t{50}}});
  EXPECT_EQ(def.locate(params), "built in");
  const datasets::Dataset a = def.load(params, 7), b = def.load(params, 7), other = def.load(params, 8);
  EXPECT_EQ(a.train.pixels, b.train.pixels);
  EXPECT_EQ(a.test.labels, b.test.labels);
  EXPECT_NE(a.train.pixels, other.train.pixels);
}

TEST(Synthetic, HasTheAskedSizesAndEvenClasses) {
  const datasets::DatasetDef& def = *datasets::findDataset("synthetic");
  const datasets::Dataset data = def.load(
      paramsFor(def, {{"train_count", std::int64_t{103}}, {"test_count", std::int64_t{7}}, {"classes", std::int64_t{4}}}), 1);
  EXPECT_EQ(data.classes, 4);
  EXPECT_EQ(data.train.pixels.size(), 103U * 784U);
  EXPECT_EQ(data.test.count(), 7U);
  for (std::uint8_t label = 0; label < 4; ++label)
    EXPECT_EQ(std::count(data.train.labels.begin(), data.train.labels.end(), label), label < 3 ? 26 : 25);
}

// The class means of the training set, as a classifier, know the test set: there is something to learn.
TEST(Synthetic, CanBeLearnt) {
  const datasets::DatasetDef& def = *datasets::findDataset("synthetic");
  const datasets::Dataset data = def.load(paramsFor(def, {{"train_count", std::int64_t{1000}}, {"test_count", std::int64_t{200}}}), 3);
  std::vector<std::array<double, 784>> means(10);
  for (std::size_t i = 0; i < data.train.count(); ++i)
    for (std::size_t p = 0; p < 784; ++p) means[data.train.labels[i]][p] += data.train.pixels[i * 784 + p] / 100.0;
  int correct = 0;
  for (std::size_t i = 0; i < data.test.count(); ++i) {
    std::array<double, 10> distance{};
    for (std::size_t k = 0; k < 10; ++k)
      for (std::size_t p = 0; p < 784; ++p) distance[k] += std::pow(data.test.pixels[i * 784 + p] - means[k][p], 2);
    correct += std::min_element(distance.begin(), distance.end()) - distance.begin() == data.test.labels[i] ? 1 : 0;
  }
  EXPECT_GT(correct, 150);
}

}  // namespace
}  // namespace paceline::tests
