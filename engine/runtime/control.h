// What the nodes of a run tell each other beside the algorithm's messages: progress and stop, snapshots, evaluations. Typed, with the one codec
// of fields.h; the order of the fields and of the alternatives is the wire's: append only. Private to runtime.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "engine/comm/transport/fields.h"
#include "engine/core/spec/run_spec.h"

namespace paceline {

// On the wire (kStop, kBye); append only.
enum class StopReason : std::uint8_t { kRounds, kSeconds, kSamples, kAccuracy, kAsked, kPatience };
inline const char* stopReasonName(StopReason reason) {
  constexpr const char* kNames[] = {"rounds", "seconds", "samples", "accuracy", "asked", "patience"};
  return kNames[static_cast<std::size_t>(reason)];
}

struct RunSoFar {
  std::int64_t rounds = 0;         // of the coordinator
  double seconds = 0;              // since its first round began
  std::int64_t samples = 0;        // of all workers, as far as they have told
  std::optional<double> accuracy = {};  // of this round's evaluation
  std::int64_t withoutBetter = 0;       // evaluations in a row up to the newest
  bool asked = false;
};

// The end of a run, asked by the coordinator at the end of each of its rounds. Where several rules are met, the first of: accuracy, patience,
// rounds, samples, seconds, asked.
inline std::optional<StopReason> reasonToStop(const StopRules& rules, const RunSoFar& soFar) {
  if (rules.accuracy && soFar.accuracy && *soFar.accuracy >= *rules.accuracy) return StopReason::kAccuracy;
  if (rules.patience && soFar.withoutBetter >= *rules.patience) return StopReason::kPatience;
  if (rules.rounds && soFar.rounds >= *rules.rounds) return StopReason::kRounds;
  if (rules.samples && soFar.samples >= *rules.samples) return StopReason::kSamples;
  if (rules.seconds && soFar.seconds >= *rules.seconds) return StopReason::kSeconds;
  if (soFar.asked) return StopReason::kAsked;
  return std::nullopt;
}

// How many evaluations in a row were no better than the best before them.
class Improvement {
 public:
  void take(double deciding) {  // of the next evaluation
    const bool better = !std::isnan(deciding) && (std::isnan(best_) || deciding > best_);
    if (better) best_ = deciding;
    without_ = better ? 0 : without_ + 1;
  }
  std::int64_t without() const { return without_; }

 private:
  double best_ = std::numeric_limits<double>::quiet_NaN();
  std::int64_t without_ = 0;
};

struct Progress {  // kProgress
  std::int64_t round = 0, samples = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.count(s.samples); }
};
struct StopOrder {  // kStop
  std::int64_t lastRound = 0;
  StopReason reason = StopReason::kAsked;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.lastRound), v.choice(s.reason, StopReason::kPatience); }
};
struct Bye {  // kBye
  StopReason reason = StopReason::kAsked;
  std::vector<std::int64_t> received = {};  // worker -> server: bytes and messages that the worker has received from it
  template <class S, class V> static void fields(S& s, V& v) { v.choice(s.reason, StopReason::kPatience), v.rest(s.received); }
};

struct Dropped {  // kDropped
  std::int64_t node = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.node); }
};

struct Members {  // kMembers
  std::int64_t view = 0;               // how often that has changed
  std::vector<std::int64_t> lost = {};  // ranks of the workers that the run goes on without, ascending
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.view), v.rest(s.lost); }
};

struct Anew {  // kAnew
  std::int64_t process = 0;  // that this node has had before this one
  std::int64_t rounds = 0;   // the newest that one of them may have recorded
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.process), v.count(s.rounds); }
};

struct Nothing {  // a message without numbers
  template <class S, class V> static void fields(S&, V&) {}
};
struct OfRound {  // a message of one number
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};

// A snapshot (Chandy & Lamport 1985) of all nodes, coordinated by the worker that ends the run: kCheckpoint.
struct Pause : Nothing {};  // coordinator -> workers: where do you stand?
struct Standing {  // set of LockStep, its clock at the end of the round in progress; the worker begins no other round
  int set = -1;
  std::int64_t clock = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.whole(s.set), v.whole(s.clock); }
};
struct PauseAt {  // the clock to rest at
  std::int64_t clock = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.whole(s.clock); }
};
struct Marker : Nothing {};  // worker -> workers of a decentralised run: nothing more comes from me until we go on
struct Ready : OfRound {};  // I rest, and nothing to me is under way
struct Save : OfRound {};  // coordinator -> all
struct Saved {
  std::int64_t round = 0;
  bool done = false;
  std::int64_t bytes = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.choice(s.done, true), v.count(s.bytes); }
};
struct Go {  // go on; complete: all nodes have saved or loaded the round
  std::int64_t round = 0;
  bool complete = false;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.choice(s.complete, true); }
};
struct Holds {  // on resuming: rounds of my sound checkpoints
  std::vector<std::int64_t> rounds = {};
  template <class S, class V> static void fields(S& s, V& v) { v.rest(s.rounds); }
};
struct Load : OfRound {};  // coordinator -> all: the newest round that all hold
struct Loaded : OfRound {};
struct Join {  // coordinator -> servers: this worker, which was lost, takes part again and stands where the coordinator stands
  std::int64_t node = 0;
  std::int64_t process = 0;  // where the run has gone on without it: once there is a way to this process (Anew), it is answered; 0: the run begins, and all are there
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.node), v.count(s.process); }
};
struct Joined : Join {};  // server -> coordinator
struct StateOf {  // coordinator -> a worker that takes part again: a piece of the coordinator's state, in the order of the bytes (Packing::kState)
  std::int64_t round = 0;
  bool last = false;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.choice(s.last, true); }
};
using SnapshotStep = std::variant<Pause, Standing, PauseAt, Marker, Ready, Save, Saved, Go, Holds, Load, Loaded, Join, StateOf, Joined>;
inline Message snapshotMessage(const SnapshotStep& step) { return messageOf(MessageKind::kCheckpoint, step); }

// A node's state of training at the end of a round.
struct Moment {
  std::int64_t round = 0;
  double t = 0;              // seconds since the start
  std::int64_t samples = 0;  // trained by this worker so far
  bool last = false;         // the run ends with it
};
struct Due {  // coordinator -> evaluator: these parameters are to be evaluated; kEvaluate
  Moment at = {};
  template <class S, class V> static void fields(S& s, V& v) {
    v.count(s.at.round), v.real(s.at.t), v.count(s.at.samples), v.choice(s.at.last, true);
  }
};
struct Want : OfRound {};  // evaluator -> worker: send the parameters of the first evaluated round from here on
struct Passed : OfRound {};  // worker -> evaluator: this round came before the evaluator's question
struct Evaluated {  // evaluator -> coordinator
  std::int64_t round = 0;
  double accuracy = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.real(s.accuracy); }
};
using EvaluateStep = std::variant<Due, Want, Passed, Evaluated>;
inline Message evaluateMessage(const EvaluateStep& step) { return messageOf(MessageKind::kEvaluate, step); }

struct CopyPiece {  // kCopy: piece `shard` of a worker's parameters after round `round` of the message
  double t = 0;
  std::int64_t samples = 0;
  bool last = false;
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.t), v.count(s.samples), v.choice(s.last, true); }
};

}  // namespace paceline
