// Which evaluations are the run's curve, and what rounds exchanged.
#include <cmath>
#include <limits>

#include "engine/core/json/json_text.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

void addEvaluation(summary::RunData& data, const char* node, std::int64_t round, double t, double accuracy, const char* of = "",
                   std::optional<double> consensus = {}) {
  const auto seq = static_cast<std::int64_t>(100 + data.evaluations.size());
  data.evaluations.push_back(
      {.node = node,
       .seq = seq,
       .record = {.round = round, .t = t, .accuracy = accuracy, .loss = 1, .samples = 0, .seconds = 0.5, .of = of, .consensus = consensus}});
}

void addEvaluator(summary::RunData& data) {
  data.nodes.push_back({.run = "r1", .id = "e0", .role = "evaluator", .host = "local", .device = "cpu"});
}

// w1 is the coordinator of the document; nobody but e0 evaluates.
summary::RunData withEvaluator() {
  summary::RunData data = twoWorkers();
  data.evaluations.clear();
  addEvaluator(data);
  data.run.specText = R"({"paceline": 1, "algorithm": {"id": "asgd"}, "model": {"id": "m"}, "dataset": {"id": "d"}, "evaluate": {"on": "w1"},
      "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}, {"id": "e0", "role": "evaluator"}], "stop": {"rounds": 3}})";
  addEvaluation(data, "e0", 1, 6, 0.3);
  addEvaluation(data, "e0", 3, 25, 0.9);
  return data;
}

TEST(SummaryCurves, AnEvaluatorNodesEvaluationsAreTheRunsCurve) {
  const summary::RunSummary s = summary::summarise(withEvaluator());
  EXPECT_EQ(s.curveBy, "e0");
  EXPECT_EQ(s.curveOf, "");
  EXPECT_EQ(s.accuracyLast, 0.9);
  EXPECT_EQ(s.timeToTargetSeconds, 25);
  EXPECT_TRUE(s.otherCurves.empty());
}

TEST(SummaryCurves, AnEvaluatorNodeCountsRoundsOfTheEvaluatingWorker) {
  const summary::RunSummary s = summary::summarise(withEvaluator());
  EXPECT_EQ(s.evaluator, "w1");
  EXPECT_EQ(s.rounds, 3);
  ASSERT_EQ(s.curve.size(), 2U);
  EXPECT_EQ(s.curve[0].samples, 32);  // w1's first round; w0's ends at 10 s
  EXPECT_EQ(s.curve[1].samples, 224);
  EXPECT_EQ(s.curve[1].bytes, 690);
}

TEST(SummaryCurves, AnEvaluatorNodeIsListedButIsNoWorker) {
  const summary::RunSummary with = summary::summarise(withEvaluator()), without = summary::summarise(twoWorkers());
  ASSERT_EQ(with.nodes.size(), 3U);
  EXPECT_EQ(with.nodes[2].id, "e0");
  EXPECT_FALSE(summary::trains(with.nodes[2]));
  EXPECT_DOUBLE_EQ(with.nodes[2].evaluateSeconds, 1);
  EXPECT_TRUE(std::isnan(with.nodes[2].busyRatio));
  EXPECT_DOUBLE_EQ(summary::meanBusyRatio(with), summary::meanBusyRatio(without));
  EXPECT_DOUBLE_EQ(with.throughputSamplesPerSecond, without.throughputSamplesPerSecond);
  EXPECT_EQ(with.publishedThroughput, without.publishedThroughput);
  EXPECT_EQ(with.publishedTrafficMbPerSecond, 24);  // int(3 rounds of w1 * 2 workers * 100 / 25)
}

TEST(SummaryCurves, AnEvaluatorThatHasNotEvaluatedYetHidesNothing) {
  summary::RunData data = twoWorkers();
  addEvaluator(data);
  EXPECT_EQ(summary::summarise(data).curveBy, "w0");
  EXPECT_EQ(summary::summarise(data).curve.size(), 2U);
}

TEST(SummaryCurves, TheMeanIsTheRunsCurveAndTheWorkersStayAvailable) {
  summary::RunData data = twoWorkers("pdmm_isvr");
  addEvaluator(data);
  for (const char* of : {"w0", "w1"})
    for (const std::int64_t round : {1, 2, 3}) addEvaluation(data, "e0", round, 8.0 * static_cast<double>(round), 0.1, of);
  addEvaluation(data, "e0", 2, 16, 0.6, "mean", 0.25);
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.curveOf, "mean");
  ASSERT_EQ(s.curve.size(), 1U);
  EXPECT_EQ(s.curve[0].accuracy, 0.6);
  EXPECT_EQ(s.consensusLast, 0.25);
  ASSERT_EQ(s.otherCurves.size(), 3U);  // w0's own, then what the evaluator found of each
  EXPECT_EQ(s.otherCurves[0].by, "w0");
  EXPECT_EQ(s.otherCurves[2].of, "w1");
  EXPECT_EQ(s.otherCurves[2].points[2].samples, 128 + 96);  // w1's three rounds, and those of w0 whose training was over by 24 s
}

TEST(SummaryCurves, OneThatNamesItselfIsItsOwn) {
  summary::RunData data = twoWorkers();
  for (store::EvaluationRow& row : data.evaluations) row.record.of = "w0";
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.curveOf, "");
  EXPECT_EQ(s.curve.size(), 2U);
}

TEST(SummaryCurves, OnlyEvaluationsOfWorkersStillGiveACurve) {
  summary::RunData data = withEvaluator();
  for (store::EvaluationRow& row : data.evaluations) row.record.of = "w1";
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.curveBy, "e0");
  EXPECT_EQ(s.curveOf, "w1");
  EXPECT_EQ(s.accuracyLast, 0.9);
}

TEST(SummaryExchange, CountsStalenessKeptAndBytesPerRound) {
  summary::RunData data = twoWorkers("dgc");
  data.rounds[0].record.staleness = 2.6;
  data.rounds[1].record.staleness = std::numeric_limits<double>::quiet_NaN();
  data.rounds[0].record.kept = 0.5, data.rounds[1].record.kept = 0.25, data.rounds[2].record.kept = 0.25;
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.nodes[0].stalenessRounds, (std::map<std::int64_t, std::int64_t>{{2, 1}, {3, 1}}));
  EXPECT_EQ(s.nodes[1].stalenessRounds, (std::map<std::int64_t, std::int64_t>{{2, 2}}));
  EXPECT_EQ(s.nodes[0].keptMean, 0.5);
  EXPECT_EQ(s.nodes[1].keptMean, 0.25);
  EXPECT_DOUBLE_EQ(s.keptMean.value(), 1.0 / 3);
  EXPECT_EQ(s.bytesSentPerRound, 46);      // 230 / 5
  EXPECT_EQ(s.bytesReceivedPerRound, 92);
  EXPECT_FALSE(summary::summarise(twoWorkers()).keptMean.has_value());
  EXPECT_TRUE(summary::summarise(twoWorkers()).exchanged.empty());
}

TEST(SummaryExchange, APointForAsManyRoundsAsThereAreWorkersInTheOrderOfTheirEnds) {
  summary::RunData data = twoWorkers("dgc");  // ends: w1 6, w0 10 | w1 12, w0 20 | w1 25
  const double kept[] = {0.5, 0.25, 0.125, 0.0625, 0.03125};
  for (std::size_t i = 0; i < 5; ++i) data.rounds[i].record.kept = kept[i];
  const summary::RunSummary s = summary::summarise(data);
  ASSERT_EQ(s.exchanged.size(), 3U);
  EXPECT_EQ(s.exchanged[0].seconds, 10);
  EXPECT_DOUBLE_EQ(s.exchanged[0].kept, (0.5 + 0.25) / 2);
  EXPECT_DOUBLE_EQ(s.exchanged[1].kept, (0.125 + 0.0625) / 2);
  EXPECT_DOUBLE_EQ(s.exchanged[2].kept, 0.03125);
  EXPECT_EQ(s.exchanged[2].round, 3);
  EXPECT_EQ(s.exchanged[2].samples, 224);
}

TEST(SummaryExchange, EdgesAddUpAndTheirAgeIsTheMeanOverSteps) {
  summary::RunData data = twoWorkers("d_sgd");
  const auto add = [&data](const char* node, const char* peer, std::int64_t round, double age, std::int64_t lost) {
    data.edges.push_back({.node = node, .seq = static_cast<std::int64_t>(200 + data.edges.size()),
                          .record = {.round = round, .t = 1, .peer = peer, .exchanges = 1, .age = age, .bytesSent = 10, .bytesReceived = 20, .lost = lost}});
  };
  add("w0", "w1", 1, 4, 0), add("w1", "w0", 1, 1, 0), add("w0", "w1", 4, 2, 1);
  const summary::RunSummary s = summary::summarise(data);
  ASSERT_EQ(s.edges.size(), 2U);
  EXPECT_EQ(s.edges[0].node, "w0");
  EXPECT_EQ(s.edges[0].peer, "w1");
  EXPECT_EQ(s.edges[0].exchanges, 2);
  EXPECT_DOUBLE_EQ(s.edges[0].ageMean, (1 * 4 + 3 * 2) / 4.0);
  EXPECT_EQ(s.edges[0].bytesReceived, 40);
  EXPECT_EQ(s.edges[0].lost, 1);
  EXPECT_DOUBLE_EQ(s.edges[1].ageMean, 1);
}

TEST(MetricCurves, AreMeansOverTheNodesThatRecordThemByName) {
  summary::RunData data = twoWorkers();
  const auto add = [&](const char* node, std::int64_t seq, double t, const char* name, double value) {
    data.metrics.push_back({.node = node, .seq = seq, .record = {.round = seq - 100, .t = t, .name = name, .value = value}});
  };
  add("w0", 101, 10, "drift", 2), add("w1", 101, 6, "drift", 4), add("w1", 102, 12, "drift", 1), add("w0", 102, 20, "drift", 2);
  add("w1", 103, 25, "alone", 7);
  const summary::RunSummary s = summary::summarise(data);
  ASSERT_EQ(s.metrics.size(), 2U);
  EXPECT_EQ(s.metrics[0].name, "alone");
  ASSERT_EQ(s.metrics[1].points.size(), 2U);
  EXPECT_EQ(s.metrics[1].points[0].value, 3);
  EXPECT_EQ(s.metrics[1].points[0].seconds, 10);
  EXPECT_EQ(s.metrics[1].points[0].samples, 96);  // of w0's first round and w1's first
  EXPECT_EQ(s.metrics[1].points[1].value, 1.5);
  const Json json = Json::parse(summary::summariesToJson({s}))["runs"][0]["metrics"];
  EXPECT_EQ(json[1]["name"], "drift");
  EXPECT_EQ(json[1]["curve"][1]["value"], 1.5);
}

}  // namespace
}  // namespace paceline::tests
