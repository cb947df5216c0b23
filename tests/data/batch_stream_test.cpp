#include "engine/data/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace paceline {
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

TEST(GatherSamples, ScalesBytesToOne) {
  Images images;
  images.labels = {4, 7};
  images.pixels = {0, 51, 102, 255, 1, 2, 3, 4};
  std::vector<float> pixels(8);
  std::vector<std::int64_t> labels(2);
  gatherSamples(images, {1, 2, 2}, std::vector<std::uint32_t>{1, 0}, true, pixels.data(), labels.data());
  EXPECT_EQ(pixels, (std::vector<float>{1 / 255.F, 2 / 255.F, 3 / 255.F, 4 / 255.F, 0, 51 / 255.F, 102 / 255.F, 1}));
  EXPECT_EQ(labels, (std::vector<std::int64_t>{7, 4}));
}

TEST(GatherSamples, PutsChannelsLastWhenAsked) {
  Images images;
  images.labels = {0};
  images.pixels = {0, 255, 255, 0, 0, 0};  // 3 channels of 1x2
  std::vector<float> pixels(6);
  std::int64_t label = 9;
  gatherSamples(images, {3, 1, 2}, std::vector<std::uint32_t>{0}, true, pixels.data(), &label);
  EXPECT_EQ(pixels, (std::vector<float>{0, 1, 0, 1, 0, 0}));
  gatherSamples(images, {3, 1, 2}, std::vector<std::uint32_t>{0}, false, pixels.data(), &label);
  EXPECT_EQ(pixels, (std::vector<float>{0, 1, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace paceline
