// What leaves first where messages wait for a link: the queue, the simulated link, and the wire that hands on beside its node.
#include "engine/comm/transport/priority_wire.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <vector>

#include "engine/comm/sim/sim_world.h"
#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/send_queue.h"
#include "engine/comm/transport/shard_stream.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"

namespace paceline::tests {
namespace {

Message piece(std::int32_t priority, std::int32_t shard, std::size_t elements = 0) {
  Message message;
  message.priority = priority;
  message.shard = shard;
  message.dense = Dense::copied(std::vector<Real>(elements));
  return message;
}

std::vector<std::pair<int, int>> drained(SendQueue& queue) {  // (to, shard)
  std::vector<std::pair<int, int>> order;
  while (std::optional<SendQueue::Next> next = queue.pop()) order.emplace_back(next->to, next->message.shard);
  return order;
}

TEST(SendQueue, TheSmallestPriorityLeavesFirstAndEqualOnesInTheirOrder) {
  SendQueue queue;
  for (const auto& [priority, shard] : {std::pair{5, 0}, {2, 1}, {9, 2}, {2, 3}, {1, 4}}) queue.push(7, piece(priority, shard));
  EXPECT_EQ(drained(queue), (std::vector<std::pair<int, int>>{{7, 4}, {7, 1}, {7, 3}, {7, 0}, {7, 2}}));
  EXPECT_TRUE(queue.empty());
}

TEST(SendQueue, AMessageWithoutPriorityStaysWhereItWasSent) {
  SendQueue queue;
  for (const auto& [priority, shard] : {std::pair{5, 0}, {2, 1}, {0, 2}, {1, 3}, {0, 4}, {3, 5}, {2, 6}}) queue.push(1, piece(priority, shard));
  EXPECT_EQ(drained(queue), (std::vector<std::pair<int, int>>{{1, 1}, {1, 0}, {1, 2}, {1, 3}, {1, 4}, {1, 6}, {1, 5}}));
}

TEST(SendQueue, BetweenNodesWhatIsNeededFirstLeavesFirst) {
  SendQueue queue;
  queue.push(1, piece(4, 0));
  queue.push(2, piece(3, 1));
  queue.push(1, piece(2, 2));
  queue.push(3, piece(0, 3));
  EXPECT_EQ(drained(queue), (std::vector<std::pair<int, int>>{{3, 3}, {1, 2}, {2, 1}, {1, 0}}));
}

TEST(SendQueue, PassesOverNodesWithoutRoom) {
  SendQueue queue;
  queue.push(1, piece(1, 0));
  queue.push(2, piece(2, 1));
  const auto room = [](int to, const Message&) { return to == 2; };
  EXPECT_EQ(queue.pop(room)->message.shard, 1);
  EXPECT_FALSE(queue.pop(room));
  EXPECT_FALSE(queue.empty());
}

TEST(ShardStream, AShardIsWholeWhenItsLastElementIs) {
  const std::vector<ShardRange> shards{{0, 4, 9}, {4, 4, 9}, {8, 2, 9}};
  ShardStream stream;
  stream.begin(shards);
  std::vector<std::size_t> whole;
  const auto note = [&](std::size_t shard) { whole.push_back(shard); };
  stream.give(7, 3, note);
  EXPECT_EQ(whole, (std::vector<std::size_t>{2}));
  stream.give(3, 4, note);
  EXPECT_EQ(whole, (std::vector<std::size_t>{2, 1}));
  stream.give(0, 3, note);
  EXPECT_EQ(whole, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_THROW(stream.give(0, 1, note), InvariantError);
  EXPECT_FALSE(stream.areBack(3, 2));
  stream.back(0);
  EXPECT_TRUE(stream.areBack(0, 4));
  EXPECT_FALSE(stream.areBack(3, 2));
  stream.back(1);
  EXPECT_TRUE(stream.areBack(3, 2));
  EXPECT_TRUE(stream.open());
  stream.back(2);
  EXPECT_FALSE(stream.open());
  EXPECT_THROW(stream.back(2), InvariantError);
}

// 1e6 bytes a second; while the first message leaves, the others wait.
TEST(SimWorld, OnABusyLinkWhatIsNeededFirstLeavesFirst) {
  Emulate link;
  link.bandwidthMbps = 8;
  sim::SimWorld world({link, {}});
  std::vector<int> order;
  double last = 0;
  constexpr std::size_t kElements = 1000;
  world.run({[&] {
               for (const int shard : {5, 4, 3, 2, 1}) world.wire(0).send(1, piece(shard + 1, shard, kElements));
               world.clock(0).sleepFor(1.5 * (kHeaderBytes + kElements * sizeof(Real)) / 1e6);  // the second is leaving
               world.wire(0).send(1, piece(1, 0, kElements));
             },
             [&] {
               for (int i = 0; i < 6; ++i) order.push_back(world.wire(1).receive(kForever)->shard);
               last = world.clock(1).now();
             }});
  EXPECT_EQ(order, (std::vector<int>{5, 1, 0, 2, 3, 4}));
  EXPECT_NEAR(last, 6 * (kHeaderBytes + kElements * sizeof(Real)) / 1e6, 1e-12);  // the link was never idle
}

TEST(SimWorld, ANodeThatHasEndedStillSendsWhatItSent) {
  Emulate link;
  link.bandwidthMbps = 8;
  sim::SimWorld world({link, {}});
  int came = 0;
  world.run({[&] { for (int i = 0; i < 3; ++i) world.wire(0).send(1, piece(0, i, 100)); },
             [&] { for (; came < 3; ++came) EXPECT_EQ(world.wire(1).receive(kForever)->shard, came); }});
  EXPECT_EQ(came, 3);
}

// A wire that takes as many messages as it is given room for, from any thread that holds it.
class NarrowWire final : public Wire {
 public:
  int self() const override { return 0; }
  void send(int, Message message) override {
    const std::lock_guard lock(mutex_);
    if (message.priority > 0) --room_;
    sent_.push_back(message.shard);
    changed_.notify_all();
  }
  std::optional<Message> receive(double timeoutSeconds) override {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return woken_ || !incoming_.empty() || failure_; };
    if (std::isfinite(timeoutSeconds)) changed_.wait_for(lock, std::chrono::duration<double>(timeoutSeconds), ready);
    else changed_.wait(lock, ready);
    woken_ = false;
    if (failure_) throw *std::exchange(failure_, std::nullopt);
    if (incoming_.empty()) return std::nullopt;
    Message message = std::move(incoming_.front());
    incoming_.pop_front();
    return message;
  }
  void settle() override { settled = sent(); }
  double roomIn(int) override {
    const std::lock_guard lock(mutex_);
    return room_ > 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  void wake() override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }

  void makeRoom(int messages) {
    const std::lock_guard lock(mutex_);
    room_ += messages;
    woken_ = true;
    changed_.notify_all();
  }
  void come(Message message) {
    const std::lock_guard lock(mutex_);
    incoming_.push_back(std::move(message));
    changed_.notify_all();
  }
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error;
    changed_.notify_all();
  }
  std::vector<int> awaitSent(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return sent_.size() >= count; });
    return sent_;
  }
  std::vector<int> sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }
  std::vector<int> settled;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> sent_;
  std::deque<Message> incoming_;
  std::optional<Error> failure_;
  int room_ = 1;
  bool woken_ = false;
};

TEST(PriorityWire, HandsOnWhileItsNodeComputes) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {9, 8, 7}) wire.send(1, piece(shard + 1, shard));
  EXPECT_EQ(below.awaitSent(1), (std::vector<int>{9}));
  wire.send(1, piece(1, 0));
  below.makeRoom(2);
  EXPECT_EQ(below.awaitSent(3), (std::vector<int>{9, 0, 7}));
  below.makeRoom(1);
  EXPECT_EQ(below.awaitSent(4), (std::vector<int>{9, 0, 7, 8}));
}

TEST(PriorityWire, HandsOnWhileItsNodeWaits) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {5, 4, 3}) wire.send(1, piece(shard + 1, shard));
  std::jthread other([&] {
    below.makeRoom(1);
    below.awaitSent(2);
    below.makeRoom(1);
    below.awaitSent(3);
    below.come(piece(0, 42));
  });
  std::optional<Message> message;
  while (!message) message = wire.receive(kForever);
  EXPECT_EQ(message->shard, 42);
  EXPECT_EQ(below.sent(), (std::vector<int>{5, 3, 4}));
}

// Whoever of the two meets it below: the helper has handed on what waited, so it may have.
TEST(PriorityWire, AWakeEndsTheWaitingOrTheNextOne) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {2, 1}) wire.send(1, piece(shard + 1, shard));
  wire.wake();
  below.makeRoom(1);
  below.awaitSent(2);
  EXPECT_FALSE(wire.receive(kForever));
  std::jthread other([&] { wire.wake(); });
  EXPECT_FALSE(wire.receive(kForever));
}

TEST(PriorityWire, WhatComesWhileItsNodeComputesIsKeptInOrder) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {2, 1}) wire.send(1, piece(shard + 1, shard));
  for (int i = 10; i < 15; ++i) below.come(piece(0, i));
  below.makeRoom(1);
  below.awaitSent(2);
  for (int i = 10; i < 15; ++i) {
    std::optional<Message> message;
    while (!message) message = wire.receive(kForever);
    EXPECT_EQ(message->shard, i);
  }
  EXPECT_FALSE(wire.receive(0));
}

// A node that is busy elsewhere looks half a second late at its wire, each time.
class LateNode final : public Wire, public Clock {
 public:
  int self() const override { return 0; }
  double now() const override { return time_; }
  void sleepFor(double seconds) override { time_ = time_ + seconds; }
  void send(int, Message message) override {
    const std::lock_guard lock(mutex_);
    availableAt_.push_back(message.availableAt);
    changed_.notify_all();
  }
  std::optional<Message> receive(double timeoutSeconds) override {
    if (std::isfinite(timeoutSeconds)) sleepFor(timeoutSeconds + 0.5);
    return std::nullopt;
  }
  std::vector<double> availableAt(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return availableAt_.size() >= count; });
    return availableAt_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<double> availableAt_;
  std::atomic<double> time_ = 0;
};

constexpr std::size_t kMegabyte = (1'000'000 - kHeaderBytes) / sizeof(Real);  // elements of a message that takes a second at 8 Mbit/s

TEST(PriorityWire, AnEmulatedLinkIsNotIdleBecauseItsNodeLooksLate) {
  LateNode node;
  Emulate link;
  link.bandwidthMbps = 8;  // 1e6 bytes a second
  ShapedWire shaped(node, node, link);
  PriorityWire wire(shaped, node);
  for (int shard = 0; shard < 4; ++shard) wire.send(1, piece(shard + 1, shard, kMegabyte));
  const std::vector<double> times = node.availableAt(4);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], static_cast<double>(i + 1), 1e-9) << i;
}

TEST(PriorityWire, WhatWasHandedOnAtOnceMakesNoLaterMessageDueEarlier) {
  LateNode node;
  Emulate link;
  link.bandwidthMbps = 8;
  ShapedWire shaped(node, node, link);
  PriorityWire wire(shaped, node);
  for (int shard = 0; shard < 2; ++shard) wire.send(1, piece(shard + 1, shard, kMegabyte));
  wire.settle();
  node.sleepFor(60);
  const double sent = node.now();
  wire.send(1, piece(1, 2, kMegabyte));
  EXPECT_NEAR(node.availableAt(3).back(), sent + 1, 1e-3);
}

TEST(PriorityWire, WithoutPriorityNothingWaits) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (int i = 0; i < 5; ++i) wire.send(1, piece(0, i));
  EXPECT_EQ(below.sent(), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(PriorityWire, AMessageWithoutPriorityLeavesBehindWhatWaits) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  wire.send(1, piece(2, 1));
  wire.send(1, piece(3, 2));
  wire.send(1, piece(0, 3));
  EXPECT_EQ(below.sent(), (std::vector<int>{1}));
  below.makeRoom(2);
  EXPECT_EQ(below.awaitSent(3), (std::vector<int>{1, 2, 3}));
}

TEST(PriorityWire, AFailureBesideItsNodeIsToldAtTheNextReceive) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {2, 1}) wire.send(1, piece(shard + 1, shard));
  below.come(piece(0, 42));
  below.fail(Error(Errc::kPeerLost, "s0 is gone"));
  std::vector<std::string> told;
  for (bool came = false; told.empty() || !came;) {
    try {
      if (const std::optional<Message> message = wire.receive(kForever)) came = message->shard == 42;
    } catch (const Error& error) {
      told.emplace_back(error.what());
    }
  }
  EXPECT_EQ(told, (std::vector<std::string>{"s0 is gone"}));
}

TEST(PriorityWire, SettlingHandsOnEverything) {
  NarrowWire below;
  SteadyClock clock;
  PriorityWire wire(below, clock);
  for (const int shard : {3, 2, 1}) wire.send(1, piece(shard + 1, shard));
  wire.settle();
  EXPECT_EQ(below.settled, (std::vector<int>{3, 1, 2}));
}

TEST(PriorityWire, LeavingHandsOnEverything) {
  NarrowWire below;
  SteadyClock clock;
  {
    PriorityWire wire(below, clock);
    for (const int shard : {3, 2, 1}) wire.send(1, piece(shard + 1, shard));
  }
  EXPECT_EQ(below.sent(), (std::vector<int>{3, 1, 2}));
}

}  // namespace
}  // namespace paceline::tests
