// A server's side of a replay: messages are handed to shards in the order in which the run's server applied them, and wait until it is their turn; questions get the answers
// that they got; whoever was lost goes on unheard, until another process of it takes part. What the run never applied waits for ever. Used by the node's thread.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "engine/comm/transport/message.h"
#include "engine/runtime/replay.h"

namespace paceline {

class ReplayedOrder {
 public:
  struct Deeds {
    std::function<void(Message)> hand;                        // to its shard
    std::function<void(std::int32_t shard, int node)> leave;  // this shard's halves hear that the node is lost
    std::function<void(int node)> left;                       // all shards have lost it
    std::function<void(std::int32_t shard, int node)> join;   // this shard's halves hear that it takes part again
    std::function<void(int node)> joined;                     // in all shards
  };
  ReplayedOrder(const ServerReplay& replay, bool ordered, Deeds deeds) : replay_(replay), ordered_(ordered), deeds_(std::move(deeds)) {}

  void take(Message message) {
    Shard& shard = shards_[message.shard];
    if (isDeafTo(message.from) || shard.joins[message.from] > lives_[message.from].joined) return;  // of the process before, also where other shards have not come so far
    if (message.kind == MessageKind::kReduce) return contribute(shard, std::move(message));
    if (!ordered_ || (message.kind != MessageKind::kPush && message.kind != MessageKind::kPull)) return hand(std::move(message));
    const std::int32_t number = message.shard;
    shard.held[message.from].push_back(std::move(message));
    advance(number, shard);
  }

  // What this worker's question was answered; nullopt: it asked no more.
  std::optional<std::vector<double>> answerTo(int worker) {
    const auto found = replay_.answers.find(worker);
    const Lives& lives = lives_[worker];
    std::size_t& place = asked_[worker];
    if (found == replay_.answers.end() || isDeafTo(worker)) return std::nullopt;
    const std::size_t end = std::min(found->second.size(), replay_.answersBefore(worker, lives.joined + 1).value_or(found->second.size()));  // behind it are those of its next process
    return place < end ? std::optional(found->second[place++]) : std::nullopt;
  }

  // The coordinator takes another process of this node in: at once where sums do not depend on who comes first, else when each shard has come to where it was.
  void takeIn(int node) {
    ++lives_[node].joins;
    for (auto& [number, shard] : shards_) {
      if (ordered_) advance(number, shard);
      else join(number, shard, node);
    }
  }
  // What comes of it from here on is of that process.
  void renewed(int node) { lives_[node].deaf = false; }

  // Whether it was still answered in that round.
  bool answers(int node, std::int64_t round) const {
    const auto found = lives_.find(node);
    return found == lives_.end() || !found->second.last || round <= *found->second.last;
  }

 private:
  struct Shard {
    std::size_t next = 0;
    std::map<int, std::deque<Message>> held;    // by sender
    std::map<int, std::int64_t> contributions;  // by sender
    std::map<int, std::size_t> joins;           // by node: its processes that have joined here
    bool begun = false;
  };
  struct Lives {  // of a node
    std::size_t joins = 0, joined = 0;  // its processes that the coordinator has taken in; that all shards have
    std::size_t leaves = 0;  // shards that have lost this one
    bool deaf = false;       // what comes is still of the process before
    std::int64_t newest = 0;           // its newest round
    std::optional<std::int64_t> last;  // the last that is answered, once all shards have lost it
  };

  bool isDeafTo(int node) const {
    const auto found = lives_.find(node);
    return found != lives_.end() && found->second.deaf;
  }

  void hand(Message message) {
    lives_[message.from].newest = message.round;
    deeds_.hand(std::move(message));
  }

  // It goes on, and what it sent to other shards before it was lost still comes.
  void leave(std::int32_t number, int node) {
    deeds_.leave(number, node);
    Lives& lives = lives_[node];
    if (++lives.leaves < replay_.losing(node, lives.joined)) return;
    lives.last = lives.newest;
    deeds_.left(node);
  }

  void join(std::int32_t number, Shard& shard, int node) {
    ++shard.joins[node];
    shard.held[node].clear();
    deeds_.join(number, node);
    Lives& lives = lives_[node];
    if (!std::ranges::all_of(shards_, [&](auto& entry) { return entry.second.joins[node] == lives.joins; })) return;
    lives.joined = lives.joins, lives.leaves = 0, lives.deaf = true, lives.last.reset();
    asked_[node] = replay_.answersBefore(node, lives.joined).value_or(0);
    deeds_.joined(node);
    for (auto& [each, other] : shards_)
      if (const AppliedStep* loss = ordered_ ? nullptr : lossOf(each, other, node); loss && loss->count == other.contributions[node]) leave(each, node);  // before it said anything
  }

  void advance(std::int32_t number, Shard& shard) {
    const ServerReplay::Steps& steps = replay_.of(number);
    for (; shard.next < steps.size(); ++shard.next) {
      const AppliedStep& step = steps[shard.next];
      if (step.lost) {
        leave(number, step.node);
      } else if (step.joined) {
        if (shard.joins[step.node] >= lives_[step.node].joins) return;
        join(number, shard, step.node);
      } else {
        std::deque<Message>& held = shard.held[step.node];
        if (held.empty()) return;
        Message message = std::move(held.front());
        held.pop_front();
        hand(std::move(message));
      }
    }
  }

  // Where this process of the node was lost; null: it was not.
  const AppliedStep* lossOf(std::int32_t number, Shard& shard, int node) const {
    std::size_t passed = shard.joins[node];
    for (const AppliedStep& step : replay_.of(number))
      if (step.lost && step.node == node && passed-- == 0) return &step;
    return nullptr;
  }

  // Sums do not depend on who comes first, only on who comes at all.
  void contribute(Shard& shard, Message message) {
    const std::int32_t number = message.shard;
    const int from = message.from;
    if (!std::exchange(shard.begun, true)) {
      std::set<int> seen;  // of each node its first loss
      for (const AppliedStep& step : replay_.of(number))
        if (step.lost && seen.insert(step.node).second && step.count == 0) leave(number, step.node);
    }
    const AppliedStep* loss = lossOf(number, shard, from);
    std::int64_t& count = shard.contributions[from];
    if (loss && count >= loss->count) return;  // it was lost before
    ++count;
    hand(std::move(message));
    if (loss && count == loss->count) leave(number, from);
  }

  const ServerReplay& replay_;
  bool ordered_;
  Deeds deeds_;
  std::map<std::int32_t, Shard> shards_;
  std::map<int, Lives> lives_;
  std::map<int, std::size_t> asked_;  // questions so far, by worker
};

}  // namespace paceline
