// Rounds at lower levels of detail: whatever is asked for, every round is in exactly one row, and rows are what their rounds amount to.
#include <cmath>
#include <stdexcept>

#include "engine/core/base/error.h"
#include "storage/store/levels.h"
#include "tests/storage/samples.h"

namespace paceline::tests {
namespace {

constexpr std::int64_t kRounds = 10007;

// One second each, every seventh with a wait of its own length.
RoundRecord roundAt(std::int64_t n) {
  RoundRecord r{.round = n, .t = static_cast<double>(n), .compute = 0.75, .wait = 0.25, .total = 1};
  r.samples = n, r.localSteps = 1, r.loss = 1;
  r.exchangeBegan = r.t - 0.25, r.exchangeEnded = r.t + 0.125;
  if (n % 7 == 0) r.longestWait = 1e-4 * static_cast<double>(n), r.longestWaitFor = strCat("w", n);
  return r;
}

void append(store::StoreWriter& writer, std::int64_t from, std::int64_t to) {
  std::vector<StampedEvent> events;
  for (std::int64_t n = from; n <= to; ++n) events.push_back({.run = "r1", .node = "w0", .seq = 2 * n, .event = roundAt(n)});  // others have the numbers between
  writer.append(events);
}

void makeRunOf(store::StoreWriter& writer) { writer.createRun(makeRun("r1", "long"), std::vector{makeWorker("r1", "w0", 0)}); }

// Rows follow each other without a hole from a round at or before `first` to one at or behind `last`.
void expectWhole(const std::vector<store::RoundRow>& rows, std::int64_t first, std::int64_t last) {
  ASSERT_FALSE(rows.empty());
  std::int64_t before = rows.front().record.round - rows.front().record.localSteps;
  EXPECT_LT(before, first);
  for (const store::RoundRow& row : rows) {
    const RoundRecord& r = row.record;
    const std::int64_t begin = r.round - r.localSteps;  // a local step a round
    EXPECT_EQ(begin, before);
    before = r.round;
    const auto count = static_cast<double>(r.localSteps);
    EXPECT_EQ(r.t, static_cast<double>(r.round));
    EXPECT_EQ(row.seq, 2 * r.round);
    EXPECT_EQ(r.total, count);
    EXPECT_EQ(r.compute, 0.75 * count);
    EXPECT_EQ(r.samples, (r.round * (r.round + 1) - begin * (begin + 1)) / 2);
    EXPECT_NEAR(r.loss, 1, 1e-12);
    EXPECT_EQ(row.merged, r.localSteps);
    EXPECT_NEAR(r.exchangeEnded.value() - r.exchangeBegan.value(), 0.375 * count, 1e-9);  // as long as all of theirs
    EXPECT_EQ(r.exchangeEnded, static_cast<double>(r.round) + 0.125);
    const std::int64_t longest = r.round / 7 * 7;
    EXPECT_EQ(r.longestWaitFor, longest > begin ? strCat("w", longest) : "");
  }
  EXPECT_GE(before, last);
}

TEST(RoundLevels, EveryRoundIsInOneRowAtEveryDetail) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  makeRunOf(writer);
  append(writer, 1, kRounds);
  const store::StoreReader reader(folder / "a.db");
  for (const std::size_t most : {1U, 10U, 100U, 1000U, 20000U})
    for (const auto& [from, to] : {std::pair{0.0, 1e9}, std::pair{0.5, 17.25}, std::pair{4000.5, 4300.0}, std::pair{9990.0, 20000.0}}) {
      const auto rows = reader.roundSpans("r1", "w0", from, to, most);
      expectWhole(rows, std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(from))), std::min<std::int64_t>(kRounds, static_cast<std::int64_t>(std::floor(to))));
      EXPECT_LE(rows.size(), most + 150) << most << " from " << from;  // what is not merged yet at the end
      const double wide = std::min<double>(to, kRounds) - from;
      if (static_cast<double>(most) < wide) {
        EXPECT_GE(static_cast<double>(rows.size()), static_cast<double>(most) / 8 - 1);
      }
    }
  for (const store::RoundRow& row : reader.roundSpans("r1", "w0", 4000, 4100, 1000)) EXPECT_EQ(row.record, roundAt(row.record.round));
}

// However the rounds came: at once, in pieces, with another recorder in between, with a piece that was taken back.
TEST(RoundLevels, AreTheSameHoweverRoundsCame) {
  const TempFolder folder{};
  {
    store::StoreWriter whole(folder / "a.db");
    makeRunOf(whole);
    append(whole, 1, 1000);
  }
  { store::StoreWriter made(folder / "b.db"); makeRunOf(made); }
  for (std::int64_t from = 1; from <= 1000; from += 37) {
    store::StoreWriter writer(folder / "b.db");
    try {
      writer.together([&] {
        append(writer, from, from + 20);
        throw std::runtime_error("taken back");
      });
    } catch (const std::runtime_error&) {
    }
    append(writer, from, std::min<std::int64_t>(1000, from + 4));
    append(writer, from, std::min<std::int64_t>(1000, from + 36));  // some again
  }
  store::Database a(folder / "a.db", store::Database::Mode::kRead), b(folder / "b.db", store::Database::Mode::kRead);
  const char* all =
      "SELECT group_concat(text, ';') FROM (SELECT level || ' ' || place || ' ' || seq || ' ' || round || ' ' || samples || ' ' || total_s || ' ' || longest_wait_for AS text "
      "FROM round_level ORDER BY level, place)";
  EXPECT_EQ(a.number("SELECT count(*) FROM round_level"), 120 + 24);  // eight rows of a level at a time
  EXPECT_EQ(a.text(all), b.text(all));
}

// Five hundred rounds and no levels.
void makeOlderRun(const std::string& path) {
  {
    store::StoreWriter writer(path);
    makeRunOf(writer);
    append(writer, 1, 500);
  }
  store::Database database(path, store::Database::Mode::kWrite);
  database.execute("DELETE FROM round_level");
}

TEST(RoundLevels, OfAnOlderStoreAreMadeFromItsRounds) {
  const TempFolder folder{};
  makeOlderRun(folder / "a.db");
  const store::StoreReader reader(folder / "a.db");
  expectWhole(reader.roundSpans("r1", "w0", 0, 500, 50), 1, 500);
  EXPECT_LE(reader.roundSpans("r1", "w0", 0, 500, 50).size(), 50U);
  store::StoreWriter writer(folder / "a.db");
  append(writer, 501, 501);  // a run that goes on
  expectWhole(reader.roundSpans("r1", "w0", 0, 501, 50), 1, 501);
  store::Database database(folder / "a.db", store::Database::Mode::kRead);
  EXPECT_EQ(database.number("SELECT count(*) FROM round_level WHERE level = 3"), 501 / 8 / 8 * 8);
}

// A part of a run without levels is as detailed as of any: what it does not show is not read.
TEST(RoundLevels, APartOfARunWithoutThemIsReadAlone) {
  const TempFolder folder{};
  makeOlderRun(folder / "a.db");
  { store::Database(folder / "a.db", store::Database::Mode::kWrite).execute("DELETE FROM round WHERE round = 251"); }
  const store::StoreReader reader(folder / "a.db");
  std::vector<std::int64_t> rounds;
  for (const store::RoundRow& row : reader.roundSpans("r1", "w0", 247.5, 252.5, 50)) {
    EXPECT_EQ(row.record, roundAt(row.record.round));
    rounds.push_back(row.record.round);
  }
  EXPECT_EQ(rounds, (std::vector<std::int64_t>{248, 249, 250, 252, 253}));
  EXPECT_TRUE(reader.roundSpans("r1", "w0", 501, 600, 50).empty());
  EXPECT_EQ(reader.roundSpans("r1", "w0", -10, 0.5, 50).size(), 1U);
}

// Intervals of a server, from any moment on.
TEST(BusyIntervals, AreReadFromAMomentOnInPieces) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  makeRunOf(writer);
  std::vector<StampedEvent> events;
  for (std::int64_t n = 1; n <= 100; ++n) events.push_back({.run = "r1", .node = "s0", .seq = 3 * n, .event = BusyRecord{.t = static_cast<double>(n), .span = 0.5, .busy = 0.25}});
  writer.append(events);
  const store::StoreReader reader(folder / "a.db");
  const std::int64_t before = reader.busyBefore("r1", "s0", 40.5);
  const std::vector<store::BusyRow> rows = reader.busy("r1", "s0", before, 10);
  ASSERT_EQ(rows.size(), 10U);
  EXPECT_EQ(rows.front().record.t, 41);
  EXPECT_EQ(rows.back().record.t, 50);
  EXPECT_EQ(rows.front().node, "s0");
  EXPECT_EQ(reader.busy("r1", "s0", reader.busyBefore("r1", "s0", 0), 1000).size(), 100U);
  EXPECT_TRUE(reader.busy("r1", "s0", reader.busyBefore("r1", "s0", 100.5), 10).empty());
  EXPECT_TRUE(reader.busy("r1", "nobody", 0, 10).empty());
}

TEST(RoundLevels, GoWithTheirRun) {
  const TempFolder folder{};
  store::StoreWriter writer(folder / "a.db");
  makeRunOf(writer);
  append(writer, 1, 100);
  writer.setState("r1", store::RunState::kFinished);
  writer.trash("r1");
  writer.purge("r1");
  store::Database database(folder / "a.db", store::Database::Mode::kRead);
  EXPECT_EQ(database.number("SELECT count(*) FROM round_level"), 0);
}

}  // namespace
}  // namespace paceline::tests
