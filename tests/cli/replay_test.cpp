// paceline replay: what real processes did in an order of nobody's choosing comes out again in virtual time, to the last bit, or it is said what differs.
#include "storage/store/sqlite.h"
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Three workers of unequal speed on two servers; their steps take what they take.
class Replayed : public Desk, public ::testing::WithParamInterface<const char*> {
 protected:
  static Json spec(const std::string& algorithm) {
    Json spec = tinySpec();
    spec["name"] = algorithm;
    spec["algorithm"] = {{"id", algorithm}};
    spec["nodes"] = {{{"id", "s0"}, {"role", "server"}}, {{"id", "s1"}, {"role", "server"}}};
    for (const auto& [id, slowdown] : {std::pair{"w0", 1}, {"w1", 2}, {"w2", 4}}) spec["nodes"].push_back({{"id", id}, {"role", "worker"}, {"emulate", {{"slowdown", slowdown}, {"jitter", 0.5}}}});
    spec["evaluate"]["every_rounds"] = 20;
    spec["stop"]["rounds"] = 60;
    return spec;
  }
  void run(const Json& spec) {
    const Outcome outcome = paceline({"run", write("spec.json", spec.dump())});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void change(const std::string& sql) { store::Database(store(), store::Database::Mode::kWrite).execute(sql); }
};

TEST_P(Replayed, ComesOutTheSame) {
  const std::string algorithm = GetParam();
  Json document = spec(algorithm);
  if (algorithm == "grouping_sgd") document["algorithm"]["params"] = {{"groups_from", "speed"}};
  run(document);
  const Json told = json({"replay", algorithm, "--json"});
  EXPECT_EQ(told["same"], true) << told.dump(1);
  EXPECT_EQ(told["evaluations"]["same"], 4) << told.dump(1);
  EXPECT_GE(told["rounds"]["same"], 60);
  EXPECT_EQ(told["parameters"]["repeated"], told["parameters"]["recorded"]);
  EXPECT_EQ(told["parameters"]["recorded"].get<std::string>().size(), 64U);
}

INSTANTIATE_TEST_SUITE_P(Cli, Replayed, ::testing::Values("asgd", "ssp", "dgs", "esync", "grouping_sgd", "delayed_nesterov", "sync_backup", "ssgd"), [](const auto& info) { return std::string(info.param); });

TEST_F(Replayed, AlsoWhereAWorkerWasLost) {
  for (const char* algorithm : {"ssgd", "asgd", "esync"}) {
    Json document = spec(algorithm);
    document["nodes"][3]["emulate"]["lost_after_rounds"] = 15;
    if (algorithm != std::string_view("esync")) document["lost_data"] = "divided";
    run(document);
    const Json told = json({"replay", algorithm, "--json"});
    EXPECT_EQ(told["same"], true) << told.dump(1);
  }
}

TEST_F(Replayed, AnotherOrderIsFoundOut) {
  run(spec("asgd"));
  change("UPDATE applied SET nodes = replace(replace(replace(nodes, '2 3', 'x'), '3 2', '2 3'), 'x', '3 2')");
  const Outcome outcome = paceline({"replay", "asgd"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, StartsWith("asgd: did not come out the same\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nfirst         w"));
  EXPECT_THAT(outcome.out, HasSubstr(" recorded, "));
}

TEST_F(Replayed, WhatCannotBeRepeatedIsRefusedInOneSentence) {
  run(spec("asgd"));
  change("DELETE FROM applied");
  expectRefusal({"replay", "asgd"}, "the order in which its servers applied messages was not recorded: it is of an earlier version, or ended too soon");
  expectRefusal({"replay", "nobody"}, "no run \"nobody\" in " + store() + "; `paceline runs` lists what is there");
}

TEST_F(Replayed, ADamagedOrderIsNamed) {
  run(spec("asgd"));
  change("UPDATE applied SET nodes = '2 nobody'");
  const Outcome outcome = paceline({"replay", "asgd"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\"nobody\" is no step of a server's order"));
}

}  // namespace
}  // namespace paceline::tests
