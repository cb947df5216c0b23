#include <cmath>
#include <limits>
#include <thread>

#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

using Limits = std::numeric_limits<double>;

TEST(StoreRows, KeepNumbersThatAreNotFinite) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  RoundRecord round = makeRound(1);
  round.loss = Limits::quiet_NaN(), round.staleness = Limits::infinity(), round.learningRate = -Limits::infinity();
  round.t = Limits::denorm_min(), round.total = Limits::max(), round.kept = Limits::quiet_NaN();
  RoundRecord dense = makeRound(2);
  dense.kept.reset();
  EvaluationRecord evaluation;
  evaluation.accuracy = Limits::quiet_NaN(), evaluation.loss = Limits::infinity();
  writer.append(std::vector<StampedEvent>{{"r1", "w0", 1, round}, {"r1", "w0", 2, dense}, {"r1", "w0", 3, evaluation}});

  const store::StoreReader reader(folder / "a.db");
  const RoundRecord got = reader.rounds("r1").at(0).record;
  EXPECT_TRUE(std::isnan(got.loss));
  EXPECT_EQ(got.staleness, Limits::infinity());
  EXPECT_EQ(got.learningRate, -Limits::infinity());
  EXPECT_EQ(got.t, Limits::denorm_min());
  EXPECT_EQ(got.total, Limits::max());
  ASSERT_TRUE(got.kept.has_value());
  EXPECT_TRUE(std::isnan(*got.kept));
  EXPECT_FALSE(reader.rounds("r1").at(1).record.kept.has_value());
  EXPECT_TRUE(std::isnan(reader.evaluations("r1").at(0).record.accuracy));
  EXPECT_EQ(reader.evaluations("r1").at(0).record.loss, Limits::infinity());
}

TEST(StoreRows, ARecordThatComesTwiceIsStoredOnce) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  std::vector<StampedEvent> events{roundEvent("r1", "w0", 1), roundEvent("r1", "w1", 1), roundEvent("r1", "w0", 2)};
  EXPECT_EQ(writer.append(events), 3);
  events.push_back(roundEvent("r1", "w0", 3));
  EXPECT_EQ(writer.append(events), 1);
  EXPECT_EQ(writer.append(events), 0);
  EXPECT_EQ(store::StoreReader(folder / "a.db").rounds("r1").size(), 4U);
}

TEST(StoreRows, LastSeqIsTheLargestOfAllKinds) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  EXPECT_EQ(writer.lastSeq("r1", "w0"), 0);
  EXPECT_EQ(writer.lastSeq("none", "w0"), 0);
  writer.append(std::vector<StampedEvent>{roundEvent("r1", "w0", 7),
                                          {"r1", "w0", 8, EvaluationRecord{}},
                                          {"r1", "w0", 6, NoticeRecord{}},
                                          roundEvent("r1", "w1", 30)});
  EXPECT_EQ(writer.lastSeq("r1", "w0"), 8);
}

TEST(StoreRows, AfterACursorOnlyNewRowsOfThatRunInOrderOfArrival) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  writer.createRun(makeRun("r2", "second"), std::vector{makeWorker("r2", "w0", 0)});
  const store::StoreReader reader(folder / "a.db");
  std::int64_t last = 0;
  EXPECT_TRUE(reader.rounds("r1", 0, &last).empty());
  EXPECT_EQ(last, 0);
  writer.append(std::vector{roundEvent("r1", "w1", 5), roundEvent("r2", "w0", 1), roundEvent("r1", "w0", 1)});
  const auto first = reader.rounds("r1", last, &last);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].node, "w1");
  EXPECT_EQ(first[1].node, "w0");
  EXPECT_TRUE(reader.rounds("r1", last, &last).empty());
  writer.append(std::vector{roundEvent("r2", "w0", 2), roundEvent("r1", "w0", 2)});
  const auto next = reader.rounds("r1", last, &last);
  ASSERT_EQ(next.size(), 1U);
  EXPECT_EQ(next[0].seq, 2);
  EXPECT_EQ(reader.rounds("r2").size(), 2U);
}

TEST(StoreRows, ArrivalGoesOnAfterReopening) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter(folder / "a.db").append(std::vector{roundEvent("r1", "w0", 1)});
  std::int64_t last = 0;
  static_cast<void>(store::StoreReader(folder / "a.db").rounds("r1", 0, &last));
  EXPECT_EQ(store::StoreWriter(folder / "a.db").append(std::vector{roundEvent("r1", "w0", 1), roundEvent("r1", "w1", 1)}), 1);
  EXPECT_EQ(store::StoreReader(folder / "a.db").rounds("r1", last, &last).size(), 1U);
}

TEST(StoreRows, AnUnknownRunIsRefusedAndNothingOfTheBatchStays) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  const std::string message = messageOf(Errc::kStore, [&] {
    writer.append(std::vector{roundEvent("r1", "w0", 1), roundEvent("nope", "w0", 1)});
  });
  EXPECT_NE(message.find("has no run nope"), std::string::npos) << message;
  EXPECT_TRUE(store::StoreReader(folder / "a.db").rounds("r1").empty());
  EXPECT_EQ(writer.append(std::vector{roundEvent("r1", "w0", 1)}), 1);
}

TEST(StoreRows, TogetherIsAllOrNothing) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  EXPECT_THROW(writer.together([&] {
    writer.createRun(makeRun("r2", "second"), {});
    writer.append(std::vector{roundEvent("r2", "w0", 1), roundEvent("r1", "w0", 1)});
    throw std::runtime_error("half way");
  }),
               std::runtime_error);
  const store::StoreReader reader(folder / "a.db");
  EXPECT_EQ(reader.runs().size(), 1U);
  EXPECT_TRUE(reader.rounds("r1").empty());
  writer.together([&] { writer.createRun(makeRun("r2", "second"), {}), writer.append(std::vector{roundEvent("r2", "w0", 1)}); });
  EXPECT_EQ(reader.rounds("r2").size(), 1U);
}

TEST(StoreRows, AReaderSeesWholeBatchesWhileTheWriterWrites) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  constexpr std::int64_t kBatches = 200, kBatch = 50;
  std::jthread writing([&] {
    store::StoreWriter writer(folder / "a.db");
    for (std::int64_t b = 0; b < kBatches; ++b) {
      std::vector<StampedEvent> events;
      for (std::int64_t i = 1; i <= kBatch; ++i) events.push_back(roundEvent("r1", "w0", b * kBatch + i));
      writer.append(events);
    }
  });
  const store::StoreReader reader(folder / "a.db");
  std::int64_t last = 0, seen = 0;
  while (seen < kBatches * kBatch) {
    for (const store::RoundRow& row : reader.rounds("r1", last, &last)) ASSERT_EQ(row.seq, ++seen);
    ASSERT_EQ(seen % kBatch, 0);
  }
}

TEST(StoreRows, AHundredThousandRowsGoInAndComeBack) {
  const TempFolder folder{};
  makeStoreWithRun(folder / "a.db");
  store::StoreWriter writer(folder / "a.db");
  constexpr std::int64_t kRows = 100'000, kBatch = 500;
  for (std::int64_t first = 1; first <= kRows; first += kBatch) {
    std::vector<StampedEvent> events;
    for (std::int64_t seq = first; seq < first + kBatch; ++seq)
      events.push_back(roundEvent("r1", seq % 2 == 0 ? "w0" : "w1", seq));
    ASSERT_EQ(writer.append(events), kBatch);
  }
  const auto rows = store::StoreReader(folder / "a.db").rounds("r1");
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kRows));
  EXPECT_EQ(rows.back().record, makeRound(kRows));
}

}  // namespace
}  // namespace paceline::tests
