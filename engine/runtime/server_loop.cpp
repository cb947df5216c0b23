#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/busy_book.h"
#include "engine/runtime/checkpoints.h"
#include "engine/runtime/setup.h"
#include "engine/runtime/shard_groups.h"

namespace paceline {
namespace {

constexpr std::int32_t kMaxShards = 1 << 20;  // a terabyte of shards

// One shard: the aggregator's half, the algorithm's half, and what came before the values did.
struct Shard {
  std::unique_ptr<ServerAlgorithm> aggregation, algorithm;
  std::deque<Message> early;
  bool hasValues = false;
};

// Whose message led to what is sent travels with it.
class Answering final : public Outbox {
 public:
  Answering(Outbox& below, int cause) : below_(below), cause_(cause) {}
  void send(int to, Message message) override {
    message.cause = cause_;
    below_.send(to, std::move(message));
  }
  double now() const override { return below_.now(); }

 private:
  Outbox& below_;
  int cause_;
};

class ServerLoop final : public Outbox {
 public:
  explicit ServerLoop(const NodeRun& run)
      : run_(run),
        shared_(partsOf(run)),
        parts_(*shared_),
        wire_(run, parts_.workers),
        checkpoints_(run, [this](Archive& archive) { state(archive); }, [this](int to, Message message) { send(to, std::move(message)); }),
        book_(run, wire_.meter(), began_) {
    const int threads = run.spec.nodes.at(static_cast<std::size_t>(run.node)).threads;
    if (threads > 1 && run.nominalStepSeconds == 0) groups_.emplace(threads, run.clock, [this] { wire_.top().wake(); });
  }

  std::string serve() {
    std::set<int> gone;
    if (run_.resume) send(parts_.coordinator, snapshotMessage(checkpoints_.held()));
    if (run_.emit) emitClock(run_, began_);
    const std::size_t evaluators = run_.spec.evaluators().size();
    while (gone.size() < parts_.workers.size() + evaluators) {
      if (groups_) groups_->sendTo(*this);
      std::optional<Message> message = wire_.top().receive(book_.patience());
      if (!message) {
        book_.rest();
        continue;
      }
      if (message->kind == MessageKind::kCheckpoint && message->from == parts_.coordinator) {
        if (groups_) groups_->finish(*this);
        checkpoints_.obey(message->from, fieldsOf<SnapshotStep>(*message));
      } else if (message->kind == MessageKind::kPull && isEvaluator(message->from)) {
        inGroup(std::move(*message), [this](Shard& shard, Message pull, Outbox& out) { giveParameters(shard, pull, out); });
      } else if (message->kind == MessageKind::kBye) {
        gone.insert(message->from);
        leave(message->from, fieldsOf<Bye>(*message));
      } else if (!isControl(message->kind)) {
        inGroup(std::move(*message), [this](Shard& shard, Message given, Outbox& out) { dispatch(shard, std::move(given), out); });
      }
    }
    if (groups_) groups_->finish(*this);
    book_.finish();
    if (run_.emit) recordTraffic();
    return reason_;
  }

  void send(int to, Message message) override { wire_.top().send(to, std::move(message)); }
  double now() const override { return run_.clock.now(); }

 private:
  void leave(int node, const Bye& bye) {
    reason_ = stopReasonName(bye.reason);
    if (bye.received.size() == 2) received_[node] = {.bytesReceived = bye.received[0], .messagesReceived = bye.received[1]};
  }

  // With the workers' own metrics the store proves that nothing is lost: what workers sent is what servers received, and what servers sent is
  // what workers received and the answers that the stop overtook.
  void recordTraffic() {
    const double t = run_.clock.now() - began_;
    emitTraffic(run_, wire_.meter(), parts_.workers, "workers", t);
    std::int64_t bytes = 0, messages = 0;
    for (const auto& [worker, received] : received_) {
      bytes += wire_.meter().with(worker).bytesSent - received.bytesReceived;
      messages += wire_.meter().with(worker).messagesSent - received.messagesReceived;
    }
    run_.emit(MetricRecord{.round = 0, .t = t, .name = "bytes_undelivered", .value = static_cast<double>(bytes)});
    run_.emit(MetricRecord{.round = 0, .t = t, .name = "messages_undelivered", .value = static_cast<double>(messages)});
  }

  bool isEvaluator(int node) const {
    return node >= 0 && node < static_cast<int>(run_.spec.nodes.size()) &&
           run_.spec.nodes[static_cast<std::size_t>(node)].role == Role::kEvaluator;
  }

  // Shards that have no values yet have been asked before rank 0 gave them: they answer then.
  void giveParameters(Shard& shard, const Message& pull, Outbox& out) {
    if (!shard.hasValues) return shard.early.push_back(pull);
    out.send(pull.from, {.kind = MessageKind::kReply,
                         .shard = pull.shard,
                         .round = pull.round,
                         .dense = shard.algorithm ? shard.algorithm->parameters() : Dense()});
  }

  // Now, or on the thread of the message's shard.
  template <class Work>
  void inGroup(Message message, const Work& work) {
    Shard& shard = shardOf(message);
    book_.arrived(message);
    const auto answer = [this, work, &shard](Message given, Outbox& out) {
      book_.begun();
      Answering answers(out, given.from);
      passEmulated(given);
      work(shard, std::move(given), answers);
      book_.ended();
    };
    if (!groups_) return answer(std::move(message), *this);
    const std::int32_t number = message.shard;
    const std::size_t bytes = wireBytes(message);
    groups_->post(number, bytes, [answer, given = std::move(message)](Outbox& out) mutable { answer(std::move(given), out); });
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
      std::int64_t hasValues = shard.hasValues ? 1 : 0;
      scope.number("has_values", hasValues);
      shard.hasValues = hasValues != 0;
      for (const auto& [name, half] : {std::pair{"aggregation", shard.aggregation.get()}, std::pair{"algorithm", shard.algorithm.get()}}) {
        ArchiveScope own(scope, name);
        if (half) half->state(own);
      }
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
    }
    return found->second;
  }

  const NodeRun& run_;
  std::shared_ptr<const RunParts> shared_;
  const RunParts& parts_;
  LayeredWire wire_;
  NodeCheckpoints checkpoints_;
  std::map<std::int32_t, Shard> shards_;
  std::string reason_ = "asked";
  double began_ = run_.clock.now();
  std::map<int, Traffic> received_;  // by worker, as its bye tells
  BusyBook book_;
  std::optional<ShardGroups> groups_;  // none: one thread does all
};

}  // namespace

std::string runServer(const NodeRun& run) { return ServerLoop(run).serve(); }

}  // namespace paceline
