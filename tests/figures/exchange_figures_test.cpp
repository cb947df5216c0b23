// Staleness, kept fraction, consensus, bytes per round and edges: their numbers and what they say when there is nothing to draw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

summary::RunSummary staled(const std::string& algorithm, std::map<std::int64_t, std::int64_t> first, std::map<std::int64_t, std::int64_t> second,
                  std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.nodes = {madeNode("w0", "local", "cpu", 1, 1), madeNode("w1", "local", "cpu", 1, 1)};
  run.nodes[0].stalenessRounds = std::move(first);
  run.nodes[1].stalenessRounds = std::move(second);
  return run;
}

TEST(StalenessFigure, IsTheShareOfAllWorkersRounds) {
  const Figure figure = built("staleness", {staled("asgd", {{0, 1}, {2, 3}}, {{2, 4}}), staled("ssgd", {{0, 5}}, {{0, 5}})});
  EXPECT_THAT(figure.x.categories, ElementsAre("0", "1", "2"));
  EXPECT_THAT(labels(figure), ElementsAre("SSGD", "ASGD"));
  EXPECT_THAT(figure.bars[0].values, ElementsAre(1, 0, 0));
  EXPECT_THAT(figure.bars[1].values, ElementsAre(DoubleEq(1.0 / 8), 0, DoubleEq(7.0 / 8)));
  EXPECT_TRUE(notes(figure, "SSGD: every round is up to date"));
}

TEST(StalenessFigure, ManyValuesShareBarsAndLoseNoRound) {
  std::map<std::int64_t, std::int64_t> many;
  for (std::int64_t s = 0; s <= 1000; ++s) many[s] = 1;
  const Figure figure = built("staleness", {staled("asgd", many, {})});
  ASSERT_LE(figure.x.categories.size(), 41u);
  EXPECT_EQ(figure.x.categories.front(), "0–25");
  double sum = 0;
  for (const double value : figure.bars[0].values) sum += value;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(figure.bars[0].values[0], 26.0 / 1001, 1e-15);
}

TEST(StalenessFigure, SeedsArePooled) {
  const Figure figure = built("staleness", {staled("asgd", {{0, 3}}, {}, 1), staled("asgd", {{1, 1}}, {}, 2)});
  EXPECT_THAT(figure.bars[0].values, ElementsAre(0.75, 0.25));
  EXPECT_TRUE(notes(figure, "rounds of 2 seeds together"));
}

TEST(StalenessFigure, WithoutRoundsSaysSo) {
  EXPECT_TRUE(notes(built("staleness", {staled("asgd", {}, {})}), "nothing to draw: no rounds recorded"));
}

summary::RunSummary recording(const std::string& algorithm, const std::vector<std::string>& names) {
  summary::RunSummary run = madeRun(algorithm);
  for (const std::string& name : names) {
    summary::MetricCurve& metric = run.metrics.emplace_back(summary::MetricCurve{.name = name, .points = {}});
    for (const double at : {1.0, 2.0}) {
      summary::CurvePoint point;
      point.seconds = at, point.samples = static_cast<std::int64_t>(100 * at), point.value = at / 4 + static_cast<double>(name.size());
      metric.points.push_back(point);
    }
  }
  return run;
}

TEST(MetricFigure, DrawsTheNamedMetricOverAnyAxis) {
  FigureOptions options;
  options.metric = "drift", options.x = XAxis::kSamples;
  const Figure figure = built("metric", {recording("local_sgd", {"drift", "norm"}), recording("esync", {"norm"})}, options);
  EXPECT_EQ(figure.title, "drift");
  ASSERT_EQ(figure.lines.size(), 1u);
  EXPECT_THAT(figure.lines[0].x, ElementsAre(100, 200));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(5.25, 5.5));
  EXPECT_TRUE(notes(figure, "demo esync seed 1: left out, it records no drift"));
}

TEST(MetricFigure, WithoutANameIsTheFirstAndNamesAll) {
  const Figure figure = built("metric", {recording("local_sgd", {"norm", "drift"})});
  EXPECT_EQ(figure.title, "drift");
  EXPECT_TRUE(notes(figure, "recorded: drift, norm; this is the first"));
  EXPECT_TRUE(notes(built("metric", {madeRun("ssgd")}), "nothing to draw: no run with a metric of its method's own"));
}

TEST(NormFigures, AreOfTheRunsThatRecordNorms) {
  for (const char* id : {"gradient_norm", "update_norm", "gradient_cosine"}) {
    const Figure figure = built(id, {recording("ssgd", {id, "drift"}), recording("esync", {"drift"})});
    EXPECT_EQ(figure.id, id);
    ASSERT_EQ(figure.lines.size(), 1u) << id;
    EXPECT_EQ(figure.lines[0].y[1] - figure.lines[0].y[0], 0.25) << id;
    EXPECT_TRUE(notes(figure, "demo esync seed 1: left out, its document records no norms"));
    EXPECT_TRUE(notes(built(id, {recording("esync", {"drift"})}), "nothing to draw: no run that records norms"));
  }
  EXPECT_THAT(metricNames({recording("ssgd", {"drift", "gradient_norm", "gradient_norm.conv1.weight"})}), ElementsAre("drift", "gradient_norm.conv1.weight"));
}

TEST(BytesPerRoundFigure, HasSentAndReceivedInOneUnit) {
  summary::RunSummary ssgd = madeRun("ssgd"), dgs = madeRun("dgs");
  ssgd.bytesSentPerRound = 2.5e6, ssgd.bytesReceivedPerRound = 3e6;
  dgs.bytesSentPerRound = 25e3, dgs.bytesReceivedPerRound = 50e3;
  const Figure figure = built("bytes_per_round", {dgs, ssgd});
  EXPECT_EQ(figure.y.title, "MB per round of one worker");
  EXPECT_THAT(figure.x.categories, ElementsAre("SSGD", "DGS"));
  EXPECT_THAT(labels(figure), ElementsAre("sent", "received"));
  EXPECT_THAT(figure.bars[0].values, ElementsAre(2.5, 0.025));
  EXPECT_THAT(figure.bars[1].values, ElementsAre(3, 0.05));
  EXPECT_EQ(built("bytes_per_round", {dgs}).y.title, "kB per round of one worker");
}

TEST(BytesPerRoundFigure, WritesPlainNumbersAndNoRounding) {
  std::vector<summary::RunSummary> runs;
  for (const std::uint64_t seed : {1, 2, 3}) {
    runs.push_back(madeRun("ssgd", seed));
    runs.back().bytesSentPerRound = 63.8e3, runs.back().bytesReceivedPerRound = 999.7e3;
  }
  const Figure figure = built("bytes_per_round", runs);
  EXPECT_TRUE(notes(figure, "sent: 63.8 ± 0 kB"));
  EXPECT_THAT(figure.bars[1].texts, ElementsAre("1000"));
}

TEST(BytesPerRoundFigure, NamesRunsWithoutRounds) {
  summary::RunSummary ssgd = madeRun("ssgd");
  ssgd.bytesSentPerRound = ssgd.bytesReceivedPerRound = 10;
  const Figure figure = built("bytes_per_round", {ssgd, madeRun("dgs")});
  EXPECT_THAT(figure.x.categories, ElementsAre("SSGD"));
  EXPECT_TRUE(notes(figure, "DGS: left out, no rounds recorded"));
}

TEST(KeptFractionFigure, DrawsWhatWasExchangedAndNotTheEvaluations) {
  summary::RunSummary dgc = withCurve(madeRun("dgc"), {{10, 0.5}, {20, 0.6}, {30, 0.7}});
  for (const double kept : {0.25, 0.0625}) dgc.exchanged.push_back({.round = static_cast<std::int64_t>(dgc.exchanged.size()) + 1, .seconds = 5, .kept = kept});
  FigureOptions options;
  options.x = XAxis::kRounds;
  const Figure figure = built("kept_fraction", {dgc, withCurve(madeRun("ssgd"), {{10, 0.5}})}, options);
  ASSERT_EQ(figure.lines.size(), 1u);
  EXPECT_THAT(figure.lines[0].x, ElementsAre(1, 2));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(0.25, 0.0625));
  EXPECT_TRUE(notes(figure, "demo ssgd seed 1: left out, its method sends everything"));
}

TEST(ConsensusFigure, DrawsOnlyRunsThatRecordedIt) {
  summary::RunSummary pdmm = withCurve(madeRun("pdmm_isvr"), {{10, 0.5}, {20, 0.6}});
  for (const auto& [i, consensus] : {std::pair(0U, 4.0), std::pair(1U, 1.0)}) {
    summary::CurvePoint point = pdmm.curve[i];
    point.consensus = consensus;
    pdmm.curve.set(i, point);
  }
  const Figure figure = built("consensus", {pdmm, withCurve(madeRun("ssgd"), {{10, 0.5}})});
  ASSERT_EQ(figure.lines.size(), 1u);
  EXPECT_THAT(figure.lines[0].y, ElementsAre(4, 1));
  EXPECT_TRUE(notes(figure, "demo ssgd seed 1: left out"));
  const Figure nothing = built("consensus", {withCurve(madeRun("ssgd"), {{10, 0.5}})});
  EXPECT_TRUE(nothing.empty());
  EXPECT_TRUE(notes(nothing, "nothing to draw: no run with a consensus distance"));
}

TEST(EdgeFigures, HaveABarForEachDirection) {
  summary::RunSummary pdmm = madeRun("pdmm_isvr"), dsgd = madeRun("d_sgd");
  pdmm.edges = {{.node = "w0", .peer = "w1", .exchanges = 5, .ageMean = 1.5, .bytesSent = 1, .bytesReceived = 3'000'000, .lost = 0},
                {.node = "w1", .peer = "w0", .exchanges = 5, .ageMean = 4, .bytesSent = 1, .bytesReceived = 1'000'000, .lost = 2}};
  dsgd.edges = {{.node = "w1", .peer = "w0", .exchanges = 5, .ageMean = 2, .bytesSent = 1, .bytesReceived = 1, .lost = 0}};
  const Figure age = built("edge_age", {pdmm, dsgd});
  EXPECT_THAT(age.x.categories, ElementsAre("w0 → w1", "w1 → w0"));
  EXPECT_THAT(labels(age), ElementsAre("D-SGD", "PDMM-ISVR"));
  EXPECT_EQ(age.bars[0].values[0], 2);
  EXPECT_TRUE(std::isnan(age.bars[0].values[1]));
  EXPECT_THAT(age.bars[1].values, ElementsAre(4, 1.5));
  EXPECT_TRUE(notes(age, "PDMM-ISVR, w0 → w1: w0 was unreachable at times"));
  EXPECT_THAT(built("edge_traffic", {pdmm}).bars[0].values, ElementsAre(3, 1));
  EXPECT_TRUE(notes(built("edge_age", {madeRun("ssgd")}), "nothing to draw"));
}

TEST(LocalStepsFigure, AnEvaluatorNodeIsNoWorker) {
  summary::RunSummary run = madeRun("esync");
  run.nodes = {madeNode("w0", "local", "cpu", 0.5, 0.5), madeNode("e0", "local", "cpu", NAN, NAN)};
  run.nodes[0].localSteps = {{1, 3}};
  run.nodes[1].role = "evaluator";
  EXPECT_THAT(labels(built("local_steps", {run})), ElementsAre("w0"));
  EXPECT_THAT(built("computing_ratio", {run}).x.categories, ElementsAre("w0 (cpu)"));
  EXPECT_EQ(built("computing_ratio", {run}, published()).x.categories.size(), 1u);
}

}  // namespace
}  // namespace paceline::tests
