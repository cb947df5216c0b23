// A server's side of a replay: messages are handed to shards in the order in which the run's server applied them, and wait until it is their turn; questions get the answers
// that they got. What the run never applied waits for ever. Used by the node's thread.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "engine/comm/transport/message.h"
#include "engine/runtime/replay.h"

namespace paceline {

class ReplayedOrder {
 public:
  struct Deeds {
    std::function<void(Message)> hand;                        // to its shard
    std::function<void(std::int32_t shard, int node)> leave;  // this shard's halves hear that the node is lost
  };
  ReplayedOrder(const ServerReplay& replay, bool ordered, Deeds deeds) : replay_(replay), ordered_(ordered), deeds_(std::move(deeds)) {}

  void take(Message message) {
    Shard& shard = shards_[message.shard];
    if (message.kind == MessageKind::kReduce) return contribute(shard, std::move(message));
    if (!ordered_ || (message.kind != MessageKind::kPush && message.kind != MessageKind::kPull)) return deeds_.hand(std::move(message));
    const std::int32_t number = message.shard;
    shard.held[message.from].push_back(std::move(message));
    advance(number, shard);
  }

  // What this worker's question was answered; nullopt: it asked no more.
  std::optional<std::vector<double>> answerTo(int worker) {
    const auto found = replay_.answers.find(worker);
    std::size_t& place = asked_[worker];
    return found != replay_.answers.end() && place < found->second.size() ? std::optional(found->second[place++]) : std::nullopt;
  }

 private:
  struct Shard {
    std::size_t next = 0;
    std::map<int, std::deque<Message>> held;    // by sender
    std::map<int, std::int64_t> contributions;  // by sender
    bool begun = false;
  };

  void advance(std::int32_t number, Shard& shard) {
    const ServerReplay::Steps& steps = replay_.of(number);
    for (; shard.next < steps.size(); ++shard.next) {
      const AppliedStep& step = steps[shard.next];
      if (step.lost) {
        deeds_.leave(number, step.node);
        continue;
      }
      std::deque<Message>& held = shard.held[step.node];
      if (held.empty()) return;
      Message message = std::move(held.front());
      held.pop_front();
      deeds_.hand(std::move(message));
    }
  }

  // Sums do not depend on who comes first, only on who comes at all.
  void contribute(Shard& shard, Message message) {
    const ServerReplay::Steps& steps = replay_.of(message.shard);
    const std::int32_t number = message.shard;
    const int from = message.from;
    for (const AppliedStep& step : steps)
      if (!shard.begun && step.lost && step.contributions == 0) deeds_.leave(number, step.node);
    shard.begun = true;
    const std::int64_t count = ++shard.contributions[from];
    for (const AppliedStep& step : steps) {
      if (!step.lost || step.node != from) continue;
      if (count > step.contributions) return;  // it was lost before
      deeds_.hand(std::move(message));
      if (count == step.contributions) deeds_.leave(number, from);
      return;
    }
    deeds_.hand(std::move(message));
  }

  const ServerReplay& replay_;
  bool ordered_;
  Deeds deeds_;
  std::map<std::int32_t, Shard> shards_;
  std::map<int, std::size_t> asked_;  // questions so far, by worker
};

}  // namespace paceline
