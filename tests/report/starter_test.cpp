// A report to begin with has no mistake of its own, whatever the runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/made_store.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

std::string begun(const ReportStore& store, const std::vector<std::string>& ids) {
  Summaries runs;
  for (const std::string& id : ids) runs.push_back(store.summaryOf(id));
  return report::starter(runs, {});
}

TEST(Starter, NamesSeedsTogetherAndReadsWithoutAProblem) {
  ReportStore store;
  const std::string text = begun(store, {"ssgd1", "esync1", "esync2"});
  EXPECT_THAT(text, HasSubstr("title: ESync and SSGD\n"));
  EXPECT_THAT(text, HasSubstr("run esync: esync1, esync2\n"));
  EXPECT_THAT(text, HasSubstr("run ssgd: ssgd1\n"));
  const report::Report report = store.made(text);
  EXPECT_TRUE(report.problems.empty()) << report.problems.front().text();
  std::string all;
  for (const report::Piece& piece : report.pieces) all += textOf(piece) + "\n";
  EXPECT_THAT(all, HasSubstr("ESync and SSGD train LeNet on fashion_mnist (iid) with 2 workers and batches of 64; seeds: 1, 2."));
  EXPECT_THAT(all, HasSubstr("ESync: best accuracy 94.50 ± 0.71 %"));
  EXPECT_THAT(all, HasSubstr("; speed-up over SSGD: 3.33"));  // 10 s over 3 s
  const auto count = [&](report::PieceKind kind) { return std::ranges::count(report.pieces, kind, &report::Piece::kind); };
  EXPECT_EQ(count(report::PieceKind::kTable), 2);     // what differs, results
  EXPECT_EQ(count(report::PieceKind::kPicture), 4);   // accuracy, speed-up, two lanes
}

TEST(Starter, OfOneRunComparesNothing) {
  ReportStore store;
  const std::string text = begun(store, {"esync1"});
  EXPECT_EQ(text.find("differences"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("{{esync.algorithm}} trains {{esync.model}}"));
  EXPECT_TRUE(store.made(text).problems.empty());
}

TEST(Starter, ConfigurationsOfOneAlgorithmHaveNamesOfTheirOwn) {
  ReportStore store;
  Summaries runs = {store.summaryOf("esync1"), store.summaryOf("esync2")};
  runs[1].groupHash = "another";
  const std::string text = report::starter(runs, {});
  EXPECT_THAT(text, HasSubstr("run esync: esync1\n"));
  EXPECT_THAT(text, HasSubstr("run esync_2: esync2\n"));
  EXPECT_TRUE(store.made(text).problems.empty());
}

TEST(Starter, OfNothingIsRefused) { EXPECT_THROW(report::starter({}, {}), Error); }

}  // namespace
}  // namespace paceline::tests
