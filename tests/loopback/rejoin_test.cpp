// A worker of a real run is killed, the others go on, its host starts it again, and it takes part again where the coordinator stands.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <map>

#include "app/cluster/run/replay_run.h"
#include "engine/algorithms/algorithm.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

class KilledWorkers : public LoopbackTest {
 protected:
  // It must not be over before the lost ones are back.
  static RunSpec documentOf(const std::string& algorithm, const Json& changes = Json::object()) {
    Json all = {{"nodes", nodes(3, 2)}, {"worker_restarts", 5}, {"stop", {{"rounds", 900}}}, {"evaluate", {{"every_rounds", 300}}}};
    for (Json& node : all["nodes"])
      if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", 0.005}};
    all.update(changes);
    return spec(algorithm, all);
  }

  // Kills w1 and w2 in turn, so often, each a while after the one before is back.
  static run::RunCallbacks killing(int kills) {
    run::RunCallbacks callbacks;
    callbacks.onEvent = [kills, done = 0, back = 0, next = std::int64_t{20}](const StampedEvent& event) mutable {
      if (const auto* notice = std::get_if<NoticeRecord>(&event.event); notice && notice->reason == "rejoined") ++back;
      const auto* round = std::get_if<RoundRecord>(&event.event);
      if (round == nullptr || event.node != "w0" || round->round < next || done >= kills || back < done) return;
      next = round->round + 20;
      if (const pid_t pid = pidOf(event.run, strCat("w", 1 + done++ % 2)); pid > 0) ::kill(pid, SIGKILL);
    };
    return callbacks;
  }

  std::map<std::string, int> said(const std::string& run) const {
    std::map<std::string, int> times;
    for (const auto& notice : store::StoreReader(storePath()).notices(run)) ++times[notice.record.reason];
    return times;
  }

  void expectAllAreBack(const run::RunOutcome& outcome, const RunSpec& document, int kills) const {
    ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    std::map<std::string, int> times = said(outcome.run);
    for (const char* reason : {"worker_lost", "restarted", "worker_joins", "rejoined"}) EXPECT_EQ(times[reason], kills) << reason;
    const bool inStep = sharesRounds(*findAlgorithm(document.algorithm.id), document.algorithm.params);
    for (const char* node : {"w0", "w1", "w2"}) {
      const std::vector<std::int64_t> rounds = roundsOf(outcome.run, node);
      ASSERT_FALSE(rounds.empty()) << node;
      EXPECT_TRUE(std::ranges::adjacent_find(rounds, std::ranges::greater_equal()) == rounds.end()) << node << ": a round is there twice";
      EXPECT_TRUE(!inStep || rounds.back() == *document.stop.rounds) << node << " ends with round " << rounds.back();
    }
    EXPECT_EQ(roundsOf(outcome.run, "w0").size(), static_cast<std::size_t>(*document.stop.rounds));
    std::map<std::string, double> sums;
    for (const auto& metric : store::StoreReader(storePath()).records<MetricRecord>(outcome.run)) sums[metric.record.name] += metric.record.value;
    EXPECT_LT(sums["bytes_to_servers"], sums["bytes_from_workers"]);  // lost processes have not told what they sent
    EXPECT_GE(sums["bytes_undelivered"], 0);
    EXPECT_LE(sums["messages_undelivered"], 4 * kills) << "of the last answers";
    const store::StoreReader store(storePath());
    EXPECT_THAT(run::whyNoReplay(store, row(outcome.run)), testing::HasSubstr("took part again as another process"));
    expectNothingLeft();
  }
};

class OfARun : public KilledWorkers, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(OfARun, TakePartAgain) {
  const auto& [algorithm, protection] = GetParam();
  run::RecordWriter records(storePath());
  const RunSpec document = documentOf(algorithm, {{"protection", protection}});
  const run::RunOutcome outcome = run::RunSession({records, killing(4)}).run(document);
  expectAllAreBack(outcome, document, 4);
  EXPECT_GT(bestAccuracy(outcome.run), 0.8);
}

INSTANTIATE_TEST_SUITE_P(Loopback, OfARun,
                         testing::Values(std::pair("ssgd", "plain"), std::pair("ssgd", "curve"), std::pair("ssgd", "aes_gcm"), std::pair("asgd", "plain"), std::pair("asgd", "aes_gcm"),
                                         std::pair("ssp", "plain"), std::pair("esync", "curve"), std::pair("local_sgd", "plain"), std::pair("dgs", "plain"), std::pair("scaffold", "plain")),
                         [](const auto& info) { return strCat(info.param.first, "_", info.param.second); });

}  // namespace
}  // namespace paceline::tests
