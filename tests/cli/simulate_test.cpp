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

}  // namespace
}  // namespace paceline::tests
