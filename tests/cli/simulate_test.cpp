#include <sstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using Json = nlohmann::json;

class Simulate : public Desk {
 protected:
  // What two runs of one document must share: everything but which run it is.
  Json summaryOf(const std::string& spec, const std::string& name) {
    EXPECT_EQ(paceline({"simulate", spec, "--name", name}).code, 0);
    Json summary = json({"summary", name, "--json"})["runs"][0];
    summary.erase("id");
    summary.erase("name");
    return summary;
  }
};

TEST_F(Simulate, TwiceGivesTheSameNumbers) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    const std::string spec = writeSpec("spec.json", {{"algorithm", {{"id", algorithm}, {"params", nullptr}}}});
    const Json first = summaryOf(spec, std::string(algorithm) + " first");
    EXPECT_EQ(first.dump(), summaryOf(spec, std::string(algorithm) + " second").dump());
    EXPECT_EQ(first["state"], "finished");
    EXPECT_EQ(first["rounds"], 6);
  }
}

TEST_F(Simulate, TakesTheTimesThatTheSpecSays) {
  Json spec = tinySpec();
  spec["nodes"][1]["emulate"] = {{"step_s", 1.0}};
  spec["nodes"][2]["emulate"] = {{"step_s", 10.0}};
  const Json summary = summaryOf(write("spec.json", spec.dump()), "slow");
  EXPECT_GE(summary["wall_s"], 60);  // six rounds wait for the slow worker
  EXPECT_LT(summary["wall_s"], 66);
  EXPECT_GE(summary["nodes"][1]["busy_ratio"], 0.9);
}

TEST_F(Simulate, IsMarkedAsSimulated) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0);
  EXPECT_EQ(json({"runs", "--json"})["runs"][0]["source"], "simulated");
}

// The events that a program of ours prints, without what only learning tells.
std::vector<std::string> timesOf(const std::string& lines) {
  std::vector<std::string> times;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    Json event = Json::parse(line);
    if (event["kind"] == "evaluation" || event["kind"] == "labels") continue;
    event.erase("loss");
    times.push_back(event.dump());
  }
  return times;
}

TEST_F(Simulate, WithoutLearningHasTheSameTimesAndBytes) {
  Json spec = tinySpec();
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    spec["algorithm"] = {{"id", algorithm}};
    spec["nodes"][1]["emulate"] = {{"bandwidth_mbps", 8}, {"jitter", 0.1}};
    const std::string learning = write("learning.json", spec.dump());
    spec["learn"] = false;
    const std::string hollow = write("hollow.json", spec.dump());
    const Outcome learned = shell("$PACELINE-worker simulate " + learning), without = shell("$PACELINE-worker simulate " + hollow);
    ASSERT_EQ(learned.code, 0) << learned.err;
    ASSERT_EQ(without.code, 0) << without.err;
    EXPECT_EQ(timesOf(without.out), timesOf(learned.out)) << algorithm;
    const Outcome server = shell("$PACELINE-worker describe " + hollow + " > " + path("catalogue.json") + " && $PACELINE-server simulate " + hollow + " " + path("catalogue.json"));
    ASSERT_EQ(server.code, 0) << server.err;
    EXPECT_EQ(server.out, without.out) << algorithm;
    spec.erase("learn");
  }
}

TEST_F(Simulate, WithoutLearningIsStoredWithoutLossAndAccuracy) {
  const std::string spec = writeSpec("tiny.json");
  ASSERT_EQ(paceline({"simulate", spec, "--no-learning"}).code, 0);
  const Json summary = json({"summary", "tiny", "--json"})["runs"][0];
  EXPECT_EQ(summary["state"], "finished");
  EXPECT_EQ(summary["rounds"], 6);
  EXPECT_TRUE(summary["curve"].empty());
  EXPECT_EQ(paceline({"run", spec, "--set", "/learn=false"}).code, 1);
}

// By whatever the list shows of them, and by the ids of their documents.
TEST_F(Simulate, RunsAreFoundByTheirTitlesToo) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json", {{"algorithm", {{"id", "dc_asgd"}, {"params", nullptr}}}})}).code, 0);
  ASSERT_EQ(paceline({"simulate", writeSpec("other.json", {{"name", "other"}})}).code, 0);
  for (const char* words : {"DC-ASGD", "dc_asgd", "tiny Logistic regression", "tiny logistic synthetic"}) {
    const Json found = json({"runs", words, "--json"})["runs"];
    ASSERT_EQ(found.size(), 1U) << words;
    EXPECT_EQ(found[0]["name"], "tiny") << words;
    EXPECT_THAT(paceline({"runs", words}).out, ::testing::HasSubstr("DC-ASGD")) << words;
  }
  EXPECT_EQ(json({"runs", "logistic regression", "--json"})["runs"].size(), 2U);
}

TEST_F(Simulate, SaysWhatDrawsItsFiguresFromAnyStore) {
  const std::string spec = writeSpec("tiny.json");
  EXPECT_THAT(paceline({"simulate", spec}).out, ::testing::EndsWith(" -o DIR\n"));
  EXPECT_THAT(paceline({"simulate", spec, "--store", path("other.db")}).out, ::testing::EndsWith(" -o DIR --store " + path("other.db") + "\n"));
}

// The same document diverges again, to the last bit.
TEST_F(Simulate, WhatDivergedIsNotSimulatedAgain) {
  const std::string spec = writeSpec("tiny.json", {{"algorithm", {{"id", "dgs"}, {"params", {{"learning_rate", 1e38}}}}}});
  const Json once = json({"simulate", spec, "--resume", "--json"}, 1)["runs"][0], again = json({"simulate", spec, "--resume", "--json"}, 1)["runs"][0];
  EXPECT_EQ(once["state"], "failed");
  EXPECT_THAT(once["error"].get<std::string>(), ::testing::EndsWith("training has diverged"));
  EXPECT_EQ(again["id"], once["id"]);
  EXPECT_NE(json({"simulate", spec, "--json"}, 1)["runs"][0]["id"], once["id"]);
}

// What is held out decides when it ends and which evaluation is the best, really and in virtual time.
TEST_F(Simulate, HeldOutSamplesDecide) {
  const std::string spec = writeSpec("tiny.json", {{"evaluate", {{"every_rounds", 1}, {"validation", 0.2}}}, {"stop", {{"rounds", 200}, {"patience", 3}}}});
  for (const char* verb : {"simulate", "run"}) {
    const Json run = json({verb, spec, "--json"})["runs"][0];
    EXPECT_EQ(run["state"], "finished") << verb;
    const Json summary = json({"summary", run["id"].get<std::string>(), "--format", "json"})["runs"][0];
    const Json& curve = summary["curve"];
    ASSERT_GE(curve.size(), 4U) << verb;
    std::size_t best = 0;
    for (std::size_t i = 0; i < curve.size(); ++i)
      if (curve[i]["validation"] > curve[best]["validation"]) best = i;
    EXPECT_EQ(curve.size() - 1 - best, 3U) << verb;  // its patience
    EXPECT_EQ(summary["validation_best"], curve[best]["validation"]) << verb;
    EXPECT_EQ(summary["accuracy_best"], curve[best]["accuracy"]) << verb;
    EXPECT_THAT(paceline({"show", run["id"].get<std::string>()}).out, ::testing::HasSubstr("got no better for its patience")) << verb;
    EXPECT_THAT(paceline({"summary", run["id"].get<std::string>(), "--grouped", "--format", "markdown"}).out, ::testing::HasSubstr("the best accuracy on held-out training samples.")) << verb;
  }
}

}  // namespace
}  // namespace paceline::tests
