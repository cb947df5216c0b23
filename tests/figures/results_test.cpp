#include "app/figures/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/base/error.h"
#include "tests/figures/made_runs.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

summary::RunSummary result(const std::string& algorithm, double accuracy, std::optional<double> toTarget, const std::string& stop = R"({"rounds":100})") {
  summary::RunSummary made = madeRun(algorithm);
  made.id = made.name = algorithm + std::to_string(accuracy);
  made.groupHash = algorithm;
  made.document = R"({"algorithm":{"id":")" + algorithm + R"("},"stop":)" + stop + "}";
  made.accuracyBest = made.accuracyLast = accuracy;
  made.timeToTargetSeconds = toTarget;
  made.throughputSamplesPerSecond = 100;
  made.wallSeconds = 10;
  return made;
}

TEST(Results, SeedsBecomeMeanAndSampleDeviation) {
  const Results results = tabulate({result("ssgd", 0.80, 10.0), result("esync", 0.90, 4.0), result("esync", 0.92, 6.0)});
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_EQ(results.rows[0].label, "ESync");
  EXPECT_EQ(results.rows[0].runs, 2);
  EXPECT_EQ(results.rows[0].cells[0].text, "91.00 ± 1.41");
  EXPECT_TRUE(results.rows[0].cells[0].best);
  EXPECT_FALSE(results.rows[1].cells[0].best);
  EXPECT_TRUE(results.rows[0].cells[2].best);  // 5 s before 10 s
  EXPECT_EQ(results.note, "");
}

TEST(Results, NotReachedIsNeverANumberAndNeverBest) {
  summary::RunSummary second = result("asgd", 0.9, std::nullopt);
  second.id = "second";
  const Results results = tabulate({result("ssgd", 0.7, std::nullopt), result("esync", 0.9, 4.0), result("asgd", 0.9, 1.0), second});
  EXPECT_EQ(results.rows[1].cells[2].text, "not reached");
  EXPECT_EQ(results.rows[2].cells[2].text, "1.0 (1 of 2)");
  EXPECT_FALSE(results.rows[2].cells[2].best);
  EXPECT_TRUE(results.rows[0].cells[2].best);
}

TEST(Results, NoAccuracyIsTheBestOfUnequalBudgets) {
  const auto bestOf = [](const std::vector<summary::RunSummary>& runs) {
    const Results results = tabulate(runs);
    EXPECT_EQ(results.note.empty(), results.rows[0].cells[0].best) << results.note;
    EXPECT_TRUE(results.rows[0].cells[2].best);  // the time to a target depends on no budget
    return results.rows[0].cells[0].best;
  };
  EXPECT_TRUE(bestOf({result("esync", 0.9, 4.0), result("ssgd", 0.8, 9.0)}));
  EXPECT_FALSE(bestOf({result("esync", 0.9, 4.0, R"({"rounds":500})"), result("ssgd", 0.8, 9.0)}));
  summary::RunSummary stopped = result("ssgd", 0.8, 9.0), imported = stopped;
  stopped.state = "stopped";
  EXPECT_FALSE(bestOf({result("esync", 0.9, 4.0), stopped}));
  imported.document = "", imported.state = "imported";
  EXPECT_FALSE(bestOf({result("esync", 0.9, 4.0), imported}));
}

// Accuracies of one configuration's seeds.
std::vector<summary::RunSummary> seedsOf(const std::string& algorithm, const std::vector<double>& accuracies) {
  std::vector<summary::RunSummary> runs;
  for (const double accuracy : accuracies) {
    runs.push_back(result(algorithm, accuracy, std::nullopt));
    runs.back().id += "-" + std::to_string(runs.size());
  }
  return runs;
}

std::vector<std::string> findings(std::vector<summary::RunSummary> first, const std::vector<summary::RunSummary>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return tabulate(first).findings;
}

TEST(Results, SayHowSureTheBestIs) {
  EXPECT_THAT(findings(seedsOf("esync", {0.90, 0.91, 0.92}), seedsOf("ssgd", {0.80, 0.81, 0.82})),
              ::testing::Contains("Last accuracy (%): ESync is ahead of SSGD by 10.00 (95 % interval 7.73 to 12.27, Hedges' g 8, 3 and 3 runs)"));
  EXPECT_THAT(findings(seedsOf("esync", {0.90, 0.91, 0.92}), seedsOf("ssgd", {0.88, 0.89, 0.93})),
              ::testing::Contains("Last accuracy (%): ESync is ahead of SSGD by 1.00, which is within the spread (95 % interval -4.74 to 6.74): about 30 more seeds of each would tell if it stays so"));
  EXPECT_THAT(findings(seedsOf("esync", {0.9}), seedsOf("ssgd", {0.8, 0.81})),
              ::testing::Contains("Last accuracy (%): ESync is ahead of SSGD by 9.50; with one run of ESync no spread is known: 2 more seeds of each are needed"));
  EXPECT_THAT(findings(seedsOf("esync", {0.9, 0.9}), seedsOf("ssgd", {0.9, 0.9})), ::testing::Contains("Last accuracy (%): ESync and SSGD do not differ"));
  EXPECT_THAT(findings(seedsOf("esync", {0.9, 0.9}), seedsOf("ssgd", {0.8, 0.8})), ::testing::Contains("Last accuracy (%): ESync is ahead of SSGD by 10.00, without any spread"));
}

TEST(Results, ALessTimeIsAhead) {
  std::vector<summary::RunSummary> runs = {result("esync", 0.9, 4.0), result("esync", 0.91, 5.0), result("ssgd", 0.9, 14.0), result("ssgd", 0.91, 15.0)};
  EXPECT_THAT(tabulate(runs).findings, ::testing::Contains(::testing::StartsWith("Time to 80 % (s): ESync is ahead of SSGD by 10.0 (95 % interval ")));
  runs[0].timeToTargetSeconds.reset();  // not reached by one seed: no mean to compare
  EXPECT_THAT(tabulate(runs).findings, ::testing::Not(::testing::Contains(HasSubstr("Time to"))));
}

TEST(Results, OfUnequalBudgetsSayNothingOfAccuracyUnlessTheyAreCut) {
  std::vector<summary::RunSummary> runs = seedsOf("esync", {0.90, 0.91});
  for (const double accuracy : {0.7, 0.71}) runs.push_back(result("ssgd", accuracy, std::nullopt, R"({"rounds":500})"));
  EXPECT_THAT(tabulate(runs).findings, ::testing::Not(::testing::Contains(HasSubstr("accuracy"))));
  EXPECT_THAT(tabulate(runs, {}, true).findings, ::testing::Contains(HasSubstr("Last accuracy (%): ESync is ahead of SSGD")));
}

TEST(Results, LatexHasTitlesEscapesAndTheBestInBold) {
  summary::RunSummary odd = result("dc_asgd", 0.9, std::nullopt), known = result("ssgd", 0.8, 19.0), again = result("ssgd", 0.7, 19.0);
  odd.model = "50%_net";
  const std::string text = resultsToLatex(tabulate({known, again, odd}, {{"lenet", "LeNet-5"}}));
  EXPECT_THAT(text, HasSubstr("\n% wider than most pages: --columns chooses some, \\resizebox"));
  Results narrow = tabulate({known});
  narrow.columns.resize(3);
  EXPECT_THAT(resultsToLatex(narrow), Not(HasSubstr("--columns")));
  EXPECT_THAT(text, HasSubstr("\\toprule"));
  EXPECT_THAT(text, HasSubstr("\\bottomrule\n\\end{tabular}"));
  EXPECT_THAT(text, HasSubstr("Configuration & Model & Runs & Best accuracy (\\%) & "));
  EXPECT_THAT(text, HasSubstr("SSGD & LeNet-5 & 2 & 75.00 $\\pm$ 7.07 & 75.00 $\\pm$ 7.07 & \\textbf{19.0} $\\pm$ 0.0 & "));
  EXPECT_THAT(text, HasSubstr("DC-ASGD & 50\\%\\_net & 1 & \\textbf{90.00} & \\textbf{90.00} & not reached & "));
}

TEST(Results, SpeedUpsAreOverTheMeanOfTheReference) {
  std::vector<summary::RunSummary> runs = {result("ssgd", 0.80, 10.0), result("ssgd", 0.81, 14.0), result("esync", 0.90, 4.0), result("esync", 0.92, 6.0), result("asgd", 0.9, std::nullopt)};
  runs[4].throughputSamplesPerSecond = 250;
  const Results results = tabulate(runs, {}, false, {.columns = {"last_accuracy", "speedup_time", "speedup_samples"}, .reference = "ssgd"});
  ASSERT_EQ(results.columns.size(), 3u);
  EXPECT_EQ(results.columns[1].title, "Speed-up to 80 %");
  const auto row = [&](const std::string& algorithm) { return *std::ranges::find(results.rows, algorithm, &ResultRow::algorithm); };
  EXPECT_EQ(row("esync").cells[1].text, "2.50 ± 0.71");  // 12 / 4 and 12 / 6
  EXPECT_NEAR(*row("ssgd").cells[1].mean, (12.0 / 10 + 12.0 / 14) / 2, 1e-12);
  EXPECT_EQ(row("asgd").cells[1].text, "—");
  EXPECT_EQ(row("asgd").cells[2].text, "2.50");
  EXPECT_EQ(results.peeking, "") << "no best accuracy is shown";
  EXPECT_EQ(tabulate(runs, {}, false, {.reference = runs[2].id}).columns.size(), tableColumns().size());
  runs[1].timeToTargetSeconds.reset();  // a reference that missed it gives way to no other
  EXPECT_EQ(tabulate(runs, {}, false, {.columns = {"speedup_time"}, .reference = "ssgd"}).rows[0].cells[0].text, "—");
}

TEST(Results, UnknownColumnsAndReferencesAreRefused) {
  const std::vector<summary::RunSummary> runs = {result("ssgd", 0.8, 10.0)};
  const auto refusal = [&](const TableChoice& choice) -> std::string {
    try {
      tabulate(runs, {}, false, choice);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({.columns = {"speed"}}), "no column \"speed\"; have best_accuracy, last_accuracy, time_to_target, samples_per_s, traffic, computing, wall_time, speedup_time, speedup_samples");
  EXPECT_EQ(refusal({.columns = {"speedup_time"}}), "column speedup_time needs a reference");
  EXPECT_EQ(refusal({.reference = "asgd"}), "the reference ASGD is not among the runs");
}

TEST(Results, ABestIsSaidToBeOfSoManyLooksAtTheTestSet) {
  const summary::RunSummary two = withCurve(result("ssgd", 0.8, 10.0), {{1, 0.5}, {2, 0.8}}), one = withCurve(result("asgd", 0.8, 10.0), {{1, 0.5}});
  EXPECT_EQ(tabulate({two}).peeking, "Best accuracy: the best of 2 evaluations on the test set.");
  EXPECT_EQ(tabulate({two, one}).peeking, "Best accuracy: the best of 1 to 2 evaluations on the test set.");
  EXPECT_THAT(resultsToLatex(tabulate({two})), HasSubstr("% Best accuracy: the best of 2 evaluations on the test set.\n"));
}

TEST(Results, ABestThatHeldOutSamplesDecidedIsSaidToBe) {
  summary::RunSummary held = withCurve(result("ssgd", 0.8, 10.0), {{1, 0.5}, {2, 0.8}});
  held.validationBest = 0.7;
  EXPECT_EQ(tabulate({held}).peeking, "Best accuracy: on the test set, of the evaluation with the best accuracy on held-out training samples.");
  EXPECT_EQ(tabulate({held, withCurve(result("asgd", 0.8, 10.0), {{1, 0.5}})}).peeking,
            "Best accuracy: the best of 1 evaluation on the test set. Of 1 run: on the test set, of the evaluation with the best accuracy on held-out training samples.");
}

TEST(Results, CsvKeepsItsColumns) {
  EXPECT_THAT(resultsToCsv(tabulate({result("esync", 0.9, 4.0)})),
              HasSubstr("name,algorithm,runs,Best accuracy (%) mean,Best accuracy (%) std,Last accuracy (%) mean,Last accuracy (%) std,Time to 80 % (s) mean,"));
}

}  // namespace
}  // namespace paceline::tests
