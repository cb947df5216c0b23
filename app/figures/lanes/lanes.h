// Who waits for whom: a run's records as lanes, one a node, on one axis of time. Pure: no Qt, no clock; values, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/core/base/replace_file.h"
#include "storage/summary/summary.h"

namespace paceline::lanes {

// In the order in which a round has them, where nothing says otherwise: a record has the sums of each, not when they were.
enum class Phase : std::uint8_t { kFetch, kQuery, kCompute, kSend, kWait, kReceive, kUpdate, kEvaluate, kServe, kHostLoad };
inline constexpr std::size_t kPhaseCount = 10;
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
  std::int64_t rounds = 1;  // that are merged
  double share = 1;        // of the time that it was at work; a server's interval may be idle for most of it
};

// The longest wait of a round. Of several that are merged: of one of them, and nobody knows when in their time it was.
struct Gap {
  double begin = 0, end = 0;
  std::int64_t round = 0, rounds = 1;
  std::string whom{};  // a node's id
  double seconds() const { return end - begin; }
};

// A round's vectors under way. Of several rounds that are merged: as long as all of theirs together.
struct Exchange {
  double begin = 0, end = 0;
  std::int64_t round = 0, rounds = 1, bytes = 0;
};
inline constexpr const char* kExchange = "exchange";  // in legends and files
inline constexpr int kExchangeSeries = 6;  // of the figures' palette

inline constexpr const char* kHostRole = "host";  // of a lane that shows how busy a host's CPUs were, with all that ran there

struct Lane {
  std::string node, role, host;
  std::string name{};  // the node's id; of lanes that are folded "w3 to w66, 64 alike"
  std::vector<std::string> members{};  // ids of the nodes that it stands for, its own first
  std::vector<Span> spans{};           // in order, none overlaps another
  std::vector<Gap> gaps{};
  std::vector<Exchange> exchanges{};   // none overlaps another
};

struct Timeline {
  std::vector<Lane> lanes{};  // workers by rank, then servers and evaluators, then the load of the hosts that told it
  double end = 0;             // s; the first worker begins at 0
  double clockError = 0;      // s, by which two lanes may be apart at most; NaN: their clocks were not compared
  const Lane* find(const std::string& node) const;  // also one that it is folded into
};

Timeline timelineOf(const summary::RunData& data);

// Reads what a view of a stored run needs, in as much detail as it can show. What it keeps does not grow with the run. It borrows the store; one thread.
class StoredLanes {
 public:
  StoredLanes(const store::StoreReader& store, std::string run) : store_(store), run_(std::move(run)) {}
  // Between two moments of the axis, and somewhat around them, in about `most` rounds or merged ones a lane or fewer; of few workers in up to four times as many, so that
  // none is wider than what it is asked for. It ends with the run all the same.
  Timeline between(double from, double to, std::size_t most);

 private:
  // One server's or evaluator's intervals so far, in so few that a run of any length has room: when they are too many, two that follow each other become one.
  struct Track {
    std::vector<store::BusyRow> rows{};
    std::int64_t each = 1, read = kBeforeAll;  // intervals in a row; the newest one's number
  };
  static constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();
  void follow(const std::string& node, Track& track);
  void takeClocks();
  void takeLoads();
  std::vector<store::BusyRow> intervals(const std::string& node, const Track& track, double from, double to, std::size_t most) const;

  const store::StoreReader& store_;
  std::string run_;
  summary::RunData data_;  // nodes, clocks and loads so far
  std::map<std::string, Track> tracks_;
  std::int64_t clock_ = 0, load_ = 0;  // how far clocks and loads are read
};

// "w2 waited 0.61 s for w0: it was evaluating"; of rounds that are merged "w2 waited 0.61 s at most, for w0": what w0 did then is not known.
std::string sentenceOf(const Timeline& timeline, const Lane& lane, const Gap& gap);
std::string roundsText(std::int64_t last, std::int64_t rounds);  // "round 148", "rounds 117 to 148"
const Gap* gapAt(const Lane& lane, double time);    // nullptr: nobody was waited for
const Span* spanAt(const Lane& lane, double time);  // nullptr: nothing is recorded there
const Exchange* exchangeAt(const Lane& lane, double time);  // nullptr: nothing is under way
std::string secondsText(double seconds);            // "0.61 s", "6.1 ms"
std::string clockNote(const Timeline& timeline);    // how far lanes may be apart, a sentence

// Lanes of one role that are in the same phase for at least `agreement` of their time become one.
Timeline folded(Timeline timeline, double agreement = 0.98);
// Of more than kMostLanes, lanes that are more and more unlike are folded until they are no more than that, or too unlike.
Timeline foldedToFit(Timeline timeline);

// Chrome's trace event format, which chrome://tracing and Perfetto read: a track for each node, one below it for what it has under way, an arrow for each wait.
void writeTrace(const Timeline& timeline, const std::string& title, const PieceWriter& write);

}  // namespace paceline::lanes
