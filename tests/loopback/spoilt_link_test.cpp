// A network that spoils what it carries, by seed, between the real nodes of a run: the run has the numbers that it has without it, or ends and
// says which two nodes lost each other, or goes on as its method allows. It never waits for ever, and leaves nothing.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "engine/core/base/error.h"
#include "tests/loopback/loopback_fixture.h"
#include "tests/loopback/proxied_nodes.h"

namespace paceline::tests {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::SizeIs;

constexpr std::int64_t kRoundsInAll = 20;

class SpoiltLink : public LoopbackTest {
 protected:
  // Its numbers do not depend on time: a method in step, or one worker of a server.
  static RunSpec method(const std::string& name, const std::string& protection, const Json& more = Json::object()) {
    Json changes = {{"protection", protection}, {"evaluate", {{"every_rounds", 10}}}, {"stop", {{"rounds", kRoundsInAll}}}};
    std::string algorithm = "ssgd";
    if (name == "asgd") algorithm = name, changes["nodes"] = nodes(1, 1);
    if (name == "ring" || name == "tree") changes.merge_patch({{"aggregation", {{"id", name}}}, {"nodes", nodes(3, 0)}});
    if (name == "d_sgd") {
      algorithm = name;
      changes["nodes"] = nodes(4, 0);
      changes["topology"] = {{"id", "ring"}, {"params", {{"every", 2}}}};
    }
    changes.merge_patch(more);
    return spec(algorithm, changes);
  }

  // A run that hangs is stopped, and then lacks what its test wants to see.
  run::RunOutcome train(const RunSpec& spec, ProxiedNodes& proxied, run::RunCallbacks callbacks = {}, std::stop_source stop = {}) {
    std::mutex mutex;
    std::condition_variable_any changed;
    const std::jthread guard([&](const std::stop_token& done) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, done, std::chrono::duration<double>(kGuardSeconds), [] { return false; });
      if (!done.stop_requested()) stop.request_stop();
    });
    run::RecordWriter records(storePath());
    return run::RunSession({.records = records, .callbacks = std::move(callbacks), .opener = proxied.opener()}).run(spec, stop.get_token());
  }

  using Numbers = std::map<std::string, std::vector<std::string>>;  // of each worker's rounds, of the evaluations: what is no time, to the last bit
  Numbers numbersOf(const std::string& run) const {
    const store::StoreReader reader(storePath());
    Numbers numbers;
    for (const store::RoundRow& row : reader.rounds(run))
      numbers[row.node].push_back(strCat(row.record.round, " ", Json(row.record.loss).dump(), " ", row.record.samples, " ", row.record.localSteps));
    for (const store::EvaluationRow& row : reader.evaluations(run))
      numbers["evaluations"].push_back(strCat(row.record.round, " ", Json(row.record.loss).dump(), " ", Json(row.record.accuracy).dump()));
    return numbers;
  }
  // The simulator's numbers are those of real nodes bit for bit (E23).
  Numbers unspoilt(const RunSpec& spec) const {
    run::RecordWriter records(storePath());
    const run::RunOutcome outcome = run::simulateRun({records}, spec);
    EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
    return numbersOf(outcome.run);
  }
  static void expectBeginningOf(const Numbers& whole, const Numbers& numbers) {
    for (const auto& [node, found] : numbers) {
      const std::vector<std::string>& all = whole.at(node);
      ASSERT_LE(found.size(), all.size()) << node;
      EXPECT_EQ(found, std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found.size()))) << node;
    }
  }

  std::vector<std::string> losses(const std::string& run) const {
    std::vector<std::string> found;
    for (const store::NoticeRow& notice : store::StoreReader(storePath()).notices(run))
      if (notice.record.reason == "neighbour_lost") found.push_back(strCat(notice.node, ": ", notice.record.text));
    return found;
  }
};

constexpr const char* kLost =
    "^([ws][0-9]): ([ws][0-9]) is gone: (its connection closed|a message from it does not open: it was altered, repeated, left out or reordered on the way)$";

struct Spoiling {
  std::string method, protection;
  Fault fault = Fault::kDelay;
  std::uint64_t seed = 0;
};

std::string spoilingName(const ::testing::TestParamInfo<Spoiling>& info) {
  constexpr const char* kNames[] = {"flip", "leave_out", "repeat", "swap", "cut", "delay"};
  return strCat(info.param.method, "_", info.param.protection, "_", kNames[static_cast<int>(info.param.fault)]);
}

// Every fault for each method, protected by turns. Plain data never leave their host, whose private sockets change no byte: they can only be cut.
std::vector<Spoiling> faultsOf(const std::vector<std::string>& methods) {
  std::vector<Spoiling> cases;
  for (const std::string& method : methods) {
    for (const Fault fault : {Fault::kFlip, Fault::kLeaveOut, Fault::kRepeat, Fault::kSwap, Fault::kCut})
      cases.push_back({.method = method, .protection = cases.size() % 2 == 0 ? "curve" : "aes_gcm", .fault = fault, .seed = cases.size()});
  }
  cases.push_back({.method = methods.front(), .protection = "plain", .fault = Fault::kCut, .seed = cases.size()});
  return cases;
}

FaultPlan onceIn(const Spoiling& c) { return {.seed = c.seed, .faults = {c.fault}, .every = 50'000, .after = 4000, .most = 1}; }

class SlowLink : public SpoiltLink, public ::testing::WithParamInterface<Spoiling> {};

TEST_P(SlowLink, ChangesNoNumber) {
  const RunSpec spec = method(GetParam().method, GetParam().protection);
  std::map<std::string, FaultPlan> plans;
  for (const NodeSpec& node : spec.nodes)
    plans[node.id] = {.seed = plans.size(), .faults = {Fault::kDelay}, .every = 60'000, .delaySeconds = 0.01, .bytesPerSecond = 3'000'000};
  ProxiedNodes proxied(plans);
  const run::RunOutcome outcome = train(spec, proxied);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(proxied.faults(), 3);
  EXPECT_EQ(numbersOf(outcome.run), unspoilt(spec));
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, SlowLink,
                         ::testing::Values(Spoiling{"ssgd", "plain"}, Spoiling{"ssgd", "curve"}, Spoiling{"asgd", "aes_gcm"}, Spoiling{"ring", "curve"}, Spoiling{"tree", "aes_gcm"},
                                           Spoiling{"d_sgd", "curve"}),
                         spoilingName);

class SpoiltWay : public SpoiltLink, public ::testing::WithParamInterface<Spoiling> {};

// Who loses a server reaches it again and sends once more what it missed; where somebody was lost whom the run needs it ends, else it goes on without.
TEST_P(SpoiltWay, IsMendedOrTheRunNamesWhoLostWhomAndNoNumberIsWrong) {
  const RunSpec spec = method(GetParam().method, GetParam().protection);
  ProxiedNodes proxied({{spec.nodes[GetParam().seed % spec.nodes.size()].id, onceIn(GetParam())}});
  const run::RunOutcome outcome = train(spec, proxied);
  EXPECT_EQ(proxied.faults(), 1);
  EXPECT_EQ(row(outcome.run).error, outcome.error);
  if (outcome.state == store::RunState::kFinished && spec.serversReturn()) {
    Numbers numbers = numbersOf(outcome.run);
    const Numbers whole = unspoilt(spec);
    if (outcome.error.empty()) {
      EXPECT_EQ(numbers, whole);
    } else {
      ASSERT_THAT(outcome.error, ContainsRegex("^w1: .*; the run went on without it$"));
      EXPECT_EQ(numbers["w0"].size(), whole.at("w0").size());
      EXPECT_EQ(numbers["evaluations"].size(), whole.at("evaluations").size());
      EXPECT_LT(numbers["w1"].size(), whole.at("w1").size());
      expectBeginningOf(whole, {{"w1", numbers["w1"]}});  // what the lost one had been sent was right
    }
  } else {
    EXPECT_EQ(outcome.state, store::RunState::kFailed);
    EXPECT_THAT(outcome.error, ContainsRegex(kLost));
    expectBeginningOf(unspoilt(spec), numbersOf(outcome.run));
  }
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, SpoiltWay, ::testing::ValuesIn(faultsOf({"ssgd", "asgd", "ring"})), spoilingName);

// What others say to w1 is spoilt: it ends, and the others go on without it, all servers of one mind.
class SpoiltWorker : public SpoiltLink, public ::testing::WithParamInterface<Spoiling> {};

TEST_P(SpoiltWorker, EndsAndTheOthersFinish) {
  const RunSpec spec = method(GetParam().method, GetParam().protection, {{"nodes", nodes(3, 2)}, {"stop", {{"rounds", 1500}}}});
  ProxiedNodes proxied({{"w1", onceIn(GetParam())}});
  const run::RunOutcome outcome = train(spec, proxied);
  EXPECT_EQ(proxied.faults(), 1);
  EXPECT_EQ(outcome.state, store::RunState::kFinished);
  EXPECT_THAT(outcome.error, ContainsRegex("^w1: ((s[01]|w0) is gone: .*|the run goes on without this worker: it was lost, or a connection of its had broken); the run went on without it$"));
  EXPECT_EQ(roundsOf(outcome.run, "w0").size(), 1500U);
  EXPECT_LT(roundsOf(outcome.run, "w1").size(), 1500U);
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, SpoiltWorker,
                         ::testing::Values(Spoiling{"ssgd", "curve", Fault::kFlip, 1}, Spoiling{"ssgd", "aes_gcm", Fault::kLeaveOut, 2}, Spoiling{"ssgd", "plain", Fault::kCut, 3},
                                           Spoiling{"asgd", "aes_gcm", Fault::kFlip, 4}, Spoiling{"asgd", "curve", Fault::kCut, 5}),
                         spoilingName);

class SpoiltEdge : public SpoiltLink, public ::testing::WithParamInterface<Spoiling> {};

// What was on its way is lost; its two ends go on with what they have, and find each other again.
TEST_P(SpoiltEdge, IsToldAndTheRunGoesOn) {
  const RunSpec spec = method(GetParam().method, GetParam().protection);
  ProxiedNodes proxied({{"w2", onceIn(GetParam())}});
  const run::RunOutcome outcome = train(spec, proxied);
  EXPECT_EQ(proxied.faults(), 1);
  EXPECT_EQ(outcome.state, store::RunState::kFinished) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(losses(outcome.run), Contains(ContainsRegex("^(w[13]: w2|w2: w[13]) is lost; its last vector stands in for it$")));
  for (const char* worker : {"w0", "w1", "w2", "w3"}) EXPECT_THAT(roundsOf(outcome.run, worker), SizeIs(kRoundsInAll)) << worker;
  expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Loopback, SpoiltEdge, ::testing::ValuesIn(faultsOf({"d_sgd"})), spoilingName);

TEST_F(SpoiltLink, AnEdgeThatIsCutForATimeIsPassedOverUntilItIsBack) {
  const RunSpec spec = method("d_sgd", "curve", {{"stop", {{"rounds", 1'000'000}}}});
  ProxiedNodes proxied({{"w2", FaultPlan{}}});
  std::stop_source stop;
  std::set<std::string> lost, back;
  run::RunCallbacks callbacks = atRound(5, [&](const std::string&) { proxied.before("w2").cut(); });
  callbacks.onEvent = [&, cut = callbacks.onEvent](const StampedEvent& event) {
    cut(event);
    const auto* notice = std::get_if<NoticeRecord>(&event.event);
    if (notice == nullptr || (event.node != "w1" && event.node != "w3")) return;
    if (notice->reason == "neighbour_lost" && lost.insert(event.node).second && lost.size() == 2) proxied.before("w2").mend();
    if (notice->reason == "neighbour_back" && back.insert(event.node).second && back.size() == 2) stop.request_stop();
  };
  const run::RunOutcome outcome = train(spec, proxied, callbacks, stop);
  EXPECT_EQ(outcome.state, store::RunState::kStopped) << outcome.error;
  EXPECT_EQ(back, (std::set<std::string>{"w1", "w3"}));
  expectNothingLeft();
}

}  // namespace
}  // namespace paceline::tests
