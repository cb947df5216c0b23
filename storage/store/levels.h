// Rounds at lower levels of detail: row n of level k of a node stands for its rounds n * 2^k + 1 to (n + 1) * 2^k, in the order of their numbers (seq). A row is a
// round's record: sums where a round has sums, means where it has means, the longest of its waits, its exchanges one behind the other at the end of the last. It can always be made again from the rounds. Private to storage.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "storage/store/records.h"
#include "storage/store/sqlite.h"

namespace paceline::store {

// Which levels are written: 3, 5, 7 ... Below the first the rounds themselves are read.
inline constexpr int kFirstLevel = 3, kLevelStep = 2, kLastLevel = 31;
inline constexpr std::size_t kTogether = 8;  // rows of a level; until then finer ones stand for them
inline constexpr int kFirstVersionWithLevels = 8;  // of the schema

RoundRecord merged(const RoundRecord& first, const RoundRecord& second);  // that follow each other

// Writes one node's levels as its rounds come, some rows of a level at a time: every one alone would write its page again. Used inside the transaction that writes the rounds; not valid behind one that failed.
class RoundLevels {
 public:
  RoundLevels(Database& database, std::int64_t node);  // goes on behind the rounds that the store has
  void add(std::int64_t seq, const RoundRecord& round);

 private:
  struct Half {
    std::int64_t seq = 0;
    RoundRecord round;
  };
  void addAt(int level, Half newest);
  void insert(int level, const Half& whole);
  void write(int level);

  Database& database_;
  std::int64_t node_;
  std::array<std::optional<Half>, kLastLevel + 1> waiting_;  // by level: the first of two
  std::array<std::int64_t, kLastLevel + 1> places_{};                     // how many rows are written
  std::array<std::vector<Half>, kLastLevel + 1> unwritten_;
};

void makeLevels(Database& database);  // of nodes that have none, as those of a version before levels were; inside a transaction
void deleteLevels(Database& database, std::int64_t runKey);

// The node's rounds that end between the two moments of its own time, and what surrounds them, in order: the rounds themselves where they are at most `most`, else
// the finest level that has no more, and behind its last row what is not merged yet.
std::vector<RoundRow> selectRoundSpans(Database& database, std::int64_t node, double from, double to, std::size_t most);

std::optional<double> lastRoundEnd(Database& database, std::int64_t node);
// The node's rounds that came before one of its records, in order, the newest `most` of them, and the next few that came behind it.
std::vector<RoundRow> selectRoundsBefore(Database& database, std::int64_t node, std::int64_t seq, std::size_t most);
// Intervals of a server or an evaluator behind the one with that number, in order, at most so many.
std::vector<BusyRow> selectBusy(Database& database, std::int64_t node, std::int64_t after, std::size_t most);
std::int64_t busyBefore(Database& database, std::int64_t node, double t);  // the number behind which the intervals begin that end at `t` or later

}  // namespace paceline::store
