// What a worker recorded before its loss became no number: of the first that tells so, the last fifty of its records and the few behind.
#include "storage/summary/diverged.h"

#include <cmath>

#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

StampedEvent roundOf(const std::string& node, std::int64_t seq, std::int64_t number, double loss) {
  RoundRecord record{.round = number, .t = static_cast<double>(number), .total = 1};
  record.loss = loss;
  return {.run = "r1", .node = node, .seq = seq, .event = record};
}

StampedEvent noticeOf(const std::string& node, std::int64_t seq, const std::string& text, const std::string& reason) {
  return {.run = "r1", .node = node, .seq = seq, .event = NoticeRecord{.kind = "log", .text = text, .level = "warn", .reason = reason, .code = 0, .unixTime = 0}};
}

struct Diverging {
  Diverging() : writer(folder / "a.db") { writer.createRun(makeRun("r1", "diverges"), std::vector{makeWorker("r1", "w0", 0), makeWorker("r1", "w1", 1)}); }
  std::optional<summary::Divergence> found() const { return summary::divergenceOf(store::StoreReader(folder / "a.db"), "r1"); }
  TempFolder folder{};
  store::StoreWriter writer;
};

TEST(Divergence, HasTheFiftyRecordsBeforeItAndTheFewBehind) {
  Diverging run;
  std::vector<StampedEvent> events;
  for (std::int64_t n = 1; n <= 80; ++n) events.push_back(roundOf("w1", n, n, 1.0 / static_cast<double>(n))), events.push_back(roundOf("w0", n, n, 1));
  events.push_back(noticeOf("w1", 81, "in round 81 the loss is NaN", kNotFinite));
  events.push_back(noticeOf("w0", 81, "in round 82 the loss is NaN", kNotFinite));
  for (std::int64_t n = 81; n <= 90; ++n) events.push_back(roundOf("w1", n + 1, n, NAN));
  run.writer.append(events);
  const auto found = run.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->node, "w1");
  EXPECT_EQ(found->words, "in round 81 the loss is NaN");
  ASSERT_EQ(found->rounds.size(), summary::kRecordsBefore + 2);
  for (std::size_t i = 0; i < found->rounds.size(); ++i) EXPECT_EQ(found->rounds[i].record.round, static_cast<std::int64_t>(i) + 31);
  EXPECT_TRUE(std::isnan(found->rounds.back().record.loss));
}

TEST(Divergence, OfTheFirstRoundHasNothingBefore) {
  Diverging run;
  run.writer.append(std::vector{noticeOf("w0", 1, "in round 1 the loss is NaN", kNotFinite)});
  const auto found = run.found();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->rounds.empty());
  EXPECT_TRUE(summary::tableOf(found->rounds).rows.empty());
}

TEST(Divergence, IsNoneWhereNobodyTellsOfIt) {
  Diverging run;
  run.writer.append(std::vector{noticeOf("w0", 1, "the loss is NaN", ""), roundOf("w0", 2, 1, NAN)});
  EXPECT_FALSE(run.found());
  EXPECT_FALSE(summary::divergenceOf(store::StoreReader(run.folder / "a.db"), "nosuch"));
}

TEST(Divergence, ItsTableLeavesOutWhatIsEmptyInAllRecords) {
  std::vector<store::RoundRow> rows(2);
  rows[0].record.round = 1, rows[0].record.loss = 0.5, rows[0].record.longestWaitFor = "a \"b\", c";
  rows[1].record.round = 2, rows[1].record.loss = NAN;
  const summary::RecordTable table = summary::tableOf(rows);
  EXPECT_EQ(table.heads, (std::vector<std::string>{"round", "loss", "longest_wait_for"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{{"1", "0.5", "a \"b\", c"}, {"2", "NaN", ""}}));
  rows[0].record.loss = 1.0 / 3;
  EXPECT_EQ(summary::tableOf(rows, true).rows[0][1], "0.3333");
  rows[0].record.loss = 0.5;
  EXPECT_EQ(summary::csvOf(table), "round,loss,longest_wait_for\r\n1,0.5,\"a \"\"b\"\", c\"\r\n2,NaN,\r\n");
}

}  // namespace
}  // namespace paceline::tests
