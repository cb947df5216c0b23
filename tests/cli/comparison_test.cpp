#include "app/cli/results/documents.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

summary::RunSummary made(const std::string& algorithm, std::uint64_t seed, std::optional<double> seconds) {
  summary::RunSummary run;
  run.name = algorithm;
  run.algorithm = algorithm;
  run.seed = seed;
  run.state = "finished";
  run.rounds = 100;
  run.throughputSamplesPerSecond = 812.3;
  run.trafficBytesPerSecond = 12.34e6;
  run.accuracyBest = 0.8125;
  run.targetAccuracy = 0.8;
  run.timeToTargetSeconds = seconds;
  summary::NodeSummary fast, slow;
  fast.busyRatio = 0.31;
  slow.busyRatio = 0.98;
  run.nodes = {fast, slow};
  return run;
}

TEST(Comparison, PutsRunsSideBySide) {
  EXPECT_EQ(cli::comparisonTable({made("esync", 1, 10), made("ssgd", 1, 60), made("asgd", 1, std::nullopt)}),
            "algorithm  state     rounds  samples/s  traffic MB/s   computing  best accuracy     s to 0.8  speed-up vs SSGD\n"
            "ESync      finished     100        812          12.3  0.31..0.98          0.812           10              6.00\n"
            "SSGD       finished     100        812          12.3  0.31..0.98          0.812           60              1.00\n"
            "ASGD       finished     100        812          12.3  0.31..0.98          0.812  not reached       not reached\n");
}

TEST(Comparison, TakesSsgdOfTheSameSeedAsBase) {
  const std::string table =
      cli::comparisonTable({made("esync", 1, 10), made("ssgd", 1, 60), made("esync", 2, 10), made("ssgd", 2, 80)});
  EXPECT_NE(table.find("6.00"), std::string::npos);
  EXPECT_NE(table.find("8.00"), std::string::npos);
  EXPECT_NE(table.find("seed"), std::string::npos);
}

TEST(Comparison, HasNoSpeedUpWithoutABase) {
  EXPECT_NE(cli::comparisonTable({made("esync", 1, 10), made("ssgd", 1, std::nullopt)}).find("       -\n"), std::string::npos);
}

TEST(Comparison, IsATableForAReadme) {
  summary::RunSummary done = made("esync", 1, 10), broken = made("ssgd", 1, std::nullopt);
  done.accuracyLast = 0.8;
  done.bytesSent = 3'000'000;
  done.bytesReceived = 1'000'000;
  done.nodes[0].rounds = 150;  // of the fast one and of the slow one
  done.nodes[1].rounds = 50;
  broken.state = "failed";
  EXPECT_EQ(cli::comparisonMarkdown({done, broken}),
            "| run | workers | rounds | samples/s | kB per round | computing | accuracy | best accuracy | s to 0.8 |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
            "| esync | 2 | 100 | 812 | 20 | 0.31..0.98 | 0.800 | 0.812 | 10 |\n"
            "| ssgd (failed) | 2 | 100 | 812 | - | 0.31..0.98 | - | 0.812 | - |\n");
}

TEST(Comparison, ShowsWhatTheWorkersReachOneByOne) {
  summary::RunSummary run = made("d_sgd", 1, 10);
  run.nodes[0].id = "n0";
  run.nodes[1].id = "n1";
  const auto ending = [](double accuracy) {
    summary::Curve curve;
    for (const double each : {0.1, accuracy}) curve.push_back({.accuracy = each});
    return curve;
  };
  run.otherCurves = {{.by = "e0", .of = "n0", .points = ending(0.5)}, {.by = "e0", .of = "n1", .points = ending(0.75)}};
  summary::NodeSummary evaluator;
  evaluator.id = "e0";
  evaluator.role = "evaluator";
  run.nodes.push_back(evaluator);  // no worker
  EXPECT_NE(cli::comparisonMarkdown({run}).find("| d_sgd | 2 | "), std::string::npos);
  EXPECT_NE(cli::comparisonMarkdown({run}).find("| computing | each worker's accuracy | accuracy |"), std::string::npos);
  EXPECT_NE(cli::comparisonMarkdown({run}).find("| 0.31..0.98 | 0.625 | "), std::string::npos);
  run.otherCurves.pop_back();  // one worker was not evaluated: no mean of the workers
  EXPECT_EQ(cli::comparisonMarkdown({run}).find("each worker"), std::string::npos);
}

TEST(Comparison, KeepsABarInANameWithinItsCell) {
  summary::RunSummary run = made("ssgd", 1, 10);
  run.name = "lr 0.1|0.2";
  EXPECT_NE(cli::comparisonMarkdown({run}).find("| lr 0.1\\|0.2 | 2 |"), std::string::npos) << cli::comparisonMarkdown({run});
}

// Two runs of one name: what differs between their documents tells them apart, in titles.
TEST(Comparison, CallsRunsOfOneNameByWhatDiffers) {
  summary::RunSummary first = made("esync", 1, 10), second = first;
  first.id = first.groupHash = "a", second.id = second.groupHash = "b";
  first.document = R"({"model":{"id":"lenet"}})", second.document = R"({"model":{"id":"mlp"}})";
  const Titles titles = {{"lenet", "LeNet-5"}, {"mlp", "Perceptron"}};
  const std::string markdown = cli::comparisonMarkdown({first, second}, titles), table = cli::comparisonTable({first, second}, titles);
  EXPECT_NE(markdown.find("| ESync, LeNet-5 |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| ESync, Perceptron |"), std::string::npos) << markdown;
  EXPECT_NE(table.find("ESync, LeNet-5"), std::string::npos) << table;
  EXPECT_NE(table.find("ESync, Perceptron"), std::string::npos) << table;
}

TEST(Comparison, PutsSeedsTogether) {
  summary::RunSummary first = made("esync", 1, 10), second = made("esync", 2, 14), third = made("ssgd", 1, 60);
  first.id = "a", second.id = "b", third.id = "c", first.groupHash = second.groupHash = "e", third.groupHash = "s";
  const std::string markdown = cli::groupedMarkdown(tabulate({first, second, third}));
  EXPECT_NE(markdown.find("| configuration | runs | Best accuracy (%) | Last accuracy (%) | Time to 80 % (s) | Samples/s |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| ESync | 2 | 81.25 ± 0.00 | — | **12.0 ± 2.8** | **812 ± 0** |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| SSGD | 1 | 81.25 | — | 60.0 | **812** |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\n* Time to 80 % (s): ESync is ahead of SSGD by 48.0; with one run of SSGD no spread is known"), std::string::npos) << markdown;
}

TEST(Comparison, OfNothingIsEmpty) {
  EXPECT_EQ(cli::groupedMarkdown({}), "");
  EXPECT_EQ(cli::comparisonTable({}), "");
  EXPECT_EQ(cli::comparisonMarkdown({}), "");
}

TEST(Comparison, HasATableOfItsOwnForPublishedValues) {
  summary::RunSummary esync = made("esync", 1, 10), ssgd = made("ssgd", 1, 60);
  esync.id = "a", ssgd.id = "b", esync.groupHash = "e", ssgd.groupHash = "s";
  EXPECT_EQ(cli::publishedTable({esync, ssgd}), "");
  EXPECT_EQ(cli::publishedMarkdown({esync, ssgd}), "");
  EXPECT_TRUE(cli::publishedColumns({esync, ssgd}).empty());
  esync.document = R"({"published":{"source":"Somebody 2020","values":[{"measure":"throughput_samples_per_s","value":800,"band":{"relative":0.1}},{"measure":"speedup_time","value":7,"over":"ssgd"}]}})";
  EXPECT_EQ(cli::publishedMarkdown({esync, ssgd}),
            "| Configuration | Quantity | Published | Ours | Ours / published | Inside the band | Source |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n"
            "| ESync | Samples/s | 800 ± 10 % | 812.3 | 1.02 | yes | [1] |\n"
            "| ESync | Speed-up over SSGD to 80 % | 7 | 6 | 0.857 | no band | [1] |\n"
            "\n[1] Somebody 2020\n");
  EXPECT_NE(cli::publishedTable({esync, ssgd}).find("800 ± 10 %"), std::string::npos);
  const std::vector<summary::CsvColumn> columns = cli::publishedColumns({esync, ssgd});
  ASSERT_EQ(columns.size(), 6u);
  EXPECT_EQ(columns[2].title, "inside Samples/s");
  EXPECT_EQ(columns[2].cells, (std::vector<std::string>{"yes", ""}));
  EXPECT_NE(summary::summariesToCsv({esync, ssgd}, columns).find(",published Samples/s,ours Samples/s,inside Samples/s,"), std::string::npos);
}

}  // namespace
}  // namespace paceline::tests
