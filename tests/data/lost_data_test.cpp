// What becomes of a lost worker's samples where a run divides them: each has one place, and everybody's order follows from who is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/record/state_table.h"
#include "tests/data/loader_sets.h"
#include "tests/data/split_requests.h"

namespace paceline::tests {
namespace {

using namespace testing_splits;
using Samples = std::vector<std::uint32_t>;

Samples inOrder(Samples samples) {
  std::ranges::sort(samples);
  return samples;
}
std::set<std::uint32_t> unique(const Samples& samples) { return {samples.begin(), samples.end()}; }

TEST(WithoutRanks, DealsOneByOneBehindWhatEachHas) {
  const partitioners::Partition partition{.indices = {{0, 1, 2}, {3, 4, 5, 6}, {7, 8, 9}}};
  EXPECT_EQ(partitioners::withoutRanks(partition, {1}).indices, (std::vector<Samples>{{0, 1, 2, 3, 5}, {3, 4, 5, 6}, {7, 8, 9, 4, 6}}));
  EXPECT_EQ(partitioners::withoutRanks(partition, {}).indices, partition.indices);
  EXPECT_EQ(partitioners::withoutRanks(partition, {0, 1}).indices[2], (Samples{7, 8, 9, 0, 1, 2, 3, 4, 5, 6}));
}

TEST(WithoutRanks, DealsInProportionToWhatEachHas) {
  partitioners::Partition partition{.indices = {{}, {}, {}}};
  for (std::uint32_t sample = 0; sample < 400; ++sample) partition.indices[sample < 100 ? 0 : sample < 200 ? 1 : 2].push_back(sample);
  const auto dealt = partitioners::withoutRanks(partition, {0}).indices;
  EXPECT_NEAR(static_cast<double>(dealt[1].size()), 100 + 100.0 / 3, 1);
  EXPECT_NEAR(static_cast<double>(dealt[2].size()), 200 + 200.0 / 3, 1);
}

// Of every cut that has a place for each sample: the others have all of it, and nobody loses one of its own.
TEST(WithoutRanks, LosesAndDoublesNoSample) {
  const Labels labels = balancedLabels(60);
  for (const char* id : {"iid", "contiguous", "by_class", "dirichlet", "classes_per_worker"}) {
    const partitioners::Partition partition = testing_splits::split(id, request(id, labels, 5));
    Samples all;
    for (const Samples& part : partition.indices) all.insert(all.end(), part.begin(), part.end());
    for (const std::vector<int>& lost : {std::vector<int>{3}, {0, 4}, {1, 2, 3, 4}}) {
      const auto dealt = partitioners::withoutRanks(partition, lost).indices;
      Samples left;
      for (int rank = 0; rank < 5; ++rank) {
        const auto& own = partition.indices[static_cast<std::size_t>(rank)];
        const auto& now = dealt[static_cast<std::size_t>(rank)];
        EXPECT_TRUE(std::equal(own.begin(), own.end(), now.begin())) << id << " rank " << rank;
        if (std::ranges::count(lost, rank) == 0) left.insert(left.end(), now.begin(), now.end());
      }
      EXPECT_EQ(unique(left), unique(all)) << id;
      if (std::string_view(id) != "classes_per_worker") { EXPECT_EQ(left.size(), all.size()) << id; }  // there workers may share a class
    }
  }
}

TEST(WithoutRanks, DealsNothingThatSomebodyHas) {
  const Labels labels = balancedLabels(6);
  const partitioners::Partition partition = testing_splits::split("shared", request("shared", labels, 3));
  EXPECT_EQ(partitioners::withoutRanks(partition, {1}).indices, partition.indices);
  EXPECT_EQ(partitioners::withoutRanks({.indices = {{1, 2}, {2, 3, 3, 4}, {4, 5}}}, {1}).indices, (std::vector<Samples>{{1, 2, 3}, {2, 3, 3, 4}, {4, 5}}));
}

constexpr BatchPlan kGrowing{.batchSize = 4, .seed = 5, .rank = 1, .mayGrow = true};

TEST(SharedAnew, IsWhatAnEpochBeginsWith) {
  BatchStream stream({0, 1, 2, 3, 4, 5}, kGrowing);
  stream.next();
  stream.share(1, {0, 1, 2, 3, 4, 5, 10, 11, 12});
  stream.share(3, {7});
  std::vector<Samples> epochs(4);
  for (auto batch = stream.next(); stream.place().epoch < 4; batch = stream.next()) {
    auto& samples = epochs[stream.place().epoch];
    samples.insert(samples.end(), batch.begin(), batch.end());
  }
  EXPECT_EQ(epochs[0].size(), 2U);  // of the rest
  for (const std::size_t epoch : {1U, 2U}) EXPECT_EQ(inOrder(epochs[epoch]), (Samples{0, 1, 2, 3, 4, 5, 10, 11, 12}));
  EXPECT_NE(epochs[1], epochs[2]);
  EXPECT_EQ(epochs[3], Samples{7});
}

TEST(SharedAnew, APlaceIsMeasuredByItsOwnEpoch) {
  BatchStream stream({0, 1}, kGrowing);
  stream.share(1, {0, 1, 2, 3, 4, 5, 6});
  for (int i = 0; i < 2; ++i) stream.next();
  StateTable table;
  StateWriter writer(table);
  BatchStream::Place place = stream.place();
  stream.archived(writer, place);
  StateReader reader(table);
  BatchStream::Place read;
  stream.archived(reader, read);
  EXPECT_EQ(read.cursor, 4U);
  BatchStream other({0, 1}, kGrowing);
  StateReader again(table);
  EXPECT_THROW(other.archived(again, read), Error);
}

// Whatever has been made ahead: the consumer's place decides.
TEST(SharedAnew, ALoaderForgetsWhatItHadMadeAhead) {
  const auto data = std::make_shared<datasets::Dataset>(inMemory());
  const auto drawn = [&](int threads, int before) {
    BatchLoader loader(data, BatchStream({0, 1, 2, 3, 4, 5}, kGrowing), {.threads = threads});
    std::vector<std::uint64_t> seeds;
    for (int batch = 0; batch < 9; ++batch) {
      if (batch == before) loader.share(loader.nextEpoch(), {0, 1, 2, 3, 4, 5, 10, 11, 12});
      const Batch& front = loader.front();
      seeds.insert(seeds.end(), {front.seed, front.count});
      loader.pop();
    }
    return seeds;
  };
  for (int before = 0; before < 5; ++before) {
    const auto expected = drawn(0, before);
    EXPECT_EQ(drawn(1, before), expected) << before;
    EXPECT_EQ(drawn(4, before), expected) << before;
  }
  const std::vector<std::uint64_t> atOnce = drawn(0, 0), later = drawn(0, 1);
  const auto counts = [](const std::vector<std::uint64_t>& seeds) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 1; i < seeds.size(); i += 2) found.push_back(seeds[i]);
    return found;
  };
  EXPECT_THAT(counts(atOnce), testing::ElementsAre(4, 4, 1, 4, 4, 1, 4, 4, 1));  // nothing of its first epoch was used
  EXPECT_THAT(counts(later), testing::ElementsAre(4, 2, 4, 4, 1, 4, 4, 1, 4));
}

}  // namespace
}  // namespace paceline::tests
