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

TEST_F(Why, RefusesARunThatIsNotThere) {
  const Outcome outcome = paceline({"why", "nobody"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no run \"nobody\""));
}

}  // namespace
}  // namespace paceline::tests
