// The evaluator node: gets copies of the parameters, evaluates them on the test set and records the results. Only the run's end waits for it,
// so that the last parameters are always evaluated.
#include <cmath>
#include <map>
#include <set>

#include "engine/comm/transport/layers.h"
#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/books/busy_book.h"
#include "engine/runtime/checkpoints.h"
#include "engine/runtime/evaluation_link.h"
#include "engine/runtime/setup.h"

namespace paceline {
namespace {

struct Copy {  // of a worker's parameters
  std::vector<Real> values;
  std::set<std::int32_t> pieces;
  CopyPiece told;
};
using Copies = std::map<int, Copy>;  // by worker

class EvaluatorLoop {
 public:
  EvaluatorLoop(const NodeRun& run, Objective& objective)
      : run_(run),
        objective_(objective),
        shared_(partsOf(run)),
        parts_(*shared_),
        coordinator_(parts_.coordinator),
        wire_(run, {}),
        source_(parameterSource(run.spec, parts_.algorithm, hasStatistics(objective.blocks()))),
        shards_(shardsOf(size(), parts_.servers.empty() ? std::vector<int>{coordinator_} : parts_.servers.nodes(), parts_.serverShares)),
        pieces_(shardsOf(size(), {run.node})),
        book_(run, wire_.meter(), began_) {
    if (source_ == ParameterSource::kEveryWorker)
      senders_.insert(parts_.workers.begin(), parts_.workers.end());
    else
      senders_.insert(coordinator_);
    wire_.top().tolerate(dispensableTo(run, parts_));
  }

  std::string run() {
    if (!virtualTime()) wire_.top().send(coordinator_, messageOf(MessageKind::kProgress, Progress{}));  // it has reached everybody
    emitClock(run_, began_);
    while (true) {
      while (std::optional<Message> message = wire_.top().receive(0)) take(*message);
      if (workOnce()) continue;
      if (gone_.size() == parts_.workers.size() && !due_ && !pulling_) break;
      if (std::optional<Message> message = wire_.top().receive(book_.patience())) take(*message);
      else book_.rest();
    }
    book_.finish();
    for (const int server : parts_.servers) wire_.top().send(server, messageOf(MessageKind::kBye, Bye{.reason = reason_}));
    return stopReasonName(reason_);
  }

 private:
  std::size_t size() const { return objective_.parameters().size(); }
  bool virtualTime() const { return run_.nominalStepSeconds > 0; }

  void take(const Message& message) {
    if (message.kind == MessageKind::kBye) return leave(message);
    if (message.kind == MessageKind::kLost) return lose(message.from);
    if (message.kind == MessageKind::kDropped) return drop(static_cast<int>(fieldsOf<Dropped>(message).node));
    if (message.kind == MessageKind::kBack && renewed_.contains(message.from)) return void(gone_.erase(message.from));
    if (message.kind == MessageKind::kAnew) return renew(message.from);
    if (lost_.contains(message.from)) return;  // it came back; what is evaluated is whoever stayed
    if (message.kind == MessageKind::kCopy || message.kind == MessageKind::kReply) {
      book_.arrived(message);
      book_.begun(), book_.ended();  // to copy it takes no time beside an evaluation, which may follow here
      return message.kind == MessageKind::kCopy ? takePiece(message) : takeShard(message);
    }
    if (!isControl(message.kind))
      throw Error(Errc::kFormat, strCat("node ", message.from, " sent the evaluator message kind ", static_cast<int>(message.kind)));
    if (message.kind != MessageKind::kEvaluate) return;
    const EvaluateStep step = fieldsOf<EvaluateStep>(message);
    if (const auto* due = std::get_if<Due>(&step)) due_ = due->at;  // a newer one takes the place of one that has not begun
    if (const auto* passed = std::get_if<Passed>(&step)) known_[message.from] = passed->round;
  }

  void leave(const Message& bye) {
    gone_.insert(bye.from);
    if (bye.from == coordinator_) reason_ = fieldsOf<Bye>(bye).reason;
  }

  void lose(int worker) {
    lost_.insert(worker);
    gone_.insert(worker);
    senders_.erase(worker);
    known_.erase(worker);
    last_.erase(worker);
    for (auto& [round, set] : sets_) set.erase(worker);
  }

  // The coordinator may tell it late, when another process is there: that one is lost when the way to it is.
  void drop(int worker) {
    if (!lost_.contains(worker)) lose(worker);
  }

  // As soon as there is a way to it its last word is waited for as those of the others are.
  void renew(int worker) {
    requireRenewable(parts_, worker);
    lose(worker);
    renewed_.insert(worker);
    wire_.top().renew(worker);
  }

  void takePiece(const Message& message) {
    const auto piece = static_cast<std::size_t>(message.shard);
    const bool ours = senders_.contains(message.from) && message.shard >= 0 && piece < pieces_.size() && message.dense.values().size() == pieces_[piece].size;
    if (!ours) throw Error(Errc::kFormat, strCat("node ", message.from, " sent a piece of its parameters that does not fit: ", message.shard));
    const auto told = fieldsOf<CopyPiece>(message);
    Copy& copy = told.last ? last_[message.from] : sets_[message.round][message.from];
    if (told.last) lastRound_ = message.round;
    copy.values.resize(size());
    copy.told = told;
    std::copy(message.dense.values().begin(), message.dense.values().end(),
              copy.values.begin() + static_cast<std::ptrdiff_t>(pieces_[piece].offset));
    copy.pieces.insert(message.shard);
    known_[message.from] = message.round;
  }

  bool complete(const Copies& set) const {
    return set.size() == senders_.size() &&
           std::all_of(set.begin(), set.end(), [&](const auto& entry) { return entry.second.pieces.size() == pieces_.size(); });
  }

  // One evaluation, or one step towards one; false: nothing can be done until something comes.
  bool workOnce() {
    for (auto set = sets_.begin(); set != sets_.end(); ++set) {
      if (!complete(set->second)) continue;
      evaluateSet(set->first, set->second);
      sets_.erase(sets_.begin(), std::next(set));  // what is older stays incomplete
      want();
      return true;
    }
    if (complete(last_)) {
      if (lastRound_ > evaluated_) evaluateSet(lastRound_, last_);
      last_.clear();
      return true;
    }
    if (missedEachOther()) {
      slack_ *= 2;
      sets_.clear();
      want();
    }
    return due_ && !pulling_ && beginDue();
  }

  // All have passed the round that was asked for, but not all with a copy: the question came too late for somebody.
  bool missedEachOther() const {
    if (source_ != ParameterSource::kEveryWorker || virtualTime() || known_.size() < senders_.size()) return false;
    return std::all_of(known_.begin(), known_.end(), [&](const auto& entry) { return entry.second > wanted_; });
  }

  // The next set, from a round that no worker has reached yet.
  void want() {
    if (virtualTime()) return;
    wanted_ = 0;
    for (const auto& [worker, round] : known_) wanted_ = std::max(wanted_, round);
    if (source_ == ParameterSource::kEveryWorker) wanted_ += run_.spec.evaluate.everyRounds * slack_;
    for (const int worker : senders_)
      if (!gone_.contains(worker)) wire_.top().send(worker, evaluateMessage(Want{wanted_}));
  }

  bool beginDue() {
    if (source_ == ParameterSource::kCheckpoints) {
      const Moment due = *std::exchange(due_, std::nullopt);
      if (run_.follow) evaluateCheckpoints(due);
      return true;
    }
    // What the servers have at the very end is asked for when nobody trains any more.
    if (due_->last && gone_.size() < parts_.workers.size()) return false;
    if (due_->last && due_->round <= evaluated_) return due_.reset(), true;
    pulling_ = std::exchange(due_, std::nullopt);
    arrived_.clear();
    pull(0);  // the first tells how the others are cut
    return true;
  }

  void pull(std::size_t shard) {
    wire_.top().send(shards_[shard].server, {.kind = MessageKind::kPull, .shard = static_cast<std::int32_t>(shard), .round = pulling_->round});
  }

  // The run may go on from a checkpoint of a version that cut vectors in another way.
  void recognise(std::size_t first) {
    if (first == shards_.front().size) return;
    for (std::vector<ShardRange>& cut : earlierShardsOf(size(), parts_.servers.nodes(), parts_.serverShares))
      if (first == cut.front().size) return void(shards_ = std::move(cut));
  }

  void takeShard(const Message& message) {
    if (pulling_ && message.shard == 0) recognise(message.dense.values().size());
    const auto s = static_cast<std::size_t>(message.shard);
    if (!pulling_ || message.shard < 0 || s >= shards_.size() || message.from != shards_[s].server ||
        message.dense.values().size() != shards_[s].size)
      throw Error(Errc::kFormat, strCat("node ", message.from, " sent the evaluator shard ", message.shard, " with ",
                                        message.dense.values().size(), " values"));
    std::copy(message.dense.values().begin(), message.dense.values().end(),
              objective_.parameters().begin() + static_cast<std::ptrdiff_t>(shards_[s].offset));
    arrived_.insert(message.shard);
    for (std::size_t other = 1; message.shard == 0 && other < shards_.size(); ++other) pull(other);
    if (arrived_.size() < shards_.size()) return;
    const Moment due = *std::exchange(pulling_, std::nullopt);
    record(due.round, due.t, due.samples);
  }

  // Listed, never guessed; what has been replaced meanwhile was evaluated or is too old.
  void evaluateCheckpoints(const Moment& due) {
    for (const std::int64_t round : run_.follow->rounds()) {
      if (round != due.round || round <= evaluated_) continue;
      const StateTable table = run_.follow->load(round);
      StateReader(table).fixed("parameters", objective_.parameters());
      record(round, due.t, due.samples);
    }
  }

  void evaluateSet(std::int64_t round, const Copies& set) {
    if (source_ != ParameterSource::kEveryWorker) {
      const Copy& only = set.begin()->second;
      std::copy(only.values.begin(), only.values.end(), objective_.parameters().begin());
      return record(round, only.told.t, only.told.samples);
    }
    std::vector<double> mean(size());
    for (const auto& [worker, copy] : set) {
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += static_cast<double>(copy.values[i]) / static_cast<double>(set.size());
      std::copy(copy.values.begin(), copy.values.end(), objective_.parameters().begin());
      record(round, copy.told.t, copy.told.samples, run_.spec.nodes[static_cast<std::size_t>(worker)].id);
    }
    double squares = 0;
    for (const auto& [worker, copy] : set)
      for (std::size_t i = 0; i < mean.size(); ++i) squares += std::pow(static_cast<double>(copy.values[i]) - mean[i], 2);
    std::transform(mean.begin(), mean.end(), objective_.parameters().begin(), [](double x) { return static_cast<Real>(x); });
    const CopyPiece& own = set.at(coordinator_).told;
    record(round, own.t, own.samples, "mean", std::sqrt(squares / static_cast<double>(set.size())));
  }

  void record(std::int64_t round, double t, std::int64_t samples, const std::string& of = "", std::optional<double> consensus = std::nullopt) {
    book_.works();
    EvaluationRecord result = evaluated(run_, objective_, round, t, samples);
    book_.ended();
    result.of = of;
    result.consensus = consensus;
    run_.emit(result);
    if (!of.empty() && of != "mean") return;  // of one worker, not of the run
    evaluated_ = round;
    if (!gone_.contains(coordinator_))
      wire_.top().send(coordinator_, evaluateMessage(Evaluated{.round = round, .accuracy = result.deciding()}));
  }

  const NodeRun& run_;
  Objective& objective_;
  std::shared_ptr<const RunParts> shared_;
  const RunParts& parts_;
  int coordinator_;
  LayeredWire wire_;
  ParameterSource source_;
  std::vector<ShardRange> shards_;  // at the servers
  std::vector<ShardRange> pieces_;  // of copies
  std::set<int> senders_;           // workers that send copies
  std::map<std::int64_t, Copies> sets_;  // by round
  Copies last_;
  std::map<int, std::int64_t> known_;  // newest round that a sender told
  std::optional<Moment> due_, pulling_;
  std::set<std::int32_t> arrived_;
  std::set<int> gone_, lost_, renewed_;
  std::int64_t lastRound_ = -1, evaluated_ = -1, wanted_ = 0, slack_ = 2;
  StopReason reason_ = StopReason::kAsked;
  double began_ = run_.clock.now();
  BusyBook book_;
};

}  // namespace

std::string runEvaluator(const NodeRun& run, Objective& objective) { return EvaluatorLoop(run, objective).run(); }

}  // namespace paceline
