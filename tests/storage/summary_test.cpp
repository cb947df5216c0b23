#include <cmath>
#include <limits>

#include "engine/core/json/json_text.h"
#include "tests/storage/two_workers.h"

namespace paceline::tests {
namespace {

TEST(Summary, RatesArePerSecondOfOneCommonWindow) {
  const summary::RunSummary s = summary::summarise(twoWorkers());
  EXPECT_DOUBLE_EQ(s.wallSeconds, 25);  // w1's last end
  EXPECT_EQ(s.samples, 224);
  EXPECT_DOUBLE_EQ(s.throughputSamplesPerSecond, 224.0 / 25);
  EXPECT_EQ(s.bytesSent, 230);
  EXPECT_EQ(s.bytesReceived, 460);
  EXPECT_DOUBLE_EQ(s.trafficBytesPerSecond, 690.0 / 25);  // both ways
}

TEST(Summary, WhatWorkersSendEachOtherIsCountedOnce) {
  summary::RunData ring = twoWorkers();
  ring.nodes.pop_back();  // no server: what one worker received another has sent
  const summary::RunSummary s = summary::summarise(ring);
  EXPECT_EQ(s.bytesSent, 230);
  EXPECT_EQ(s.bytesReceived, 460);
  EXPECT_DOUBLE_EQ(s.trafficBytesPerSecond, 230.0 / 25);
  EXPECT_EQ(s.curve.back().bytes * 3, summary::summarise(twoWorkers()).curve.back().bytes);  // 10 of 30 bytes a round
  summary::RunData besideServer = twoWorkers();
  besideServer.run.specText = R"({"paceline": 1, "algorithm": {"id": "esync"}, "aggregation": {"id": "ring"}, "model": {"id": "m"}, "dataset": {"id": "d"},
                                  "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "stop": {"rounds": 2}})";
  EXPECT_DOUBLE_EQ(summary::summarise(besideServer).trafficBytesPerSecond, 230.0 / 25);
}

TEST(Summary, AnAsynchronousMethodExchangesWithServersWhateverAggregationIsNamed) {
  summary::RunData data = twoWorkers("asgd");
  data.run.versions = R"({"parameters": 26214400, "synchronous": false})";
  data.run.specText = R"({"paceline": 1, "algorithm": {"id": "asgd"}, "aggregation": {"id": "ring"}, "model": {"id": "m"}, "dataset": {"id": "d"},
                          "nodes": [{"id": "s0", "role": "server"}, {"id": "w0"}, {"id": "w1"}], "stop": {"rounds": 2}})";
  EXPECT_DOUBLE_EQ(summary::summarise(data).trafficBytesPerSecond, 690.0 / 25);
}

TEST(Summary, TheWindowBeginsWithTheFirstRoundNotWithTheProcess) {
  summary::RunData data = twoWorkers();
  for (store::RoundRow& row : data.rounds) row.record.t += 100;  // all were told to start 100 s earlier
  EXPECT_DOUBLE_EQ(summary::summarise(data).wallSeconds, 25);
}

TEST(Summary, TheEvaluatingWorkerGivesRoundsAndAccuracies) {
  const summary::RunSummary s = summary::summarise(twoWorkers());
  EXPECT_EQ(s.evaluator, "w0");
  EXPECT_EQ(s.rounds, 2);
  EXPECT_EQ(s.accuracyLast, 0.85);
  EXPECT_EQ(s.accuracyBest, 0.85);
  EXPECT_EQ(s.lossLast, 0.5);
  EXPECT_EQ(s.state, "finished");
  EXPECT_EQ(s.seed, 3U);
}

summary::RunData withLabels(const std::string& partition) {
  summary::RunData data = twoWorkers();
  data.run.partition = partition;
  data.labels = {{.node = "w1", .seq = 1, .record = {.counts = {0, 30, 20}}}, {.node = "w0", .seq = 1, .record = {.counts = {40, 5, 0}}}};
  return data;
}

TEST(Summary, EveryWorkerHasTheLabelsThatItTold) {
  const summary::RunSummary s = summary::summarise(withLabels("by_class"));
  EXPECT_EQ(s.nodes[0].labelCounts, (LabelCounts{40, 5, 0}));
  EXPECT_EQ(s.nodes[1].labelCounts, (LabelCounts{0, 30, 20}));
  const Json document = Json::parse(summary::summariesToJson({s}))["runs"][0];
  EXPECT_EQ(document["nodes"][1]["label_counts"], (Json{0, 30, 20}));
  EXPECT_EQ(document["nodes"][1]["train_samples"], 50);
  EXPECT_EQ(document["epoch_samples"], 95);
}

TEST(Summary, AnEpochIsAllSharesOrTheSetThatEveryoneHas) {
  EXPECT_EQ(summary::summarise(withLabels("by_class")).epochSamples, 95);
  EXPECT_EQ(summary::summarise(withLabels("shared")).epochSamples, 50);
  summary::RunData half = withLabels("iid");
  half.labels.pop_back();
  EXPECT_EQ(summary::summarise(half).epochSamples, std::nullopt);  // not known of w0
  EXPECT_TRUE(Json::parse(summary::summariesToJson({summary::summarise(twoWorkers())}))["runs"][0]["nodes"][0]["train_samples"].is_null());
}

TEST(Summary, ACurvePointCountsWhatAllWorkersHadTrainedByThen) {
  const summary::RunSummary s = summary::summarise(twoWorkers());
  ASSERT_EQ(s.curve.size(), 2U);
  EXPECT_EQ(s.curve[0].round, 1);
  EXPECT_EQ(s.curve[0].seconds, 9);
  EXPECT_EQ(s.curve[0].samples, 64 + 32);
  EXPECT_EQ(s.curve[0].bytes, 300 + 30);
  EXPECT_EQ(s.curve[1].samples, 128 + 64);
  EXPECT_EQ(s.curve[1].bytes, 600 + 60);
  EXPECT_EQ(s.curve[0].publishedSeconds, 10);  // the end of the round
}

TEST(Summary, ACurvePointOfASynchronousRunCountsRoundsNotMoments) {
  summary::RunData data = twoWorkers();
  data.run.versions = R"({"synchronous": true})";
  for (store::RoundRow& row : data.rounds)
    if (row.node == "w1") row.record.t += 100;  // whatever the others' clocks say
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.curve[0].samples, 64 + 32);
  EXPECT_EQ(s.curve[1].samples, 128 + 64);
  EXPECT_EQ(s.curve[1].bytes, 600 + 60);
}

TEST(Summary, TimeToTargetIsTheFirstRawCrossingOrNone) {
  EXPECT_EQ(summary::summarise(twoWorkers(), {.targetAccuracy = 0.8}).timeToTargetSeconds, 19);
  EXPECT_EQ(summary::summarise(twoWorkers(), {.targetAccuracy = 0.5}).timeToTargetSeconds, 9);
  EXPECT_EQ(summary::summarise(twoWorkers(), {.targetAccuracy = 0.9}).timeToTargetSeconds, std::nullopt);
  EXPECT_EQ(summary::summarise(twoWorkers(), {.targetAccuracy = 0.9}).targetAccuracy, 0.9);
}

TEST(Summary, AnAccuracyThatIsNoNumberNeitherReachesNorIsBest) {
  summary::RunData data = twoWorkers();
  data.evaluations[0].record.accuracy = std::numeric_limits<double>::quiet_NaN();
  const summary::RunSummary s = summary::summarise(data, {.targetAccuracy = 0.1});
  EXPECT_EQ(s.timeToTargetSeconds, 19);
  EXPECT_EQ(s.accuracyBest, 0.85);
}

// The test set decides nothing: neither which evaluation is the best nor when the target is reached.
TEST(Summary, WhatIsHeldOutDecides) {
  summary::RunData data = twoWorkers();  // test accuracies .5, .85
  data.evaluations[0].record.validationAccuracy = 0.7, data.evaluations[1].record.validationAccuracy = 0.6;
  const summary::RunSummary s = summary::summarise(data, {.targetAccuracy = 0.65});
  EXPECT_EQ(s.accuracyBest, 0.5);
  EXPECT_EQ(s.validationBest, 0.7);
  EXPECT_EQ(s.accuracyLast, 0.85);
  EXPECT_EQ(s.timeToTargetSeconds, 9);
  EXPECT_EQ(summary::summarise(data, {.targetAccuracy = 0.8}).timeToTargetSeconds, std::nullopt);
  EXPECT_EQ(summary::summarise(twoWorkers()).validationBest, std::nullopt);
}

TEST(Summary, NodesAreTheWorkersByRank) {
  const summary::RunSummary s = summary::summarise(twoWorkers());
  ASSERT_EQ(s.nodes.size(), 2U);
  const summary::NodeSummary& w0 = s.nodes[0];
  const summary::NodeSummary& w1 = s.nodes[1];
  EXPECT_EQ(w0.id, "w0");
  EXPECT_EQ(w1.id, "w1");
  EXPECT_EQ(w1.rounds, 3);
  EXPECT_EQ(w1.samples, 96);
  EXPECT_DOUBLE_EQ(w1.totalSeconds, 25);
  EXPECT_DOUBLE_EQ(w1.computeSeconds, 10);
  EXPECT_DOUBLE_EQ(w1.waitSeconds, 5);
  EXPECT_DOUBLE_EQ(w1.sendSeconds, 2.5);
  EXPECT_DOUBLE_EQ(w0.evaluateSeconds, 2);
  EXPECT_DOUBLE_EQ(w1.busyRatio, 0.6);
  EXPECT_DOUBLE_EQ(w1.localStepsMean, 2);
  EXPECT_DOUBLE_EQ(w1.stalenessMean, 2);
  EXPECT_EQ(w1.bytesReceived, 60);
  EXPECT_EQ(w1.localSteps, (std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 1}, {2, 2}, {3, 3}}));
}

TEST(Summary, PublishedThroughputDividesAllSamplesByTheFirstDevicesTime) {
  summary::RunData data = twoWorkers();
  EXPECT_EQ(summary::summarise(data).publishedThroughput, 11);  // int(224 / 20)
  for (store::RoundRow& row : data.rounds) row.record.t *= 0.01;
  EXPECT_TRUE(std::isnan(summary::summarise(data).publishedThroughput));  // its time rounds to 0 s
}

TEST(Summary, PublishedTrafficIsOneWayAndCountsEvaluationsWhereSynchronous) {
  EXPECT_EQ(summary::summarise(twoWorkers("ssgd")).publishedTrafficMbPerSecond, 20);  // int(2 evaluations * 2 workers * 100 / 20)
  EXPECT_EQ(summary::summarise(twoWorkers("esync")).publishedTrafficMbPerSecond, 20);
  EXPECT_EQ(summary::summarise(twoWorkers("asgd")).publishedTrafficMbPerSecond, 25);  // int(5 iterations * 100 / 20)
  EXPECT_EQ(summary::summarise(twoWorkers("standalone")).publishedTrafficMbPerSecond, 0);
  summary::RunData unknown = twoWorkers();
  unknown.run.versions = "";
  EXPECT_TRUE(std::isnan(summary::summarise(unknown).publishedTrafficMbPerSecond));
  unknown.run.model = "resnet18_v1";
  EXPECT_EQ(summary::summarise(unknown).publishedTrafficMbPerSecond, 8);  // int(4 * 42.6 / 20)
}

TEST(Summary, PublishedTrafficOfOwnRunsCountsRoundsHoweverOftenTheyEvaluate) {
  summary::RunData data = twoWorkers("ssgd");
  data.evaluations.pop_back();
  EXPECT_EQ(summary::summarise(data).publishedTrafficMbPerSecond, 20);  // int(2 rounds * 2 workers * 100 / 20)
  data.run.source = "esync tree";
  EXPECT_EQ(summary::summarise(data).publishedTrafficMbPerSecond, 4);  // int(1 accuracy * 2 workers * 42.6 / 20)
}

TEST(Summary, PublishedComputingRatioIsOneLessTheAggregationShare) {
  const summary::RunSummary s = summary::summarise(twoWorkers());
  EXPECT_DOUBLE_EQ(s.nodes[0].publishedComputingRatio, 1 - 6.0 / 20);
  EXPECT_DOUBLE_EQ(s.nodes[1].publishedComputingRatio, 1 - 7.5 / 25);
}

TEST(Summary, OfARunWithoutRowsIsZerosAndNothingReached) {
  summary::RunData data;
  data.run = makeRun("r1", "empty");
  const summary::RunSummary s = summary::summarise(data);
  EXPECT_EQ(s.rounds, 0);
  EXPECT_EQ(s.wallSeconds, 0);
  EXPECT_FALSE(s.accuracyLast.has_value());
  EXPECT_FALSE(s.timeToTargetSeconds.has_value());
  data.nodes = {makeWorker("r1", "w0", 0)};
  EXPECT_EQ(summary::summarise(data).evaluator, "w0");
  EXPECT_FALSE(summary::summariesToJson({summary::summarise(data)}).empty());
}

TEST(Summary, RowsOfAnUndeclaredNodeAreNotLost) {
  summary::RunData data = twoWorkers();
  data.rounds[1].node = "w9";
  const summary::RunSummary s = summary::summarise(data);
  ASSERT_EQ(s.nodes.size(), 3U);
  EXPECT_EQ(s.nodes[2].id, "w9");
  EXPECT_EQ(s.samples, 224);
}

TEST(Summary, BrokenTimesBreakNothing) {
  summary::RunData data = twoWorkers();
  data.rounds[1].record.t = data.rounds[4].record.t = std::numeric_limits<double>::quiet_NaN();
  data.evaluations[0].record.t = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(summary::summarise(data).samples, 224);
}

TEST(Summary, LoadRunReadsAllTables) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter(folder / "a.db")
      .append(std::vector<StampedEvent>{roundEvent("r1", "w0", 1),
                                        {"r1", "w0", 2, EvaluationRecord{}},
                                        {"r1", "w0", 3, NoticeRecord{}},
                                        {"r1", "h", 1, HostLoad{}}});
  const store::StoreReader reader(folder / "a.db");
  const summary::RunData data = summary::loadRun(reader, reader.find("r1").value());
  EXPECT_EQ(data.nodes.size(), 2U);
  EXPECT_EQ(data.rounds.size() + data.evaluations.size() + data.notices.size() + data.hostLoads.size(), 4U);
}

}  // namespace
}  // namespace paceline::tests
