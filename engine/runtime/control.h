// What the nodes of a run tell each other beside the algorithm's messages: progress and stop, snapshots, evaluations. Typed, with the one codec
// of fields.h; the order of the fields and of the alternatives is the wire's: append only. Private to runtime.
#pragma once

#include <variant>
#include <vector>

#include "engine/comm/transport/fields.h"
#include "engine/runtime/stop_rules.h"

namespace paceline {

struct Progress {  // kProgress
  std::int64_t round = 0, samples = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round), v.count(s.samples); }
};
struct StopOrder {  // kStop
  std::int64_t lastRound = 0;
  StopReason reason = StopReason::kAsked;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.lastRound), v.choice(s.reason, StopReason::kAsked); }
};
struct Bye {  // kBye
  StopReason reason = StopReason::kAsked;
  std::vector<std::int64_t> received = {};  // worker -> server: bytes and messages that the worker has received from it
  template <class S, class V> static void fields(S& s, V& v) { v.choice(s.reason, StopReason::kAsked), v.rest(s.received); }
};

// A snapshot (Chandy & Lamport 1985) of all nodes, coordinated by the worker that ends the run: kCheckpoint.
struct Pause {  // coordinator -> workers: where do you stand?
  template <class S, class V> static void fields(S&, V&) {}
};
struct Standing {  // set of LockStep, its clock at the end of the round in progress; the worker begins no other round
  int set = -1;
  std::int64_t clock = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.whole(s.set), v.whole(s.clock); }
};
struct PauseAt {  // the clock to rest at
  std::int64_t clock = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.whole(s.clock); }
};
struct Marker {  // worker -> workers of a decentralised run: nothing more comes from me until we go on
  template <class S, class V> static void fields(S&, V&) {}
};
struct Ready {  // I rest, and nothing to me is under way
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
struct Save {  // coordinator -> all
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
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
struct Load {  // coordinator -> all: the newest round that all hold
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
struct Loaded {
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
using SnapshotStep = std::variant<Pause, Standing, PauseAt, Marker, Ready, Save, Saved, Go, Holds, Load, Loaded>;
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
struct Want {  // evaluator -> worker: send the parameters of the first evaluated round from here on
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
struct Passed {  // worker -> evaluator: this round came before the evaluator's question
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
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
