#include "app/cluster/interop/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using interop::Found;
using ::testing::HasSubstr;

struct Recognise : ::testing::Test {
  const std::string folder = ownFolder();

  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  static interop::Recognised only(const std::string& path) {
    const std::vector<interop::Recognised> all = interop::recognised(path);
    EXPECT_EQ(all.size(), 1U) << path;
    return all.front();
  }
  Found what(const std::string& name, const std::string& text) const { return only(write(name, text)).what; }
  std::string why(const std::string& name, const std::string& text) const {
    const interop::Recognised found = only(write(name, text));
    EXPECT_EQ(found.what, Found::kNothing) << name;
    return found.words;
  }
};

TEST_F(Recognise, DocumentsByTheirKeysWhateverTheyAreCalled) {
  EXPECT_EQ(what("a.txt", R"({"paceline_bundle": 1, "run": {}})"), Found::kResults);
  EXPECT_EQ(what("b.json", R"({"paceline": 1, "algorithm": {"id": "ssgd"}})"), Found::kExperiment);
  EXPECT_EQ(what("c", R"({"base": {}, "vary": {}})"), Found::kExperiment);
  EXPECT_EQ(what("d.json", R"({"hosts": [{"name": "left", "addr": "127.0.0.1", "port": "21000"}]})"), Found::kHosts);
  EXPECT_EQ(what("Sync-Non-IID.json", "{}"), Found::kResults);
}

TEST_F(Recognise, ADocumentThatBeginsWithAComment) {
  EXPECT_EQ(what("new.json", "// An experiment\n/* of two lines\n */ {\n  // its form\n  \"paceline\": 1, \"algorithm\": {\"id\": \"ssgd\"}}"), Found::kExperiment);
  EXPECT_EQ(what("suite.json", "// A suite\n{\"base\": {}, \"vary\": {}}"), Found::kExperiment);
  EXPECT_EQ(what("hosts", "# mine\ngpu1\ngpu2\n"), Found::kHosts);
}

TEST_F(Recognise, ALargeBundleByItsFirstBytes) {
  const std::string filler(std::size_t{5} << 20, ' ');
  EXPECT_EQ(what("large.json", R"({"paceline_bundle": 1,)" + filler + "}"), Found::kResults);
  EXPECT_THAT(why("other.json", R"({"something": 1,)" + filler + "}"), HasSubstr("is a large JSON file and no bundle"));
}

TEST_F(Recognise, ListsOfHosts) {
  EXPECT_EQ(what("hosts", "gpu1\ngpu2\n"), Found::kHosts);
  EXPECT_EQ(what("list.txt", "10.0.0.5\n10.0.0.6\n"), Found::kHosts);
  EXPECT_EQ(what("mpi", "gpu1 slots=4\ngpu2 slots=4\n"), Found::kHosts);
  EXPECT_THAT(why("labels.txt", "cat\ndog\n"), HasSubstr("is nothing that is known here"));  // words, but of hosts?
}

TEST_F(Recognise, AFolderOfLogsOfEsyncIsOne) {
  write("logs/resnet/esync/host1/gpu0/iter-1.txt", "{}");
  write("logs/resnet/sync/host1/gpu0/iter-1.txt", "{}");
  const interop::Recognised found = only(folder + "/logs");
  EXPECT_EQ(found.what, Found::kResults);
  EXPECT_EQ(found.path, folder + "/logs");
}

TEST_F(Recognise, AFolderOfSeveralIsEachOfThem) {
  write("all/logs/resnet/esync/host1/gpu0/iter-1.txt", "{}");
  write("all/hosts", "10.0.0.5\n");
  write("all/run.json", R"({"paceline_bundle": 1})");
  write("all/README.md", "Some words about all this.\n");
  write("all/.hidden.json", R"({"paceline_bundle": 1})");
  std::vector<Found> found;
  for (const interop::Recognised& each : interop::recognised(folder + "/all")) found.push_back(each.what);
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(Found::kResults, Found::kHosts, Found::kResults));
}

// By what is in them, whatever they are called.
TEST_F(Recognise, RunsOfOtherTools) {
  const std::string fixtures = strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/foreign");
  const interop::Recognised board = only(fixtures + "/tensorboard");
  EXPECT_EQ(board.what, Found::kResults);
  EXPECT_EQ(board.words, "TensorBoard's event files");
  EXPECT_EQ(only(fixtures + "/mlruns").words, "MLflow's runs");
  std::filesystem::copy_file(fixtures + "/run.wandb", folder + "/anything");
  EXPECT_EQ(only(folder + "/anything").words, "Weights & Biases' local runs");
  write("results", "step,accuracy\n1,0.5\n");
  EXPECT_EQ(only(folder + "/results").words, "a table of numbers (CSV)");
  write("table", "height,width\n1,0.5\n");  // nothing says that it is of a run
  EXPECT_EQ(only(folder + "/table").what, Found::kTable);
  write("several/table", "height,width\n1,0.5\n");
  EXPECT_EQ(only(folder + "/several").what, Found::kNothing) << "nobody meant it";
  write("events.out.tfevents.1", "x");
  EXPECT_EQ(only(folder + "/events.out.tfevents.1").what, Found::kNothing);
}

TEST_F(Recognise, DataSets) {
  write("mine/train/cat/1.jpg", "x");
  write("mine/val/cat/1.jpg", "x");
  EXPECT_EQ(only(folder + "/mine").what, Found::kData);
  write("digits/train-images-idx3-ubyte.gz", "x");
  EXPECT_EQ(only(folder + "/digits").what, Found::kData);
}

TEST_F(Recognise, WhatIsNothingSaysWhy) {
  EXPECT_EQ(only(folder + "/none").words, "No such file or directory");
  EXPECT_THAT(why("notes.txt", "Some words about all this.\n"), HasSubstr("is nothing that is known here; Paceline reads its bundles"));
  EXPECT_THAT(why("old.db", "SQLite format 3\0 and more"), HasSubstr("the Settings page opens a store"));
  EXPECT_THAT(why("node_list.json", R"({"nodes": {}})"), HasSubstr("the form's topology imports it"));
  EXPECT_THAT(why("broken.json", "{"), HasSubstr("is no JSON object"));
  EXPECT_THAT(why("list.json", R"({"a": 1})"), HasSubstr("is JSON that Paceline does not know"));
  EXPECT_THAT(why("empty", ""), HasSubstr("is nothing that is known here"));
  std::filesystem::create_directories(folder + "/bare");
  EXPECT_THAT(only(folder + "/bare").words, HasSubstr("holds nothing that is known here"));
}

}  // namespace
}  // namespace paceline::tests
