// What a search measures of a run from its events is what its summary says.
#include "app/cluster/recorder/search_watch.h"

#include <gmock/gmock.h>

#include <limits>

#include "storage/summary/summary.h"
#include "tests/recorder/recorder_fixture.h"

namespace paceline::tests {
namespace {

using recorder::SearchWatch;
using testing::ElementsAre;

RunSpec specOf(double target) {
  RunSpec spec = parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "ssgd"}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"},
    "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "evaluate": {"every_rounds": 2, "on": "w0"}, "stop": {"rounds": 8}})").spec;
  spec.stop.accuracy = target;
  return spec;
}
SearchSpec halvedBy(RungUnit unit, double first, SearchGoal goal = SearchGoal::kAccuracyLast) {
  SearchSpec search;
  search.goal = goal;
  search.halving = SearchHalving{.by = unit, .first = first, .eta = 2};
  return search;
}
RoundRecord roundAt(std::int64_t number, double t) {
  RoundRecord record;
  record.round = number, record.t = t, record.total = 1, record.samples = 10;
  return record;
}
EvaluationRecord evaluationAt(std::int64_t number, double t, double accuracy) {
  EvaluationRecord record;
  record.round = number, record.t = t, record.accuracy = accuracy;
  return record;
}

// Two workers, evaluated by w0 after every second round, with a dip at the end.
std::vector<StampedEvent> course() {
  std::vector<StampedEvent> events;
  std::map<std::string, std::int64_t> seq;
  const auto add = [&](const std::string& node, const Event& event) { events.push_back({.run = "r", .node = node, .seq = ++seq[node], .event = event}); };
  for (int i = 1; i <= 8; ++i) {
    add("w1", roundAt(i, i * 1.1));
    add("w0", roundAt(i, i * 1.0));
    if (i % 2 == 0) add("w0", evaluationAt(i, i * 1.0, i == 8 ? 0.6 : 0.1 * i + 0.1));
    if (i == 4) add("w1", evaluationAt(i, i * 1.1, 0.99));  // not the run's own curve
  }
  return events;
}

TEST(SearchWatch, MeasuresWhatTheSummarySays) {
  const RunSpec spec = specOf(0.65);
  SearchWatch watch(spec, {});
  summary::RunData data;
  data.run.specText = toJsonText(spec);
  for (const NodeSpec& node : spec.nodes) data.nodes.push_back({.run = "r", .id = node.id, .role = roleName(node.role), .host = "local", .device = "cpu", .rank = node.id == "w0" ? 0 : node.id == "w1" ? 1 : -1});
  for (const StampedEvent& event : course()) {
    watch.take(event.node, event.event);
    if (const auto* row = std::get_if<RoundRecord>(&event.event)) data.rounds.push_back({.node = event.node, .seq = event.seq, .record = *row});
    if (const auto* row = std::get_if<EvaluationRecord>(&event.event)) data.evaluations.push_back({.node = event.node, .seq = event.seq, .record = *row});
  }
  const summary::RunSummary run = summary::summarise(data, {.targetAccuracy = 0.65});
  const search::Measure measure = watch.measure();
  EXPECT_EQ(measure.accuracyLast, run.accuracyLast);
  EXPECT_EQ(measure.accuracyBest, run.accuracyBest);
  EXPECT_EQ(measure.secondsToTarget, run.timeToTargetSeconds);
  EXPECT_DOUBLE_EQ(measure.samplesPerSecond, run.throughputSamplesPerSecond);
  EXPECT_EQ(measure.accuracyLast, 0.6);
  EXPECT_EQ(measure.secondsToTarget, 6.0);
}

std::vector<std::pair<std::size_t, double>> rungsOf(const SearchSpec& search) {
  std::vector<std::pair<std::size_t, double>> rungs;
  const bool rate = search.goal == SearchGoal::kSamplesPerSecond;
  SearchWatch watch(specOf(0.9), search, [&](std::size_t rung, const search::Measure& measure) { rungs.emplace_back(rung, rate ? measure.samplesPerSecond : measure.accuracyLast.value_or(-1)); });
  for (const StampedEvent& event : course()) watch.take(event.node, event.event);
  return rungs;
}

TEST(SearchWatch, ARungOfRoundsIsTheFirstEvaluationAtItOrBehindIt) {
  EXPECT_THAT(rungsOf(halvedBy(RungUnit::kRounds, 2)), ElementsAre(testing::Pair(0, testing::DoubleNear(0.3, 1e-9)), testing::Pair(1, testing::DoubleNear(0.5, 1e-9))));  // 8 rounds are its end
  EXPECT_THAT(rungsOf(halvedBy(RungUnit::kRounds, 3)), ElementsAre(testing::Pair(0, testing::DoubleNear(0.5, 1e-9)), testing::Pair(1, testing::DoubleNear(0.7, 1e-9))));
}

TEST(SearchWatch, ARungOfSecondsCountsWhatWasEvaluatedUntilThen) {
  EXPECT_THAT(rungsOf(halvedBy(RungUnit::kSeconds, 1)), ElementsAre(testing::Pair(0, -1), testing::Pair(1, -1), testing::Pair(2, testing::DoubleNear(0.3, 1e-9)), testing::Pair(3, testing::DoubleNear(0.7, 1e-9))));
}

TEST(SearchWatch, ThroughputIsLookedAtByTheCoordinatorsRounds) {
  const auto rungs = rungsOf(halvedBy(RungUnit::kRounds, 4, SearchGoal::kSamplesPerSecond));
  ASSERT_EQ(rungs.size(), 1u);
  EXPECT_DOUBLE_EQ(rungs[0].second, 80 / 4.4);
}

// A rung that is passed while rounds are read again counts what was evaluated until then, not nothing.
class WatchedStore : public RecorderTest {};
TEST_F(WatchedStore, IsReadAgainInTheOrderOfItsTimes) {
  store::StoreWriter writer(storePath());
  std::vector<store::NodeRow> nodes;
  for (const NodeSpec& node : specOf(0.9).nodes) nodes.push_back({.run = "r", .id = node.id, .role = roleName(node.role), .host = "local", .device = "cpu"});
  store::RunRow run;
  run.id = run.name = "r", run.specText = toJsonText(specOf(0.9));
  writer.createRun(run, nodes);
  writer.append(course());
  const SearchSpec search = halvedBy(RungUnit::kSeconds, 1);
  std::vector<std::pair<std::size_t, double>> rungs;
  SearchWatch watch(specOf(0.9), search, [&](std::size_t rung, const search::Measure& measure) { rungs.emplace_back(rung, measure.accuracyLast.value_or(-1)); });
  recorder::replay(store::StoreReader(storePath()), "r", [&](const std::string& node, const Event& event) { watch.take(node, event); });
  EXPECT_EQ(rungs, rungsOf(search));
}

TEST(SearchWatch, WhatIsNoNumberIsNoAccuracy) {
  SearchWatch watch(specOf(0.5), {});
  watch.take("w0", evaluationAt(2, 1, 0.4));
  watch.take("w0", evaluationAt(4, 2, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(watch.measure().accuracyLast);
  EXPECT_EQ(watch.measure().accuracyBest, 0.4);
}

}  // namespace
}  // namespace paceline::tests
