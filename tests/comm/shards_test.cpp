#include "engine/comm/transport/layers.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
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
      EXPECT_LE(longest * sizeof(Real), kShardBytes / 2);
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

TEST(Shards, FollowTheServersShares) {
  Rng rng = Rng::stream(4, "shares");
  for (int round = 0; round < 400; ++round) {
    const int servers = 1 + static_cast<int>(rng.below(8));
    const std::size_t size = static_cast<std::size_t>(servers) + static_cast<std::size_t>(rng.below(round % 4 == 0 ? 3'000'000 : 50));
    std::vector<double> shares(static_cast<std::size_t>(servers));
    double total = 0;
    for (double& share : shares) total += share = rng.below(5) == 0 ? 1e-9 : rng.uniform(0.01, 1);
    const std::vector<ShardRange> shards = shardsOf(size, nodes(servers), shares);
    std::map<int, std::size_t> owned;
    std::size_t offset = 0;
    int last = 10;
    for (const ShardRange& shard : shards) {
      ASSERT_EQ(shard.offset, offset);
      ASSERT_GE(shard.server, last);
      ASSERT_GE(shard.size, 1u);
      ASSERT_LE(shard.size * sizeof(Real), kShardBytes);
      offset += shard.size, last = shard.server, owned[shard.server] += shard.size;
    }
    ASSERT_EQ(offset, size);
    ASSERT_EQ(owned.size(), static_cast<std::size_t>(servers)) << "every server has a shard";
    // To within the rounding of two ends, and what servers next to nothing were given at the least.
    for (int k = 0; k < servers; ++k)
      ASSERT_NEAR(static_cast<double>(owned[10 + k]), static_cast<double>(size) * shares[static_cast<std::size_t>(k)] / total, servers + 1);
  }
}

TEST(Shards, OfExactSharesAreExact) {
  const std::vector<ShardRange> shards = shardsOf(1000, nodes(3), {0.5, 0.3, 0.2});
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[0].size, 500u);
  EXPECT_EQ(shards[1].size, 300u);
  EXPECT_EQ(shards[2].size, 200u);
}

// Every shard has a place of its own.
TEST(Shards, LeaveInOneOrder) {
  for (std::size_t shards = 1; shards <= 60; ++shards) {
    std::vector<std::size_t> order(shards, shards);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      const std::int32_t place = pushPriority(shard, shards) - 1;
      ASSERT_GE(place, 0);
      ASSERT_LT(static_cast<std::size_t>(place), shards);
      EXPECT_EQ(order[static_cast<std::size_t>(place)], shards) << "taken twice";
      order[static_cast<std::size_t>(place)] = shard;
    }
    if (shards == 9) {
      EXPECT_EQ(order, (std::vector<std::size_t>{7, 6, 4, 3, 1, 0, 2, 5, 8}));  // the others as they become final, then these as they are needed
    }
  }
}

TEST(Shards, OfEarlierVersions) {
  const auto counts = [](std::size_t elements) {
    std::vector<std::size_t> result{shardsOf(elements, nodes(1)).size()};
    for (const auto& cut : earlierShardsOf(elements, nodes(1))) result.push_back(cut.size());
    return result;
  };
  constexpr std::size_t kMegabyte = (1 << 20) / sizeof(Real);
  EXPECT_EQ(counts(5 * 8192), (std::vector<std::size_t>{5, 5, 1}));
  EXPECT_EQ(counts(8 * kMegabyte), (std::vector<std::size_t>{16, 16, 8}));
  EXPECT_EQ(counts(12 * kMegabyte), (std::vector<std::size_t>{24, 16, 12}));
  EXPECT_EQ(counts(44 * kMegabyte), (std::vector<std::size_t>{88, 44, 44}));
}

TEST(Shards, OfNothingAreNone) { EXPECT_TRUE(shardsOf(0, nodes(2)).empty()); }
TEST(Shards, NeedAServer) { EXPECT_THROW(shardsOf(1, {}), InvariantError); }
TEST(Shards, NeedAShareOfEveryServerOrOfNone) { EXPECT_THROW(shardsOf(9, nodes(2), {1.0}), InvariantError); }

}  // namespace
}  // namespace paceline::tests
