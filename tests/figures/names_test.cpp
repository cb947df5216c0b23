// Configurations are named by what differs between their documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/results.h"
#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

// Two workers; `more` are further members of the document: R"("batch_size":32)".
summary::RunSummary configured(const std::string& algorithm, const std::string& slowdown, const std::string& more, std::uint64_t seed = 1) {
  summary::RunSummary run = withCurve(madeRun(algorithm, seed), {{1, 0.5}, {2, 0.6}});
  run.document = strCat(R"({"name":"n)", seed, R"(","seed":)", seed, R"(,"algorithm":{"id":")", algorithm, R"("},"nodes":[{"id":"s0","role":"server"},)",
                        R"({"id":"w0","role":"worker","emulate":{"slowdown":1.0}},{"id":"w1","role":"worker","emulate":{"slowdown":)", slowdown, "}}]", more.empty() ? "" : ",", more, "}");
  run.groupHash = strCat(algorithm, slowdown, more);
  run.id = strCat(run.groupHash, seed);
  return run;
}

TEST(Names, SayTheValueThatDiffers) {
  EXPECT_THAT(labels(built("accuracy", {configured("esync", "2.0", ""), configured("esync", "6.0", "")})), ElementsAre("slowdown 2", "slowdown 6"));
}

TEST(Names, SayTheAlgorithmWhereThereAreSeveral) {
  EXPECT_THAT(labels(built("accuracy", {configured("esync", "2.0", ""), configured("esync", "6.0", ""), configured("ssgd", "6.0", "")})),
              ElementsAre("ESync, slowdown 2", "ESync, slowdown 6", "SSGD, slowdown 6"));
  EXPECT_THAT(labels(built("accuracy", {configured("esync", "6.0", R"("batch_size":64)"), configured("ssgd", "6.0", R"("batch_size":64)")})), ElementsAre("ESync", "SSGD"));
}

TEST(Names, CountTheSeedsBehindWhatDiffers) {
  const Figure figure = built("accuracy", {configured("esync", "2.0", "", 1), configured("esync", "2.0", "", 2), configured("esync", "6.0", "", 1), configured("esync", "6.0", "", 2)});
  EXPECT_THAT(labels(figure), ElementsAre("slowdown 2, seed 1", "slowdown 2, seed 2", "slowdown 2, 2 seeds", "slowdown 6, seed 1", "slowdown 6, seed 2", "slowdown 6, 2 seeds"));
  EXPECT_EQ(figure.bands.at(1).label, "slowdown 6, 2 seeds ± std");
}

TEST(Names, RunsInVirtualTimeAreNoSeedsOfThoseThatTrained) {
  summary::RunSummary real = configured("esync", "2.0", "", 1), simulated = configured("esync", "2.0", "", 2);
  simulated.source = "simulated";
  const Figure both = built("accuracy", {real, simulated});
  EXPECT_THAT(labels(both), ElementsAre("ESync", "ESync, simulated"));
  EXPECT_NE(both.lines[0].series, both.lines[1].series);
  EXPECT_TRUE(notes(both, "1 of 2 runs is simulated: times are virtual"));
  const Figure alone = built("accuracy", {simulated});
  EXPECT_THAT(labels(alone), ElementsAre("ESync"));
  EXPECT_TRUE(notes(alone, "the run is simulated: times are virtual"));
  EXPECT_FALSE(notes(built("accuracy", {real}), "simulated"));
  EXPECT_EQ(tabulate({real, simulated}).rows.size(), 2U);
  EXPECT_THAT(tabulate({real, simulated}).note, ::testing::EndsWith("1 of 2 runs is simulated: times are virtual."));
  EXPECT_THAT(summary::summariesToCsv({simulated}), ::testing::HasSubstr("simulated"));
}

TEST(Names, HaveUnitsAndTitles) {
  FigureOptions options;
  options.titles = {{"lenet", "LeNet-5"}};
  const Figure figure = built("accuracy", {configured("esync", "1.0", R"("model":{"id":"lenet"},"stop":{"seconds":60.0})"), configured("esync", "1.0", R"("model":{"id":"mlp"},"stop":{"seconds":90.0})")}, options);
  EXPECT_THAT(labels(figure), ElementsAre("LeNet-5, stop seconds 60", "mlp, stop seconds 90"));
}

// The descriptions of the document's members have the units.
TEST(Names, HaveTheUnitsOfTheDocument) {
  const auto labelsOf = [](const std::string& one, const std::string& other) { return labels(built("accuracy", {configured("esync", "1.0", one), configured("esync", "1.0", other)})); };
  EXPECT_THAT(labelsOf(R"("node_silent_s":5.0)", R"("node_silent_s":6.0)"), ElementsAre("node silent 5 s", "node silent 6 s"));
  EXPECT_THAT(labelsOf(R"("evaluate":{"every_rounds":5})", R"("evaluate":{"every_rounds":6})"), ElementsAre("evaluate every 5 rounds", "evaluate every 6 rounds"));
  EXPECT_THAT(labelsOf(R"("model":{"id":"a","params":{"tail_ms":1}})", R"("model":{"id":"a","params":{"tail_ms":2}})"), ElementsAre("tail ms 1", "tail ms 2"));  // nothing says what it is
}

TEST(Names, OfNodesHaveUnitsToo) {
  const auto emulated = [](const std::string& words) {
    summary::RunSummary run = configured("esync", "1.0", "");
    run.document = strCat(R"({"algorithm":{"id":"esync"},"nodes":[{"id":"w0","role":"worker"},{"id":"w1","role":"worker","emulate":)", words, "}]}");
    run.groupHash = run.id = words;
    return run;
  };
  EXPECT_THAT(labels(built("accuracy", {emulated(R"({"bandwidth_mbps":100.0})"), emulated(R"({"bandwidth_mbps":10.0})")})), ElementsAre("bandwidth 100 Mbit/s", "bandwidth 10 Mbit/s"));
  EXPECT_THAT(labels(built("accuracy", {emulated(R"({"step_s":0.1})"), emulated(R"({"step_s":0.2})")})), ElementsAre("step 0.1 s", "step 0.2 s"));
}

TEST(Names, CountWorkersWhereTheirNumberDiffers) {
  summary::RunSummary two = configured("esync", "1.0", ""), one = two;
  one.document = R"({"algorithm":{"id":"esync"},"nodes":[{"id":"s0","role":"server"},{"id":"w0","role":"worker"}]})";
  one.groupHash = one.id = "one";
  EXPECT_THAT(labels(built("accuracy", {two, one})).front(), ::testing::HasSubstr("2 workers"));
  EXPECT_THAT(labels(built("accuracy", {two, one})).back(), ::testing::HasSubstr("1 worker"));
}

TEST(Names, AreAsFewAsTellTheRunsApartWhereMuchDiffers) {
  const std::string a = R"("batch_size":1,"optimizer":{"momentum":0.1,"weight_decay":0.1},"wire":{"format":"fp16"})";
  const std::string b = R"("batch_size":2,"optimizer":{"momentum":0.2,"weight_decay":0.2},"wire":{"format":"fp32"})";
  EXPECT_THAT(labels(built("accuracy", {configured("esync", "1.0", a), configured("esync", "1.0", b)})), ElementsAre("batch size 1", "batch size 2"));
}

TEST(Names, ADocumentThatIsNoneIsNoDifference) {
  summary::RunSummary imported = withCurve(madeRun("esync", 7), {{1, 0.5}, {2, 0.6}});
  imported.groupHash = imported.id = imported.name = "imported";
  EXPECT_THAT(labels(built("accuracy", {configured("esync", "1.0", ""), imported})), ElementsAre("demo esync", "imported"));
}

}  // namespace
}  // namespace paceline::tests
