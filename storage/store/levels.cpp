#include "storage/store/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/base/error.h"
#include "storage/store/rows.h"

namespace paceline::store {
namespace {

// Statements live as long as the program: a Database finds them by their address.
struct Sql {
  std::string columns = namesOf(columnsOf<RoundRecord>());
  std::string insert = strCat("INSERT INTO round_level(node, level, place, seq, ", columns, ") VALUES(", placesFor(columnsOf<RoundRecord>().size() + 4), ")");
  std::string rows = strCat("SELECT seq, ", columns, " FROM round_level WHERE node = ?1 AND level = ?2 AND place >= ?3 AND place <= ?4 ORDER BY place");
  std::string rounds = strCat("SELECT seq, ", columns, " FROM round WHERE node = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq");
  std::string roundsBefore = strCat("SELECT seq, ", namesOf(columnsOf<RoundRecord>()), " FROM round WHERE node = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3");
  std::string roundsBehind = strCat("SELECT seq, ", namesOf(columnsOf<RoundRecord>()), " FROM round WHERE node = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3");
  std::string busy = strCat("SELECT seq, ", namesOf(columnsOf<BusyRecord>()), " FROM busy WHERE node = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3");
};
const Sql& sql() {
  static const Sql all;
  return all;
}
constexpr const char* kCount = "SELECT coalesce(max(place) + 1, 0) FROM round_level WHERE node = ?1 AND level = ?2";
constexpr const char* kTopLevel = "SELECT coalesce(max(level), 0) FROM round_level WHERE node = ?1";
constexpr const char* kEnd = "SELECT t_s, seq FROM round_level WHERE node = ?1 AND level = ?2 AND place = ?3";
constexpr const char* kEnds = "SELECT (SELECT min(seq) FROM round WHERE node = ?1), (SELECT max(seq) FROM round WHERE node = ?1) WHERE EXISTS (SELECT 1 FROM round WHERE node = ?1)";
constexpr const char* kNext = "SELECT t_s, seq FROM round WHERE node = ?1 AND seq >= ?2 ORDER BY seq LIMIT 1";
constexpr const char* kLast = "SELECT t_s FROM round WHERE node = ?1 ORDER BY seq DESC LIMIT 1";
constexpr const char* kBusyEnds = "SELECT (SELECT min(seq) FROM busy WHERE node = ?1), (SELECT max(seq) FROM busy WHERE node = ?1) WHERE EXISTS (SELECT 1 FROM busy WHERE node = ?1)";
constexpr const char* kNextBusy = "SELECT t_s, seq FROM busy WHERE node = ?1 AND seq >= ?2 ORDER BY seq LIMIT 1";
constexpr const char* kUnmerged = "SELECT key FROM node WHERE EXISTS (SELECT 1 FROM round WHERE round.node = node.key) AND NOT EXISTS (SELECT 1 FROM round_level WHERE round_level.node = node.key)";
constexpr const char* kDelete = "DELETE FROM round_level WHERE node IN (SELECT key FROM node WHERE run = ?1)";
constexpr std::int64_t kAllSeqs = std::numeric_limits<std::int64_t>::max(), kNoSeq = std::numeric_limits<std::int64_t>::min();

std::int64_t countOf(Database& database, std::int64_t node, int level) {
  Statement query = database.statement(kCount);
  return query.bind(node, level).step() ? query.next<std::int64_t>() : 0;
}

int topLevelOf(Database& database, std::int64_t node) {
  Statement query = database.statement(kTopLevel);
  return query.bind(node).step() ? query.next<int>() : 0;
}

struct End {
  double t = 0;
  std::int64_t seq = kNoSeq;
};
End endOf(Database& database, std::int64_t node, int level, std::int64_t place) {
  End end;
  if (place < 0) return end;
  Statement query = database.statement(kEnd);
  if (query.bind(node, level, place).step()) query.readNext(end.t, end.seq);
  return end;
}

template <class Row>
void readInto(Statement& query, std::int64_t merged, std::vector<Row>& rows) {
  while (query.step()) {
    Row& row = rows.emplace_back();
    query.readNext(row.seq);
    readColumns(query, row.record);
    row.merged = merged;
  }
}

// The node's first record that ends at `t` or later, by its number; numbers grow with time, and some are missing. nullopt: all end before.
std::optional<std::int64_t> seqAt(Database& database, std::int64_t node, double t, const char* ends, const char* next) {
  std::int64_t low = 0, high = -1;
  if (Statement query = database.statement(ends); query.bind(node).step()) query.readNext(low, high);
  const auto nextAt = [&](std::int64_t seq) {
    End end;
    if (Statement query = database.statement(next); query.bind(node, seq).step()) query.readNext(end.t, end.seq);
    return end;
  };
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (const End end = nextAt(middle); end.t < t) low = end.seq + 1;
    else high = middle;
  }
  const End end = low == high ? nextAt(low) : End();
  return end.seq != kNoSeq && end.t >= t ? std::optional(end.seq) : std::nullopt;
}

void readRounds(Database& database, std::int64_t node, std::int64_t after, std::int64_t last, std::vector<RoundRow>& rows) {
  Statement query = database.statement(sql().rounds.c_str());
  query.bind(node, after, last);
  readInto(query, 1, rows);
}

void readLevel(Database& database, std::int64_t node, int level, std::int64_t first, std::int64_t last, std::vector<RoundRow>& rows) {
  Statement query = database.statement(sql().rows.c_str());
  query.bind(node, level, first, last);
  readInto(query, std::int64_t{1} << level, rows);
}

// One node's rows of one level.
class LevelView {
 public:
  LevelView(Database& database, std::int64_t node, int level) : database_(database), node_(node), level_(level), count_(countOf(database, node, level)) {}

  std::int64_t count() const { return count_; }
  // The first row that ends at `t` or later; count(): none.
  std::int64_t placeAt(double t) const {
    std::int64_t low = 0, high = count_;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (endOf(database_, node_, level_, middle).t < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

 private:
  Database& database_;
  std::int64_t node_;
  int level_;
  std::int64_t count_;
};

RoundRow merged(const RoundRow& first, const RoundRow& second) {
  return {.node = {}, .seq = second.seq, .record = store::merged(first.record, second.record), .merged = first.merged + second.merged};
}

// Of a run without levels, or of one whose newest rounds are not merged yet.
void thin(std::vector<RoundRow>& rows, std::size_t most) {
  while (rows.size() > std::max<std::size_t>(1, most)) {
    std::vector<RoundRow> half;
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) half.push_back(merged(rows[i], rows[i + 1]));
    if (rows.size() % 2 == 1) half.push_back(std::move(rows.back()));
    rows = std::move(half);
  }
}

}  // namespace

RoundRecord merged(const RoundRecord& first, const RoundRecord& second) {
  RoundRecord sum = second;
  for (double RoundRecord::* seconds : {&RoundRecord::fetch, &RoundRecord::compute, &RoundRecord::update, &RoundRecord::send, &RoundRecord::wait, &RoundRecord::receive,
                                        &RoundRecord::query, &RoundRecord::evaluate, &RoundRecord::total})
    sum.*seconds += first.*seconds;
  for (std::int64_t RoundRecord::* count : {&RoundRecord::localSteps, &RoundRecord::samples, &RoundRecord::bytesSent, &RoundRecord::bytesReceived,
                                            &RoundRecord::messagesSent, &RoundRecord::messagesReceived})
    sum.*count += first.*count;
  const auto a = static_cast<double>(first.samples), b = static_cast<double>(second.samples);
  sum.loss = a + b > 0 ? (first.loss * a + second.loss * b) / (a + b) : (first.loss + second.loss) / 2;
  sum.staleness = (first.staleness + second.staleness) / 2;
  if (first.kept) sum.kept = second.kept ? (*first.kept + *second.kept) / 2 : *first.kept;
  if (first.longestWait.value_or(0) > second.longestWait.value_or(0)) sum.longestWait = first.longestWait, sum.longestWaitFor = first.longestWaitFor;
  if (first.exchangeBegan && first.exchangeEnded) {
    if (sum.exchangeBegan && sum.exchangeEnded) *sum.exchangeBegan -= *first.exchangeEnded - *first.exchangeBegan;  // as long as both, at the end of the second
    else sum.exchangeBegan = first.exchangeBegan, sum.exchangeEnded = first.exchangeEnded;
  }
  return sum;
}

// What the levels have not merged into the next one comes again, from the coarsest down: none of it completes a row that is there.
RoundLevels::RoundLevels(Database& database, std::int64_t node) : database_(database), node_(node) {
  std::int64_t after = kNoSeq;
  int top = kFirstLevel;
  for (int level = kFirstLevel; level <= kLastLevel; level += kLevelStep) {
    places_[static_cast<std::size_t>(level)] = countOf(database_, node_, level);
    if (places_[static_cast<std::size_t>(level)] > 0) top = level;
  }
  for (int level = top; level >= kFirstLevel; level -= kLevelStep) {
    const std::int64_t count = places_[static_cast<std::size_t>(level)], above = level < kLastLevel ? places_[static_cast<std::size_t>(level + kLevelStep)] << kLevelStep : 0;
    std::vector<RoundRow> loose;
    readLevel(database_, node_, level, above, count - 1, loose);
    for (const RoundRow& row : loose) addAt(level, {.seq = row.seq, .round = row.record});
    if (level == kFirstLevel) after = endOf(database_, node_, level, count - 1).seq;
  }
  Statement rest = database_.statement(sql().rounds.c_str());  // one by one: they may be a million
  rest.bind(node_, after, kAllSeqs);
  while (rest.step()) {
    Half round;
    rest.readNext(round.seq);
    readColumns(rest, round.round);
    addAt(0, std::move(round));
  }
}

void RoundLevels::add(std::int64_t seq, const RoundRecord& round) { addAt(0, {.seq = seq, .round = round}); }

// As a binary counter: two of a level are one of the next.
void RoundLevels::addAt(int level, Half newest) {
  for (; level < kLastLevel; ++level) {
    std::optional<Half>& first = waiting_[static_cast<std::size_t>(level)];
    if (!first) {
      first = std::move(newest);
      return;
    }
    newest.round = merged(first->round, newest.round);
    first.reset();
    if (level + 1 >= kFirstLevel && (level + 1 - kFirstLevel) % kLevelStep == 0) insert(level + 1, newest);
  }
}

void RoundLevels::insert(int level, const Half& whole) {
  std::vector<Half>& rows = unwritten_[static_cast<std::size_t>(level)];
  rows.push_back(whole);
  if (rows.size() == kTogether) write(level);
}

void RoundLevels::write(int level) {
  for (const Half& whole : unwritten_[static_cast<std::size_t>(level)]) {
    Statement insert = database_.statement(sql().insert.c_str());
    insert.bind(node_, level, places_[static_cast<std::size_t>(level)]++, whole.seq);
    bindColumns(insert, whole.round);
    insert.run();
  }
  unwritten_[static_cast<std::size_t>(level)].clear();
}

void makeLevels(Database& database) {
  std::vector<std::int64_t> nodes;
  for (Statement query = database.statement(kUnmerged); query.step();) nodes.push_back(query.next<std::int64_t>());
  for (const std::int64_t node : nodes) RoundLevels(database, node);
}

void deleteLevels(Database& database, std::int64_t runKey) { database.statement(kDelete).bind(runKey).run(); }

std::optional<double> lastRoundEnd(Database& database, std::int64_t node) {
  Statement query = database.statement(kLast);
  return query.bind(node).step() ? std::optional(query.next<double>()) : std::nullopt;
}

std::vector<RoundRow> selectRoundsBefore(Database& database, std::int64_t node, std::int64_t seq, std::size_t most) {
  constexpr std::int64_t kBehind = 2;  // with overlap a round is told in the next one's step
  std::vector<RoundRow> rows;
  Statement before = database.statement(sql().roundsBefore.c_str());
  before.bind(node, seq, static_cast<std::int64_t>(most));
  readInto(before, 1, rows);
  std::ranges::reverse(rows);
  Statement behind = database.statement(sql().roundsBehind.c_str());
  behind.bind(node, seq, kBehind);
  readInto(behind, 1, rows);
  return rows;
}

std::vector<BusyRow> selectBusy(Database& database, std::int64_t node, std::int64_t after, std::size_t most) {
  std::vector<BusyRow> rows;
  Statement query = database.statement(sql().busy.c_str());
  query.bind(node, after, static_cast<std::int64_t>(most));
  readInto(query, 1, rows);
  return rows;
}

std::int64_t busyBefore(Database& database, std::int64_t node, double t) {
  return seqAt(database, node, t, kBusyEnds, kNextBusy).value_or(kAllSeqs) - 1;
}

// From the coarsest level down, as long as what is finer still fits.
std::vector<RoundRow> selectRoundSpans(Database& database, std::int64_t node, double from, double to, std::size_t most) {
  std::vector<RoundRow> rows;
  int level = topLevelOf(database, node);
  if (level == 0) {  // too few for any
    const std::optional<std::int64_t> begin = seqAt(database, node, from, kEnds, kNext);
    if (begin) readRounds(database, node, *begin - 1, seqAt(database, node, to, kEnds, kNext).value_or(kAllSeqs), rows);
    thin(rows, most);
    return rows;
  }
  std::int64_t first = 0, last = -1, after = kNoSeq, count = 0;
  for (; level >= kFirstLevel; level -= kLevelStep) {
    const LevelView view(database, node, level);
    count = view.count();
    first = view.placeAt(from), last = std::min(view.placeAt(to), count - 1);
    after = endOf(database, node, level, first - 1).seq;
    const auto here = static_cast<std::size_t>(std::max<std::int64_t>(0, last - first + 1));
    if (here << (level == kFirstLevel ? kFirstLevel : kLevelStep) <= most) continue;
    readLevel(database, node, level, first, last, rows);
    break;
  }
  const bool toTheEnd = last + 1 >= count;
  if (level < kFirstLevel) {
    readRounds(database, node, after, toTheEnd ? kAllSeqs : endOf(database, node, kFirstLevel, last).seq, rows);
    thin(rows, most);
    return rows;
  }
  if (!toTheEnd) return rows;
  // Behind the last row there are few of each finer level, and some rounds.
  if (!rows.empty()) after = rows.back().seq;
  for (; level > kFirstLevel; level -= kLevelStep) {
    const std::int64_t finer = countOf(database, node, level - kLevelStep);
    readLevel(database, node, level - kLevelStep, count << kLevelStep, finer - 1, rows);
    count = finer;
    if (!rows.empty()) after = rows.back().seq;
  }
  readRounds(database, node, after, kAllSeqs, rows);
  return rows;
}

}  // namespace paceline::store
