// Killing servers of real runs: their hosts start them again where they were, and nobody but the log sees it.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "app/cluster/run/replay_run.h"
#include "engine/core/record/reasons.h"
#include "tests/cluster/cluster_fixture.h"
#include "tests/loopback/loopback_fixture.h"

namespace paceline::tests {
namespace {

// PACELINE_KILL_REPEATS=20: so many kills a run.
const int kKills = [] {
  const char* wanted = std::getenv("PACELINE_KILL_REPEATS");
  return std::max(6, wanted ? std::atoi(wanted) : 0);
}();
constexpr std::int64_t kEvery = 20;
const std::int64_t kRounds = 50 * kKills;

class KilledServers : public LoopbackTest {
 protected:
  static void end(const std::string& run, const std::string& node) {
    if (const pid_t pid = pidOf(run, node); pid > 0) ::kill(pid, SIGKILL);
  }

  // Kills s0 and s1 in turn, at so many rounds of w0 at least after each other, and not before the last one is back.
  static run::RunCallbacks killing(int kills) {
    run::RunCallbacks callbacks;
    callbacks.onEvent = [kills, done = 0, back = 0, next = kEvery](const StampedEvent& event) mutable {
      if (const auto* notice = std::get_if<NoticeRecord>(&event.event); notice && notice->reason == "server_back") ++back;
      const auto* round = std::get_if<RoundRecord>(&event.event);
      if (round == nullptr || event.node != "w0" || round->round < next || done >= kills || back < done) return;
      next = round->round + kEvery;
      end(event.run, strCat("s", done++ % 2));
    };
    return callbacks;
  }

  static RunSpec documentOf(const std::string& algorithm, const Json& changes = Json::object()) {
    Json all = {{"nodes", nodes(3, 2)}, {"server_restarts", kKills}, {"stop", {{"rounds", kRounds}}}, {"evaluate", {{"every_rounds", 200}}}};
    for (Json& node : all["nodes"])
      if (node.value("role", "worker") == "worker") node["emulate"] = {{"step_s", 0.005}};  // it must not be over before all is done
    if (algorithm == "grouping_sgd") all["groups"] = Json::array({Json::array({"w0", "w1"}), Json::array({"w2"})});
    if (algorithm == "delayed_nesterov" || algorithm == "local_sgd" || algorithm == "slowmo") all["algorithm"] = {{"id", algorithm}, {"params", {{"local_steps", 2}}}};
    all.update(changes);
    return spec(algorithm, all);
  }

  std::string said(const std::string& run, const std::string& reason) const {
    std::string texts;
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(run))
      if (notice.record.reason == reason) texts += notice.record.text + "\n";
    return texts;
  }

  void expectItFinishes(const run::RunOutcome& outcome, int kills) const {
    EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(std::ranges::count(said(outcome.run, "restarted"), '\n'), kills);
    EXPECT_EQ(std::ranges::count(said(outcome.run, "server_back"), '\n'), kills);
    std::map<std::string, double> sums;
    for (const auto& metric : store::StoreReader(storePath()).records<MetricRecord>(outcome.run)) sums[metric.record.name] += metric.record.value;
    EXPECT_GT(sums["bytes_to_servers"], 0);
    EXPECT_EQ(sums["bytes_to_servers"], sums["bytes_from_workers"]);
    EXPECT_EQ(sums["messages_to_workers"], sums["messages_from_servers"] + sums["messages_undelivered"]);
    expectNothingLeft();
  }
};

class OfASynchronousRun : public KilledServers, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(OfASynchronousRun, LeaveItsLastParametersAsTheyWouldHaveBeen) {
  const auto& [algorithm, protection] = GetParam();
  run::RecordWriter records(storePath());
  Json changes = {{"protection", protection}};
  if (std::string_view(protection) == "plain") changes["model"] = {{"id", "mlp"}};  // long vectors go by shared memory
  const RunSpec document = documentOf(algorithm, changes);
  const run::RunOutcome plain = run::RunSession({records}).run(document);
  ASSERT_EQ(plain.state, store::RunState::kFinished) << plain.error;
  const run::RunOutcome harmed = run::RunSession({records, killing(kKills)}).run(document);
  expectItFinishes(harmed, kKills);
  EXPECT_EQ(said(plain.run, kParametersReason).size(), 65U);
  EXPECT_EQ(said(harmed.run, kParametersReason), said(plain.run, kParametersReason));
  for (const char* worker : {"w0", "w1", "w2"}) EXPECT_EQ(roundsOf(harmed.run, worker), roundsOf(plain.run, worker)) << worker;
}

INSTANTIATE_TEST_SUITE_P(Loopback, OfASynchronousRun,
                         testing::Values(std::pair("ssgd", "plain"), std::pair("ssgd", "curve"), std::pair("ssgd", "aes_gcm"), std::pair("local_sgd", "plain"), std::pair("slowmo", "curve")),
                         [](const auto& info) { return strCat(info.param.first, "_", info.param.second); });

class OfAnyRun : public KilledServers, public testing::WithParamInterface<const char*> {};

// What they had applied is applied once, in the order that they record: the replay has the same bits.
TEST_P(OfAnyRun, ApplyEachPushOnce) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, killing(6)}).run(documentOf(GetParam()));
  expectItFinishes(outcome, 6);
  const store::StoreReader store(storePath());
  const store::RunRow row = store.find(outcome.run).value();
  ASSERT_EQ(run::whyNoReplay(store, row), "");
  const run::Replayed replayed = run::replayRun(store, row);
  EXPECT_TRUE(replayed.same()) << replayed.firstDifference << " " << replayed.error;
}

INSTANTIATE_TEST_SUITE_P(Loopback, OfAnyRun, testing::Values("asgd", "ssp", "esync", "grouping_sgd", "dgs", "delayed_nesterov", "sync_backup"), [](const auto& info) { return std::string(info.param); });

class OfSeveralThreads : public KilledServers, public testing::WithParamInterface<const char*> {
 protected:
  static RunSpec documentOf(const std::string& algorithm, const Json& changes = Json::object()) {
    RunSpec spec = KilledServers::documentOf(algorithm, changes);
    for (const int server : spec.servers()) spec.nodes[static_cast<std::size_t>(server)].threads = 3;
    return spec;
  }
};

// Whichever thread is done first, the same answers leave under the same numbers.
TEST_P(OfSeveralThreads, AreBackAsThoseOfOne) {
  run::RecordWriter records(storePath());
  const std::string algorithm = GetParam();
  const RunSpec document = documentOf(algorithm, {{"model", {{"id", "mlp"}}}});
  const run::RunOutcome outcome = run::RunSession({records, killing(kKills)}).run(document);
  expectItFinishes(outcome, kKills);
  const store::StoreReader store(storePath());
  const run::Replayed replayed = run::replayRun(store, store.find(outcome.run).value());
  EXPECT_TRUE(replayed.same()) << replayed.firstDifference << " " << replayed.error;
  if (algorithm != "ssgd") return;
  const run::RunOutcome plain = run::RunSession({records}).run(document);
  EXPECT_EQ(said(outcome.run, kParametersReason), said(plain.run, kParametersReason));
}

INSTANTIATE_TEST_SUITE_P(Loopback, OfSeveralThreads, testing::Values("ssgd", "asgd", "ssp", "esync"), [](const auto& info) { return std::string(info.param); });

TEST_F(KilledServers, AreStartedAgainSoOftenAsTheDocumentSays) {
  run::RecordWriter records(storePath());
  const run::RunOutcome outcome = run::RunSession({records, killing(kKills)}).run(documentOf("ssgd", {{"server_restarts", 2}}));
  EXPECT_EQ(outcome.state, store::RunState::kFailed);
  EXPECT_THAT(outcome.error, testing::MatchesRegex("s[01] was killed by signal 9 \\(SIGKILL\\)"));
  EXPECT_EQ(std::ranges::count(said(outcome.run, "restarted"), '\n'), 4);
  expectNothingLeft();
}

// A worker that is lost while its server is away is lost to the next process, too.
TEST_F(KilledServers, WithAWorkerAtOnce) {
  run::RecordWriter records(storePath());
  const run::RunCallbacks callbacks = atRound(30, [](const std::string& run) {
    for (const char* node : {"s0", "w2"}) end(run, node);
  });
  const run::RunOutcome outcome = run::RunSession({records, callbacks}).run(documentOf("ssgd"));
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "w2 was killed by signal 9 (SIGKILL); the run went on without it");
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), static_cast<std::size_t>(kRounds));
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests
