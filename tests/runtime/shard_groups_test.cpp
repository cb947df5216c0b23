// A server's threads.
#include "engine/runtime/shard_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>

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
  std::unique_ptr<Clock> clock_ = steadyClock();
  std::atomic<int> woken_ = 0;
  Sent sent_;
  std::function<void()> wake_ = [this] { ++woken_; };
};

TEST_F(ShardGroupsTest, AShardsMessagesStayInOrderAndAllAreSent) {
  constexpr int kShards = 7, kMessages = 500;
  ShardGroups groups(3, *clock_, wake_);
  for (int i = 0; i < kMessages; ++i)
    for (std::int32_t shard = 0; shard < kShards; ++shard)
      groups.post(shard, [i, shard](Outbox& out) { out.send(1, {.shard = shard, .round = i}); });
  groups.finish(sent_);
  std::map<std::int32_t, std::int64_t> next;
  for (const auto& [to, message] : sent_.messages) EXPECT_EQ(message.round, next[message.shard]++);
  EXPECT_EQ(sent_.messages.size(), std::size_t{kShards} * kMessages);
  EXPECT_GE(woken_, 1);
}

// Would never end if one thread had both.
TEST_F(ShardGroupsTest, ShardsOfDifferentThreadsAreHandledAtTheSameTime) {
  ShardGroups groups(2, *clock_, wake_);
  std::latch both(2);
  for (std::int32_t shard = 0; shard < 2; ++shard) groups.post(shard, [&](Outbox&) { both.arrive_and_wait(); });
  groups.finish(sent_);
}

TEST_F(ShardGroupsTest, WhatAShardThrowsIsThrownByTheNodesThread) {
  ShardGroups groups(2, *clock_, wake_);
  groups.post(1, [](Outbox&) { throw Error(Errc::kFormat, "node 3 is not a worker"); });
  EXPECT_THROW(groups.finish(sent_), Error);
  EXPECT_GE(woken_, 1);
  EXPECT_THROW(groups.sendTo(sent_), Error);
}

}  // namespace
}  // namespace paceline::tests
