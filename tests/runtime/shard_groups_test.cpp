// A server's threads.
#include "engine/runtime/shard_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <thread>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

struct Sent final : Outbox {
  void send(int to, Message message) override { messages.emplace_back(to, std::move(message)); }
  double now() const override { return 0; }
  std::vector<std::pair<int, Message>> messages;
};

class ShardGroupsTest : public ::testing::Test {
 protected:
  std::atomic<int> woken_ = 0;
  Sent sent_;
  std::function<void()> wake_ = [this] { ++woken_; };
};

TEST_F(ShardGroupsTest, AShardsMessagesStayInOrderAndAllAreSent) {
  constexpr int kShards = 7, kMessages = 500;
  ShardGroups groups(3, wake_);
  for (int i = 0; i < kMessages; ++i)
    for (std::int32_t shard = 0; shard < kShards; ++shard)
      groups.post(shard, 1, 0, [i, shard](Outbox& out) { out.send(1, {.shard = shard, .round = i}); });
  groups.finish(sent_);
  std::map<std::int32_t, std::int64_t> next;
  for (const auto& [to, message] : sent_.messages) EXPECT_EQ(message.round, next[message.shard]++);
  EXPECT_EQ(sent_.messages.size(), std::size_t{kShards} * kMessages);
  EXPECT_GE(woken_, 1);
}

// The first is done last, and all that the others send waits for it.
TEST_F(ShardGroupsTest, WhatIsSentLeavesInTheOrderOfWhatCame) {
  ShardGroups groups(3, wake_);
  std::latch others(2), first(1);
  for (std::int32_t shard = 0; shard < 3; ++shard)
    groups.post(shard, 1, 10 + shard, [&, shard](Outbox& out) {
      if (shard == 0) first.wait();
      for (int part = 0; part < 2; ++part) out.send(shard, {.shard = shard, .round = static_cast<std::int64_t>(out.now())});
      if (shard > 0) others.count_down();
    });
  others.wait();
  groups.sendTo(sent_);
  EXPECT_TRUE(sent_.messages.empty());
  first.count_down();
  groups.finish(sent_);
  std::vector<int> receivers;
  for (const auto& [to, message] : sent_.messages) {
    receivers.push_back(to);
    EXPECT_EQ(message.round, 10 + to);
  }
  EXPECT_THAT(receivers, ::testing::ElementsAre(0, 0, 1, 1, 2, 2));
}

// Behind one that sends nothing, which nobody has taken from the queue.
TEST_F(ShardGroupsTest, WhoHasSomethingToSendWakesTheNodesThread) {
  ShardGroups groups(2, wake_);
  std::latch first(1);
  groups.post(0, 1, 0, [&](Outbox&) { first.count_down(); });
  first.wait();
  groups.post(0, 1, 0, [](Outbox&) {});  // done behind it
  groups.post(1, 1, 0, [](Outbox& out) { out.send(1, {}); });
  while (woken_ == 0) std::this_thread::yield();
  groups.finish(sent_);
  EXPECT_EQ(sent_.messages.size(), 1U);
}

// A server that is busy all the time comes to rest now and then all the same.
TEST_F(ShardGroupsTest, IsAtRestWhenAllIsSentOrItWasNotForLong) {
  ShardGroups groups(2, wake_);
  EXPECT_TRUE(groups.atRest(sent_));
  std::latch go(1);
  groups.post(0, 1, 0, [&](Outbox& out) { go.wait(), out.send(1, {}); });
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(groups.atRest(sent_));
  go.count_down();
  for (int i = 200; i < 255; ++i) EXPECT_FALSE(groups.atRest(sent_)) << "done, and not sent";
  EXPECT_TRUE(groups.atRest(sent_));
  EXPECT_EQ(sent_.messages.size(), 1U);
  EXPECT_TRUE(groups.atRest(sent_));
}

// Would never end if one thread had both.
TEST_F(ShardGroupsTest, ShardsOfDifferentThreadsAreHandledAtTheSameTime) {
  ShardGroups groups(2, wake_);
  std::latch both(2);
  for (std::int32_t shard = 0; shard < 2; ++shard) groups.post(shard, 1, 0, [&](Outbox&) { both.arrive_and_wait(); });
  groups.finish(sent_);
}

// Threads that are slower than what comes.
TEST_F(ShardGroupsTest, PostingWaitsForThreadsThatAreBehind) {
  constexpr std::size_t kBytes = 10, kMost = 4;
  constexpr int kMessages = 200;
  std::atomic<std::size_t> posted = 0;
  std::size_t done = 0, most = 0;
  std::vector<double> values(100'000, 1);
  ShardGroups groups(1, wake_, kMost * kBytes + 5);
  for (int i = 0; i < kMessages; ++i) {
    groups.post(0, kBytes, 0, [&](Outbox&) {
      posted.wait(0);
      for (double& value : values) value = value * 0.5 + 1;  // long beside a post
      most = std::max(most, posted - done++);
    });
    ++posted;
    posted.notify_all();
  }
  groups.finish(sent_);
  EXPECT_EQ(done, std::size_t{kMessages});
  EXPECT_LE(most, kMost);
}

TEST_F(ShardGroupsTest, WhatIsLargerThanAllThatMayWaitGoesAlone) {
  ShardGroups groups(2, wake_, 10);
  std::atomic<int> done = 0;
  for (std::int32_t shard = 0; shard < 4; ++shard) groups.post(shard, 1000, 0, [&](Outbox&) { ++done; });
  groups.finish(sent_);
  EXPECT_EQ(done, 4);
}

TEST_F(ShardGroupsTest, WhatAShardThrowsIsThrownByTheNodesThread) {
  ShardGroups groups(2, wake_);
  groups.post(1, 1, 0, [](Outbox&) { throw Error(Errc::kFormat, "node 3 is not a worker"); });
  EXPECT_THROW(groups.finish(sent_), Error);
  EXPECT_GE(woken_, 1);
  EXPECT_THROW(groups.sendTo(sent_), Error);
}

}  // namespace
}  // namespace paceline::tests
