// paceline traffic: what crossed the links of real runs, counted by both ends and by the kernel.
#include <algorithm>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class TrafficOf : public Desk, public ::testing::WithParamInterface<const char*> {
 protected:
  void run(const std::string& protection, const Json& changes = Json::object()) {
    Json spec = tinySpec();
    spec["name"] = "tiny";
    spec["model"]["id"] = "mlp";
    spec["protection"] = protection;
    spec["stop"]["rounds"] = 20;
    spec.merge_patch(changes);
    const Outcome outcome = paceline({"run", write("spec.json", spec.dump())});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
};

TEST_P(TrafficOf, ARunAgreesOnEachLevel) {
  const std::string protection = GetParam();
  run(protection);
  const Json told = json({"traffic", "tiny", "--json"});
  EXPECT_TRUE(told["uneven"].empty()) << told.dump(1);
  int ways = 0, counted = 0;
  for (const Json& link : told["links"]) {
    const std::string from = link["from"], to = link["to"];
    if (protection != "plain" && !link["kernel_bytes"].is_null()) {  // null: the other end was faster to go than this one to look
      ++counted;
      EXPECT_EQ(link["kernel_bytes"], link["framed_bytes"]) << link.dump();
    }
    if (from.front() != 'w' || to.front() != 's') continue;
    ++ways;
    EXPECT_EQ(link["bytes"], link["received_bytes"]) << link.dump();
    EXPECT_LT(link["values_bytes"], link["bytes"]);
    if (protection == "plain") {
      EXPECT_GT(link["shared_bytes"], 0);  // one host: vectors lie in memory
      EXPECT_TRUE(link["kernel_bytes"].is_null());
    }
  }
  EXPECT_EQ(ways, 2);
  EXPECT_EQ(counted > 0, protection != "plain") << told.dump(1);
  ASSERT_EQ(told["rounds"].size(), 2U) << told.dump(1);
  for (const Json& worker : told["rounds"]) EXPECT_NEAR(worker["bytes_a_round"].get<double>() / worker["by_method"].get<double>(), 1, 0.02) << worker.dump();
  const Outcome table = paceline({"traffic", "tiny"});
  EXPECT_THAT(table.out, HasSubstr("what workers sent is what servers received"));
}

INSTANTIATE_TEST_SUITE_P(Cli, TrafficOf, ::testing::Values("plain", "curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

TEST_F(TrafficOf, EachRoundWhereTheDocumentSaysSo) {
  run("plain", {{"records", {{"links_every_rounds", 1}}}});
  const Outcome csv = paceline({"export", "tiny", "--format", "links", "-o", "-"});
  ASSERT_EQ(csv.code, 0) << csv.err;
  EXPECT_GT(std::count(csv.out.begin(), csv.out.end(), '\n'), 2 * 20);
  EXPECT_TRUE(json({"traffic", "tiny", "--json"})["uneven"].empty());
}

TEST_F(TrafficOf, ARunWithoutRecordsOfLinksIsRefused) {
  expectRefusal({"traffic", "nobody"}, "no run \"nobody\" in " + store() + "; `paceline runs` lists what is there");
}

}  // namespace
}  // namespace paceline::tests
