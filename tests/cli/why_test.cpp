// paceline why and paceline simulate --calibrate, on a real run.
#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Why : public Desk {
 protected:
  // w1 takes 0.05 s a step, w0 0.01 s; w0's evaluations take next to nothing.
  void runStraggler() {
    Json spec = tinySpec();
    spec["name"] = "slow";
    spec["evaluate"]["every_rounds"] = 10;
    spec["stop"]["rounds"] = 40;
    spec["nodes"][1]["emulate"] = {{"step_s", 0.01}};
    spec["nodes"][2]["emulate"] = {{"step_s", 0.05}};
    const Outcome outcome = paceline({"run", write("slow.json", spec.dump())});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
};

TEST_F(Why, NamesTheStragglerOfARealRunAndSimulatesItsDocument) {
  runStraggler();
  const Json told = json({"why", "slow", "--json"});
  ASSERT_FALSE(told["causes"].empty()) << told.dump(1);
  const Json& cause = told["causes"][0];
  EXPECT_EQ(cause["cause"], "straggler");
  EXPECT_EQ(cause["nodes"], Json::array({"w1"}));
  EXPECT_EQ(cause["changed"]["algorithm"]["id"], "esync");
  EXPECT_GT(cause["gain"]["factor"], 1.5) << cause.dump(1);
  const Outcome words = paceline({"why", "slow"});
  EXPECT_THAT(words.out, HasSubstr(" % of the wall time is waiting for the slower w1; let the others take more steps meanwhile (ESync): about "));

  const double measured = json({"summary", "slow", "--json"})["runs"][0]["throughput_samples_per_s"];
  const Outcome simulated = paceline({"simulate", "--calibrate", "slow", "--name", "twin"});
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  EXPECT_THAT(simulated.err, HasSubstr("w1: a step takes 5"));
  const double predicted = json({"summary", "twin", "--json"})["runs"][0]["throughput_samples_per_s"];
  EXPECT_NEAR(predicted / measured, 1, 0.15);
  expectRefusal({"simulate", "--calibrate", "twin"}, "run \"twin\" is simulated: nothing of it was measured");
}

// Two workers whose slower one takes 0.05 s: 20 rounds a second of both batches, but for what the exchange takes.
TEST_F(Why, PredictsARunAndASuiteBeforeTheyStart) {
  Json spec = tinySpec();
  spec["name"] = "slow";
  spec["evaluate"]["every_rounds"] = 0;
  spec["stop"] = {{"rounds", 40}};
  spec["nodes"][1]["emulate"] = {{"step_s", 0.01}};
  spec["nodes"][2]["emulate"] = {{"step_s", 0.05}};
  const std::string file = write("slow.json", spec.dump());
  const Json told = json({"predict", file, "--json"})["predictions"];
  ASSERT_EQ(told.size(), 1U);
  const double predicted = told[0]["samples_per_s"], batch = spec.value("batch_size", 64);
  EXPECT_NEAR(predicted / (2 * batch / 0.05), 1, 0.1) << told.dump(1);
  EXPECT_NEAR(told[0]["seconds"].get<double>(), 2, 0.3);
  ASSERT_EQ(paceline({"run", file}).code, 0);
  EXPECT_NEAR(predicted / json({"summary", "slow", "--json"})["runs"][0]["throughput_samples_per_s"].get<double>(), 1, 0.15);

  const Json suite = {{"base", spec}, {"vary", {{"/batch_size", {8, 16}}}}};
  const std::string both = write("both.json", suite.dump());
  const Outcome table = paceline({"predict", both});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("samples/s"));
  EXPECT_THAT(table.out, HasSubstr("2 runs, "));
  const Json two = json({"predict", both, "--json"})["predictions"];
  ASSERT_EQ(two.size(), 2U);
  EXPECT_NEAR(two[1]["samples_per_s"].get<double>() / two[0]["samples_per_s"].get<double>(), 2, 0.1);
  expectRefusal({"predict", "nosuch.json"}, "cannot read nosuch.json: No such file or directory");
}

TEST_F(Why, RefusesARunThatIsNotThere) {
  const Outcome outcome = paceline({"why", "nobody"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no run \"nobody\""));
}

}  // namespace
}  // namespace paceline::tests
