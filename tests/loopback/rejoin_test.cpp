// A worker of a real run is killed, the others go on, its host starts it again, and it takes part again where the coordinator stands.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <map>

#include "app/cluster/run/replay_run.h"
#include "engine/algorithms/algorithm.h"
#include "engine/core/record/reasons.h"
#include "tests/loopback/loopback_fixture.h"
#include "tests/loopback/proxied_nodes.h"

namespace paceline::tests {
namespace {

class KilledWorkers : public LoopbackTest {
 protected:
  // It must not be over before the lost ones are back.
  static RunSpec documentOf(const std::string& algorithm, const Json& changes = Json::object()) {
    Json all = {{"nodes", nodes(3, 2)}, {"worker_restarts", RunSpec().workerRestarts}, {"stop", {{"rounds", 900}}}, {"evaluate", {{"every_rounds", 300}}}};
    for (Json& node : all["nodes"])
      if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", algorithm == "local_sgd" || algorithm == "scaffold" ? 0.001 : 0.005}};  // these make several steps a round
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

  // In virtual time: losses, returns and whatever was a matter of time in between.
  void expectSameAgain(const std::string& run) const {
    const store::StoreReader store(storePath());
    ASSERT_EQ(run::whyNoReplay(store, row(run)), "");
    const run::Replayed again = run::replayRun(store, row(run));
    EXPECT_TRUE(again.same()) << again.error << " " << again.firstDifference << " " << again.sameRounds << " of " << again.rounds << " rounds";
    EXPECT_EQ(again.parameters, again.recordedParameters);
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
    expectSameAgain(outcome.run);
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

// Of one sample that all have, every gradient is the same, and so is the mean of however many: an exact oracle. Whoever comes again with other parameters, momentum or memory than the others'
// would leave other bits.
class OfARunOfOneSample : public KilledWorkers, public testing::WithParamInterface<const char*> {};

TEST_P(OfARunOfOneSample, LeaveItsLastParametersAsTheyWouldHaveBeen) {
  run::RecordWriter records(storePath());
  Json all = nodes(2, 2);
  for (Json& node : all)
    if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", 0.002}};
  Json changes = {{"nodes", all}, {"dataset", {{"id", "synthetic"}, {"params", {{"train_count", 1}, {"test_count", 10}}}}}, {"partition", {{"id", "shared"}}}, {"batch_size", 1}, {"stop", {{"rounds", 800}}}};
  if (std::string_view(GetParam()) != "ssgd") changes["algorithm"] = {{"id", GetParam()}, {"params", {{"local_steps", 2}}}};
  else changes["optimizer"] = {{"momentum", 0.9}};
  const RunSpec document = documentOf(GetParam(), changes);
  const auto parametersOf = [this](const run::RunOutcome& outcome) {
    std::string last;
    for (const auto& notice : store::StoreReader(storePath()).notices(outcome.run))
      if (notice.record.reason == kParametersReason) last = notice.record.text;
    return last;
  };
  const run::RunOutcome plain = run::RunSession({records}).run(document);
  ASSERT_EQ(plain.state, store::RunState::kFinished) << plain.error;
  run::RunCallbacks harm = atRound(50, [](const std::string& run) { ::kill(pidOf(run, "w1"), SIGKILL); });
  const run::RunOutcome harmed = run::RunSession({records, harm}).run(document);
  ASSERT_EQ(harmed.state, store::RunState::kFinished) << harmed.error;
  EXPECT_EQ(said(harmed.run)["rejoined"], 1);
  EXPECT_LT(roundsOf(harmed.run, "w1").size(), roundsOf(plain.run, "w1").size());
  EXPECT_EQ(roundsOf(harmed.run, "w1").back(), 800);
  EXPECT_EQ(parametersOf(plain).size(), 64U);
  EXPECT_EQ(parametersOf(harmed), parametersOf(plain));
}

INSTANTIATE_TEST_SUITE_P(Loopback, OfARunOfOneSample, testing::Values("ssgd", "local_sgd", "slowmo", "diloco"), [](const auto& info) { return std::string(info.param); });

// Its snapshots after that are of all again, so a resume needs nobody's help.
TEST_F(KilledWorkers, AreInTheCheckpointsAgain) {
  run::RecordWriter records(storePath());
  const RunSpec document = documentOf("ssgd", {{"checkpoint", {{"every_rounds", 50}}}});
  const run::RunOutcome first = run::RunSession({records, killing(2)}).run(document);
  ASSERT_EQ(first.state, store::RunState::kFinished) << first.error;
  EXPECT_EQ(said(first.run)["rejoined"], 2);
  EXPECT_THAT(run::whyNoReplay(store::StoreReader(storePath()), row(first.run)), testing::HasSubstr("whose data began where its own checkpoint was"));
  RunSpec longer = document;
  longer.stop.rounds = 1000;
  const run::RunOutcome rest = run::RunSession({records}).resume(row(first.run), longer);
  ASSERT_EQ(rest.state, store::RunState::kFinished) << rest.error;
  EXPECT_EQ(said(rest.run)["worker_joins"], 0);
  for (const char* node : {"w0", "w1", "w2"}) EXPECT_EQ(roundsOf(rest.run, node).back(), 1000) << node;
  expectNothingLeft();
}

// A server comes back where it was, and one of a worker's ways to it may be either's first.
TEST_F(KilledWorkers, AndAServerAtTheSameTime) {
  run::RecordWriter records(storePath());
  Json all = nodes(3, 2);
  for (Json& node : all) node["emulate"] = node["id"] == "s0" || node["id"] == "s1" ? Json::object() : Json{{"step_s", 0.005}};
  all[0]["threads"] = 3;  // s0
  all.push_back({{"id", "e0"}, {"role", "evaluator"}});
  run::RunCallbacks callbacks;
  callbacks.onEvent = [killed = 0](const StampedEvent& event) mutable {
    const auto* round = std::get_if<RoundRecord>(&event.event);
    if (round == nullptr || event.node != "w0" || round->round < 200 * (killed + 1) || killed == 3) return;
    std::vector<const char*> order{"w1", "s0"};
    if (killed++ % 2 == 1) std::ranges::reverse(order);
    for (const char* node : order)
      if (const pid_t pid = pidOf(event.run, node); pid > 0) ::kill(pid, SIGKILL);
  };
  const RunSpec document = documentOf("ssgd", {{"nodes", all}, {"protection", "aes_gcm"}});
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(document);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  std::map<std::string, int> times = said(outcome.run);
  EXPECT_EQ(times["rejoined"], 3);
  EXPECT_EQ(times["server_back"], 3);
  EXPECT_EQ(roundsOf(outcome.run, "w1").back(), 900);
  EXPECT_GT(bestAccuracy(outcome.run), 0.8);
  expectSameAgain(outcome.run);
  expectNothingLeft();
}

// The others lose it, it hears that, or that nobody is there, and ends; its next process finds the way mended.
TEST_F(KilledWorkers, OrCutOffOnesComeAgainWhenTheWayIsMended) {
  run::RecordWriter records(storePath());
  ProxiedNodes proxied({{"w1", FaultPlan{}}});
  run::RunCallbacks callbacks;
  callbacks.onEvent = [&](const StampedEvent& event) {
    const auto* round = std::get_if<RoundRecord>(&event.event);
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (round != nullptr && event.node == "w0" && round->round == 100) proxied.before("w1").cut();
    if (notice != nullptr && notice->reason == "worker_lost") proxied.before("w1").mend();
  };
  const RunSpec document = documentOf("ssgd", {{"protection", "curve"}});
  const run::RunOutcome outcome = run::RunSession({.records = records, .callbacks = callbacks, .opener = proxied.opener()}).run(document);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  std::map<std::string, int> times = said(outcome.run);
  EXPECT_EQ(times["worker_lost"], 1);
  EXPECT_EQ(times["cut_off"], 1);
  EXPECT_EQ(times["rejoined"], 1);
  EXPECT_EQ(roundsOf(outcome.run, "w1").back(), 900);
  expectSameAgain(outcome.run);
  expectNothingLeft();
}

// The others train on its data, too, and leave them when it is back.
TEST_F(KilledWorkers, HaveTheirDataDividedMeanwhile) {
  run::RecordWriter records(storePath());
  const RunSpec document = documentOf("ssgd", {{"lost_data", "divided"}});
  const run::RunOutcome outcome = run::RunSession({records, killing(1)}).run(document);
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  std::map<std::string, int> times = said(outcome.run);
  EXPECT_EQ(times["rejoined"], 1);
  EXPECT_EQ(times["data_divided"], 2);
  for (const char* node : {"w0", "w2"}) {
    std::vector<std::string> names;
    std::vector<double> epochs;
    for (const auto& metric : store::StoreReader(storePath()).records<MetricRecord>(outcome.run))
      if (metric.node == node && metric.record.name.ends_with("_data_of.w1")) names.push_back(metric.record.name), epochs.push_back(metric.record.value);
    EXPECT_THAT(names, testing::ElementsAre("takes_data_of.w1", "leaves_data_of.w1")) << node;
    ASSERT_EQ(epochs.size(), 2U);
    EXPECT_LE(epochs[0], epochs[1]);
  }
  expectSameAgain(outcome.run);
  expectNothingLeft();
}

// Nobody waits for it, and it blames nobody.
TEST_F(KilledWorkers, MayFindThatTheRunIsOver) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, atRound(896, [](const std::string& run) { ::kill(pidOf(run, "w1"), SIGKILL); })}).run(documentOf("asgd"));
  ASSERT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  std::map<std::string, int> times = said(outcome.run);
  EXPECT_EQ(times["restarted"], 1);
  EXPECT_EQ(times["rejoined"], 0);
  EXPECT_EQ(times["too_late"], 2);  // it says so, and ends with that
  expectSameAgain(outcome.run);
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests
