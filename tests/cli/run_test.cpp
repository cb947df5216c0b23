// `paceline run` with real worker and server processes, and the documents that follow.
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::json;

class Run : public Desk {};

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> all;
  for (const auto& [key, value] : object.items()) all.push_back(key);
  return all;
}

void expectKeys(const Json& object, const std::vector<std::string>& expected) {
  for (const std::string& key : expected)
    EXPECT_TRUE(object.contains(key)) << key << " is missing in " << ::testing::PrintToString(keys(object));
}

TEST_F(Run, WritesTheDocumentsThatScriptsRelyOn) {
  const Json run = json({"run", writeSpec("tiny.json"), "--json"});
  ASSERT_EQ(run["runs"].size(), 1u);
  expectKeys(run["runs"][0], {"id", "name", "state", "error"});
  EXPECT_EQ(run["runs"][0]["name"], "tiny");
  EXPECT_EQ(run["runs"][0]["state"], "finished");
  EXPECT_EQ(run["runs"][0]["error"], "");
  const std::string id = run["runs"][0]["id"];

  const Json list = json({"runs", "--json"});
  ASSERT_EQ(list["runs"].size(), 1u);
  expectKeys(list["runs"][0], {"id", "name", "state", "error", "algorithm", "model", "dataset", "created_utc", "tags"});
  EXPECT_EQ(list["runs"][0]["id"], id);
  EXPECT_EQ(list["runs"][0]["algorithm"], "ssgd");
}

TEST_F(Run, IsSummarisedInTheDocumentedFields) {
  ASSERT_EQ(paceline({"run", writeSpec("tiny.json")}).code, 0);
  const Json document = json({"summary", "tiny", "--json"});
  const Json& summary = document["runs"][0];
  expectKeys(summary, {"id",
                       "name",
                       "state",
                       "algorithm",
                       "model",
                       "dataset",
                       "partition",
                       "seed",
                       "config_hash",
                       "rounds",
                       "samples",
                       "wall_s",
                       "throughput_samples_per_s",
                       "traffic_bytes_per_s",
                       "bytes_sent",
                       "bytes_received",
                       "accuracy_last",
                       "accuracy_best",
                       "loss_last",
                       "target_accuracy",
                       "time_to_target_s",
                       "published",
                       "nodes",
                       "curve"});
  expectKeys(summary["published"], {"throughput", "traffic_mb_per_s", "computing_time_ratio"});
  EXPECT_EQ(summary["rounds"], 6);
  EXPECT_EQ(summary["samples"], 6 * 2 * 20);
  EXPECT_EQ(summary["seed"], 3);
  ASSERT_EQ(summary["nodes"].size(), 2u);
  expectKeys(summary["nodes"][0],
             {"id", "role", "host", "device", "rounds", "samples", "compute_s", "wait_s", "send_s", "receive_s", "evaluate_s",
              "total_s", "busy_ratio", "local_steps_mean", "staleness_mean", "bytes_sent", "bytes_received"});
  EXPECT_GT(summary["nodes"][0]["bytes_sent"], 6 * 4 * 7850);  // six gradients of logistic regression, 4 bytes each
  ASSERT_EQ(summary["curve"].size(), 4u);                      // before training and after every second round
  expectKeys(summary["curve"][0], {"round", "t_s", "samples", "bytes", "accuracy", "loss"});
  EXPECT_EQ(summary["curve"][3]["round"], 6);
}

TEST_F(Run, ShowsAReadablePage) {
  ASSERT_EQ(paceline({"run", writeSpec("tiny.json")}).code, 0);
  const Outcome page = paceline({"show", "tiny"});
  EXPECT_EQ(page.code, 0);
  for (const char* part :
       {"state         finished (reached its rounds)", "algorithm     SSGD", "6 rounds, 240 samples", "workers\n", "evaluations (4 of 4)"})
    EXPECT_THAT(page.out, HasSubstr(part));
  EXPECT_EQ(json({"show", "tiny", "--json"})["spec"]["seed"], 3);
}

TEST_F(Run, TakesOverridesAndAName) {
  const Json run = json(
      {"run", writeSpec("tiny.json"), "--set", "/seed=11", "--set", "/stop/rounds=2", "--name", "renamed \"one\"", "--json"});
  EXPECT_EQ(run["runs"][0]["name"], "renamed \"one\"");
  const Json summary = json({"summary", "renamed \"one\"", "--json"})["runs"][0];
  EXPECT_EQ(summary["seed"], 11);
  EXPECT_EQ(summary["rounds"], 2);
}

TEST_F(Run, ComparesTheRunsOfASuite) {
  const Json suite = {{"base", tinySpec()}, {"vary", {{"/algorithm/id", {"ssgd", "asgd"}}}}};
  const Outcome outcome = paceline({"run", write("suite.json", suite.dump()), "--target", "0.01"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"algorithm", "samples/s", "traffic MB/s", "computing", "best accuracy", "s to 0.01",
                           "speed-up vs SSGD", "SSGD", "ASGD", "finished"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  EXPECT_THAT(outcome.err, HasSubstr("[1/2] tiny ssgd: finished after "));
  EXPECT_THAT(outcome.err, HasSubstr("[2/2] tiny asgd: finished after "));
  EXPECT_THAT(outcome.err, Not(HasSubstr("\r")));  // no bar where there is no terminal
}

TEST_F(Run, GoesOnAfterAFailedPointAndResumes) {
  const Json suite = {{"base", tinySpec()},
                      {"vary",
                       {{"data",
                         {{{"name", "gone"}, {"set", {{"/dataset", {{"id", "mnist"}, {"params", {{"path", "/nowhere"}}}}}}}},
                          {{"name", "made"}, {"set", {{"/seed", 5}}}}}}}}};
  const std::string file = write("suite.json", suite.dump());
  const Json first = json({"run", file, "--json"}, 1);
  ASSERT_EQ(first["runs"].size(), 2u);
  EXPECT_EQ(first["runs"][0]["state"], "failed");
  EXPECT_EQ(first["runs"][1]["state"], "finished");
  const Json second = json({"run", file, "--resume", "--json"}, 1);
  EXPECT_NE(second["runs"][0]["id"], first["runs"][0]["id"]);
  EXPECT_EQ(second["runs"][1]["id"], first["runs"][1]["id"]);
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 3u);
}

TEST_F(Run, DiffShowsWhereSpecsDiffer) {
  ASSERT_EQ(paceline({"simulate", writeSpec("one.json"), "--name", "one"}).code, 0);
  ASSERT_EQ(paceline({"simulate", writeSpec("two.json", {{"seed", 4}}), "--name", "two"}).code, 0);
  const Json document = json({"diff", "one", "two", "--json"});
  ASSERT_EQ(document["differences"].size(), 2u);
  EXPECT_EQ(document["differences"][0]["pointer"], "/name");
  EXPECT_EQ(document["differences"][1], (Json{{"pointer", "/seed"}, {"left", 3}, {"right", 4}}));
}

TEST_F(Run, TrashKeepsUntilPurged) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  EXPECT_EQ(paceline({"purge", "tiny"}).err, "paceline: tiny is not in the trash; `paceline rm` comes first\n");
  EXPECT_EQ(paceline({"rm", "tiny"}).code, 0);
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 0u);
  EXPECT_EQ(json({"runs", "--trash", "--json"})["runs"].size(), 1u);
  EXPECT_EQ(paceline({"restore", "tiny"}).code, 0);
  EXPECT_EQ(json({"runs", "--json"})["runs"].size(), 1u);
  EXPECT_EQ(paceline({"rm", "tiny"}).code, 0);
  EXPECT_EQ(paceline({"purge", "tiny"}).code, 0);
  EXPECT_EQ(json({"runs", "--trash", "--json"})["runs"].size(), 0u);
}

TEST_F(Run, CatalogAndHostsAreDocuments) {
  const Json catalog = json({"catalog", "--json"});
  expectKeys(catalog, {"algorithms", "aggregations", "models", "datasets", "partitions", "figures", "optimizers", "wire_formats", "protections", "engines"});
  for (const auto& [id, what] : {std::pair("adam", "optimizers"), std::pair("fp16", "wire_formats"), std::pair("curve", "protections"), std::pair("gloo", "engines")}) {
    const auto has = [&, id = id](const Json& entry) { return entry["id"] == id; };
    EXPECT_TRUE(std::ranges::any_of(catalog[what], has)) << id;
    EXPECT_THAT(paceline({"catalog", id}).out, HasSubstr(std::string("  ") + id + ": ")) << id;
  }
  EXPECT_EQ(catalog["figures"][0]["id"], "accuracy");
  EXPECT_THAT(paceline({"catalog"}).out, HasSubstr("  esync: "));
  const std::string one = paceline({"catalog", "lenet"}).out;
  EXPECT_THAT(one, HasSubstr("431080 parameters"));
  EXPECT_THAT(one, HasSubstr("init = "));
  EXPECT_THAT(one, Not(HasSubstr("esync")));
  EXPECT_THAT(paceline({"catalog", "classes_per_worker"}).out, HasSubstr("published_seed = 11 [0..4294967295]"));
  EXPECT_THAT(paceline({"catalog", "lenett"}).err, HasSubstr("\"lenett\" is not in the catalogue; paceline catalog lists all"));
  EXPECT_EQ(json({"hosts", "list", "--json"})["hosts"][0]["name"], "local");
}

}  // namespace
}  // namespace paceline::tests
