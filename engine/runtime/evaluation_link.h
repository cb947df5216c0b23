// Evaluation away from training: what workers tell an evaluator node, and how. A worker sends a copy of its parameters at the end of a round
// and goes on at once; it sends the next one when the evaluator has asked for it, so that a slow evaluator skips rounds instead of filling
// memory. The last parameters are always sent. Used by the worker's thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/transport/transport.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

// Who gives the evaluator its parameters.
enum class SnapshotSource {
  kNone,         // there is no evaluator: the evaluating worker evaluates itself
  kServers,      // the evaluating worker says when, the servers are asked
  kWorker,       // the evaluating worker sends its own
  kEveryWorker,  // all of a decentralised run send theirs
  kCheckpoints,  // the evaluating worker says when there is a new file; the last parameters it sends
};
// "auto" is kEveryWorker for decentralised methods, kServers where they hold the parameters and nothing else belongs to the model (batch-norm
// statistics stay with the workers), else kWorker. Throws Error{kSpec} for a source that the algorithm does not have.
SnapshotSource snapshotSource(const RunSpec& spec, const AlgorithmDef& algorithm, bool modelHasStatistics);

// scalars[0] of a kEvaluate message; the others follow. On the wire; append only.
enum class EvaluateStep : std::uint8_t {
  kDue,     // evaluating worker -> evaluator: {round, t, samples, 1: the last}: these parameters are to be evaluated
  kWant,    // evaluator -> worker: {round}: send me the parameters of the first round from here on that is to be evaluated
  kPassed,  // worker -> evaluator: {round}: it was to be evaluated, but you had not asked
  kResult,  // evaluator -> evaluating worker: {round, accuracy}
};
Message evaluateMessage(EvaluateStep step, std::vector<double> numbers);
EvaluateStep evaluateStep(const Message& message);  // throws Error{kFormat} naming the sender for what no node sends

// Of a kSnapshot message: scalars {t, samples, 1: the last}, its shard says which piece it is.
class EvaluationLink {
 public:
  EvaluationLink(const NodeRun& run, const AlgorithmDef& algorithm, Transport& transport, Objective& objective, int evaluatingWorker);

  bool remote() const { return source_ != SnapshotSource::kNone; }
  void take(const Message& message);  // kEvaluate
  struct Moment {
    std::int64_t round = 0;
    double t = 0;
    std::int64_t samples = 0;  // trained by this worker so far
  };
  void evaluateAfter(const Moment& moment);   // a round that is to be evaluated
  void savedCheckpoint(const Moment& moment);  // all nodes have it
  void finish(const Moment& moment);          // the run ends with these parameters
  std::optional<double> accuracy() const { return accuracy_; }  // of the newest evaluation that the evaluator has told

 private:
  bool sends() const;
  void send(const Moment& moment, bool last);
  void tellDue(const Moment& moment, bool last);

  const NodeRun& run_;
  Transport& transport_;
  Objective& objective_;
  SnapshotSource source_ = SnapshotSource::kNone;
  int evaluator_ = -1;
  bool evaluating_;  // this worker is the evaluating one
  std::optional<std::int64_t> wanted_ = 0;
  std::optional<double> accuracy_;
};

}  // namespace paceline
