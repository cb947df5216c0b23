#include "engine/core/base/error.h"
#include "engine/core/record/reasons.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/evaluation_link.h"
#include "engine/runtime/books/link_book.h"
#include "engine/runtime/farewell.h"
#include "engine/runtime/journal/journal.h"
#include "engine/runtime/losses/divided_data.h"
#include "engine/runtime/books/others_samples.h"
#include "engine/runtime/replay.h"
#include "engine/runtime/schedule.h"
#include "engine/runtime/snapshot.h"

namespace paceline {
namespace {

constexpr double kAfterwards = 1e6;  // s of virtual time

// One worker from its first to its last round. The coordinator decides when the run ends and tells the others.
class WorkerLoop {
 public:
  WorkerLoop(const NodeRun& run, Objective& objective)
      : run_(run),
        objective_(objective),
        shared_(partsOf(run)),
        parts_(*shared_),
        rank_(rankOf(parts_, run.node)),
        wire_(run, countedBy(run, parts_)),
        links_(run, wire_.meter()),
        transport_(wire_.top(), run.clock),
        pacer_(run.clock, run.spec.nodes[static_cast<std::size_t>(run.node)].emulate,
               Rng::stream(run.spec.seed, "pacer", static_cast<std::uint64_t>(rank_)), run.nominalStepSeconds),
        aggregator_(aggregatorOf(run, parts_, rank_, wire_.meter())),
        ctx_({.objective = objective,
              .transport = transport_,
              .meter = wire_.meter(),
              .clock = run.clock,
              .pacer = pacer_,
              .aggregator = aggregator_.get(),
              .rank = rank_,
              .workers = parts_.workers,
              .nodes = run.spec.nodes,
              .servers = parts_.servers.nodes(),
              .serverShares = parts_.serverShares,
              .seed = run.spec.seed,
              .optimizer = run.spec.optimizer,
              .helpers = helpers_.get(),
              .groups = parts_.groups,
              .warmUp = run.replay ? run.replay->warmUpOf(run.node) : std::nullopt,
              .warmedUp = [&run](double seconds) { run.emit(MetricRecord{.round = 0, .t = 0, .name = kWarmUpMetric, .value = seconds}); },
              .note = [&run](const std::string& text) { emitNotice(run, "log", text); },
              .diverged = [this](std::int64_t round, double loss) {
                if (learns_) emitNotice(run_, "log", divergedText(round, loss), "warn", kNotFinite);
              },
              .neighbourhood = parts_.algorithm.topology == Topology::kDecentralised ? exchange::neighbourhoodOf(run.spec, rank_) : exchange::Neighbourhood{},
              .statistics = parts_.algorithm.statistics,
              .overlap = parts_.algorithm.overlaps && run.spec.wire.overlap,
              .records = run.spec.records,
              .cores = run.cores}),
        algorithm_(parts_.algorithm.makeWorker(parts_.params)),
        snapshot_({.run = run_,
              .parts = parts_,
              .transport = transport_,
              .lockStep = [this](std::int64_t done) { return algorithm_->lockStep(done); },
              .inRound = [this] { return training_ > 0; },
              .stopped = [this] { return stop_.has_value(); },
              .land = [this] { land(done_); },
              .drop = [this](int node) { losses_.drop(node); },
              .again = [this](int node, std::int64_t process) { losses_.again(node), tellMetric(strCat(kTakesIn, run_.spec.nodes.at(static_cast<std::size_t>(node)).id), static_cast<double>(process)); },
              .state = [this](Archive& archive) { state(archive); }}),
        link_(run_, parts_, transport_, objective_),
        losses_({.run = run_, .parts = parts_, .transport = transport_, .neighbours = ctx_.neighbours(), .dropped = [this](int node) { snapshot_.lost(node); }}),
        divided_(run_, parts_, transport_, objective_) {
    transport_.onControl([this](const Message& message) { onControl(message); });
    wire_.top().tolerate(dispensableTo(run, parts_));
    toleratesLoss_ = run_.nominalStepSeconds <= 0 && parts_.goesOn;
  }

  std::string train() {
    if (std::vector<std::int64_t> counts = objective_.labelCounts(); !counts.empty() && !again_) run_.emit(LabelsRecord{.counts = std::move(counts)});
    awaitEvaluators();
    if (again_ ? !rejoin() : run_.resume && !resume()) return again_ ? kTooLate : kVanished;
    if (!again_ && !run_.resume) begin();
    while (goesOn()) {
      if (!trainRound(done_ + 1)) break;
      closeRound(++done_);
      snapshot_.closed(done_);
      if (done_ == vanishesAfter_) return land(done_), kVanished;
      if (ctx_.underWay() && !goesOn()) break;
      if (snapshot_.afterRound(stopAfterSnapshot_.has_value())) {
        if (snapshot_.savedRound() == done_) link_.savedCheckpoint(moment(done_)), keepCheckpoint(run_, objective_, done_);
        ctx_.goOn();
      }
      if (stopAfterSnapshot_) announce(*stopAfterSnapshot_, done_);
    }
    land(done_);
    ctx_.abandon();
    link_.finish(moment(stop_->lastRound));
    if (coordinates() && learns_ && (run_.replay || run_.nominalStepSeconds <= 0)) emitNotice(run_, "note", checksumOf(objective_.parameters()), "info", kParametersReason);
    leave();
    return stopReasonName(stop_->reason);
  }

 private:
  void begin() {
    if (coordinates() && run_.spec.evaluate.everyRounds > 0 && !link_.remote()) {
      evaluate(0, 0);
      if (evaluation_) run_.emit(*evaluation_);
    }
    if (parts_.algorithm.serverHoldsParameters) ctx_.initServers(ctx_.parameters(), !parts_.algorithm.densePushes);
    if (link_.remote()) link_.evaluateAfter({});
    algorithm_->start(ctx_);
    beginTogether();
    began_ = run_.clock.now();
    tellClock();
    tellToleratesLoss(run_, toleratesLoss_);
  }

  // Virtual time goes on from the very instant of the snapshot; real time leaves out the pause. False: in virtual time, the run goes on without this worker.
  bool resume() {
    tellToleratesLoss(run_, toleratesLoss_);
    try {
      snapshot_.resume([this] { return savedClock_; });
    } catch (const Error& error) {
      if (run_.nominalStepSeconds > 0 && error.code() == Errc::kPeerLost) return false;
      throw;
    }
    goOnFromState();
    emitNotice(run_, "note", strCat("goes on after round ", done_, ", ", sinceStart(), " s after its start"), "info", "resumed", done_);
    if (coordinates())
      if (const std::optional<StopReason> met = reasonToStop(run_.spec.stop, soFar(done_))) announce(*met, done_);  // nothing is left to do
    return true;
  }

  // Another process of this worker has been lost. False: the run is over before this one takes part.
  bool rejoin() {
    const Anew told = run_.journal ? Anew{.process = run_.journal->processes(), .rounds = run_.journal->rounds()} : Anew{};
    if (!snapshot_.rejoin(told)) return false;
    goOnFromState();
    tellMetric(strCat(kTakesPartAgain, told.process), static_cast<double>(ctx_.samplesTotal()));
    emitNotice(run_, "log", strCat("takes part again behind round ", done_, ", ", sinceStart(), " s after the start"), "warn", "rejoined", done_);
    return true;
  }

  void goOnFromState() {
    begun_ = true;
    if (run_.nominalStepSeconds <= 0) began_ += run_.clock.now() - savedClock_;
    ctx_.goOn();
    tellClock();
  }

  void state(Archive& archive) {
    archive.number("rounds", done_);
    archive.number("began", began_);
    savedClock_ = run_.clock.now();
    archive.number("clock", savedClock_);
    others_.state(archive);
    archive.fixed("parameters", objective_.parameters());
    const auto part = [&archive](const char* name, auto&& object, const auto&... sizes) {
      ArchiveScope scope(archive, name);
      object.state(scope, sizes...);
    };
    part("objective", objective_);
    part("context", ctx_);
    part("algorithm", *algorithm_, StateSizes{.parameters = ctx_.parameters().size(), .neighbours = ctx_.neighbourhood().neighbours.size()});
    part("pacer", pacer_);
    part("wire", wire_);
    part("transport", transport_);
  }

  // An evaluator that starts late must still find every worker: the others wait for the coordinator.
  void awaitEvaluators() {
    if (!coordinates() || run_.nominalStepSeconds > 0) return;
    const std::vector<int> evaluators = run_.spec.evaluators();
    transport_.awaitControl([&] { return std::ranges::all_of(evaluators, [this](int node) { return others_.of.contains(node); }); });
    for (const int node : evaluators) others_.of.erase(node);
  }

  // All workers' clocks start together: the first evaluation and a slow start of one worker are in nobody's measured time.
  void beginTogether() {
    if (!coordinates()) {
      transport_.send(parts_.coordinator, messageOf(MessageKind::kProgress, Progress{}));
      return transport_.awaitControl([this] { return begun_; });
    }
    transport_.awaitControl([this] { return others_.of.size() + 1 == parts_.workers.size(); });
    begun_ = true;
    tellOthers(messageOf(MessageKind::kProgress, Progress{}));
  }

  void onControl(const Message& message) {
    switch (message.kind) {
      case MessageKind::kCheckpoint: return snapshot_.take(message);
      case MessageKind::kBye: return ctx_.neighbours().gone(message.from);
      case MessageKind::kLost: return snapshot_.way(message), losses_.lost(message.from, begun_);
      case MessageKind::kBack: return snapshot_.way(message), losses_.back(message.from);
      case MessageKind::kAnew:
        if (parts_.servers.contains(message.from)) return;  // an answer
        return losses_.renewed(message.from, begun_), snapshot_.anew(message.from, fieldsOf<Anew>(message));
      case MessageKind::kDropped: return snapshot_.isTakenIn() ? losses_.dropped(static_cast<int>(fieldsOf<Dropped>(message).node), begun_) : void();  // else the process before
      case MessageKind::kMembers: return divided_.take(message);
      case MessageKind::kEvaluate: return link_.take(message);
      case MessageKind::kProgress:
        if (message.from == parts_.coordinator) begun_ = true;
        others_.of[message.from] = fieldsOf<Progress>(message).samples;
        return;
      default: break;
    }
    stop_ = fieldsOf<StopOrder>(message);
    if (training_ > 0 && (!isOfRun(training_) || lostThen_))
      throw Error(Errc::kStopped, strCat("the run ended with round ", stop_->lastRound, ", in round ", training_));
  }

  bool trainRound(std::int64_t round) {  // false: discarded, the run has ended
    try {
      training_ = round;
      transport_.poll();
      if (isLastForAll(round - 1)) awaitStop();
      divided_.betweenRounds(losses_, done_, sinceStart());
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

  // With shared round numbers nobody begins a round without the coordinator.
  bool isLastForAll(std::int64_t round) const {
    return parts_.synchronous && !coordinates() && run_.spec.stop.rounds && round >= *run_.spec.stop.rounds;
  }

  // The stop itself ends the wait with Error{kStopped}.
  void awaitStop() {
    ctx_.neighbours().leave(transport_);
    Message message = transport_.receive();
    while (message.kind == MessageKind::kExchange) message = transport_.receive();  // a neighbour says that it has done its last, too
    throw Error(Errc::kFormat,
                strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind), " after the last round"));
  }

  bool goesOn() const { return !stop_ || (parts_.synchronous && done_ < stop_->lastRound && !lostThen_); }
  bool isOfRun(std::int64_t round) const { return parts_.synchronous && round <= stop_->lastRound; }  // behind the stop

  // What the exchange of this round has left under way. Behind the stop nobody answers what was sent for a round that is none; where workers do not
  // wait for each other, maybe nobody answers the last one.
  void land(std::int64_t round) {
    ctx_.land([this, round] { return stop_ && !coordinates() && (!isOfRun(round) || lostThen_); });
  }

  // Whether the parameters of this round are looked at before the next one, as far as it is known.
  bool looksAt(std::int64_t round) const {
    const bool evaluates = coordinates() && run_.spec.evaluate.everyRounds > 0 && round % run_.spec.evaluate.everyRounds == 0;
    const bool last = (parts_.synchronous || coordinates()) && run_.spec.stop.rounds && round >= *run_.spec.stop.rounds;
    return evaluates || last || (parts_.synchronous && snapshot_.due(round));
  }

  void closeRound(std::int64_t round) {
    if (looksAt(round)) land(round);
    RoundRecord record = ctx_.endRound();
    evaluation_.reset();
    if (coordinates())
      closeEvaluatedRound(record);
    else
      transport_.send(parts_.coordinator, messageOf(MessageKind::kProgress, Progress{.round = round, .samples = ctx_.samplesTotal()}));
    record.t = sinceStart();
    if (run_.journal) run_.journal->rounds(round);
    ctx_.whenLanded(record, [this](RoundRecord whole, const WorkerContext::Metrics& metrics) {
      for (std::optional<double>* moment : {&whole.exchangeBegan, &whole.exchangeEnded})
        if (*moment) **moment -= began_;
      run_.emit(whole);
      for (const auto& [name, value] : metrics) run_.emit(MetricRecord{.round = whole.round, .t = whole.t, .name = name, .value = value});
    });
    emitEdges(round, false);
    const bool ends = stop_ || stopAfterSnapshot_;  // then the last parameters are sent in any case
    if (link_.remote() && round % run_.spec.evaluate.everyRounds == 0 && !ends) link_.evaluateAfter(moment(round));
    if (evaluation_) run_.emit(*evaluation_);
    if (sinceStart() >= nextClock_) tellClock();
    if (const int every = run_.spec.records.linksEveryRounds; every > 0 && round % every == 0) links_.tell(round, sinceStart(), false);
  }

  void tellMetric(std::string name, double value) { run_.emit(MetricRecord{.round = done_, .t = sinceStart(), .name = std::move(name), .value = value}); }
  void tellClock() { nextClock_ = emitClock(run_, began_); }

  void emitEdges(std::int64_t round, bool all) {
    for (EdgeRecord& record : ctx_.neighbours().takeRecords(round, all)) {
      record.t = sinceStart();
      run_.emit(record);
    }
  }

  // Whether the run ends here is asked before the evaluation, so that nobody waits for it in vain, and again when it tells
  // something new. Where a checkpoint is due, it comes first.
  void closeEvaluatedRound(RoundRecord& record) {
    transport_.poll();
    const std::optional<StopReason> before = reasonToStop(run_.spec.stop, soFar(record.round));
    if (before) end(*before, record.round);
    const int every = run_.spec.evaluate.everyRounds;
    const bool last = before && *before != StopReason::kAsked;  // who asks to stop does not wait for an evaluation that is not due
    if (link_.remote() || every <= 0 || (!last && record.round % every != 0)) return;
    const double seconds = evaluate(record.round, sinceStart());
    record.evaluate = seconds, record.total += seconds;
    if (before) return;
    if (const std::optional<StopReason> after = reasonToStop(run_.spec.stop, soFar(record.round))) end(*after, record.round);
  }

  void end(StopReason reason, std::int64_t round) {  // now, or after the checkpoint of this round
    if (snapshot_.due(round)) stopAfterSnapshot_ = reason;
    else announce(reason, round);
  }

  RunSoFar soFar(std::int64_t round) {
    RunSoFar now{.rounds = round,
                 .seconds = sinceStart(),
                 .samples = ctx_.samplesTotal(),
                 .asked = run_.askedToStop && run_.askedToStop->load()};
    for (const auto& [node, samples] : others_.of) now.samples += samples;
    if (evaluation_) now.accuracy = evaluation_->deciding(), now.withoutBetter = improvement_.without();
    if (link_.remote()) now.accuracy = link_.accuracy(), now.withoutBetter = link_.withoutBetter();
    return now;
  }

  // How long it took. Without learning there is none, but the exchanges land, and the document's time for it passes.
  double evaluate(std::int64_t round, double t) {
    ctx_.land();
    if (learns_) {
      evaluation_ = evaluated(run_, objective_, round, t, ctx_.samplesTotal());
      improvement_.take(evaluation_->deciding());
      return evaluation_->seconds;
    }
    return evaluatedFor(run_, run_.clock.now());
  }

  // Others may not answer afterwards.
  void announce(StopReason reason, std::int64_t round) {
    ctx_.land();
    if (run_.replay) run_.clock.sleepFor(kAfterwards);  // the others come to where they were at the run's end
    stop_ = StopOrder{.lastRound = round, .reason = reason};
    tellOthers(messageOf(MessageKind::kStop, *stop_));
  }

  void tellOthers(const Message& message) { transport_.sendToAll(parts_.workers, message); }

  void leave() {
    emitEdges(ctx_.round(), true);
    sayBye(run_, parts_, transport_, wire_.meter(), stop_->reason);
    links_.tell(done_, sinceStart(), run_.nominalStepSeconds <= 0);
    if (!parts_.servers.empty()) emitTraffic(run_, wire_.meter(), parts_.servers, "servers", sinceStart());
  }

  Moment moment(std::int64_t round) const { return {.round = round, .t = sinceStart(), .samples = ctx_.samplesTotal()}; }
  double sinceStart() const { return run_.clock.now() - began_; }
  bool coordinates() const { return run_.node == parts_.coordinator; }

  const NodeRun& run_;
  Objective& objective_;
  const bool learns_ = !isHollow(objective_.parameters());
  std::shared_ptr<const RunParts> shared_;
  const RunParts& parts_;
  int rank_;
  LayeredWire wire_;
  LinkBook links_;
  Transport transport_;
  Pacer pacer_;
  std::unique_ptr<aggregators::Aggregator> aggregator_;
  const std::unique_ptr<Cores> helpers_ = helpersOf(run_);
  WorkerContext ctx_;
  std::unique_ptr<WorkerAlgorithm> algorithm_;
  Snapshot snapshot_;
  EvaluationLink link_;
  Losses losses_;
  DividedData divided_;
  std::int64_t done_ = 0;  // rounds
  const std::int64_t vanishesAfter_ = run_.spec.nodes.at(static_cast<std::size_t>(run_.node)).emulate.lostAfterRounds.value_or(-1);  // rounds; -1: never
  double began_ = 0;
  double nextClock_ = 0, savedClock_ = 0;  // to be told, since the start; of the last checkpoint that was saved or loaded
  bool toleratesLoss_ = false;
  const bool again_ = run_.again || (run_.journal && run_.journal->processes() > 0);
  const bool lostThen_ = run_.replay && run_.replay->loses(run_.node, run_.again ? run_.again->process : 0);  // nobody answers it at its end
  bool begun_ = false;  // the coordinator said that all are ready
  std::int64_t training_ = 0;  // the round in progress; 0: between rounds
  std::optional<StopOrder> stop_;
  std::optional<StopReason> stopAfterSnapshot_;
  OthersSamples others_;
  std::optional<EvaluationRecord> evaluation_;
  Improvement improvement_;
};

}  // namespace

std::string runWorker(const NodeRun& run, Objective& objective) { return WorkerLoop(run, objective).train(); }

}  // namespace paceline
