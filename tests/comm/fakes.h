// A clock that moves only when told to, and a wire that delivers what the test put there at its times.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"

namespace paceline::tests {

class FakeClock final : public Clock {
 public:
  double now() const override { return time; }
  void sleepFor(double seconds) override { time += std::max(0.0, seconds); }
  double time = 0;
};

class FakeWire final : public Wire {
 public:
  explicit FakeWire(FakeClock& clock, int self = 0) : clock_(clock), self_(self) {}
  int self() const override { return self_; }
  void send(int to, Message message) override { sent.emplace_back(to, std::move(message)); }
  std::optional<Message> receive(double timeoutSeconds) override {
    if (incoming.empty() || incoming.front().first > clock_.time + timeoutSeconds) {
      clock_.time += timeoutSeconds;
      return std::nullopt;
    }
    clock_.time = std::max(clock_.time, incoming.front().first);
    Message message = std::move(incoming.front().second);
    incoming.pop_front();
    return message;
  }
  void settle() override { ++settled; }

  std::vector<std::pair<int, Message>> sent;
  std::deque<std::pair<double, Message>> incoming;  // (when it is there, message), in order of time
  int settled = 0;

 private:
  FakeClock& clock_;
  int self_;
};

inline Message messageFrom(int from, MessageKind kind = MessageKind::kPush, std::int64_t round = 0) {
  Message message;
  message.kind = kind;
  message.from = from;
  message.round = round;
  return message;
}

}  // namespace paceline::tests
