// Parallel coordinates: which axes a sweep has, in which order, and where its runs stand on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

summary::RunSummary point(const std::string& algorithm, int batch, double slowdown, double accuracy, double samples, std::uint64_t seed = 1) {
  summary::RunSummary run = madeRun(algorithm, seed);
  run.id += strCat("-", batch, "-", slowdown);
  run.name = strCat(algorithm, " batch ", batch, " slow ", slowdown);
  run.document = strCat(R"({"name":")", run.name, R"(","seed":)", seed, R"(,"algorithm":{"id":")", algorithm, R"(","params":{)", algorithm == "esync" ? R"("local_lr":0.1)" : "", R"(}},"batch_size":)", batch,
                        R"(,"nodes":[{"id":"s0","role":"server"},{"id":"w0","role":"worker","emulate":{"slowdown":)", slowdown, R"(}},{"id":"w1","role":"worker","emulate":{"slowdown":)", slowdown, "}}]}");
  run.nodes = {madeNode("w0", "local", "cpu", 0.5, 0.5), madeNode("w1", "local", "cpu", 0.5, 0.5)};
  run.accuracyBest = accuracy;
  run.throughputSamplesPerSecond = samples;
  return run;
}

Summaries sweep() { return {point("ssgd", 16, 1, 0.8, 100), point("esync", 64, 4, 0.9, 20000), point("ssgd", 64, 4, 0.7, 50)}; }

std::vector<std::string> titles(const Figure& figure) {
  std::vector<std::string> all;
  for (const Axis& axis : figure.axes) all.push_back(axis.title);
  return all;
}

TEST(Parallel, HasAnAxisForEachFieldThatVariesAndThenForEachResult) {
  const Figure figure = built("parallel", sweep());
  EXPECT_THAT(titles(figure), ElementsAre("algorithm", "batch size (samples)", "slowdown of w0, w1", "best accuracy", "samples/s", "computing time ratio"));
  ASSERT_EQ(figure.lines.size(), 3u);
  EXPECT_THAT(figure.lines[1].x, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(figure.lines[1].y, ElementsAre(0, 64, 4, 0.9, 20000, 0.5));
  EXPECT_THAT(figure.lines[0].y, ElementsAre(1, 16, 1, 0.8, 100, 0.5));
  EXPECT_EQ(figure.lines[1].runId, "esync-1-64-4");
  EXPECT_EQ(figure.shadedBy, 3u);
}

TEST(Parallel, WordsAreInAFixedOrderAndDecadesOnALogarithm) {
  const Figure figure = built("parallel", sweep());
  EXPECT_THAT(figure.axes[0].categories, ElementsAre("ESync", "SSGD"));
  EXPECT_FALSE(figure.axes[1].log);
  EXPECT_EQ(figure.axes[1].min, 16);
  EXPECT_EQ(figure.axes[1].max, 64);
  EXPECT_TRUE(figure.axes[4].log);  // 50 to 20 000
  EXPECT_EQ(figure.axes[0].max, 1);
}

TEST(Parallel, ARunWithoutAValueHasAGapAndANote) {
  Summaries runs = sweep();
  runs[2].accuracyBest.reset();
  runs[0].timeToTargetSeconds = 9;
  const Figure figure = built("parallel", runs);
  EXPECT_TRUE(std::isnan(figure.lines[2].y[3]));
  EXPECT_TRUE(notes(figure, "1 of 3 runs have no place on best accuracy: each has no evaluation"));
  EXPECT_TRUE(notes(figure, "2 of 3 runs have no place on time to 80 % (s): each did not reach the target"));
}

TEST(Parallel, SeedsAreAnAxisWhereTheyAreDrawnApart) {
  Summaries runs = {point("ssgd", 16, 1, 0.8, 100, 1), point("ssgd", 32, 1, 0.8, 100, 2)};
  EXPECT_THAT(titles(built("parallel", runs)), ElementsAre("batch size (samples)", "best accuracy", "samples/s", "computing time ratio"));
  FigureOptions apart;
  apart.groupSeeds = false;
  EXPECT_EQ(titles(built("parallel", runs, apart))[1], "seed");
}

TEST(Parallel, CallsParametersAsTheFormDoes) {
  Summaries runs = {point("esync", 16, 1, 0.8, 100), point("esync", 16, 1, 0.9, 100)};
  runs[1].id = "other", runs[1].document.replace(runs[1].document.find("0.1"), 3, "0.2");
  FigureOptions options;
  options.titles = {{"/algorithm/params/local_lr", "Local learning rate"}};
  EXPECT_EQ(titles(built("parallel", runs, options))[0], "local learning rate");
  EXPECT_EQ(titles(built("parallel", runs))[0], "local lr");
}

TEST(Parallel, CountsWorkersAndSaysWhatWasLeftOut) {
  Summaries runs = sweep();
  runs[0].nodes.push_back(madeNode("w2", "local", "cpu", 0.5, 0.5));
  EXPECT_EQ(titles(built("parallel", runs))[0], "workers");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::string params;
    for (int k = 0; k < 12; ++k) params += strCat(k == 0 ? "" : ",", "\"p", 10 + k, "\":", i);
    runs[i].document = strCat(R"({"algorithm":{"id":"ssgd","params":{)", params, "}}}");
  }
  const Figure figure = built("parallel", runs);
  EXPECT_EQ(figure.axes.size(), 8u + 3u);
  EXPECT_TRUE(notes(figure, "left out, they vary too: p17, p18, p19, p20, p21"));
}

TEST(Parallel, DocumentsKeepAxesAndSayWords) {
  const Figure figure = built("parallel", sweep());
  const std::string json = figureToJson(figure);
  EXPECT_EQ(figureToJson(parseFigure(json)), json);
  EXPECT_THAT(figureToCsv(figure), HasSubstr("esync batch 64 slow 4,algorithm,ESync\r\nesync batch 64 slow 4,batch size (samples),64\r\n"));
  Figure broken = figure;
  broken.lines[0].y.pop_back(), broken.lines[0].x.pop_back();
  try {
    parseFigure(figureToJson(broken));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "figure: \"ssgd batch 16 slow 1\" has 5 values for 6 axes");
  }
  broken = figure;
  broken.lines[0].y[0] = 7;
  EXPECT_THROW(parseFigure(figureToJson(broken)), Error);
  broken = figure;
  broken.shadedBy = 6;
  EXPECT_THROW(parseFigure(figureToJson(broken)), Error);
}

TEST(Parallel, OneRunHasItsResultsAlone) {
  const Figure figure = built("parallel", {sweep()[0]});
  EXPECT_THAT(titles(figure), ElementsAre("best accuracy", "samples/s", "computing time ratio"));
  EXPECT_TRUE(notes(figure, "one run: no field varies"));
}

}  // namespace
}  // namespace paceline::tests
