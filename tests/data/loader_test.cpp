#include "engine/data/loader.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/core/record/state_table.h"
#include "tests/data/loader_sets.h"

namespace paceline::tests {
namespace {

constexpr int kThreeEpochs = 18;  // of 5 batches of 4 and one of 3

TEST(BatchLoader, GivesTheSameBytesWhateverTheNumberOfThreads) {
  for (const auto& data : {shared(inMemory()), shared(inFiles())}) {
    for (const bool channelsLast : {false, true}) {
      BatchLoader none(data, BatchStream(all(), kPlan), {.threads = 0, .channelsLast = channelsLast});
      const std::vector<Taken> expected = takenMany(none, *data, kThreeEpochs);
      EXPECT_EQ(expected[5].labels.size(), 3U);
      for (const int threads : {1, 3}) {
        BatchLoader loader(data, BatchStream(all(), kPlan), {.threads = threads, .channelsLast = channelsLast});
        EXPECT_EQ(takenMany(loader, *data, kThreeEpochs), expected) << threads;
      }
    }
  }
}

TEST(BatchLoader, FollowsTheStream) {
  const auto data = shared(inMemory());
  BatchLoader loader(data, BatchStream(all(), kPlan), {});
  BatchStream stream(all(), kPlan);
  for (int i = 0; i < kThreeEpochs; ++i) {
    std::vector<std::int64_t> expected;  // label = number of the sample
    for (const std::uint32_t sample : stream.next()) expected.push_back(sample);
    EXPECT_EQ(taken(loader, *data).labels, expected) << i;
  }
}

TEST(BatchLoader, AugmentsASampleAnewInEveryEpoch) {
  const auto data = shared(inMemory());
  BatchLoader loader(data, BatchStream({7}, kPlan), {});
  std::set<std::vector<float>> seen;
  for (int i = 0; i < 20; ++i) seen.insert(taken(loader, *data).pixels);
  EXPECT_GT(seen.size(), 15U);
}

TEST(BatchLoader, AnAugmentationBelongsToTheSampleNotToItsPlace) {
  const auto data = shared(inMemory());
  BatchLoader alone(data, BatchStream({7}, kPlan), {}), second(data, BatchStream({3, 7}, {.batchSize = 2, .shuffled = false, .seed = 5}), {});
  const Taken one = taken(alone, *data), two = taken(second, *data);
  EXPECT_EQ(one.pixels, std::vector<float>(two.pixels.begin() + 30, two.pixels.end()));
}

TEST(BatchLoader, FrontStaysUntilItIsPopped) {
  const auto data = shared(inMemory());
  for (const int threads : {0, 2}) {
    BatchLoader loader(data, BatchStream(all(), kPlan), {.threads = threads});
    for (int i = 0; i < kThreeEpochs; ++i) {
      const Taken first = copied(loader.front(), *data), again = copied(loader.front(), *data);
      EXPECT_EQ(first, again);
      loader.pop();
      EXPECT_NE(copied(loader.front(), *data), first);
    }
  }
}

TEST(BatchLoader, PreparesTheNextBatchWhileThisOneIsUsed) {
  const datasets::Dataset data = inFiles();
  const auto* files = static_cast<const Files*>(data.train.files.get());
  BatchLoader loader(shared(data), BatchStream(all(), {.batchSize = 4, .shuffled = false}), {.threads = 1});
  EXPECT_EQ(static_cast<const std::int64_t*>(loader.front().targets)[0], 0);
  files->awaitDecoded(7);  // of the second batch, without a pop
}

TEST(BatchLoader, HasOneBufferMoreThanThreads) {
  const auto data = shared(inMemory());
  for (const int threads : {0, 1, 3}) {
    std::vector<std::size_t> sizes;
    const auto allocate = [&](std::size_t bytes) {
      sizes.push_back(bytes);
      return std::shared_ptr<void>(::operator new(bytes), [](void* memory) { ::operator delete(memory); });
    };
    BatchLoader loader(data, BatchStream(all(), kPlan), {.threads = threads, .channelsLast = false, .allocate = allocate});
    taken(loader, *data);
    EXPECT_EQ(sizes.size(), 2U * (static_cast<std::size_t>(threads) + 1));
    EXPECT_EQ(sizes[0], 4 * 30 * sizeof(float));
    EXPECT_EQ(sizes[1], 4 * sizeof(std::int64_t));
  }
}

TEST(BatchLoader, BuffersAreAlignedToACacheLine) {
  BatchLoader loader(shared(inMemory()), BatchStream(all(), kPlan), {});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(loader.front().inputs) % 64, 0U);
}

TEST(BatchLoader, GoesOnFromASavedPlaceWithTheSameBytes) {
  const auto data = shared(inMemory());
  for (int batches = 0; batches < 14; ++batches) {
    for (const bool looked : {false, true}) {
      BatchLoader whole(data, BatchStream(all(), kPlan), {.threads = 2});
      takenMany(whole, *data, batches);
      if (looked) whole.front();
      StateTable table;
      StateWriter writer(table);
      whole.state(writer);
      const std::vector<Taken> expected = takenMany(whole, *data, 8);
      for (const int threads : {0, 1}) {
        BatchLoader other(data, BatchStream(all(), kPlan), {.threads = threads});
        takenMany(other, *data, 3);  // what it has prepared is thrown away
        StateReader reader(table);
        other.state(reader);
        reader.finish();
        EXPECT_EQ(takenMany(other, *data, 8), expected) << batches << " " << looked;
      }
    }
  }
}

TEST(BatchLoader, SavesThePlaceThatTheStreamWouldSave) {
  const auto data = shared(inMemory());
  BatchLoader loader(data, BatchStream(all(), kPlan), {});
  BatchStream stream(all(), kPlan);
  for (int i = 0; i < 9; ++i) {
    StateTable ours, plain;
    StateWriter ourWriter(ours), plainWriter(plain);
    loader.state(ourWriter);
    BatchStream::Place place = stream.place();
    stream.archived(plainWriter, place);
    EXPECT_EQ(ours.at("cursor", ElementType::kInteger), plain.at("cursor", ElementType::kInteger)) << i;
    EXPECT_EQ(ours.at("epoch", ElementType::kInteger), plain.at("epoch", ElementType::kInteger)) << i;
    taken(loader, *data);
    stream.next();
  }
}

TEST(BatchLoader, RefusesAPlaceThatIsNoneAndGoesOn) {
  const auto data = shared(inMemory());
  BatchLoader loader(data, BatchStream(all(), kPlan), {}), plain(data, BatchStream(all(), kPlan), {});
  taken(loader, *data);
  taken(plain, *data);
  StateTable table;
  StateWriter writer(table);
  std::int64_t epoch = 0, cursor = 24;
  writer.number("epoch", epoch);
  writer.number("cursor", cursor);
  StateReader reader(table);
  EXPECT_THROW(loader.state(reader), Error);
  EXPECT_EQ(takenMany(loader, *data, 7), takenMany(plain, *data, 7));
}

TEST(BatchLoader, SeedsEveryStepOfEveryRankDifferently) {
  const auto data = shared(inMemory());
  std::set<std::uint64_t> seeds;
  for (const int rank : {0, 1, 2}) {
    BatchPlan plan = kPlan;
    plan.rank = rank;
    BatchLoader loader(data, BatchStream(all(), plan), {});
    for (const Taken& batch : takenMany(loader, *data, kThreeEpochs)) seeds.insert(batch.seed);
  }
  EXPECT_EQ(seeds.size(), 3U * kThreeEpochs);
}

TEST(BatchLoader, CanBeLeftAtAnyTime) {
  const auto data = shared(inFiles());
  for (int turn = 0; turn < 60; ++turn) {
    BatchLoader loader(data, BatchStream(all(), kPlan), {.threads = turn % 4});
    for (int i = 0; i < turn % 5; ++i) taken(loader, *data);
    if (turn % 2 == 0) loader.front();
  }
}

TEST(UsefulThreads, AreNoneWherePicturesAreOnlyScaled) {
  datasets::Dataset data = inMemory();
  EXPECT_EQ(usefulThreads(data, 64, 2), 2) << "augmented";
  data.training = {.mean = {0.1F}, .deviation = {0.2F}};
  EXPECT_EQ(usefulThreads(data, 64, 2), 0);
  EXPECT_EQ(usefulThreads(data, 1 << 16, 2), 2) << "a large batch";
  data.shape.height = 9;
  EXPECT_EQ(usefulThreads(data, 64, 2), 2) << "resized";
  EXPECT_EQ(usefulThreads(inFiles(), 64, 0), 0);
}

TEST(TestBatch, OfAPlainSetIsBytesOver255) {
  datasets::Dataset data = inMemory();
  data.training = {};
  std::vector<float> pixels(60);
  std::vector<std::int64_t> labels(2);
  EXPECT_EQ(testBatch(data, std::vector<std::uint32_t>{5, 0}, true, pixels.data(), labels.data()), 2U);
  EXPECT_EQ(labels, (std::vector<std::int64_t>{5, 0}));
  for (std::size_t p = 0; p < 30; ++p) {
    EXPECT_EQ(pixels[p], static_cast<float>(data.test.pixels[150 + p]) / 255.0F);
    EXPECT_EQ(pixels[30 + p], static_cast<float>(data.test.pixels[p]) / 255.0F);
  }
}

TEST(TrainBatch, IsWhatTheLoaderGivesInThatEpoch) {
  const auto data = shared(inMemory());
  BatchLoader loader(data, BatchStream({3, 9}, {.batchSize = 2, .shuffled = false, .seed = 5}), {});
  std::vector<float> pixels(60);
  std::vector<std::int64_t> labels(2);
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
    trainBatch(*data, std::vector<std::uint32_t>{3, 9}, 5, epoch, false, pixels.data(), labels.data());
    EXPECT_EQ(taken(loader, *data).pixels, pixels) << epoch;
  }
}

}  // namespace
}  // namespace paceline::tests
