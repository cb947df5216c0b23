#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

std::vector<summary::RunSummary> fourRuns() {
  std::vector<summary::RunSummary> runs;
  double factor = 1;
  for (const char* algorithm : {"dc_asgd", "asgd", "ssgd", "esync"}) {
    summary::RunSummary run = madeRun(algorithm);
    run.throughputSamplesPerSecond = 100.5 * factor;
    run.trafficBytesPerSecond = 1.5e6 * factor;
    run.publishedThroughput = 99 * factor;
    run.publishedTrafficMbPerSecond = 21 * factor;
    run.nodes = {madeNode("w0", "local", "cpu", 0.5 / factor, 0.25 / factor),
                 madeNode("w1", "local", "cpu", 0.75 / factor, 0.125 / factor)};
    runs.push_back(run);
    factor *= 2;
  }
  return runs;
}

// The one bar of each set.
std::vector<double> heights(const Figure& figure) {
  std::vector<double> all;
  for (const BarSet& bars : figure.bars)
    for (const double value : bars.values)
      if (!std::isnan(value)) all.push_back(value);
  return all;
}

TEST(ThroughputFigure, DrawsMeasuredSamplesInTheFixedOrder) {
  const Figure figure = built("throughput", fourRuns());
  EXPECT_THAT(figure.x.categories, ElementsAre("ESync", "SSGD", "ASGD", "DC-ASGD"));
  EXPECT_THAT(heights(figure), ElementsAre(804, 402, 201, 100.5));
  EXPECT_THAT(figure.bars[0].texts, ElementsAre("804", "", "", ""));
  EXPECT_EQ(figure.bars[3].series, 3);
  for (const BarSet& bars : figure.bars) EXPECT_EQ(bars.values.size(), 4u);
}

TEST(ThroughputFigure, PublishedTakesTheScriptsNumber) {
  const Figure figure = built("throughput", fourRuns(), published());
  EXPECT_THAT(heights(figure), ElementsAre(792, 396, 198, 99));
  EXPECT_EQ(figure.y.title, "samples per second");
  EXPECT_TRUE(notes(figure, "drawer.py"));
}

TEST(TrafficFigure, DrawsMeasuredMegabytesBothWays) {
  const Figure figure = built("traffic", fourRuns());
  EXPECT_THAT(heights(figure), ElementsAre(12, 6, 3, 1.5));
  EXPECT_EQ(figure.y.title, "MB per second");
}

TEST(TrafficFigure, PublishedTakesTheScriptsNumber) {
  EXPECT_THAT(heights(built("traffic", fourRuns(), published())), ElementsAre(168, 84, 42, 21));
}

TEST(ComputingRatioFigure, GroupsAlgorithmsByWorker) {
  const Figure figure = built("computing_ratio", fourRuns());
  EXPECT_THAT(figure.x.categories, ElementsAre("w0 (cpu)", "w1 (cpu)"));
  EXPECT_THAT(labels(figure), ElementsAre("ESync", "SSGD", "ASGD", "DC-ASGD"));
  EXPECT_THAT(figure.bars[3].values, ElementsAre(0.5, 0.75));
  EXPECT_THAT(figure.bars[0].values, ElementsAre(0.0625, 0.09375));
}

TEST(ComputingRatioFigure, PublishedGroupsWorkersByAlgorithmWithoutTickLabels) {
  const Figure figure = built("computing_ratio", fourRuns(), published());
  EXPECT_EQ(figure.x.categories, std::vector<std::string>(11));  // 4 x 2 bars, 3 gaps
  EXPECT_EQ(figure.bars[1].values[3], 0.25 / 4);
  EXPECT_EQ(figure.bars[1].values[4], 0.125 / 4);
  EXPECT_TRUE(std::isnan(figure.bars[1].values[2]));
  EXPECT_TRUE(std::isnan(figure.bars[1].values[5]));
  EXPECT_EQ(figure.bars[3].values[10], 0.125);
}

TEST(ComputingRatioFigure, PublishedOrdersDevicesAsTheScript) {
  summary::RunSummary run = madeRun("esync");
  double ratio = 0.1;
  for (const auto& [host, device] : std::vector<std::pair<std::string, std::string>>{
           {"cloud1", "cpu"}, {"cloud1", "gpu0"}, {"cloud1", "gpu1"}, {"cloud3", "cpu"}, {"cloud3", "gpu0"}, {"cloud3", "gpu1"}})
    run.nodes.push_back(madeNode(host + "-" + device, host, device, 0, ratio += 0.1));
  const Figure figure = built("computing_ratio", {run}, published());
  EXPECT_TRUE(notes(
      figure,
      "devices from the left: cloud3/cloud3-gpu0 cloud3/cloud3-gpu1 cloud3/cloud3-cpu cloud1/cloud1-gpu0 cloud1/cloud1-gpu1 "
      "cloud1/cloud1-cpu"));
  EXPECT_NEAR(figure.bars[0].values[0], 0.6, 1e-12);
}

TEST(ComputingRatioFigure, SeedsGiveTheMean) {
  summary::RunSummary one = madeRun("esync", 1), two = madeRun("esync", 2);
  one.nodes = {madeNode("w0", "local", "cpu", 0.5, 0)};
  two.nodes = {madeNode("w0", "local", "cpu", 1.0, 0)};
  const Figure figure = built("computing_ratio", {one, two});
  EXPECT_THAT(figure.bars[0].values, ElementsAre(0.75));
  EXPECT_THAT(figure.bars[0].texts, ElementsAre("± 0.35"));
}

// 99.7 rounded to two digits is 100, not 1e+02.
TEST(ThroughputFigure, ADeviationJustBelowAHundredIsAPlainNumber) {
  summary::RunSummary one = madeRun("esync", 1), two = madeRun("esync", 2);
  one.throughputSamplesPerSecond = 1000.5, two.throughputSamplesPerSecond = 1141.5;
  EXPECT_THAT(built("throughput", {one, two}).bars[0].texts, ElementsAre("1071 ± 100"));
}

TEST(ThroughputFigure, ARunWithoutRoundsHasNoRateOfZero) {
  const Figure figure = built("throughput", {madeRun("esync")});
  EXPECT_TRUE(figure.empty());
  EXPECT_EQ(figure.notes.front(), "nothing to draw: no rounds recorded");
}

TEST(ComputingRatioFigure, OfImportsWithoutTimesSaysSo) {
  summary::RunSummary run = madeRun("esync");
  run.nodes = {madeNode("w0", "local", "cpu", NAN, NAN)};
  const Figure figure = built("computing_ratio", {run});
  EXPECT_TRUE(figure.empty());
  EXPECT_EQ(figure.notes.front(), "nothing to draw: the times of the workers' rounds are not recorded");
}

TEST(Bars, OfARunInProgressSayThatThereIsNothingYet) {
  summary::RunSummary run = madeRun("esync");
  run.state = "running";
  EXPECT_EQ(built("throughput", {run}).notes.front(), "nothing to draw: no rounds recorded; demo esync seed 1 is running and has recorded none of it yet");
}

TEST(Bars, WithoutANumberSayWhy) {
  summary::RunSummary run = madeRun("esync");
  run.throughputSamplesPerSecond = NAN;
  const Figure figure = built("throughput", {run});
  EXPECT_TRUE(std::isnan(figure.bars[0].values[0]));
  EXPECT_EQ(figure.bars[0].texts[0], "not finite");
}

}  // namespace
}  // namespace paceline::tests
