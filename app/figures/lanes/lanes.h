// Who waits for whom: a run's records as lanes, one a node, on one axis of time. Pure: no Qt, no clock; values, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/base/replace_file.h"
#include "storage/summary/summary.h"

namespace paceline::lanes {

// In the order in which a round has them, where nothing says otherwise: a record has the sums of each, not when they were.
enum class Phase : std::uint8_t { kFetch, kQuery, kCompute, kSend, kWait, kReceive, kUpdate, kEvaluate, kServe };
inline constexpr std::size_t kPhaseCount = 9;
inline constexpr std::size_t kMostLanes = 24;  // that are told apart; of more, equal ones are folded
struct PhaseLook {
  const char* name;   // in legends and files
  const char* doing;  // "it was computing"
  int series;         // of the figures' palette; kQuiet: no work
};
inline constexpr int kQuiet = -1;
const PhaseLook& lookOf(Phase phase);

struct Span {
  double begin = 0, end = 0;  // s on the axis
  Phase phase = Phase::kCompute;
  std::int64_t round = 0;  // 0: none; of several that are merged the last
  std::int64_t rounds = 1;
  double share = 1;        // of the time that it was at work; a server's interval may be idle for most of it
};

// The longest wait of a round.
struct Gap {
  double begin = 0, end = 0;
  std::int64_t round = 0;
  std::string whom{};  // a node's id
  double seconds() const { return end - begin; }
};

// A round's vectors under way.
struct Exchange {
  double begin = 0, end = 0;
  std::int64_t round = 0, bytes = 0;
};

struct Lane {
  std::string node, role, host;
  std::string name{};  // the node's id; of lanes that are folded "w3 to w66, 64 alike"
  std::vector<std::string> members{};  // ids of the nodes that it stands for, its own first
  std::vector<Span> spans{};           // in order, none overlaps another
  std::vector<Gap> gaps{};
  std::vector<Exchange> exchanges{};   // none overlaps another
};

struct Timeline {
  std::vector<Lane> lanes{};  // workers by rank, then the others
  double end = 0;             // s; the first worker begins at 0
  double clockError = 0;      // s, by which two lanes may be apart at most; NaN: their clocks were not compared
  const Lane* find(const std::string& node) const;  // also one that it is folded into
};

Timeline timelineOf(const summary::RunData& data);

// Reads what a view of a stored run needs, in as much detail as it can show. It borrows the store; one thread.
class StoredLanes {
 public:
  StoredLanes(const store::StoreReader& store, std::string run) : store_(store), run_(std::move(run)) {}
  // Between two moments of the axis, and somewhat around them, in about `most` rounds or merged rounds a lane or fewer. It ends with the run all the same.
  Timeline between(double from, double to, std::size_t most);

 private:
  const store::StoreReader& store_;
  std::string run_;
  summary::RunData data_;  // nodes, clocks and intervals of servers, so far
  std::int64_t clock_ = 0, busy_ = 0;  // how far they are read
};

// "w2 waited 0.61 s for w0: it was evaluating"
std::string sentenceOf(const Timeline& timeline, const Lane& lane, const Gap& gap);
const Gap* gapAt(const Lane& lane, double time);    // nullptr: nobody was waited for
const Span* spanAt(const Lane& lane, double time);  // nullptr: nothing is recorded there
std::string secondsText(double seconds);            // "0.61 s", "6.1 ms"
std::string clockNote(const Timeline& timeline);    // how far lanes may be apart, a sentence

// Lanes of one role that are in the same phase for at least `agreement` of their time become one.
Timeline folded(Timeline timeline, double agreement = 0.98);

// Chrome's trace event format, which chrome://tracing and Perfetto read: a track for each node, one below it for what it has under way, an arrow for each wait.
void writeTrace(const Timeline& timeline, const std::string& title, const PieceWriter& write);

}  // namespace paceline::lanes
