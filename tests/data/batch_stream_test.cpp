#include "engine/data/loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace paceline::tests {
namespace {

std::vector<std::uint32_t> numbers(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 100U);
  return all;
}

std::vector<std::uint32_t> epoch(BatchStream& stream, std::size_t batches) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < batches; ++i)
    for (const std::uint32_t sample : stream.next()) order.push_back(sample);
  return order;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(BatchStream, AnEpochShowsEverySampleOnceAndKeepsTheSmallLastBatch) {
  BatchStream stream(numbers(10), {.batchSize = 4});
  std::vector<std::size_t> sizes;
  std::vector<std::uint32_t> seen;
  for (int i = 0; i < 3; ++i) {
    const auto batch = stream.next();
    sizes.push_back(batch.size());
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
  EXPECT_EQ(sorted(seen), numbers(10));
  EXPECT_EQ(stream.next().size(), 4U);
}

TEST(BatchStream, ReshufflesEveryEpoch) {
  BatchStream stream(numbers(50), {.batchSize = 25});
  const auto first = epoch(stream, 2), second = epoch(stream, 2);
  EXPECT_NE(first, second);
  EXPECT_NE(first, numbers(50));
  EXPECT_EQ(sorted(first), sorted(second));
}

TEST(BatchStream, KeepsTheGivenOrderWhenNotShuffled) {
  BatchStream stream(numbers(6), {.batchSize = 3, .shuffled = false});
  EXPECT_EQ(epoch(stream, 2), numbers(6));
  EXPECT_EQ(epoch(stream, 2), numbers(6));
}

TEST(BatchStream, IsAFunctionOfSeedAndRank) {
  const auto drawn = [](std::uint64_t seed, int rank) {
    BatchStream stream(numbers(40), {.batchSize = 16, .seed = seed, .rank = rank});
    return epoch(stream, 9);
  };
  EXPECT_EQ(drawn(1, 0), drawn(1, 0));
  EXPECT_NE(drawn(1, 0), drawn(2, 0));
  EXPECT_NE(drawn(1, 0), drawn(1, 1));
}

TEST(BatchStream, FewerSamplesThanABatchAreABatch) {
  BatchStream stream(numbers(5), {.batchSize = 64});
  EXPECT_EQ(stream.next().size(), 5U);
  EXPECT_EQ(stream.next().size(), 5U);
}

TEST(BatchStream, LeavesOutALastBatchBelowTheMinimum) {
  BatchStream stream(numbers(9), {.batchSize = 4, .minimum = 2});
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 4; ++i) sizes.push_back(stream.next().size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 4, 4}));
}

TEST(BatchStream, PeekingDrawsNothing) {
  BatchStream stream(numbers(5), {.batchSize = 4});
  for (int i = 0; i < 5; ++i) {
    const auto peeked = std::vector<std::uint32_t>(stream.peek().begin(), stream.peek().end());
    const auto next = stream.next();
    EXPECT_EQ(peeked, std::vector<std::uint32_t>(next.begin(), next.end()));
  }
}

TEST(BatchStream, GoesToAPlaceThatItWasAt) {
  BatchStream stream(numbers(10), {.batchSize = 4}), other(numbers(10), {.batchSize = 4});
  for (int i = 0; i < 8; ++i) {
    other.goTo(stream.place());
    const auto next = stream.next(), there = other.next();
    EXPECT_EQ(std::vector<std::uint32_t>(next.begin(), next.end()), std::vector<std::uint32_t>(there.begin(), there.end())) << i;
  }
}

}  // namespace
}  // namespace paceline::tests
