#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/books/busy_book.h"
#include "engine/runtime/books/delivery_book.h"
#include "engine/runtime/checkpoints.h"
#include "engine/runtime/books/link_book.h"
#include "engine/runtime/books/order_book.h"
#include "engine/runtime/journal/journal.h"
#include "engine/runtime/replayed_order.h"
#include "engine/runtime/losses/returning.h"
#include "engine/runtime/server_shard.h"
#include "engine/runtime/setup.h"
#include "engine/runtime/shard_groups.h"

namespace paceline {
namespace {

constexpr std::int32_t kMaxShards = 1 << 20;  // a terabyte of shards
constexpr double kMissingSeconds = 20;        // who has not come to a server's next process by then has left

class ServerLoop final : public Outbox {
 public:
  // `silent`: what is said now was said by the process before.
  ServerLoop(const NodeRun& run, bool& silent)
      : run_(run),
        silent_(silent),
        shared_(partsOf(run)),
        parts_(*shared_),
        wire_(run, parts_.workers),
        checkpoints_(run, [this](Archive& archive) { state(archive); }, [this](int to, Message message) { send(to, std::move(message)); }),
        book_(run, wire_.meter(), began_),
        order_(run, ordered()),
        links_(run, wire_.meter()) {
    const int threads = run.spec.nodes.at(static_cast<std::size_t>(run.node)).threads;
    wire_.top().tolerate(dispensableTo(run, parts_));
    if (run.replay) replay();
    if (threads > 1 && run.nominalStepSeconds == 0) groups_.emplace(threads, [this] { wire_.top().wake(); });
  }

  std::string serve() {
    if (run_.journal) restore();
    if (run_.resume && !(run_.journal && run_.journal->hasState())) send(parts_.coordinator, snapshotMessage(checkpoints_.held()));
    if (run_.emit) emitClock(run_, began_);
    while (!allAreGone()) {
      if (groups_) silent_ ? groups_->finish(*this) : groups_->sendTo(*this);  // one after the other, as far as the process before had come
      keepJournal();
      std::optional<Message> message = wire_.top().receive(std::min(book_.patience(), missing() ? kMissingSeconds / 10 : book_.patience()));
      if (silent_ && !wire_.journal()->again()) goOn();
      if (!message) {
        book_.rest();
        continue;
      }
      if (message->kind == MessageKind::kAnew) {
        renew(message->from, fieldsOf<Anew>(*message));
        continue;
      }
      if (message->kind == MessageKind::kLost) returning_.lost(message->from);
      if (message->kind == MessageKind::kBack) isBack(message->from);
      if (lost_.contains(message->from)) continue;  // the way from it had never broken
      if (message->kind == MessageKind::kLost) {
        lose(message->from);
      } else if (message->kind == MessageKind::kDropped) {
        lose(static_cast<int>(fieldsOf<Dropped>(*message).node));
      } else if (message->kind == MessageKind::kCheckpoint && message->from == parts_.coordinator) {
        if (groups_) groups_->finish(*this);
        const SnapshotStep step = fieldsOf<SnapshotStep>(*message);
        if (const auto* join = std::get_if<Join>(&step)) take(*join);
        else checkpoints_.obey(message->from, step);
      } else if (message->kind == MessageKind::kPull && isEvaluator(message->from)) {
        inGroup(std::move(*message), [this](Shard& shard, Message pull, Outbox& out) { giveParameters(shard, pull, out); });
      } else if (message->kind == MessageKind::kBye) {
        const Bye bye = fieldsOf<Bye>(*message);
        gone_.insert(message->from);
        reason_ = stopReasonName(bye.reason);
        delivered_.left(message->from, bye);
      } else if (replayed_ && message->kind == MessageKind::kAsk) {
        answerAsThen(*message);
      } else if (replayed_ && !isControl(message->kind)) {
        replayed_->take(std::move(*message));
      } else if (!isControl(message->kind)) {
        order_.handed(*message);
        tellLinks(*message);
        hand(std::move(*message));
      }
    }
    if (groups_) groups_->finish(*this);
    if (silent_) goOn();  // what it had still to say
    book_.finish();
    order_.finish();
    if (run_.emit) recordTraffic();
    return reason_;
  }

  void send(int to, Message message) override {
    if (lost_.contains(to) && message.kind != MessageKind::kDropped) return;  // what its halves answer still: a next process would take it for its own
    if (replayed_ && !isControl(message.kind) && !replayed_->answers(to, message.round)) return;
    if (message.kind == MessageKind::kAnswer) order_.answered(to, message);
    wire_.top().send(to, std::move(message));
  }
  // When the message came, whichever process is at it.
  double now() const override { return journal_ ? journal_->handedAt() : run_.clock.now(); }

 private:
  // Clients that a process before had and this one does not reach: they may have left, or wait for it.
  bool missing() const { return journal_ && !std::ranges::includes(gone_, journal_->missing()); }
  bool allAreGone() const {
    std::size_t gone = gone_.size();
    if (missing() && run_.clock.now() >= back_ + kMissingSeconds) gone += static_cast<std::size_t>(std::ranges::count_if(journal_->missing(), [this](int node) { return !gone_.contains(node); }));
    return gone >= parts_.clients.size();
  }

  void restore() {
    if (run_.journal->processes() == 0) return run_.journal->began(began_);
    if (!run_.journal->whole()) throw Error(Errc::kHost, "this server cannot be brought back: there was not enough memory for its journal");
    if (!run_.journal->hasState()) return;
    const StateTable table = run_.journal->state();
    StateReader reader(table);
    everything(reader);
    reader.finish();
  }

  void goOn() {
    silent_ = false;
    for (const int node : returning_.unreached()) wire_.top().renew(node);
    book_.begin();
    emitNotice(run_, "log", strCat("is back where it was: ", run_.journal->given(), " messages of ", run_.journal->givenBytes(), " bytes done again within ", run_.clock.now() - back_, " s"), "warn", "server_back");
  }

  void keepJournal() {
    if (!journal_) return;
    if (groups_ && !groups_->atRest(*this)) return;
    journal_->rest([this](Archive& archive) { everything(archive); });
    if (run_.journal->whole() || toldJournal_) return;
    toldJournal_ = true;
    emitNotice(run_, "log", "there is not enough memory for this server's journal: should it be killed, the run fails", "warn", "journal");
  }

  bool ordered() const { return parts_.algorithm.topology == Topology::kServer; }  // else servers add up in rank order, whoever comes first

  void replay() {
    static const ServerReplay kNone;
    const auto found = run_.replay->servers.find(run_.node);
    replayed_.emplace(found == run_.replay->servers.end() ? kNone : found->second, ordered(),
                      ReplayedOrder::Deeds{.hand = [this](Message message) { hand(std::move(message)); },
                                           .leave = [this](std::int32_t shard, int node) { leaves(shardAt(shard), node, *this); },
                                           .left = [this](int node) { gone_.insert(node); }, .join = [this](std::int32_t shard, int node) { joins(shardAt(shard), node); },
                                           .joined = [this](int node) { gone_.erase(node), send(parts_.coordinator, snapshotMessage(Joined{{.node = node}})); }});
  }

  void answerAsThen(const Message& question) {
    std::optional<std::vector<double>> then = replayed_->answerTo(question.from);
    if (then) send(question.from, {.kind = MessageKind::kAnswer, .shard = question.shard, .round = question.round, .scalars = std::move(*then), .cause = question.from});
  }

  void hand(Message message) {
    inGroup(std::move(message), [this](Shard& shard, Message given, Outbox& out) { dispatch(shard, std::move(given), out); });
  }

  void tellLinks(const Message& message) {
    if (message.round <= newestRound_ || (message.kind != MessageKind::kPush && message.kind != MessageKind::kReduce)) return;
    const int every = run_.spec.records.linksEveryRounds;
    if (every > 0 && message.round / every > newestRound_ / every) links_.tell(newestRound_, run_.clock.now() - began_, false);
    newestRound_ = message.round;
  }

  // All that outlives a message, whoever waits for what.
  void everything(Archive& archive) {
    state(archive);
    ArchiveScope rest(archive, "rest");
    for (auto& [id, shard] : shards_) {
      ArchiveScope scope(rest, strCat("shard ", id));
      shard.owed(scope);
    }
    const auto nodes = [&](const char* name, std::set<int>& set) {
      std::vector<double> numbers(set.begin(), set.end());
      rest.numbers(name, numbers);
      set = {numbers.begin(), numbers.end()};
    };
    nodes("gone", gone_);
    nodes("lost", lost_);
    std::vector<std::uint64_t> reason(reason_.begin(), reason_.end());
    rest.words("reason", reason);
    reason_.assign(reason.begin(), reason.end());
    delivered_.state(rest);
    returning_.state(rest);
    rest.number("newest_round", newestRound_);
    ArchiveScope order(rest, "order"), meter(rest, "meter"), told(rest, "told"), links(rest, "links");
    order_.state(order);
    links_.state(told);
    wire_.meter().state(meter);
    journal_->state(links);
  }

  void tellDropped(int to, int node) { send(to, messageOf(MessageKind::kDropped, Dropped{node})); }

  // What is sent to it from here on has numbers of its own.
  void renew(int node, const Anew& told) {
    requireRenewable(parts_, node);
    if (replayed_) return replayed_->renewed(node), delivered_.renewed(node), wire_.top().renew(node);
    if (!returning_.anew(node, told)) return;
    lose(node);
    if (journal_) journal_->anew(node, told.process);
    delivered_.renewed(node);
    if (!silent_) wire_.top().renew(node);
  }

  // A way to it is. Where a process of its may come again the coordinator alone tells the old one that it is lost: a new one would take it for its own.
  void isBack(int node) {
    if (returning_.back(node) && journal_) wire_.top().send(node, messageOf(MessageKind::kAnew, returning_.of(node))), delivered_.renewed(node);  // what it hears behind this is for this process
    if (lost_.contains(node) && !parts_.renews) tellDropped(node, node);
    if (groups_ && returning_.isDue(node)) groups_->finish(*this);
    if (returning_.isDue(node)) takeIn(node);
  }

  void take(const Join& join) {
    const auto node = static_cast<int>(join.node);
    if (replayed_) return replayed_->takeIn(node);
    returning_.awaits(node, join.process);
    if (join.process == 0 || returning_.isDue(node)) takeIn(node);
  }

  // Nobody waits for it any more, behind what it has sent. The coordinator tells the other servers.
  void lose(int node) {
    if (!parts_.workers.contains(node) || node == parts_.coordinator) throw Error(Errc::kFormat, strCat("node ", node, " is said to be lost, and no run goes on without it"));
    if (groups_) groups_->finish(*this);
    if (!lost_.insert(node).second) return;
    gone_.insert(node);
    order_.lost(node);
    returning_.settle(node);
    tellDropped(parts_.coordinator, node);
    if (!parts_.renews) tellDropped(node, node);
    for (auto& entry : shards_) {
      const auto leave = [node, &shard = entry.second](Outbox& out) { leaves(shard, node, out); };
      if (groups_) groups_->post(entry.first, 0, now(), leave);
      else leave(*this);
    }
  }

  void takeIn(int node) {  // between two rounds, all at rest
    if (!parts_.workers.contains(node) || node == parts_.coordinator) throw Error(Errc::kFormat, strCat("node ", node, " is said to take part again, and never left"));
    lost_.erase(node);
    gone_.erase(node);
    for (auto& entry : shards_) joins(entry.second, node);
    if (!returning_.isDue(node)) return;
    order_.joined(node);
    returning_.settle(node), returning_.use(node);
    send(parts_.coordinator, snapshotMessage(Joined{{.node = node, .process = returning_.of(node).process}}));
  }

  void joins(Shard& shard, int node) {
    for (const auto& [name, half] : shard.halves()) half->joined(node, parts_.coordinator);
  }

  static void leaves(Shard& shard, int node, Outbox& out) {
    Answering answers(out, node);  // what others waited for is that it came, or did not
    for (const auto& [name, half] : shard.halves()) half->left(node, answers);
  }

  // With the workers' own metrics the store proves that nothing is lost: what workers sent is what servers received, and what servers sent is
  // what workers received and the answers that the stop overtook.
  void recordTraffic() {
    const double t = run_.clock.now() - began_;
    links_.tell(newestRound_, t, run_.nominalStepSeconds <= 0);
    emitTraffic(run_, wire_.meter(), parts_.workers, "workers", t);
    const Traffic undelivered = delivered_.undelivered();
    for (const auto& [name, value] : {std::pair("bytes_undelivered", undelivered.bytesSent), std::pair("messages_undelivered", undelivered.messagesSent)})
      run_.emit(MetricRecord{.round = 0, .t = t, .name = name, .value = static_cast<double>(value)});
  }

  bool isEvaluator(int node) const { return node >= 0 && parts_.clients.contains(node) && !parts_.workers.contains(node); }

  // Shards that have no values yet have been asked before rank 0 gave them: they answer then.
  void giveParameters(Shard& shard, const Message& pull, Outbox& out) {
    if (!shard.hasValues) return shard.early.push_back(pull);
    out.send(pull.from, {.kind = MessageKind::kReply, .shard = pull.shard, .round = pull.round, .dense = shard.algorithm ? shard.algorithm->parameters() : Dense()});
  }

  // Now, or on the thread of the message's shard.
  template <class Work>
  void inGroup(Message message, const Work& work) {
    Shard& shard = shardOf(message);
    if (!silent_) book_.arrived(message);
    const auto answer = [this, work, &shard, told = !silent_](Message given, Outbox& out) {
      if (told) book_.begun(), passEmulated(given);
      Answering answers(out, given.from);
      work(shard, std::move(given), answers);
      if (told) book_.ended();
    };
    if (!groups_) return answer(std::move(message), *this);
    const std::int32_t number = message.shard;
    const std::size_t bytes = wireBytes(message);
    groups_->post(number, bytes, now(), [answer, given = std::move(message)](Outbox& out) mutable { answer(std::move(given), out); });
  }

  // The document's time for what comes.
  void passEmulated(const Message& message) {
    const std::optional<double>& rate = run_.spec.nodes.at(static_cast<std::size_t>(run_.node)).emulate.serveMbps;
    const std::size_t bytes = message.dense.values().size() * 4 + message.packed.bytes.size();
    if (rate && bytes > 0) run_.clock.sleepFor(static_cast<double>(bytes) * 8 / (*rate * 1e6));
  }

  void dispatch(Shard& shard, Message message, Outbox& out) {
    if (message.kind == MessageKind::kReduce) return handle(shard.aggregation.get(), std::move(message), out);
    if (parts_.algorithm.serverHoldsParameters && !shard.hasValues && message.kind != MessageKind::kInit) return shard.early.push_back(std::move(message));
    shard.hasValues = true;
    handle(shard.algorithm.get(), std::move(message), out);
    for (; !shard.early.empty(); shard.early.pop_front()) {
      if (shard.early.front().kind == MessageKind::kPull && isEvaluator(shard.early.front().from))
        giveParameters(shard, shard.early.front(), out);
      else
        handle(shard.algorithm.get(), std::move(shard.early.front()), out);
    }
  }

  void handle(ServerAlgorithm* half, Message message, Outbox& out) {
    if (!half)
      throw Error(Errc::kFormat, strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind),
                                        ", which algorithm \"", parts_.algorithm.id, "\" has no server for"));
    half->onMessage(std::move(message), out);
  }

  // Between two rounds of all workers: nothing waits in `early`, and no worker waits for an answer.
  void state(Archive& archive) {
    std::vector<std::uint64_t> ids;
    for (const auto& [id, shard] : shards_) ids.push_back(static_cast<std::uint64_t>(id));
    archive.words("shards", ids);
    ArchiveScope wire(archive, "wire");
    wire_.state(wire);
    if (std::ranges::adjacent_find(ids, std::greater_equal()) != ids.end()) throw Error(Errc::kFormat, "the checkpoint names a shard twice, or out of order");
    for (const std::uint64_t id : ids) {
      if (id >= static_cast<std::uint64_t>(kMaxShards)) throw Error(Errc::kFormat, strCat("the checkpoint names shard ", id));
      Shard& shard = shardAt(static_cast<std::int32_t>(id));
      ArchiveScope scope(archive, strCat("shard ", id));
      shard.state(scope);
    }
  }

  Shard& shardOf(const Message& message) {
    if (message.shard < 0 || message.shard >= kMaxShards)
      throw Error(Errc::kFormat, strCat("node ", message.from, " names shard ", message.shard));
    return shardAt(message.shard);
  }

  // The server does not know the model's size: shards begin with their first message.
  Shard& shardAt(std::int32_t id) {
    const auto [found, isNew] = shards_.try_emplace(id);
    if (isNew) {
      if (parts_.aggregator && parts_.aggregator->makeServer)
        found->second.aggregation =
            parts_.aggregator->makeServer({.rank = 0, .workers = parts_.workers, .servers = parts_.servers.nodes(), .serverShares = parts_.serverShares});
      if (parts_.algorithm.makeServer)
        found->second.algorithm = parts_.algorithm.makeServer({.params = parts_.params, .workers = parts_.workers, .optimizer = run_.spec.optimizer});
      for (const int node : lost_) leaves(found->second, node, *this);
    }
    return found->second;
  }

  const NodeRun& run_;
  bool& silent_;
  std::shared_ptr<const RunParts> shared_;
  const RunParts& parts_;
  LayeredWire wire_;
  NodeCheckpoints checkpoints_;
  std::map<std::int32_t, Shard> shards_;
  std::string reason_ = "asked";
  JournalWire* const journal_ = wire_.journal();
  const double back_ = run_.clock.now();  // this process
  double began_ = run_.journal && run_.journal->processes() > 0 ? run_.journal->began() : back_;
  bool toldJournal_ = false;
  std::set<int> gone_;               // workers and evaluators that said bye, and those that are lost
  std::set<int> lost_;               // workers that the run goes on without
  DeliveryBook delivered_{wire_.meter()};
  Returning returning_;
  BusyBook book_;
  OrderBook order_;
  LinkBook links_;
  std::int64_t newestRound_ = 0;  // that a message named
  std::optional<ReplayedOrder> replayed_;
  std::optional<ShardGroups> groups_;  // none: one thread does all
};

}  // namespace

std::string runServer(const NodeRun& run) {
  bool silent = run.journal && run.journal->processes() > 0;
  NodeRun told = run;
  if (run.journal && run.emit)
    told.emit = [&](const Event& event) {
      if (!silent) run.emit(event);
    };
  return ServerLoop(told, silent).serve();
}

}  // namespace paceline
