#include <map>

#include "engine/core/error.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/schedule.h"
#include "engine/runtime/setup.h"
#include "engine/runtime/stop_rules.h"

namespace paceline {
namespace {

int rankOf(const std::vector<int>& workers, int node) {
  for (std::size_t rank = 0; rank < workers.size(); ++rank)
    if (workers[rank] == node) return static_cast<int>(rank);
  throw Error(Errc::kSpec, strCat("node ", node, " is no worker"));
}

// One worker from its first to its last round. The evaluating worker decides when the run ends and tells the others.
class WorkerLoop {
 public:
  WorkerLoop(const NodeRun& run, Objective& objective);
  std::string train();

 private:
  struct Stop {
    StopReason reason;
    std::int64_t lastRound;
  };

  void onControl(const Message& message);
  void beginTogether();
  bool trainRound(std::int64_t round);  // false: discarded, the run has ended
  bool isLastForAll(std::int64_t round) const;
  void awaitStop();
  void closeRound(std::int64_t round);
  void closeEvaluatedRound(RoundRecord& record);
  RunSoFar soFar(std::int64_t round);
  void evaluate(std::int64_t round, double t);  // into evaluation_
  void announce(StopReason reason, std::int64_t round);
  void sayBye();
  void sendControl(int to, MessageKind kind, std::vector<double> scalars);
  double sinceStart() const { return run_.clock.now() - began_; }
  bool isEvaluator() const { return run_.node == evaluator_; }

  const NodeRun& run_;
  Objective& objective_;
  RunParts parts_;
  int rank_, evaluator_;
  LayeredWire wire_;
  Transport transport_;
  Pacer pacer_;
  std::unique_ptr<Aggregator> aggregator_;
  WorkerContext ctx_;
  std::unique_ptr<WorkerAlgorithm> algorithm_;
  double began_ = 0;
  bool begun_ = false;  // the evaluating worker said that all are ready
  std::int64_t training_ = 0;  // the round in progress; 0: between rounds
  std::optional<Stop> stop_;
  std::map<int, std::int64_t> othersSamples_;  // by node, as they last told
  std::optional<EvaluationRecord> evaluation_;
};

void emitNote(const NodeRun& run, const std::string& text) {
  const bool virtualTime = run.nominalStepSeconds > 0;
  run.emit(NoticeRecord{.kind = "log", .text = text, .level = "info", .reason = {}, .code = 0, .unixTime = virtualTime ? 0 : unixNow()});
}

std::unique_ptr<Aggregator> makeAggregator(const RunParts& parts, int rank) {
  if (!parts.aggregator) return nullptr;
  return parts.aggregator->makeWorker({.rank = rank, .workers = parts.workers, .servers = parts.servers, .serverShares = parts.serverShares});
}

WorkerLoop::WorkerLoop(const NodeRun& run, Objective& objective)
    : run_(run),
      objective_(objective),
      parts_(partsOf(run.spec)),
      rank_(rankOf(parts_.workers, run.node)),
      evaluator_(run.spec.evaluatorNode() >= 0 ? run.spec.evaluatorNode() : parts_.workers.front()),
      wire_(run),
      transport_(wire_.top(), run.clock),
      pacer_(run.clock, run.spec.nodes[static_cast<std::size_t>(run.node)].emulate,
             Rng::stream(run.spec.seed, "pacer", static_cast<std::uint64_t>(rank_)), run.nominalStepSeconds),
      aggregator_(makeAggregator(parts_, rank_)),
      ctx_({.objective = objective,
            .transport = transport_,
            .meter = wire_.meter(),
            .clock = run.clock,
            .pacer = pacer_,
            .aggregator = aggregator_.get(),
            .rank = rank_,
            .workers = parts_.workers,
            .servers = parts_.servers,
            .serverShares = parts_.serverShares,
            .seed = run.spec.seed,
            .optimizer = run.spec.optimizer,
            .groups = parts_.groups,
            .note = [&run](const std::string& text) { emitNote(run, text); }}),
      algorithm_(parts_.algorithm.makeWorker(parts_.params)) {
  transport_.onControl([this](const Message& message) { onControl(message); });
}

std::string WorkerLoop::train() {
  if (isEvaluator() && run_.spec.evaluate.everyRounds > 0) {
    evaluate(0, 0);
    run_.emit(*evaluation_);
  }
  if (parts_.algorithm.serverHoldsParameters) ctx_.initServers(ctx_.parameters());
  algorithm_->start(ctx_);
  beginTogether();
  began_ = run_.clock.now();
  for (std::int64_t round = 1; !stop_ || (parts_.algorithm.synchronous && round <= stop_->lastRound); ++round) {
    if (!trainRound(round)) break;
    closeRound(round);
  }
  sayBye();
  return stopReasonName(stop_->reason);
}

// All workers' clocks start together: the first evaluation and a slow start of one worker are in nobody's measured time.
void WorkerLoop::beginTogether() {
  if (!isEvaluator()) {
    sendControl(evaluator_, MessageKind::kProgress, {0, 0});
    return transport_.awaitControl([this] { return begun_; });
  }
  transport_.awaitControl([this] { return othersSamples_.size() + 1 == parts_.workers.size(); });
  for (const int worker : parts_.workers)
    if (worker != run_.node) sendControl(worker, MessageKind::kProgress, {0, 0});
}

void WorkerLoop::onControl(const Message& message) {
  const std::vector<double>& s = message.scalars;
  if (message.kind == MessageKind::kBye) return;
  const bool wellFormed = s.size() == 2 && s[0] >= 0 && s[0] < 1e15 && s[1] >= 0 && s[1] < 1e15;
  if (!wellFormed || (message.kind == MessageKind::kStop && s[1] > static_cast<double>(StopReason::kAsked)))
    throw Error(Errc::kFormat, strCat("node ", message.from, " sent control message kind ", static_cast<int>(message.kind),
                                      " with ", s.size(), " numbers"));
  if (message.kind == MessageKind::kProgress) {
    if (message.from == evaluator_) begun_ = true;
    othersSamples_[message.from] = static_cast<std::int64_t>(s[1]);
    return;
  }
  stop_ = Stop{.reason = static_cast<StopReason>(s[1]), .lastRound = static_cast<std::int64_t>(s[0])};
  if (training_ > 0 && (!parts_.algorithm.synchronous || training_ > stop_->lastRound))
    throw Error(Errc::kStopped, strCat("the run ended with round ", stop_->lastRound, ", in round ", training_));
}

bool WorkerLoop::trainRound(std::int64_t round) {
  try {
    training_ = round;
    transport_.poll();
    if (isLastForAll(round - 1)) awaitStop();
    ctx_.beginRound(round, scheduleFactor(parts_.schedule, ctx_.globalSamples()));
    algorithm_->round(ctx_);
    if (parts_.aggregator && !isConstant(parts_.schedule)) ctx_.agreeOnSamples();
    training_ = 0;
    return true;
  } catch (const Error& error) {
    training_ = 0;
    if (error.code() == Errc::kStopped && stop_) return false;
    throw;
  }
}

// With shared round numbers nobody begins a round that the evaluating worker will not take part in.
bool WorkerLoop::isLastForAll(std::int64_t round) const {
  return parts_.algorithm.synchronous && !isEvaluator() && run_.spec.stop.rounds && round >= *run_.spec.stop.rounds;
}

// The stop itself ends the wait with Error{kStopped}.
void WorkerLoop::awaitStop() {
  const Message message = transport_.receive();
  throw Error(Errc::kFormat,
              strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " after the last round"));
}

void WorkerLoop::closeRound(std::int64_t round) {
  RoundRecord record = ctx_.endRound();
  evaluation_.reset();
  if (isEvaluator()) {
    closeEvaluatedRound(record);
  } else {
    sendControl(evaluator_, MessageKind::kProgress, {static_cast<double>(round), static_cast<double>(ctx_.samplesTotal())});
  }
  record.t = sinceStart();
  run_.emit(record);
  if (evaluation_) run_.emit(*evaluation_);
}

// Whether the run ends here is asked before the evaluation, so that nobody waits for it in vain, and again when it tells
// something new.
void WorkerLoop::closeEvaluatedRound(RoundRecord& record) {
  transport_.poll();
  const std::optional<StopReason> before = reasonToStop(run_.spec.stop, soFar(record.round));
  if (before) announce(*before, record.round);
  const int every = run_.spec.evaluate.everyRounds;
  const bool last = before && *before != StopReason::kAsked;  // who asks to stop does not wait for an evaluation that is not due
  if (every <= 0 || (!last && record.round % every != 0)) return;
  evaluate(record.round, sinceStart());
  record.evaluate = evaluation_->seconds;
  record.total += evaluation_->seconds;
  if (before) return;
  if (const std::optional<StopReason> after = reasonToStop(run_.spec.stop, soFar(record.round))) announce(*after, record.round);
}

RunSoFar WorkerLoop::soFar(std::int64_t round) {
  RunSoFar now{.rounds = round,
               .seconds = sinceStart(),
               .samples = ctx_.samplesTotal(),
               .accuracy = {},
               .asked = run_.askedToStop && run_.askedToStop->load()};
  for (const auto& [node, samples] : othersSamples_) now.samples += samples;
  if (evaluation_) now.accuracy = evaluation_->accuracy;
  return now;
}

void WorkerLoop::evaluate(std::int64_t round, double t) {
  const double before = run_.clock.now();
  const Evaluation result = objective_.evaluate();
  evaluation_ = EvaluationRecord{.round = round,
                                 .t = t,
                                 .accuracy = result.accuracy(),
                                 .loss = result.loss,
                                 .samples = ctx_.samplesTotal(),
                                 .seconds = run_.clock.now() - before};
}

void WorkerLoop::announce(StopReason reason, std::int64_t round) {
  stop_ = Stop{.reason = reason, .lastRound = round};
  for (const int worker : parts_.workers)
    if (worker != run_.node) sendControl(worker, MessageKind::kStop, {static_cast<double>(round), static_cast<double>(reason)});
}

void WorkerLoop::sayBye() {
  for (int node = 0; node < static_cast<int>(run_.spec.nodes.size()); ++node)
    if (node != run_.node) sendControl(node, MessageKind::kBye, {static_cast<double>(stop_->reason)});
}

void WorkerLoop::sendControl(int to, MessageKind kind, std::vector<double> scalars) {
  Message message;
  message.kind = kind;
  message.scalars = std::move(scalars);
  transport_.send(to, std::move(message));
}

}  // namespace

std::string runWorker(const NodeRun& run, Objective& objective) { return WorkerLoop(run, objective).train(); }

}  // namespace paceline
