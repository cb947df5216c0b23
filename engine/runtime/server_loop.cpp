#include <deque>
#include <limits>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/runtime/node_loop.h"
#include "engine/runtime/setup.h"
#include "engine/runtime/stop_rules.h"

namespace paceline {
namespace {

constexpr std::int32_t kMaxShards = 1 << 20;  // a terabyte of shards

// One shard: the aggregator's half, the algorithm's half, and what came before the values did.
struct Shard {
  std::unique_ptr<ServerAlgorithm> aggregation, algorithm;
  std::deque<Message> early;
  bool hasValues = false;
};

class ServerLoop final : public Outbox {
 public:
  explicit ServerLoop(const NodeRun& run) : run_(run), parts_(partsOf(run.spec)), wire_(run) {}

  std::string serve() {
    std::set<int> gone;
    while (gone.size() < parts_.workers.size()) {
      std::optional<Message> message = wire_.top().receive(std::numeric_limits<double>::infinity());
      if (!message) continue;
      if (message->kind == MessageKind::kBye) {
        gone.insert(message->from);
        if (!message->scalars.empty() && message->scalars[0] >= 0 &&
            message->scalars[0] <= static_cast<double>(StopReason::kAsked))
          reason_ = stopReasonName(static_cast<StopReason>(message->scalars[0]));
      } else if (!isControl(message->kind)) {
        dispatch(std::move(*message));
      }
    }
    return reason_;
  }

  void send(int to, Message message) override { wire_.top().send(to, std::move(message)); }
  double now() const override { return run_.clock.now(); }

 private:
  void dispatch(Message message) {
    Shard& shard = shardOf(message);
    if (message.kind == MessageKind::kReduce) return handle(shard.aggregation.get(), std::move(message));
    if (parts_.algorithm.serverHoldsParameters && !shard.hasValues && message.kind != MessageKind::kInit) {
      shard.early.push_back(std::move(message));
      return;
    }
    shard.hasValues = true;
    handle(shard.algorithm.get(), std::move(message));
    for (; !shard.early.empty(); shard.early.pop_front()) handle(shard.algorithm.get(), std::move(shard.early.front()));
  }

  void handle(ServerAlgorithm* half, Message message) {
    if (!half)
      throw Error(Errc::kFormat, strCat("node ", message.from, " sent message kind ", static_cast<int>(message.kind),
                                        ", which algorithm \"", parts_.algorithm.id, "\" has no server for"));
    half->onMessage(std::move(message), *this);
  }

  // The server does not know the model's size: shards begin with their first message.
  Shard& shardOf(const Message& message) {
    if (message.shard < 0 || message.shard >= kMaxShards)
      throw Error(Errc::kFormat, strCat("node ", message.from, " names shard ", message.shard));
    const auto [found, isNew] = shards_.try_emplace(message.shard);
    if (isNew) {
      if (parts_.aggregator && parts_.aggregator->makeServer)
        found->second.aggregation =
            parts_.aggregator->makeServer({.rank = 0, .workers = parts_.workers, .servers = parts_.servers, .serverShares = parts_.serverShares});
      if (parts_.algorithm.makeServer)
        found->second.algorithm = parts_.algorithm.makeServer({.params = parts_.params, .workers = parts_.workers, .optimizer = run_.spec.optimizer});
    }
    return found->second;
  }

  const NodeRun& run_;
  RunParts parts_;
  LayeredWire wire_;
  std::map<std::int32_t, Shard> shards_;
  std::string reason_ = "asked";
};

}  // namespace

std::string runServer(const NodeRun& run) { return ServerLoop(run).serve(); }

}  // namespace paceline
