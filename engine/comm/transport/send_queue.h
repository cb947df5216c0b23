// Messages that wait for a node's link. To one node: by priority, the smallest first, those of one priority in the order of sending; one of priority 0 stays
// where it was sent: what came before leaves before. Between nodes: by the priority of what would leave next. Header-only; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "engine/comm/transport/message.h"

namespace paceline {

class SendQueue {
 public:
  struct Next {
    int to = 0;
    Message message;
  };

  void push(int to, Message message) {
    Waiting& waiting = nodes_[to];
    if (!waiting.messages.empty()) turns_.erase(turnOf(to, waiting));
    if (message.priority == 0) ++waiting.section;
    const Key key{waiting.section, message.priority, sequence_++};
    if (message.priority == 0) ++waiting.section;
    waiting.messages.emplace(key, std::move(message));
    turns_.insert(turnOf(to, waiting));
  }

  bool empty() const { return nodes_.empty(); }
  bool waitsFor(int to) const { return nodes_.contains(to); }

  // What leaves next, of each node's next message where there is room(to, message); nullopt: nothing.
  template <class Room>
  std::optional<Next> pop(const Room& room) {
    for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
      const int to = std::get<2>(*turn);
      const auto node = nodes_.find(to);
      if (!room(to, node->second.messages.begin()->second)) continue;
      turns_.erase(turn);
      auto& messages = node->second.messages;
      Next next{.to = to, .message = std::move(messages.begin()->second)};
      messages.erase(messages.begin());
      if (messages.empty()) nodes_.erase(node);
      else turns_.insert(turnOf(to, node->second));
      return next;
    }
    return std::nullopt;
  }
  std::optional<Next> pop() {
    return pop([](int, const Message&) { return true; });
  }

 private:
  using Key = std::tuple<std::uint64_t, std::int32_t, std::uint64_t>;  // section, priority, sequence
  using Turn = std::tuple<std::int32_t, std::uint64_t, int>;           // priority and sequence of what a node's messages begin with; the node
  struct Waiting {
    std::uint64_t section = 0;  // between two messages of priority 0
    std::map<Key, Message> messages;
  };
  static Turn turnOf(int to, const Waiting& waiting) {
    const auto& [section, priority, sequence] = waiting.messages.begin()->first;
    return {priority, sequence, to};
  }

  std::map<int, Waiting> nodes_;  // none without messages
  std::set<Turn> turns_;          // of each
  std::uint64_t sequence_ = 0;
};

}  // namespace paceline
