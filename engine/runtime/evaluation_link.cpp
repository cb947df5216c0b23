#include "engine/runtime/evaluation_link.h"

#include "engine/comm/transport/layers.h"
#include "engine/core/base/error.h"

namespace paceline {

ParameterSource parameterSource(const RunSpec& spec, const AlgorithmDef& algorithm, bool modelHasStatistics) {
  if (spec.evaluators().empty() || spec.evaluate.everyRounds <= 0) return ParameterSource::kNone;
  const std::string& source = spec.evaluate.source;
  if (source == "worker") return ParameterSource::kWorker;
  if (source == "checkpoints") return ParameterSource::kCheckpoints;
  if (algorithm.serverHoldsParameters && !modelHasStatistics) return ParameterSource::kServers;
  if (source == "server")
    throw Error(Errc::kSpec, modelHasStatistics ? strCat("evaluate.source: \"server\" does not have the batch-norm statistics of model \"",
                                                         spec.model.id, "\"; use worker")
                                                : strCat("evaluate.source: \"server\", but the servers of algorithm \"", algorithm.id,
                                                         "\" do not hold the parameters; use worker"));
  return algorithm.topology == Topology::kDecentralised ? ParameterSource::kEveryWorker : ParameterSource::kWorker;
}

EvaluationLink::EvaluationLink(const NodeRun& run, const RunParts& parts, Transport& transport, Objective& objective)
    : run_(run),
      transport_(transport),
      objective_(objective),
      source_(parts.clients.size() == parts.workers.size() ? ParameterSource::kNone : parameterSource(run.spec, parts.algorithm, hasStatistics(objective.blocks()))),
      coordinates_(run.node == parts.coordinator) {
  if (remote()) evaluator_ = run.spec.evaluators().front();
}

void EvaluationLink::take(const Message& message) {
  const EvaluateStep step = fieldsOf<EvaluateStep>(message);
  if (message.from != evaluator_) throw Error(Errc::kFormat, strCat("node ", message.from, " is no evaluator, but speaks like one"));
  if (const auto* want = std::get_if<Want>(&step)) wanted_ = want->round;
  if (const auto* result = std::get_if<Evaluated>(&step)) accuracy_ = result->accuracy, improvement_.take(result->accuracy);
}

// In virtual time evaluating takes none, so every round is wanted.
void EvaluationLink::evaluateAfter(const Moment& moment) {
  if (tellsWhen(ParameterSource::kServers)) return transport_.send(evaluator_, evaluateMessage(Due{moment}));
  if (!sends()) return;
  const bool wanted = run_.nominalStepSeconds > 0 || (wanted_ && moment.round >= *wanted_);
  if (!wanted) return transport_.send(evaluator_, evaluateMessage(Passed{moment.round}));
  wanted_.reset();
  send(moment);
}

void EvaluationLink::savedCheckpoint(const Moment& moment) {
  if (tellsWhen(ParameterSource::kCheckpoints)) transport_.send(evaluator_, evaluateMessage(Due{moment}));
}

void EvaluationLink::finish(Moment moment) {
  moment.last = true;
  if (tellsWhen(ParameterSource::kServers)) return transport_.send(evaluator_, evaluateMessage(Due{moment}));
  if (sends() || tellsWhen(ParameterSource::kCheckpoints)) send(moment);
}

void EvaluationLink::send(const Moment& moment) {
  const std::span<const Real> values = objective_.parameters();
  const std::vector<ShardRange> pieces = shardsOf(values.size(), {evaluator_});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Message piece = messageOf(MessageKind::kCopy, CopyPiece{.t = moment.t, .samples = moment.samples, .last = moment.last});
    piece.shard = static_cast<std::int32_t>(i);
    piece.round = moment.round;
    piece.dense = Dense::copied(values.subspan(pieces[i].offset, pieces[i].size));
    transport_.send(evaluator_, std::move(piece));
  }
}

}  // namespace paceline
