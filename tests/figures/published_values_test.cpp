// What papers report beside what runs gave: rows of the table, hollow marks of figures, documents. Oracles by hand.
#include "app/figures/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/results.h"
#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

summary::RunSummary reported(summary::RunSummary run, const std::string& values, const std::string& differs = "") {
  run.document = strCat(R"({"algorithm":{"id":")", run.algorithm, R"("},"batch_size":64,"nodes":[{"id":"s0","role":"server"},{"id":"w0","role":"worker"},{"id":"w1","role":"worker"}],"published":{"source":"Somebody 2020, table 1","differs":")", differs,
                        R"(","values":[)", values, "]}}");
  run.nodes = {madeNode("w0", "local", "cpu", 0.5, 0.25), madeNode("w1", "local", "cpu", 0.7, 0.45)};
  return run;
}

summary::RunSummary fast(const std::string& algorithm, double samples, const std::string& values, std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.throughputSamplesPerSecond = samples, run.publishedThroughput = std::floor(samples), run.wallSeconds = 10;
  run.trafficBytesPerSecond = 42e6, run.publishedTrafficMbPerSecond = 21;
  return reported(run, values);
}

constexpr const char* kThroughput = R"({"measure":"throughput_samples_per_s","value":100,"band":{"relative":0.1}})";

PublishedRow onlyRow(const Summaries& runs) {
  const std::vector<PublishedRow> rows = publishedRows(runs);
  EXPECT_EQ(rows.size(), 1u);
  return rows.empty() ? PublishedRow() : rows.front();
}

TEST(PublishedRows, SayPublishedOursRatioAndWhetherInside) {
  const PublishedRow row = onlyRow({fast("esync", 96, kThroughput, 1), fast("esync", 98, kThroughput, 2)});
  EXPECT_EQ(row.configuration, "ESync");
  EXPECT_EQ(row.quantity, "Samples/s");
  EXPECT_EQ(row.publishedText, "100 ± 10 %");
  EXPECT_EQ(row.oursText, "97 ± 1.4");
  EXPECT_EQ(row.ratioText, "0.97");
  EXPECT_EQ(row.insideText, "yes");
  EXPECT_EQ(row.inside, Inside::kYes);
  EXPECT_EQ(row.runs, 2);
  EXPECT_THAT(cellsOf(row), ElementsAre("ESync", "Samples/s", "100 ± 10 %", "97 ± 1.4", "0.97", "yes", "Somebody 2020, table 1"));
}

TEST(PublishedRows, TheEdgeOfTheBandIsInsideAndBeyondItIsNot) {
  EXPECT_EQ(onlyRow({fast("esync", 110, kThroughput)}).insideText, "yes");
  EXPECT_EQ(onlyRow({fast("esync", 112, kThroughput)}).insideText, "no: 12 % above");
  EXPECT_EQ(onlyRow({fast("esync", 75, kThroughput)}).insideText, "no: 25 % below");
  EXPECT_EQ(onlyRow({fast("esync", 75, R"({"measure":"throughput_samples_per_s","value":100})")}).insideText, "no band");
}

TEST(PublishedRows, AnotherSettingIsNeverCalledInsideOrOutside) {
  const PublishedRow row = onlyRow({reported(fast("esync", 100, kThroughput), kThroughput, "links took time")});
  EXPECT_EQ(row.inside, Inside::kOtherSetting);
  EXPECT_EQ(row.insideText, "another setting");
  EXPECT_EQ(row.ratioText, "1");
  EXPECT_EQ(cellsOf(row).back(), "Somebody 2020, table 1; there links took time");
}

TEST(PublishedRows, HoldForTheAlgorithmTheWorkersAndTheCellThatTheyName) {
  const auto holds = [](const std::string& condition) { return publishedRows({fast("esync", 1, strCat(R"({"measure":"throughput_samples_per_s","value":1,)", condition, "}"))}).size() == 1; };
  EXPECT_TRUE(holds(R"("algorithm":"esync")"));
  EXPECT_FALSE(holds(R"("algorithm":"ssgd")"));
  EXPECT_TRUE(holds(R"("workers":2)"));
  EXPECT_FALSE(holds(R"("workers":3)"));
  EXPECT_TRUE(holds(R"("where":{"/batch_size":64.0,"/nodes/1/id":"w0"})"));
  EXPECT_FALSE(holds(R"("where":{"/batch_size":32})"));
  EXPECT_FALSE(holds(R"("where":{"/nodes/7/id":"w0"})"));
  EXPECT_FALSE(holds(R"("where":{"/batch~size":1})"));
}

TEST(PublishedRows, WhatANewerPacelineMeasuresIsTakenForNothingElse) {
  const std::vector<PublishedRow> rows = publishedRows({fast("esync", 96, strCat(R"({"measure":"energy_j","value":3},)", kThroughput, R"(,{"measure":"loss_last","value":1,"colour":"red"})"))});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].quantity, "Samples/s");
  EXPECT_EQ(rows[1].quantity, "Last loss");  // a key that is not known changes nothing
}

TEST(PublishedRows, ATargetThatWasMissedIsNoNumber) {
  constexpr const char* kTimes = R"({"measure":"time_to_target_s","value":20,"target":0.8},{"measure":"time_to_target_s","value":9,"target":0.5})";
  summary::RunSummary run = reported(withCurve(madeRun("esync"), {{5, 0.4}, {10, 0.6}}), kTimes);
  run.improvements = {{0.4, 5}, {0.6, 10}};
  const std::vector<PublishedRow> rows = publishedRows({run});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].quantity, "Time to 80 % (s)");
  EXPECT_EQ(rows[0].oursText, "not reached");
  EXPECT_EQ(rows[0].insideText, "—");
  EXPECT_EQ(rows[1].oursText, "10");
  EXPECT_EQ(rows[1].ratioText, "1.11");
}

TEST(PublishedRows, SpeedUpsAreOverTheRunsThatTheyName) {
  constexpr const char* kUps = R"({"measure":"speedup_throughput","value":12.6,"over":"ssgd"},{"measure":"speedup_time","value":7,"over":"ssgd"})";
  summary::RunSummary esync = fast("esync", 500, kUps), ssgd = fast("ssgd", 40, "");
  esync.timeToTargetSeconds = 4, ssgd.timeToTargetSeconds = 30;
  const std::vector<PublishedRow> rows = publishedRows({esync, ssgd});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].quantity, "Speed-up over SSGD by samples/s");
  EXPECT_EQ(rows[0].oursText, "12.5");
  EXPECT_EQ(rows[1].quantity, "Speed-up over SSGD to 80 %");
  EXPECT_EQ(rows[1].oursText, "7.5");
  EXPECT_EQ(publishedRows({esync})[0].oursText, "no run of SSGD to compare with");
  ssgd.timeToTargetSeconds.reset();
  EXPECT_EQ(publishedRows({esync, ssgd})[1].oursText, "not reached by SSGD");
}

TEST(PublishedRows, ComparePublishedFormulasWithOursByTheSame) {
  constexpr const char* kBoth = R"({"measure":"traffic_mb_per_s","value":21,"formula":"script"},{"measure":"traffic_mb_per_s","value":42},{"measure":"computing_ratio","value":0.35,"formula":"script"},{"measure":"computing_ratio","value":0.7,"node":"w1"})";
  const std::vector<PublishedRow> rows = publishedRows({fast("esync", 10, kBoth)});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].quantity, "Traffic (MB/s) by the script");
  for (const PublishedRow& row : rows) EXPECT_EQ(row.ratioText, "1") << row.quantity;
  EXPECT_EQ(rows[3].quantity, "Computing time ratio of w1");
}

TEST(PublishedMarks, StandInTheCategoryOfTheirBarsWithTheirBand) {
  const Figure figure = built("throughput", {fast("esync", 96, kThroughput), fast("ssgd", 40, "")});
  ASSERT_EQ(figure.published.size(), 1u);
  const PublishedMark& mark = figure.published[0];
  EXPECT_EQ(mark.label, "ESync, published");
  EXPECT_EQ(mark.series, 0);
  EXPECT_EQ(mark.x, 0);
  EXPECT_EQ(mark.y, 100);
  EXPECT_EQ(mark.low, 90);
  EXPECT_NEAR(*mark.high, 110, 1e-9);
  EXPECT_TRUE(notes(figure, "published: Somebody 2020, table 1"));
  EXPECT_TRUE(built("throughput", {fast("ssgd", 40, "")}).published.empty());
}

TEST(PublishedMarks, AreOnlyAmongNumbersOfTheirFormula) {
  const summary::RunSummary run = fast("esync", 10, R"({"measure":"traffic_mb_per_s","value":21,"formula":"script"},{"measure":"computing_ratio","value":0.45,"formula":"script","node":"w1"})");
  const Figure measured = built("traffic", {run}), script = built("traffic", {run}, published());
  EXPECT_TRUE(measured.published.empty());
  EXPECT_TRUE(notes(measured, "published values by the script's formula are in the published variant"));
  ASSERT_EQ(script.published.size(), 1u);
  EXPECT_EQ(script.published[0].y, 21);
  EXPECT_TRUE(built("computing_ratio", {run}).published.empty());
  const Figure ratios = built("computing_ratio", {run}, published());
  ASSERT_EQ(ratios.published.size(), 1u);
  EXPECT_EQ(ratios.published[0].x, 1);  // the second device
  EXPECT_EQ(ratios.published[0].bars, "ESync");
}

TEST(PublishedMarks, OfCurvesStandAtTheirEndAndWhereTheTargetWasReached) {
  constexpr const char* kCurve = R"({"measure":"accuracy_last","value":0.85,"band":{"absolute":0.01}},{"measure":"time_to_target_s","value":240,"target":0.8,"band":{"relative":0.5}},{"measure":"time_to_target_s","value":4000,"target":0.9},{"measure":"loss_last","value":0.3})";
  const Figure figure = built("accuracy", {reported(withCurve(madeRun("esync"), {{60, 0.5}, {300, 0.82}}), kCurve)});
  ASSERT_EQ(figure.published.size(), 2u);
  EXPECT_EQ(figure.published[0].x, 5);  // minutes, as the axis
  EXPECT_EQ(figure.published[0].y, 0.85);
  EXPECT_NEAR(*figure.published[0].low, 0.84, 1e-12);
  EXPECT_FALSE(figure.published[0].lying);
  EXPECT_EQ(figure.published[1].x, 4);
  EXPECT_EQ(figure.published[1].y, 0.8);
  EXPECT_TRUE(figure.published[1].lying);
  EXPECT_EQ(figure.published[1].low, 2);
  EXPECT_EQ(figure.published[1].high, 6);
  EXPECT_TRUE(notes(figure, "ESync, published: 4000 s to 0.9 is beyond what is drawn"));
  FigureOptions rounds;
  rounds.x = XAxis::kRounds;
  EXPECT_EQ(built("accuracy", figure.lines.empty() ? Summaries() : Summaries{reported(withCurve(madeRun("esync"), {{60, 0.5}, {300, 0.82}}), kCurve)}, rounds).published.size(), 1u);
  const Figure loss = built("loss", {reported(withCurve(madeRun("esync"), {{60, 0.5}, {300, 0.82}}), kCurve)});
  ASSERT_EQ(loss.published.size(), 1u);
  EXPECT_EQ(loss.published[0].y, 0.3);
}

TEST(PublishedMarks, OfSpeedUpsAreOfTheTargetAndTheReferenceThatIsDrawn) {
  constexpr const char* kUps = R"({"measure":"speedup_time","value":7,"over":"ssgd"},{"measure":"speedup_time","value":9,"over":"asgd"},{"measure":"speedup_time","value":8,"over":"ssgd","target":0.7},{"measure":"speedup_throughput","value":1.9,"over":"standalone"})";
  summary::RunSummary esync = reported(withCurve(madeRun("esync"), {{1, 0.5}, {4, 0.9}}), kUps), ssgd = reported(withCurve(madeRun("ssgd"), {{28, 0.9}}), ""), alone = reported(withCurve(madeRun("standalone"), {{9, 0.9}}), "");
  const Figure figure = built("speedup", {esync, ssgd});
  ASSERT_EQ(figure.published.size(), 1u);
  EXPECT_EQ(figure.published[0].y, 7);
  EXPECT_TRUE(notes(figure, "a published value is of the target 0.7, not 0.8"));
  esync.throughputSamplesPerSecond = 180, alone.throughputSamplesPerSecond = 100;
  const Figure scaling = built("scaling_workers", {esync, alone});
  ASSERT_EQ(scaling.published.size(), 1u);
  EXPECT_EQ(scaling.published[0].x, 2);
  EXPECT_EQ(scaling.published[0].y, 1.9);
}

TEST(PublishedMarks, AreInTheDocumentsOfAFigureUnderTheirOwnName) {
  const Figure figure = built("throughput", {fast("esync", 96, kThroughput)});
  const std::string json = figureToJson(figure);
  EXPECT_EQ(figureToJson(parseFigure(json)), json);
  ASSERT_EQ(parseFigure(json).published.size(), 1u);
  EXPECT_EQ(parseFigure(json).published[0].source, "Somebody 2020, table 1");
  EXPECT_THAT(figureToCsv(figure), HasSubstr("ESync,ESync,96\r\n\"ESync, published\",ESync,100\r\n\"ESync, published lower\",ESync,90\r\n"));
  EXPECT_THAT(figureToJson(built("throughput", {fast("ssgd", 40, "")})), Not(HasSubstr("\"published\": [")));
}

TEST(PublishedResults, AreColumnsOfTheCsvAndATableOfTheLatex) {
  const Results results = tabulate({fast("esync", 96, kThroughput), fast("ssgd", 40, "")});
  ASSERT_EQ(results.published.size(), 1u);
  const std::string csv = resultsToCsv(results);
  EXPECT_THAT(csv, HasSubstr(",published Samples/s,ours Samples/s,inside Samples/s\r\n"));
  EXPECT_THAT(csv, HasSubstr(",100,96,yes\r\n"));
  EXPECT_THAT(csv, HasSubstr(",,,\r\n"));  // SSGD: nothing is reported
  const std::string latex = resultsToLatex(results);
  EXPECT_THAT(latex, HasSubstr("ESync & Samples/s & 100 $\\pm$ 10 \\% & 96 & 0.96 & yes & {[}1] \\\\"));
  EXPECT_THAT(latex, HasSubstr("\\par{\\footnotesize {[}1] Somebody 2020, table 1}"));
  EXPECT_THAT(resultsToLatex(tabulate({fast("ssgd", 40, "")})), Not(HasSubstr("published")));
  EXPECT_THAT(publishedToJson(results.published), HasSubstr("\"inside\": true"));
}

}  // namespace
}  // namespace paceline::tests
