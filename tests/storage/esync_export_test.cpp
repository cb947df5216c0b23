#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "storage/interchange/interop.h"
#include "tests/storage/two_workers.h"
#include "tests/support/disk_faults.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> filesBelow(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(std::filesystem::relative(entry.path(), folder).string());
  return files;
}

TEST(EsyncExport, SpreadsARoundOverItsLocalStepsInTheOriginalsOrder) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers("esync");
  RoundRecord& round = data.rounds[0].record;
  round.localSteps = 2, round.fetch = 0.001, round.compute = 0.05001, round.update = 0.008, round.query = 0.03;
  round.send = 0.5, round.wait = 1, round.receive = 0.25, round.evaluate = 2.01274, round.t = 12.418702363967896;
  data.evaluations[0].record.accuracy = 0.8121815286624203;
  interchange::exportEsyncTree(data, folder.path());
  EXPECT_EQ(
      readText(folder / "lenet/esync/local/cpu-w0/iter-1.txt"),
      R"({"num_iters": 1, "time": {"0": {"check ready": 0.01, "get_batch": 0.0005, "forward and backward": 0.025, "local update": 0.004}, )"
      R"("1": {"check ready": 0.01, "get_batch": 0.0005, "forward and backward": 0.025, "local update": 0.004}, )"
      R"("2": {"check ready": 0.01, "global update": 1.75, "evaluation": 2.0127}}, )"
      R"("num_samples": 64, "total_time": 12.418702363967896, "accuracy": 0.8121815286624203})");
  EXPECT_EQ(
      readText(folder / "lenet/esync/local/cpu-w1/iter-1.txt"),
      R"({"num_iters": 1, "time": {"0": {"check ready": 0.0, "get_batch": 0.6, "forward and backward": 2.4, "local update": 0.6}, )"
      R"("1": {"check ready": 0.0, "global update": 1.8}}, "num_samples": 32, "total_time": 6.0})");
}

TEST(EsyncExport, SynchronousAndAsynchronousModesHaveOneEntry) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers("asgd");
  for (store::RoundRow& row : data.rounds) row.record.localSteps = 1;
  data.run.partition = "by_class", data.run.model = "resnet18_v1";
  data.nodes[0].device = "cuda:1";
  interchange::exportEsyncTree(data, folder.path());
  EXPECT_EQ(
      readText(folder / "resnet18-v1/async-niid/local/cpu/iter-1.txt"),
      R"({"num_iters": 1, "time": {"0": {"get_batch": 1.0, "forward and backward": 4.0, "global aggregate": 3.0, "evaluation": 1.0}}, )"
      R"("num_samples": 64, "total_time": 10.0, "accuracy": 0.5})");
  EXPECT_THAT(filesBelow(folder / "resnet18-v1/async-niid"),
              UnorderedElementsAre("local/cpu/iter-1.txt", "local/cpu/iter-2.txt", "local/gpu1/iter-1.txt",
                                   "local/gpu1/iter-2.txt", "local/gpu1/iter-3.txt"));
}

TEST(EsyncExport, ImportsBackToTheSameArrays) {
  for (const char* algorithm : {"esync", "ssgd", "asgd", "dc_asgd"}) {
    const TempFolder folder;
    summary::RunData data = twoWorkers(algorithm);
    if (algorithm != std::string("esync"))
      for (store::RoundRow& row : data.rounds) row.record.localSteps = 1;
    interchange::exportEsyncTree(data, folder / "out");
    store::StoreWriter writer(folder / "a.db");
    const std::string id = interchange::importPath(writer, folder / "out").at(0);
    const store::StoreReader reader(folder / "a.db");
    EXPECT_EQ(interchange::esyncSummaryJson(summary::loadRun(reader, reader.find(id).value())), interchange::esyncSummaryJson(data)) << algorithm;
    EXPECT_EQ(reader.find(id)->algorithm, algorithm);
  }
}

TEST(EsyncExport, AnAccuracyOfZeroIsLeftOutAsTheLoggerDoes) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers("ssgd");
  data.evaluations[0].record.accuracy = 0;
  interchange::exportEsyncTree(data, folder.path());
  EXPECT_THAT(readText(folder / "lenet/sync/local/cpu-w0/iter-1.txt"), testing::Not(HasSubstr("accuracy")));
  EXPECT_THAT(interchange::esyncSummaryJson(data), HasSubstr("\"accuracy_list\": [0.85]"));
}

TEST(EsyncExport, TheSummaryStopsAtTheFirstMissingRound) {
  summary::RunData data = twoWorkers("asgd");
  std::erase_if(data.rounds, [](const store::RoundRow& row) { return row.node == "w1" && row.record.round == 2; });
  EXPECT_THAT(interchange::esyncSummaryJson(data), HasSubstr(R"("cpu-w1": {"accuracy_list": [], "num_samples_list": [32],)"));
}

TEST(EsyncExport, NamesNeverLeaveTheFolder) {
  const TempFolder folder{};
  summary::RunData data = twoWorkers("ssgd");
  data.run.model = "../../up";
  data.nodes[0].host = "..", data.nodes[0].device = "../x";
  data.nodes[1].host = "/etc", data.nodes[1].device = std::string("a\0b", 3);
  interchange::exportEsyncTree(data, folder / "out");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()), 1);
  const auto files = filesBelow(folder / "out");
  EXPECT_EQ(files.size(), 5U);
  for (const std::string& file : files)
    EXPECT_TRUE(file.starts_with("_..-..-up/sync/") || file.starts_with("_.._.._up/sync/")) << file;
}

TEST(EsyncExport, WorkersThatShareADeviceGetFoldersOfTheirOwn) {
  summary::RunData data = twoWorkers("ssgd");
  data.nodes[0].id = "a b", data.nodes[1].id = "a_b";  // alike as folders
  for (store::RoundRow& row : data.rounds) row.node = row.node == "w0" ? "a_b" : "a b";
  const TempFolder folder{};
  interchange::exportEsyncTree(data, folder.path());
  EXPECT_EQ(filesBelow(folder.path()).size(), 5U);
  EXPECT_TRUE(std::filesystem::exists(folder / "lenet/sync/local/cpu-a_b/iter-2.txt"));
  EXPECT_TRUE(std::filesystem::exists(folder / "lenet/sync/local/cpu-a_b-2/iter-3.txt"));
}

TEST(EsyncExport, RefusesToMixWithAnOlderTreeAndAlgorithmsThatEsyncLacks) {
  const TempFolder folder{};
  interchange::exportEsyncTree(twoWorkers("ssgd"), folder.path());
  EXPECT_THAT(messageOf(Errc::kFile, [&] { interchange::exportEsyncTree(twoWorkers("ssgd"), folder.path()); }),
              HasSubstr("lenet/sync: exists already"));
  EXPECT_NO_THROW(interchange::exportEsyncTree(twoWorkers("asgd"), folder.path()));
  EXPECT_THAT(messageOf(Errc::kUnsupported, [&] { interchange::exportEsyncTree(twoWorkers("local_sgd"), folder.path()); }),
              HasSubstr("local_sgd"));
  EXPECT_THAT(messageOf(Errc::kUnsupported, [&] { static_cast<void>(interchange::esyncSummaryJson(twoWorkers("local_sgd"))); }),
              HasSubstr("local_sgd"));
}

std::map<std::string, std::string> contentsBelow(const std::string& folder) {
  std::map<std::string, std::string> contents;
  for (const std::string& file : filesBelow(folder)) contents[file] = readText(folder + "/" + file);
  return contents;
}

class BrokenEsyncExport : public testing::Test {
 protected:
  void SetUp() override {
    interchange::exportEsyncTree(twoWorkers("ssgd"), folder_ / "whole");
    whole_ = contentsBelow(folder_ / "whole");
  }
  std::string write() const { return interchange::exportEsyncTree(twoWorkers("ssgd"), folder_ / "out"); }
  bool there() const { return std::filesystem::exists(folder_ / "out/lenet/sync"); }
  // Nothing of it or all of it; what was not written can be written again.
  void check(const std::string& where) const {
    if (!there()) write();
    EXPECT_EQ(contentsBelow(folder_ / "out"), whole_) << where;
    std::filesystem::remove_all(folder_ / "out");
  }

  const TempFolder folder_{};
  std::map<std::string, std::string> whole_;
};

TEST_F(BrokenEsyncExport, ACallThatFailsLeavesNothingAndTheRepeatIsWhole) {
  const int calls = failEveryCall([this] { write(); },
                                  [this](const std::string& where, const std::string& sentence) {
                                    EXPECT_EQ(there(), sentence.empty() || sentence.find("is written, but") != std::string::npos) << where << ": " << sentence;
                                    EXPECT_TRUE(sentence.empty() || sentence.find("/out/lenet/") != std::string::npos || where.starts_with("mkdir")) << sentence;
                                    EXPECT_FALSE(std::filesystem::exists(folder_ / "out/lenet/.sync.new")) << where;
                                    check(where);
                                  },
                                  {ENOSPC, EIO, EINTR});
  EXPECT_GT(calls, 5 * 3) << "at least open, write and close of each of the five files";
}

TEST_F(BrokenEsyncExport, AKillLeavesNothingOrAllAndTheRepeatSaysWhatItRemoved) {
  bool told = false;
  killBeforeEveryCall([this] { write(); },
                      [&](const std::string& where) {
                        const std::string fresh = folder_ / "out/lenet/.sync.new";
                        if (std::filesystem::exists(fresh)) {
                          EXPECT_FALSE(there()) << where;
                          EXPECT_EQ(write(), strCat("removed ", fresh, ", left by an export that did not end")) << where;
                          told = true;
                        }
                        check(where);
                      });
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace paceline::tests
