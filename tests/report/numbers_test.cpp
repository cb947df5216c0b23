// Live numbers equal the store's.
#include "app/report/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/summary/table_text.h"
#include "tests/report/made_store.h"

namespace paceline::tests {
namespace {

struct LiveNumbers : ::testing::Test {
  std::string live(const std::string& expression) {
    const report::Report made = store.made(strCat(kHead, "\n{{", expression, "}}"));
    return made.problems.empty() ? textOf(made.pieces.at(0)) : made.problems.front().text();
  }
  ReportStore store;
};

TEST_F(LiveNumbers, EqualTheSummaryOfTheRun) {
  const summary::RunSummary run = store.summaryOf("esync1");
  ASSERT_TRUE(run.accuracyBest && run.timeToTargetSeconds);
  EXPECT_EQ(live("esync1.best_accuracy"), summary::fixedText(*run.accuracyBest * 100, 2) + " %");
  EXPECT_EQ(live("esync1.best_accuracy"), "95.00 %");
  EXPECT_EQ(live("esync1.time_to_target"), "3.0 s");  // 1 - 0.5/3 = 0.83 after 3 s
  EXPECT_EQ(live("esync1.samples_per_s"), summary::fixedText(run.throughputSamplesPerSecond, 0) + " samples/s");
  EXPECT_EQ(live("esync1.computing"), "60.0 %");  // of 0.7 and 0.5
  EXPECT_EQ(live("esync1.rounds"), "10");
  EXPECT_EQ(live("esync1.samples"), "1280");
  EXPECT_EQ(live("esync1.sent"), "10.0 MB");
  EXPECT_EQ(live("esync1.workers"), "2");
  EXPECT_EQ(live("esync1.w1.wait"), "5.0 s");
}

TEST_F(LiveNumbers, OfSeveralSeedsAreMeanAndDeviation) {
  const double first = *store.summaryOf("esync1").accuracyBest, second = *store.summaryOf("esync2").accuracyBest;
  const auto [mean, deviation] = summary::statistic({first, second});
  EXPECT_EQ(live("esync.best_accuracy"), strCat(summary::fixedText(mean * 100, 2), " ± ", summary::fixedText(deviation * 100, 2), " %"));
  EXPECT_EQ(live("esync.seeds"), "1, 2");
  EXPECT_EQ(live("esync.algorithm"), "ESync");
}

TEST_F(LiveNumbers, AreCalculatedWith) {
  EXPECT_EQ(live("esync1.wall_time / esync1.rounds : 2"), "1.00");
  EXPECT_EQ(live("esync1.best_accuracy - ssgd.best_accuracy"), "15.00 %");  // 95 - 80
  EXPECT_EQ(live("ssgd.time_to_target / esync1.time_to_target : 2"), "3.33");  // 10 s over 3 s
}

TEST_F(LiveNumbers, WhatWasNotReachedIsAWordEverywhere) {
  storeRun(store.path(), {.id = "short", .algorithm = "asgd", .rounds = 2, .slower = 1});
  EXPECT_EQ(live("short.time_to_target"), "not reached");
  EXPECT_EQ(live("short.time_to_target / esync1.time_to_target"), "not reached");
  EXPECT_EQ(live("esync1.kept"), "not recorded");
}

TEST_F(LiveNumbers, SettingsComeFromTheDocument) {
  EXPECT_EQ(live("esync./batch_size"), "64");
  EXPECT_EQ(live("esync./seed"), "1, 2");
  EXPECT_EQ(live("ssgd./algorithm/id"), "ssgd");
  EXPECT_EQ(live("esync1./batch_size * 2 : 0"), "128");
  EXPECT_EQ(live("esync1./stop"), "{\"rounds\":10}");
}

TEST_F(LiveNumbers, NamesInTitlesAsTheCatalogueHasThem) { EXPECT_EQ(live("esync.model"), "LeNet"); }

TEST_F(LiveNumbers, TellTheTargetAndTheTime) {
  EXPECT_EQ(live("target"), "80 %");
  EXPECT_EQ(live("made"), "2023-11-14 22:13 UTC");
}

TEST_F(LiveNumbers, UnknownOnesAreNamed) {
  EXPECT_THAT(live("esync1.acuracy"), ::testing::StartsWith("line 8: number \"acuracy\" is not known of a run; have best_accuracy, last_accuracy, "));
  EXPECT_EQ(live("esnc.best_accuracy"), "line 8: no run \"esnc\" in store lab.db; `paceline runs` lists what is there; the head names esync, ssgd");
  EXPECT_EQ(live("esync1.w7.wait"), "line 8: run esync1 has no node \"w7\" with rounds; have w0, w1");
  EXPECT_THAT(live("esync1.w0.nothing"), ::testing::StartsWith("line 8: number \"nothing\" is not known of a node; have rounds, "));
  EXPECT_EQ(live("esync1./batchsize"), "line 8: \"/batchsize\" is not in the document of run esync1");
  EXPECT_EQ(live("esync1./a~9"), "line 8: \"/a~9\" is not in the document of run esync1");
  EXPECT_EQ(live("esync1.algorithm * 2"), "line 8: {{esync1.algorithm * 2}}: \"ESync\" is no number");
  EXPECT_EQ(live("best"), "line 8: \"best\" is not known; write a number of a run such as esync.best_accuracy, or target, made");
}

}  // namespace
}  // namespace paceline::tests
