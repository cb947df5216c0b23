// Every figure of the registry in both variants: whatever runs it is given, it is well formed, says why it is empty, and survives
// its documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/figures/figure_pieces.h"
#include "tests/figures/made_lanes.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

summary::RunSummary fullRun(const std::string& algorithm, std::uint64_t seed, bool broken = false) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.partition = seed % 2 == 0 ? "by_class" : "iid";
  run.document = R"({"nodes":[{"id":"w0","role":"worker","emulate":{"bandwidth_mbps":100.0}},{"id":"w1","role":"worker"}],"published":{"source":"Somebody 2020","values":[
    {"measure":"accuracy_last","value":0.9},{"measure":"accuracy_best","value":0.91,"band":{"absolute":0.01}},{"measure":"loss_last","value":0.3},{"measure":"time_to_target_s","value":700,"band":{"relative":0.1}},
    {"measure":"throughput_samples_per_s","value":120,"band":{"relative":0.1}},{"measure":"traffic_mb_per_s","value":21},{"measure":"traffic_mb_per_s","value":22,"formula":"script"},
    {"measure":"computing_ratio","value":0.5,"node":"w1"},{"measure":"computing_ratio","value":0.3,"node":"w1","formula":"script"},{"measure":"speedup_time","value":7,"over":"ssgd"},{"measure":"speedup_throughput","value":2,"over":"standalone"}]}})";
  run.groupHash = algorithm;  // seeds of one configuration, whatever the partition says
  std::vector<std::pair<double, double>> points;
  for (int i = 1; i <= 80; ++i) points.emplace_back(10.0 * i + static_cast<double>(seed), broken && i % 3 == 0 ? NAN : 0.011 * i);
  run = withCurve(run, points);
  const double number = broken ? NAN : 100.0 + static_cast<double>(seed);
  run.throughputSamplesPerSecond = run.trafficBytesPerSecond = run.publishedThroughput = run.publishedTrafficMbPerSecond = number;
  run.nodes = {madeNode("w0", "local", "cpu", broken ? NAN : 0.5, broken ? NAN : 0.25),
               madeNode("w1", "far", "cuda:0", 0.5, 0.25)};
  run.nodes[0].labelCounts = {10, 0, 5}, run.nodes[1].labelCounts = {0, broken ? 0 : 10, 5};
  for (std::int64_t round = 1; round <= 80; ++round)
    for (summary::NodeSummary& node : run.nodes) {
      node.localSteps.emplace_back(round, 1 + round % 3);
      ++node.stalenessRounds[round % 5 * static_cast<std::int64_t>(seed)];
    }
  for (std::size_t i = 0; i < run.curve.size(); ++i) {
    summary::CurvePoint point = run.curve[i];
    point.consensus = broken && i % 2 == 0 ? NAN : 1.0 / static_cast<double>(i + 1);
    run.curve.set(i, point);
    point.value = broken && i % 2 == 0 ? NAN : 2.0 * static_cast<double>(i);
    point.kept = broken && i % 2 == 0 ? NAN : 0.25 / static_cast<double>(i + 1);
    run.exchanged.push_back(point);
  }
  run.timeline = std::make_shared<const summary::RunData>(evaluatedRun());
  for (const char* name : {"drift", kGradientCosine, kGradientNorm, kUpdateNorm}) run.metrics.push_back({.name = name, .points = run.exchanged});
  run.lossLast = broken ? NAN : 0.12;
  run.bytesSentPerRound = run.bytesReceivedPerRound = broken ? NAN : 1e6;
  run.edges = {{.node = "w0", .peer = "w1", .exchanges = 80, .ageMean = broken ? NAN : 1.5, .bytesSent = 100, .bytesReceived = 200, .lost = 0},
               {.node = "w1", .peer = "w0", .exchanges = 79, .ageMean = 2.5, .bytesSent = 200, .bytesReceived = 100, .lost = 1}};
  return run;
}

void expectWellFormed(const Figure& figure, const std::string& id) {
  EXPECT_EQ(figure.id, id);
  EXPECT_FALSE(figure.title.empty());
  if (figure.empty()) {
    ASSERT_FALSE(figure.notes.empty());
    EXPECT_TRUE(figure.notes.front().starts_with("nothing to draw: ")) << figure.notes.front();
  }
  std::set<std::string> seen;
  for (const Line& line : figure.lines) {
    EXPECT_TRUE(seen.insert(line.label).second) << line.label;
    EXPECT_EQ(line.x.size(), line.y.size());
    EXPECT_EQ(line.rawX.size(), line.rawY.size());
    for (const std::size_t marker : line.markers) EXPECT_LT(marker, line.x.size());
    EXPECT_FALSE(line.x.empty());
    for (const double y : line.y) EXPECT_FALSE(std::isinf(y));
  }
  for (const Band& band : figure.bands) {
    EXPECT_EQ(band.x.size(), band.lower.size());
    EXPECT_EQ(band.x.size(), band.upper.size());
    EXPECT_FALSE(band.label.empty());
  }
  for (const BarSet& bars : figure.bars) {
    EXPECT_EQ(bars.values.size(), figure.x.categories.size());
    EXPECT_TRUE(bars.texts.empty() || bars.texts.size() == bars.values.size());
  }
  for (const SpanSet& set : figure.spans) {
    EXPECT_EQ(set.begin.size(), set.rows.size());
    EXPECT_EQ(set.end.size(), set.rows.size());
    for (const std::size_t row : set.rows) EXPECT_LT(row, figure.y.categories.size());
  }
  for (const PublishedMark& mark : figure.published) {
    EXPECT_TRUE(mark.label.ends_with("published")) << mark.label;
    EXPECT_TRUE(std::isfinite(mark.x) && std::isfinite(mark.y)) << mark.label;
    EXPECT_EQ(mark.low.has_value(), mark.high.has_value());
    EXPECT_LE(mark.low.value_or(0), mark.high.value_or(0));
    EXPECT_FALSE(mark.source.empty());
    EXPECT_TRUE(figure.bars.empty() || mark.x < static_cast<double>(figure.x.categories.size())) << mark.x;
  }
  for (const Line& line : figure.lines) EXPECT_TRUE(figure.axes.empty() || line.y.size() == figure.axes.size()) << line.label;
  EXPECT_EQ(figureToJson(parseFigure(figureToJson(figure))), figureToJson(figure));
  std::string pieces;
  writeFigureJson(figure, [&pieces](std::string_view piece) { pieces += piece; });
  EXPECT_EQ(pieces, figureToJson(figure));
  EXPECT_EQ(figureToCsv(figure).substr(0, 12), "series,x,y\r\n");
}

class EveryFigure : public ::testing::TestWithParam<std::tuple<std::string, Variant>> {
 protected:
  Figure build(const std::vector<summary::RunSummary>& runs) {
    FigureOptions options;
    options.variant = std::get<1>(GetParam());
    const Figure figure = built(std::get<0>(GetParam()), runs, options);
    EXPECT_EQ(figure.variant, options.variant);
    expectWellFormed(figure, std::get<0>(GetParam()));
    return figure;
  }
};

TEST_P(EveryFigure, OfNothingIsEmptyWithANote) {
  const Figure figure = build({});
  EXPECT_TRUE(figure.empty());
  EXPECT_FALSE(figure.notes.empty());
}

TEST_P(EveryFigure, TakesARunWithoutAnyRecord) { build({madeRun("esync")}); }

TEST_P(EveryFigure, DrawsOneRun) {
  summary::RunSummary run = fullRun("esync", 1);
  if (std::get<0>(GetParam()) == "accuracy_non_iid") run.partition = "by_class";
  EXPECT_FALSE(build({run}).empty());
}

TEST_P(EveryFigure, SurvivesNumbersThatAreNone) {
  build({fullRun("esync", 1, true), fullRun("ssgd", 2, true), fullRun("standalone", 1, true)});
}

TEST_P(EveryFigure, TakesTwentySeeds) {
  std::vector<summary::RunSummary> runs;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const char* algorithm : {"esync", "ssgd"}) runs.push_back(fullRun(algorithm, seed));
  EXPECT_FALSE(build(runs).empty());
}

TEST_P(EveryFigure, ReadsNoMoreOfASummaryThanItSays) {
  const std::vector<summary::RunSummary> whole = {fullRun("esync", 1), fullRun("esync", 2), fullRun("ssgd", 1), fullRun("standalone", 1)};
  const FigureDef* figure = findFigure(std::get<0>(GetParam()));
  for (const XAxis x : {XAxis::kTime, XAxis::kRounds, XAxis::kEpochs, XAxis::kSamples, XAxis::kBytes}) {
    FigureOptions options;
    options.variant = std::get<1>(GetParam()), options.x = x;
    std::vector<summary::RunSummary> parts = whole;
    for (summary::RunSummary& run : parts) summary::keepOnly(run, figure->reads(options));
    EXPECT_EQ(figureToJson(figure->build(parts, options)), figureToJson(figure->build(whole, options))) << static_cast<int>(x);
  }
}

TEST_P(EveryFigure, TakesAlgorithmsItNeverHeardOf) { build({fullRun("future", 1), fullRun("", 1), fullRun("dgs", 1)}); }

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const FigureDef& figure : figures()) all.push_back(figure.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFigure,
                         ::testing::Combine(::testing::ValuesIn(ids()),
                                            ::testing::Values(Variant::kCorrected, Variant::kPublished)),
                         [](const auto& entry) {
                           return std::get<0>(entry.param) +
                                  (std::get<1>(entry.param) == Variant::kPublished ? "_published" : "_corrected");
                         });

TEST(FigureRegistry, HasUniqueIdsAndDescriptions) {
  std::set<std::string> seen;
  for (const FigureDef& figure : figures()) {
    EXPECT_TRUE(seen.insert(figure.id).second) << figure.id;
    EXPECT_FALSE(figure.title.empty());
    EXPECT_FALSE(figure.summary.empty());
  }
  EXPECT_EQ(findFigure("nothing"), nullptr);
  EXPECT_EQ(findFigure("accuracy")->id, "accuracy");
}

TEST(Series, FollowThePublishedOrder) {
  EXPECT_EQ(seriesOf("esync"), 0);
  EXPECT_EQ(seriesOf("ssgd"), 1);
  EXPECT_EQ(seriesOf("asgd"), 2);
  EXPECT_EQ(seriesOf("dc_asgd"), 3);
  EXPECT_EQ(seriesOf("standalone"), 4);
  EXPECT_EQ(displayName("dc_asgd"), "DC-ASGD");
  EXPECT_EQ(displayName("mine"), "mine");
}

}  // namespace
}  // namespace paceline::tests
