// A real run with checkpoints loses a worker, goes on and saves without it; resumed, the lost one takes part again, whatever is left of its files.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>

#include "engine/algorithms/algorithm.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

class LostWithCheckpoints : public LoopbackTest, public testing::WithParamInterface<const char*> {
 protected:
  RunSpec document(std::int64_t rounds) const {
    const std::string algorithm = GetParam();
    Json changes = {{"nodes", nodes(4, 2)}, {"checkpoint", {{"every_rounds", 50}}}, {"stop", {{"rounds", rounds}}}, {"evaluate", {{"every_rounds", 100}}}};
    if (algorithm == "grouping_sgd") changes["groups"] = Json::array({Json::array({"w0", "w1"}), Json::array({"w2", "w3"})});
    return spec(algorithm, changes);
  }
  std::vector<std::string> told(const std::string& run, const std::string& reason) const {
    std::vector<std::string> texts;
    for (const auto& notice : store::StoreReader(storePath()).notices(run))
      if (notice.record.reason == reason) texts.push_back(strCat(notice.node, ": ", notice.record.text));
    return texts;
  }
};

TEST_P(LostWithCheckpoints, GoesOnAndTheLostOneIsBackWhereTheRunIsResumed) {
  run::RecordWriter records(storePath());
  const run::RunOutcome first = run::RunSession({records, atRound(60, [](const std::string& run) { ::kill(pidOf(run, "w2"), SIGKILL); })}).run(document(600));
  ASSERT_EQ(first.state, store::RunState::kFinished) << first.error;
  EXPECT_EQ(first.error, "w2 was killed by signal 9 (SIGKILL); the run went on without it");
  EXPECT_GE(told(first.run, "checkpoint").size(), 10U);  // most of them without it

  const bool again = findAlgorithm(GetParam())->joinsAgain;
  const run::RunOutcome rest = run::RunSession({records}).resume(row(first.run), document(900));
  ASSERT_EQ(rest.state, store::RunState::kFinished) << rest.error;
  EXPECT_EQ(roundsOf(rest.run, "w0").back(), 900);
  if (!again) {
    EXPECT_THAT(told(rest.run, "worker_lost"), testing::ElementsAre("w0: w2 is lost; the run goes on without it"));
    expectNothingLeft();
    return;
  }
  EXPECT_EQ(rest.error, "");
  EXPECT_THAT(told(rest.run, "worker_joins"), testing::ElementsAre(testing::MatchesRegex("w0: w2 has no state of round [0-9]+; it takes part again with the parameters of this worker")));
  EXPECT_GT(roundsOf(rest.run, "w2").back(), 600);
  EXPECT_GE(bestAccuracy(rest.run), bestAccuracy(first.run));

  std::filesystem::remove_all(folder_ / "agent" / "checkpoints" / rest.run / "w3");  // as on a host that is another one now
  const run::RunOutcome last = run::RunSession({records}).resume(row(rest.run), document(1000));
  ASSERT_EQ(last.state, store::RunState::kFinished) << last.error;
  EXPECT_THAT(told(last.run, "worker_joins"), testing::ElementsAre(testing::MatchesRegex("w0: w3 has no state of round [0-9]+; it takes part again with the parameters of this worker")));
  EXPECT_GT(roundsOf(last.run, "w3").back(), 900);
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, LostWithCheckpoints, testing::Values("ssgd", "esync", "ssp", "asgd", "grouping_sgd", "dgs", "local_sgd", "demo", "dc_asgd", "scaffold"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace paceline::tests
