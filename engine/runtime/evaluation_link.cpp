#include "engine/runtime/evaluation_link.h"

#include <cmath>

#include "engine/algorithms/context/statistics.h"
#include "engine/comm/transport/shards.h"
#include "engine/core/base/error.h"

namespace paceline {

SnapshotSource snapshotSource(const RunSpec& spec, const AlgorithmDef& algorithm, bool modelHasStatistics) {
  if (spec.evaluators().empty() || spec.evaluate.everyRounds <= 0) return SnapshotSource::kNone;
  const std::string& source = spec.evaluate.source;
  if (source == "worker") return SnapshotSource::kWorker;
  if (source == "checkpoints") return SnapshotSource::kCheckpoints;
  if (algorithm.serverHoldsParameters && !modelHasStatistics) return SnapshotSource::kServers;
  if (source == "server")
    throw Error(Errc::kSpec, modelHasStatistics ? strCat("evaluate.source: \"server\" does not have the batch-norm statistics of model \"",
                                                         spec.model.id, "\"; use worker")
                                                : strCat("evaluate.source: \"server\", but the servers of algorithm \"", algorithm.id,
                                                         "\" do not hold the parameters; use worker"));
  return algorithm.topology == Topology::kDecentralised ? SnapshotSource::kEveryWorker : SnapshotSource::kWorker;
}

Message evaluateMessage(EvaluateStep step, std::vector<double> numbers) {
  Message message;
  message.kind = MessageKind::kEvaluate;
  message.scalars = std::move(numbers);
  message.scalars.insert(message.scalars.begin(), static_cast<double>(step));
  return message;
}

EvaluateStep evaluateStep(const Message& message) {
  constexpr std::size_t kNumbers[] = {4, 1, 1, 2};  // that follow, by step
  const std::vector<double>& s = message.scalars;
  bool sound = s.size() >= 2 && s[0] >= 0 && s[0] <= 3 && s[0] == std::floor(s[0]);
  sound = sound && s.size() == 1 + kNumbers[static_cast<std::size_t>(s[0])];
  for (const double number : s) sound = sound && std::isfinite(number) && std::abs(number) < 1e15;
  if (!sound) throw Error(Errc::kFormat, strCat("node ", message.from, " sent an evaluation message that is none, with ", s.size(), " numbers"));
  return static_cast<EvaluateStep>(s[0]);
}

EvaluationLink::EvaluationLink(const NodeRun& run, const AlgorithmDef& algorithm, Transport& transport, Objective& objective,
                               int evaluatingWorker)
    : run_(run),
      transport_(transport),
      objective_(objective),
      source_(snapshotSource(run.spec, algorithm, hasStatistics(objective.blocks()))),
      evaluating_(run.node == evaluatingWorker) {
  if (remote()) evaluator_ = run.spec.evaluators().front();
}

bool EvaluationLink::sends() const {
  return source_ == SnapshotSource::kEveryWorker || (evaluating_ && source_ == SnapshotSource::kWorker);
}

void EvaluationLink::take(const Message& message) {
  const EvaluateStep step = evaluateStep(message);
  if (message.from != evaluator_) throw Error(Errc::kFormat, strCat("node ", message.from, " is no evaluator, but speaks like one"));
  if (step == EvaluateStep::kWant) wanted_ = static_cast<std::int64_t>(message.scalars[1]);
  if (step == EvaluateStep::kResult) accuracy_ = message.scalars[2];
}

// In virtual time evaluating takes none, so every round is wanted.
void EvaluationLink::evaluateAfter(const Moment& moment) {
  if (source_ == SnapshotSource::kServers && evaluating_) return tellDue(moment, false);
  if (!sends()) return;
  const bool wanted = run_.nominalStepSeconds > 0 || (wanted_ && moment.round >= *wanted_);
  if (!wanted) return transport_.send(evaluator_, evaluateMessage(EvaluateStep::kPassed, {static_cast<double>(moment.round)}));
  wanted_.reset();
  send(moment, false);
}

void EvaluationLink::savedCheckpoint(const Moment& moment) {
  if (source_ == SnapshotSource::kCheckpoints && evaluating_) tellDue(moment, false);
}

void EvaluationLink::finish(const Moment& moment) {
  if (source_ == SnapshotSource::kServers && evaluating_) return tellDue(moment, true);
  if (sends() || (source_ == SnapshotSource::kCheckpoints && evaluating_)) send(moment, true);
}

void EvaluationLink::tellDue(const Moment& moment, bool last) {
  transport_.send(evaluator_, evaluateMessage(EvaluateStep::kDue, {static_cast<double>(moment.round), moment.t,
                                                                   static_cast<double>(moment.samples), last ? 1.0 : 0.0}));
}

void EvaluationLink::send(const Moment& moment, bool last) {
  const std::span<const Real> values = objective_.parameters();
  const std::vector<ShardRange> pieces = shardsOf(values.size(), {evaluator_});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Message piece;
    piece.kind = MessageKind::kSnapshot;
    piece.shard = static_cast<std::int32_t>(i);
    piece.round = moment.round;
    piece.scalars = {moment.t, static_cast<double>(moment.samples), last ? 1.0 : 0.0};
    piece.dense = Dense::copied(values.subspan(pieces[i].offset, pieces[i].size));
    transport_.send(evaluator_, std::move(piece));
  }
}

}  // namespace paceline
