// How far a worker may be ahead of the others with its parts of a sum: a shard is answered when all have sent it, so what one sends before the others only
// fills the queues before the server, and the server's answers wait for the others' parts behind it (the credits of ByteScheduler: Peng et al. 2019). Held back is
// what exceeds kLeast unanswered shards and kGain times those that a way there and back holds, as the exchange before shows: its shortest answer over the mean
// time between answers. Where few unanswered ones were themselves what held it up, it showed no more than those, and kGain lets it grow. Never held back is what leaves before all that is unanswered, so of the shards that all wait for, the first in order is always on its way: nobody waits
// for ever, whatever each worker has sent already. Per node, by the priorities of messages. Header-only; one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>

#include "engine/comm/transport/message.h"

namespace paceline {

class SumCredit {
 public:
  bool allows(int to, const Message& message) const {
    if (!counts(message)) return true;
    const auto found = ways_.find(to);
    if (found == ways_.end() || found->second.round != message.round) return true;
    const Way& way = found->second;
    return way.unanswered.size() < way.most || std::ranges::all_of(way.unanswered, [&](const auto& sent) { return message.priority < sent.second.priority; });
  }

  // `now` in seconds, of one clock.
  void left(int to, const Message& message, double now) {
    if (!counts(message)) return;
    Way& way = ways_[to];
    if (way.round != message.round) {
      const std::size_t most = way.mostNext();
      way = {.round = message.round, .most = most};
    }
    way.unanswered[message.shard] = {.priority = message.priority, .at = now};
  }

  // True: of a sum, and another message may leave now.
  bool came(const Message& message, double now) {
    if (message.kind != MessageKind::kReduced) return false;
    const auto found = ways_.find(message.from);
    if (found == ways_.end() || found->second.round != message.round) return false;
    Way& way = found->second;
    const auto sent = way.unanswered.find(message.shard);
    if (sent == way.unanswered.end()) return false;
    way.shortest = std::min(way.shortest, now - sent->second.at);
    way.unanswered.erase(sent);
    if (way.answers++ == 0) way.firstAt = now;
    way.lastAt = now;
    return true;
  }

 private:
  static bool counts(const Message& message) { return message.kind == MessageKind::kReduce && message.priority > 0; }  // the others stay in their place
  static constexpr std::size_t kLeast = 3;  // unanswered
  static constexpr double kGain = 1.25;
  static constexpr std::size_t kFewest = 8;             // answers that tell how long one takes

  struct Sent {
    std::int32_t priority = 0;
    double at = 0;
  };
  struct Way {
    std::int64_t round = std::numeric_limits<std::int64_t>::min();
    std::size_t most = std::numeric_limits<std::size_t>::max();  // unanswered at once
    std::map<std::int32_t, Sent> unanswered = {};                // by shard
    std::size_t answers = 0;
    double shortest = std::numeric_limits<double>::infinity(), firstAt = 0, lastAt = 0;

    std::size_t mostNext() const {
      if (answers < kFewest || lastAt <= firstAt) return most;
      return std::max(kLeast, static_cast<std::size_t>(std::ceil(std::min(1e6, kGain * shortest * static_cast<double>(answers - 1) / (lastAt - firstAt)))));
    }
  };

  std::map<int, Way> ways_;  // by node
};

}  // namespace paceline
