// Speed-up against the number of workers and the bandwidth: which runs are a line, and over what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

// So many workers behind links of so many Mbit/s (0: none is emulated).
summary::RunSummary scaled(const std::string& algorithm, int workers, double rate, double megabits = 0, std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.id = strCat(algorithm, workers, "-", megabits, "-", seed), run.throughputSamplesPerSecond = rate;
  std::string nodes = R"({"id":"s0","role":"server"})";
  for (int i = 0; i < workers; ++i) {
    run.nodes.push_back(madeNode(strCat("w", i), "local", "cpu", 0.5, 0.5));
    nodes += strCat(R"(,{"id":"w)", i, R"(","role":"worker")", megabits > 0 ? strCat(R"(,"emulate":{"bandwidth_mbps":)", megabits, "}") : "", "}");
  }
  run.document = strCat(R"({"name":"n)", workers, R"(","seed":)", seed, R"(,"algorithm":{"id":")", algorithm, R"("},"nodes":[)", nodes, "]}");
  run.groupHash = strCat(algorithm, workers, megabits);
  return run;
}

TEST(Scaling, IsOverOneWorkerAlone) {
  const Figure figure = built("scaling_workers", {scaled("ssgd", 4, 300), scaled("dgs", 2, 190), scaled("standalone", 1, 100), scaled("ssgd", 2, 180), scaled("dgs", 4, 370)});
  EXPECT_THAT(labels(figure), ElementsAre("SSGD", "DGS", "ideal"));
  EXPECT_THAT(figure.lines[0].x, ElementsAre(2, 4));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(DoubleEq(1.8), DoubleEq(3)));
  EXPECT_THAT(figure.lines[1].y, ElementsAre(DoubleEq(1.9), DoubleEq(3.7)));
  EXPECT_THAT(figure.lines[2].y, ElementsAre(1, 4));
  EXPECT_TRUE(figure.lines[2].faint);
  EXPECT_EQ(figure.y.title, "speed-up over stand-alone");
  EXPECT_TRUE(figure.bands.empty());
}

TEST(Scaling, WithoutOneItIsOverTheSmallestOfItsOwn) {
  const Figure figure = built("scaling_workers", {scaled("ssgd", 2, 200), scaled("ssgd", 8, 500)});
  EXPECT_THAT(figure.lines.at(0).y, ElementsAre(DoubleEq(1), DoubleEq(2.5)));
  EXPECT_TRUE(notes(figure, "samples/s over its own with 2 workers (200)"));
  EXPECT_EQ(figure.lines.size(), 1U) << "no ideal without one worker's rate";
}

TEST(Scaling, SeedsAreMeanAndBand) {
  const Figure figure = built("scaling_workers", {scaled("standalone", 1, 100), scaled("ssgd", 2, 180, 0, 1), scaled("ssgd", 2, 220, 0, 2), scaled("ssgd", 4, 400)});
  EXPECT_THAT(figure.lines.at(0).y, ElementsAre(DoubleEq(2), DoubleEq(4)));
  ASSERT_EQ(figure.bands.size(), 1U);
  EXPECT_NEAR(figure.bands[0].upper[0] - figure.bands[0].lower[0], 2 * std::sqrt(0.08), 1e-12);
  EXPECT_EQ(figure.bands[0].label, "SSGD ± std of up to 2 seeds");
}

TEST(Scaling, AgainstBandwidthIsALineForEachNumberOfWorkers) {
  const Figure figure = built("scaling_bandwidth", {scaled("ssgd", 2, 50, 100), scaled("ssgd", 2, 100, 1000), scaled("ssgd", 4, 60, 100), scaled("ssgd", 4, 180, 1000), scaled("ssgd", 4, 200)});
  EXPECT_THAT(labels(figure), ElementsAre("2 workers", "4 workers"));
  EXPECT_THAT(figure.lines[0].x, ElementsAre(100, 1000));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(DoubleEq(0.5), DoubleEq(1)));
  EXPECT_TRUE(notes(figure, "left out, its document emulates no bandwidth"));
}

TEST(Scaling, TheReferenceMayBeChosen) {
  FigureOptions options;
  options.reference = "ssgd2-0-1";
  const Figure figure = built("scaling_workers", {scaled("ssgd", 2, 200), scaled("ssgd", 8, 500), scaled("asgd", 8, 1000), scaled("asgd", 2, 400)}, options);
  EXPECT_THAT(figure.lines.at(1).y, ElementsAre(DoubleEq(2), DoubleEq(5)));
  EXPECT_EQ(figure.y.title, "speed-up over SSGD");
  EXPECT_EQ(figure.lines.size(), 2U) << "no ideal: the reference has two workers";
}

TEST(Scaling, SaysThatNothingVaries) {
  EXPECT_EQ(built("scaling_workers", {scaled("ssgd", 4, 300), scaled("esync", 4, 900)}).notes.front(), "one point a line: the number of workers does not vary between runs that are alike otherwise");
  EXPECT_FALSE(notes(built("scaling_workers", {scaled("ssgd", 4, 300), scaled("ssgd", 2, 180)}), "one point a line"));
}

TEST(Scaling, SaysWhyThereIsNothing) {
  EXPECT_TRUE(notes(built("scaling_bandwidth", {scaled("ssgd", 2, 100)}), "nothing to draw: no run with rounds whose document emulates a bandwidth"));
  EXPECT_TRUE(notes(built("scaling_workers", {scaled("standalone", 1, 100)}), "nothing to draw: no run of several workers with rounds"));
}

}  // namespace
}  // namespace paceline::tests
