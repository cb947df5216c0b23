#include "engine/comm/shards.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/core/error.h"

namespace paceline {
namespace {

std::vector<int> nodes(int count) {
  std::vector<int> result;
  for (int i = 0; i < count; ++i) result.push_back(10 + i);
  return result;
}

TEST(Shards, CoverTheVectorEquallyWithinTheLimit) {
  for (const std::size_t size : {1, 2, 3, 17, 1000, 10000, 262144, 262145, 11175370})
    for (int servers = 1; servers <= 9; ++servers) {
      const std::vector<ShardRange> shards = shardsOf(size, nodes(servers));
      std::size_t offset = 0, shortest = size, longest = 0;
      for (const ShardRange& shard : shards) {
        EXPECT_EQ(shard.offset, offset);
        offset += shard.size;
        shortest = std::min(shortest, shard.size);
        longest = std::max(longest, shard.size);
      }
      EXPECT_EQ(offset, size);
      EXPECT_LE(longest - shortest, 1u);
      EXPECT_GE(shortest, 1u);
      EXPECT_LE(longest * sizeof(Real), kShardBytes);
    }
}

TEST(Shards, GiveEveryServerConsecutiveOnesAndEquallyMany) {
  for (int servers = 1; servers <= 9; ++servers) {
    const std::vector<ShardRange> shards = shardsOf(11175370, nodes(servers));
    std::map<int, std::size_t> counts;
    int last = 10;
    for (const ShardRange& shard : shards) {
      EXPECT_TRUE(shard.server == last || shard.server == last + 1);
      last = shard.server;
      ++counts[shard.server];
    }
    ASSERT_EQ(counts.size(), static_cast<std::size_t>(servers));
    for (const auto& [server, count] : counts) EXPECT_EQ(count, counts[10]) << server;
  }
}

TEST(Shards, OfFewElementsGoToAsManyServers) {
  const std::vector<ShardRange> shards = shardsOf(2, nodes(4));
  ASSERT_EQ(shards.size(), 2u);
  EXPECT_EQ(shards[0].server, 10);
  EXPECT_NE(shards[1].server, 10);
}

TEST(Shards, OfNothingAreNone) { EXPECT_TRUE(shardsOf(0, nodes(2)).empty()); }
TEST(Shards, NeedAServer) { EXPECT_THROW(shardsOf(1, {}), InvariantError); }

}  // namespace
}  // namespace paceline
