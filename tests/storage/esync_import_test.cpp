#include <gmock/gmock.h>

#include <cmath>

#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

// Round 2 of rank 0: two local iterations, then aggregation.
constexpr const char* kExample =
    R"({"num_iters": 2, "time": {"0": {"check ready": 0.0031, "get_batch": 0.0009, "forward and backward": 0.0274, "local update": 0.0036}, )"
    R"("1": {"check ready": 0.0029, "get_batch": 0.0008, "forward and backward": 0.0271, "local update": 0.0035}, )"
    R"("2": {"check ready": 0.0030, "global update": 2.1043, "evaluation": 2.0127}}, )"
    R"("num_samples": 128, "total_time": 12.418702363967896, "accuracy": 0.8121815286624203})";

std::string plainRound(int n, const std::string& last) {
  return strCat(R"({"num_iters": )", n,
                R"(, "time": {"0": {"get_batch": 0.1, "forward and backward": 0.2, "global aggregate": 0.3}}, )", last, "}");
}

// A tree whose one device has the example as its first round.
std::string exampleTree(const TempFolder& folder, const std::string& mode = "esync") {
  writeText(folder / ("logs/resnet18-v1/" + mode + "/cloud1/gpu0/iter-1.txt"), kExample);
  return folder / "logs";
}

TEST(EsyncImport, TheWorkedExampleGivesItsFiveNumbers) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const auto ids = interchange::importPath(writer, exampleTree(folder));
  ASSERT_EQ(ids.size(), 1U);
  const store::StoreReader reader(folder / "a.db");
  const summary::RunData data = summary::loadRun(reader, reader.find(ids[0]).value());
  EXPECT_EQ(interchange::esyncSummaryJson(data),
            R"({"cloud1": {"gpu0": {"accuracy_list": [0.812], "num_samples_list": [128], "self_iters_list": [3], )"
            R"("elapsed_time_list": [12], "aggregate_time_list": [2.1043]}}})");
}

TEST(EsyncImport, PhasesBecomeTheFieldsOfARound) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  const std::string id = interchange::importPath(writer, exampleTree(folder)).at(0);
  const store::StoreReader reader(folder / "a.db");
  const store::RunRow run = reader.find(id).value();
  EXPECT_EQ(run.name, "resnet18-v1 esync");
  EXPECT_EQ(run.model, "resnet18_v1");
  EXPECT_EQ(run.algorithm, "esync");
  EXPECT_EQ(run.partition, "contiguous");
  EXPECT_EQ(run.state, store::RunState::kImported);
  EXPECT_EQ(run.source, "esync tree");
  const RoundRecord r = reader.rounds(id).at(0).record;
  EXPECT_EQ(r.round, 1);
  EXPECT_DOUBLE_EQ(r.fetch, 0.0017);
  EXPECT_DOUBLE_EQ(r.compute, 0.0545);
  EXPECT_DOUBLE_EQ(r.update, 0.0071);
  EXPECT_DOUBLE_EQ(r.query, 0.0090);
  EXPECT_DOUBLE_EQ(r.evaluate, 2.0127);
  EXPECT_DOUBLE_EQ(r.wait, 2.1043);
  EXPECT_EQ(r.send + r.receive, 0);
  EXPECT_DOUBLE_EQ(r.t, 12.418702363967896);
  EXPECT_DOUBLE_EQ(r.total, 12.418702363967896);
  EXPECT_EQ(r.localSteps, 2);
  EXPECT_EQ(r.samples, 128);
  EXPECT_EQ(r.bytesSent + r.bytesReceived, 0);
  EXPECT_TRUE(std::isnan(r.loss));
  const EvaluationRecord e = reader.evaluations(id).at(0).record;
  EXPECT_EQ(e.accuracy, 0.8121815286624203);
  EXPECT_DOUBLE_EQ(e.t, 12.418702363967896 - 2.0127);
  EXPECT_EQ(e.samples, 128);
  const store::NodeRow node = reader.nodes(id).at(0);
  EXPECT_EQ(node.id + " " + node.host + " " + node.device, "cloud1/gpu0 cloud1 gpu0");
}

// Python made both the trees and what they amount to; see fixtures/make_esync_fixture.py.
TEST(EsyncImport, GivesTheArraysThatPythonGives) {
  const TempFolder folder{};
  const Json fixture = Json::parse(readText(strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/esync_fixture.json")));
  for (const auto& [path, text] : fixture["files"].items()) writeText(folder / ("logs/resnet18-v1/" + path), text);
  store::StoreWriter writer(folder / "a.db");
  const auto ids = interchange::importPath(writer, folder / "logs");
  ASSERT_EQ(ids.size(), fixture["summaries"].size());
  const store::StoreReader reader(folder / "a.db");
  for (const std::string& id : ids) {
    const store::RunRow run = reader.find(id).value();
    const std::string mode = run.name.substr(run.name.find(' ') + 1);
    EXPECT_EQ(interchange::esyncSummaryJson(summary::loadRun(reader, run)), fixture["summaries"][mode]) << mode;
    EXPECT_EQ(run.notes.find("iter-4.txt is missing; 2 later files left out") != std::string::npos, mode == "async") << run.notes;
    EXPECT_EQ(run.partition, mode.ends_with("niid") ? "by_class" : "contiguous");
  }
}

TEST(EsyncImport, TakesAnyFolderFromTheModeUpward) {
  for (const char* start : {"", "/resnet18-v1", "/resnet18-v1/esync"}) {
    const TempFolder folder;
    const std::string base = exampleTree(folder);
    store::StoreWriter writer(folder / "a.db");
    EXPECT_EQ(interchange::importPath(writer, base + start).size(), 1U) << start;
  }
  const TempFolder folder{};
  const std::string base = exampleTree(folder);
  store::StoreWriter writer(folder / "a.db");
  const std::string below = messageOf(Errc::kFormat, [&] { interchange::importPath(writer, base + "/resnet18-v1/esync/cloud1"); });
  EXPECT_THAT(below, HasSubstr("no ESync log tree in it"));
}

TEST(EsyncImport, PublishedFormulasHoldOnWhatWasImported) {
  const TempFolder folder{};
  for (int n = 1; n <= 4; ++n)
    for (const char* device : {"cpu", "gpu0"})
      writeText(
          folder / strCat("logs/alexnet/sync/h/", device, "/iter-", n, ".txt"),
          plainRound(n, strCat(R"("num_samples": 64, "total_time": )", 2.5 * n, device[0] == 'g' ? R"(, "accuracy": 0.5)" : "")));
  store::StoreWriter writer(folder / "a.db");
  const std::string id = interchange::importPath(writer, folder / "logs").at(0);
  const store::StoreReader reader(folder / "a.db");
  const summary::RunSummary s = summary::summarise(summary::loadRun(reader, reader.find(id).value()));
  EXPECT_EQ(s.publishedThroughput, 51);          // int(512 / 10)
  EXPECT_EQ(s.publishedTrafficMbPerSecond, 34);  // int(4 * 2 * 42.6 / 10): the drawer takes 42.6 for every model
  EXPECT_DOUBLE_EQ(s.nodes[0].publishedComputingRatio, 1 - 1.2 / 10);
  EXPECT_EQ(s.curve[2].publishedSeconds, 8);  // round(7.5): ties to even
  EXPECT_EQ(s.evaluator, "h/gpu0");
}

struct BadTree {
  const char* file;
  std::string text;
  const char* says;
};

TEST(EsyncImport, BadFilesGetOneMessageWithFileAndKeyAndNothingIsStored) {
  const BadTree trees[] = {
      {"resnet18-v1/esync/a/cpu/iter-1.txt", R"({"num_iters": 1, "time": {"0")", "iter-1.txt: is not JSON"},
      {"resnet18-v1/esync/a/cpu/iter-1.txt", "", "iter-1.txt: is not JSON"},
      {"resnet18-v1/esync/a/cpu/iter-1.txt", "[1]", "iter-1.txt: must be one JSON object"},
      {"resnet18-v1/esync/a/cpu/iter-1.txt", "{}", "\"num_iters\" is missing"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", R"({"num_iters": 1, "num_samples": 1, "total_time": 1})", "\"time\" is missing"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", R"({"num_iters": 1, "time": {}, "num_samples": 1, "total_time": 1})",
       "\"time\" must be an object with at least"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", R"({"num_iters": 1, "time": {"x": {}}, "num_samples": 1, "total_time": 1})",
       "\"time/x\" must be named by a whole number"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", R"({"num_iters": 1, "time": {"0": 3}, "num_samples": 1, "total_time": 1})",
       "\"time/0\" must be an object"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", R"({"num_iters": 1, "time": {"0": {}}, "num_samples": 1, "total_time": 1})",
       "\"time/0/global aggregate\" is missing"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt",
       R"({"num_iters": 1, "time": {"0": {"global aggregate": "x"}}, "num_samples": 1, "total_time": 1})",
       "\"time/0/global aggregate\" must be a number"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", plainRound(1, R"("total_time": 1)"), "\"num_samples\" is missing"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", plainRound(1, R"("num_samples": -1, "total_time": 1)"),
       "\"num_samples\" must be a whole number"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", plainRound(1, R"("num_samples": 1.5, "total_time": 1)"),
       "\"num_samples\" must be a whole number"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", plainRound(1, R"("num_samples": 1, "total_time": "1")"),
       "\"total_time\" must be a number"},
      {"resnet18-v1/sync/a/cpu/iter-1.txt", plainRound(1, R"("num_samples": 1, "total_time": 1, "accuracy": [])"),
       "\"accuracy\" must be a number"},
      {"resnet18-v1/sync/a/cpu/iter-2.txt", plainRound(2, R"("num_samples": 1, "total_time": 1)"), "cpu: has no iter-1.txt"},
      {"resnet18-v1/strange/a/cpu/iter-1.txt", "{}", "\"strange\" is no mode of ESync"},
  };
  for (const BadTree& tree : trees) {
    const TempFolder folder;
    exampleTree(folder, "esync-niid");  // a good one beside it
    writeText(folder / ("logs/" + std::string(tree.file)), tree.text);
    store::StoreWriter writer(folder / "a.db");
    EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "logs"); }), HasSubstr(tree.says));
    EXPECT_TRUE(store::StoreReader(folder / "a.db").runs().empty()) << tree.says;
  }
}

TEST(EsyncImport, EmptyFoldersAreSaid) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  std::filesystem::create_directories(folder / "empty");
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "empty"); }), HasSubstr("no ESync log tree in it"));
  const std::string base = exampleTree(folder);
  std::filesystem::create_directories(base + "/resnet18-v1/esync/cloud1/gpu1");
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, base); }), HasSubstr("gpu1: has no iter-1.txt"));
  std::filesystem::remove(base + "/resnet18-v1/esync/cloud1/gpu1");
  std::filesystem::create_directories(base + "/resnet18-v1/esync/cloud2");
  EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, base); }), HasSubstr("cloud2: has no device folder"));
  messageOf(Errc::kFile, [&] { interchange::importPath(writer, folder / "not there"); });
  EXPECT_TRUE(store::StoreReader(folder / "a.db").runs().empty());
}

TEST(EsyncImport, ASummaryGivesBackItsOwnArrays) {
  const TempFolder folder{};
  const Json fixture = Json::parse(readText(strCat(PACELINE_SOURCE_DIR, "/tests/storage/fixtures/esync_fixture.json")));
  const std::string text =
      R"({"cloud3": {"gpu1": {"accuracy_list": [0.1, 0.2, 0.85], "num_samples_list": [64, 128, 64], "self_iters_list": [2, 3, 2], )"
      R"("elapsed_time_list": [1, 3, 4], "aggregate_time_list": [0.5, 0.25, 0.125]}}})";
  writeText(folder / "logs/alexnet/esync-niid/ESync-Non-IID.json", text);
  writeText(folder / "Async.json", fixture["summaries"]["async"]);
  store::StoreWriter writer(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  const store::RunRow run = reader.find(interchange::importPath(writer, folder / "logs/alexnet/esync-niid/ESync-Non-IID.json").at(0)).value();
  EXPECT_EQ(interchange::esyncSummaryJson(summary::loadRun(reader, run)), text);
  EXPECT_EQ(run.name, "alexnet esync-niid");
  EXPECT_EQ(run.partition, "by_class");
  EXPECT_EQ(reader.rounds(run.id).at(1).record.localSteps, 2);
  const summary::RunSummary s = summary::summarise(summary::loadRun(reader, run));
  EXPECT_EQ(s.timeToTargetSeconds, 4);
  EXPECT_TRUE(std::isnan(s.nodes.at(0).busyRatio));  // not in the file
  const store::RunRow async = reader.find(interchange::importPath(writer, folder / "Async.json").at(0)).value();
  EXPECT_EQ(interchange::esyncSummaryJson(summary::loadRun(reader, async)), fixture["summaries"]["async"]);
  EXPECT_EQ(async.model, "");
}

TEST(EsyncImport, AccuraciesOfEverySecondRoundAreFound) {
  const TempFolder folder{};
  writeText(
      folder / "Sync.json",
      R"({"h": {"cpu": {"accuracy_list": [0.1, 0.2], "num_samples_list": [64, 64, 64, 64, 64], "self_iters_list": [1, 1, 1, 1, 1], )"
      R"("elapsed_time_list": [1, 2, 3, 4, 5], "aggregate_time_list": [0, 0, 0, 0, 0]}}})");
  store::StoreWriter writer(folder / "a.db");
  const std::string id = interchange::importPath(writer, folder / "Sync.json").at(0);
  const store::StoreReader reader(folder / "a.db");
  ASSERT_EQ(reader.evaluations(id).size(), 2U);
  EXPECT_EQ(reader.evaluations(id)[0].record.round, 2);
  EXPECT_EQ(reader.evaluations(id)[1].record.round, 4);
  EXPECT_THAT(reader.find(id)->notes, HasSubstr("does not say of which"));
}

TEST(EsyncImport, BadSummariesGetOneMessageAndNothingIsStored) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "is not JSON"},
      {"[]", "must be an object"},
      {"{}", "must be an object that is not empty"},
      {R"({"h": {}})", "h must be an object that is not empty"},
      {R"({"h": {"cpu": 1}})", "h/cpu must be an object"},
      {R"({"h": {"cpu": {"accuracy_list": []}}})", "h/cpu/num_samples_list is missing"},
      {R"({"h": {"cpu": {"accuracy_list": 1}}})", "h/cpu/accuracy_list must be an array"},
      {R"({"h": {"cpu": {"accuracy_list": [], "num_samples_list": [1, "x"]}}})", "h/cpu/num_samples_list/1 must be a number"},
      {R"({"h": {"cpu": {"accuracy_list": [], "num_samples_list": [1], "self_iters_list": [1, 2], "elapsed_time_list": [1], "aggregate_time_list": [1]}}})",
       "h/cpu/self_iters_list has 2 elements, num_samples_list 1"},
  };
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  for (const auto& [text, says] : cases) {
    writeText(folder / "ESync.json", text);
    EXPECT_THAT(messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "ESync.json"); }), HasSubstr(says));
  }
  writeText(folder / "other.txt", "{}");
  messageOf(Errc::kFormat, [&] { interchange::importPath(writer, folder / "other.txt"); });
  messageOf(Errc::kFormat, [&] { interchange::importEsyncSummary(writer, folder / "other.txt"); });
  EXPECT_TRUE(store::StoreReader(folder / "a.db").runs().empty());
}

}  // namespace
}  // namespace paceline::tests
