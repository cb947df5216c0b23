// A worker's link to an evaluator node. A worker sends a copy of its parameters at the end of a round and goes on at once; it sends the next one
// when the evaluator has asked for it, so that a slow evaluator skips rounds instead of filling memory. The last parameters are always sent. Used by the worker's thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/runtime/control.h"
#include "engine/runtime/setup.h"

namespace paceline {

// Where the evaluator gets its parameters.
enum class ParameterSource {
  kNone,         // there is no evaluator: the coordinator evaluates itself
  kServers,      // the coordinator says when, the servers are asked
  kWorker,       // the coordinator sends its own
  kEveryWorker,  // all of a decentralised run send theirs
  kCheckpoints,  // the coordinator says when there is a new file; the last parameters it sends
};
// "auto" is kEveryWorker for decentralised methods, kServers where they hold the parameters and nothing else belongs to the model (batch-norm
// statistics stay with the workers), else kWorker. Throws Error{kSpec} for a source that the algorithm does not have.
ParameterSource parameterSource(const RunSpec& spec, const AlgorithmDef& algorithm, bool modelHasStatistics);

class EvaluationLink {
 public:
  EvaluationLink(const NodeRun& run, const RunParts& parts, Transport& transport, Objective& objective);

  bool remote() const { return source_ != ParameterSource::kNone; }
  void take(const Message& message);  // kEvaluate
  void evaluateAfter(const Moment& moment);    // a round that is to be evaluated
  void savedCheckpoint(const Moment& moment);  // all nodes have it
  void finish(Moment moment);                  // the run ends with these parameters
  std::optional<double> accuracy() const { return accuracy_; }  // that decides, of the newest evaluation
  std::int64_t withoutBetter() const { return improvement_.without(); }

 private:
  bool tellsWhen(ParameterSource source) const { return coordinates_ && source_ == source; }
  bool sends() const { return source_ == ParameterSource::kEveryWorker || tellsWhen(ParameterSource::kWorker); }
  void send(const Moment& moment);

  const NodeRun& run_;
  Transport& transport_;
  Objective& objective_;
  ParameterSource source_ = ParameterSource::kNone;
  int evaluator_ = -1;
  bool coordinates_;
  std::optional<std::int64_t> wanted_ = 0;
  std::optional<double> accuracy_;
  Improvement improvement_;
};

}  // namespace paceline
