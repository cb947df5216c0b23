// paceline data, as a stranger uses it; nothing leaves this computer.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/cluster/http_server.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

class Data : public Desk {
 protected:
  Data() { environment_["XDG_DATA_HOME"] = path("home"); }

  nlohmann::json set(const std::string& id) {
    const nlohmann::json document = json({"data", "list", "--json"});
    for (const auto& each : document["datasets"])
      if (each["id"] == id) return each;
    return nullptr;
  }
};

TEST_F(Data, ListSaysWhatThereIsAndWhatADownloadFetches) {
  const auto cifar = set("cifar10");
  EXPECT_EQ(cifar["location"], "");
  EXPECT_EQ(cifar["download_to"], path("home/paceline/data/cifar10"));
  EXPECT_EQ(cifar["files"][0]["bytes"], 170052171);
  EXPECT_EQ(set("synthetic")["location"], "built in");
  const Outcome outcome = paceline({"data", "list"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex("svhn +73257 +26032 +10 +3x32x32 +246 MB +- +not here"));
}

// A set that lies where downloads go is found, and a catalogue that was asked before does not hide it.
TEST_F(Data, WhatLiesInTheUsersFolderIsFound) {
  paceline({"catalog"});
  for (const char* part : {"train/cat", "train/dog", "val/cat", "val/dog"}) std::filesystem::create_directories(path(std::string("home/paceline/data/image_folder/") + part));
  EXPECT_EQ(set("image_folder")["location"], path("home/paceline/data/image_folder"));
  EXPECT_THAT(paceline({"catalog"}).out, HasSubstr(path("home/paceline/data/image_folder")));
  const Outcome outcome = paceline({"data", "check", path("home/paceline/data/image_folder")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("/image_folder/train/cat: has no pictures (.jpg, .jpeg, .png)"));
}

TEST_F(Data, ADownloadThatIsNotThePublishedFileIsRefused) {
  const HttpServer server({{"cifar-100-binary.tar.gz", std::string(1000, 'x')}});
  const std::string url = server.url() + "/cifar-100-binary.tar.gz";
  expectRefusal({"data", "download", "cifar100", "--from", server.url()}, url + ": the server's file has 1000 bytes, the published one 168513733");
  const HttpServer empty({});
  expectRefusal({"data", "download", "svhn", "--from", empty.url()}, empty.url() + "/train_32x32.mat: the server answers 404 (not found)");
}

TEST_F(Data, RefusesWhatCannotBeDownloaded) {
  expectRefusal({"data", "download", "synthetic"}, "data set \"synthetic\" has nothing to download: it is made from the seed");
  expectRefusal({"data", "download", "imagenet"}, "data set \"imagenet\" is not known; have cifar10, cifar100, fashion_mnist, mnist, svhn");
  EXPECT_EQ(paceline({"data"}).code, 2);
  EXPECT_EQ(paceline({"data", "download"}).code, 2);
}

TEST_F(Data, CheckSaysWhichSetItIsAndWhatIsWrong) {
  std::filesystem::create_directories(path("set"));
  const Outcome nothing = paceline({"data", "check", path("set")});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.err, HasSubstr(path("set") + ": is no known data set; name one with --as ID"));
  EXPECT_THAT(paceline({"data", "check", path("none")}).err, HasSubstr(path("none") + ": no such file or folder"));
  std::string records;
  for (const int label : {3, 3, 77}) records += '\0' + std::string(1, static_cast<char>(label)) + std::string(3072, 'p');
  std::ofstream(path("set/train.bin"), std::ios::binary) << records;
  std::ofstream(path("set/test.bin"), std::ios::binary) << records;
  const Outcome outcome = paceline({"data", "check", path("set")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("cifar100 in " + path("set")));
  EXPECT_THAT(outcome.out, HasSubstr("to train: 3 images, apple: 0, aquarium fish: 0, baby: 0, bear: 2"));
  EXPECT_THAT(outcome.err, HasSubstr("train.bin: its SHA-256 is "));
  const auto document = nlohmann::json::parse(paceline({"data", "check", path("set"), "--json"}).out);
  EXPECT_EQ(document["splits"][0]["per_class"][77], 1);
  EXPECT_EQ(document["files"][0]["state"], "different");
}

TEST_F(Data, LookCountsClassesAndShowsTheSameSamplesAgain) {
  const Outcome outcome = paceline({"data", "look", "synthetic", "--samples", "3"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("synthetic: built in\n"));
  EXPECT_THAT(outcome.out, HasSubstr("6000 samples to train, 600 of each class"));
  EXPECT_EQ(paceline({"data", "look", "synthetic", "--samples", "3"}).out, outcome.out);
  EXPECT_NE(paceline({"data", "look", "synthetic", "--samples", "3", "--seed", "2"}).out, outcome.out);
  const auto document = json({"data", "look", "synthetic", "--samples", "5", "--split", "test", "--json"});
  EXPECT_EQ(document["samples"].size(), 5U);
  EXPECT_EQ(document["samples"][0]["pixels"].get<std::string>().size(), 2U * 784);
  EXPECT_EQ(document["splits"][1]["per_class"][0], 100);
}

TEST_F(Data, LookWritesPicturesAndTheHistogram) {
  const Outcome outcome = paceline({"data", "look", "synthetic", "--samples", "4", "--pictures", path("pictures"), "--figure", path("classes.csv")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::size_t pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("pictures"))) {
    ++pictures;
    EXPECT_THAT(entry.path().filename().string(), ::testing::MatchesRegex("train-[0-9]+-[0-9]\\.pgm"));
    EXPECT_EQ(std::filesystem::file_size(entry.path()), 13U + 784);
  }
  EXPECT_EQ(pictures, 4U);
  std::ifstream csv(path("classes.csv"));
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(csv), {}), HasSubstr("600"));
}

TEST_F(Data, LookRefusesInOneSentence) {
  const auto refused = [this](const char* what) {
    const Outcome outcome = paceline({"data", "look", what});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refused("cifar10"), HasSubstr("paceline: data set \"cifar10\" is not on "));
  EXPECT_THAT(refused("imagenet"), HasSubstr("paceline: data set \"imagenet\" is not known"));
  EXPECT_EQ(refused("./none"), "paceline: ./none: no such file or folder\n");
  EXPECT_EQ(paceline({"data", "look", "synthetic", "--samples", "201"}).code, 2);
}

TEST_F(Data, ListTellsWhatAnInterruptedDownloadHasLeft) {
  std::filesystem::create_directories(path("home/paceline/data/cifar10"));
  std::ofstream(path("home/paceline/data/cifar10/cifar-10-binary.tar.gz.part")) << std::string(5'000'000, 'x');
  EXPECT_THAT(paceline({"data", "list"}).out, HasSubstr("begun: 5.0 MB in " + path("home/paceline/data/cifar10")));
}

TEST_F(Data, FashionMnistOfDebianIsAllRight) {
  const std::string folder = "/usr/share/datasets/fashion-mnist";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "Fashion-MNIST is not on this machine";
  const Outcome outcome = paceline({"data", "check", folder});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("fashion_mnist in " + folder));
  EXPECT_THAT(outcome.out, HasSubstr("to train: 60000 images, 6000 of each class"));
}

}  // namespace
}  // namespace paceline::tests
