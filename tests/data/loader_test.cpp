#include "engine/data/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <set>

#include "engine/core/error.h"
#include "engine/core/state_archive.h"

namespace paceline {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kCount = 23;

Transform everything(const Shape& output) {
  return {.output = output, .crop = Crop::kPadded, .padding = Padding::kReflect, .flip = true, .mean = {0.3F}, .deviation = {0.2F}};
}

Dataset inMemory() {
  Dataset data;
  data.stored = data.shape = {1, 6, 5};
  for (std::uint32_t i = 0; i < kCount; ++i) {
    data.train.labels.push_back(static_cast<std::uint16_t>(i));
    for (std::uint32_t p = 0; p < 30; ++p) data.train.pixels.push_back(static_cast<std::uint8_t>(i * 11 + p * 7));
  }
  data.classes = kCount;
  data.test = data.train;
  data.training = everything(data.shape);
  return data;
}

// Picture i is 3 x (4 + i % 3) x (5 + i % 2); those in `broken` do not decode.
class Files final : public ImageFiles {
 public:
  explicit Files(std::set<std::size_t> broken = {}) : broken_(std::move(broken)) {}

  void decode(std::size_t index, Picture& into) const override {
    {
      const std::lock_guard lock(mutex_);
      decoded_.insert(index);
    }
    changed_.notify_all();
    if (broken_.contains(index)) throw Error(Errc::kFormat, strCat("set/", index, ".jpg: not a JPEG"));
    into.shape = {3, 4 + static_cast<int>(index % 3), 5 + static_cast<int>(index % 2)};
    into.pixels.assign(static_cast<std::size_t>(3 * into.shape.height * into.shape.width), 0);
    for (std::size_t p = 0; p < into.pixels.size(); ++p) into.pixels[p] = static_cast<std::uint8_t>(index * 9 + p);
  }

  void awaitDecoded(std::size_t index) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return decoded_.contains(index); });
  }

 private:
  std::set<std::size_t> broken_;
  mutable std::mutex mutex_;  // guards decoded_
  mutable std::condition_variable changed_;
  mutable std::set<std::size_t> decoded_;
};

Dataset inFiles(std::set<std::size_t> broken = {}, bool skip = false) {
  Dataset data = inMemory();
  data.train.pixels.clear();
  data.train.files = std::make_shared<const Files>(std::move(broken));
  data.test.pixels.clear();
  data.test.files = data.train.files;
  data.shape = {3, 7, 7};
  data.training = everything(data.shape);
  data.training.mean.assign(3, 0.3F);
  data.training.deviation.assign(3, 0.2F);
  data.skipBroken = skip;
  return data;
}

std::shared_ptr<const Dataset> shared(Dataset data) { return std::make_shared<const Dataset>(std::move(data)); }

std::vector<std::uint32_t> all(std::uint32_t count = kCount) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

constexpr BatchPlan kPlan{.batchSize = 4, .minimum = 1, .shuffled = true, .seed = 5, .rank = 2};

struct Taken {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  std::uint64_t seed = 0;
  bool operator==(const Taken&) const = default;
};

Taken copied(const Batch& batch, const Dataset& data) {
  const auto size = static_cast<std::size_t>(data.shape.channels * data.shape.height * data.shape.width);
  return {{batch.pixels, batch.pixels + batch.count * size}, {batch.labels, batch.labels + batch.count}, batch.seed};
}

Taken taken(BatchLoader& loader, const Dataset& data) {
  Taken batch = copied(loader.front(), data);
  loader.pop();
  return batch;
}

std::vector<Taken> takenMany(BatchLoader& loader, const Dataset& data, int batches) {
  std::vector<Taken> many;
  for (int i = 0; i < batches; ++i) many.push_back(taken(loader, data));
  return many;
}

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
  const Dataset data = inFiles();
  const auto* files = static_cast<const Files*>(data.train.files.get());
  BatchLoader loader(shared(data), BatchStream(all(), {.batchSize = 4, .shuffled = false}), {.threads = 1});
  EXPECT_EQ(loader.front().labels[0], 0);
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
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(loader.front().pixels) % 64, 0U);
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
    stream.state(plainWriter);
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

std::string refusal(BatchLoader& loader) {
  try {
    loader.front();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(BatchLoader, ThrowsForABrokenImageWhenItsBatchComes) {
  const auto data = shared(inFiles({9}));
  for (const int threads : {0, 1, 3}) {
    BatchLoader loader(data, BatchStream(all(), {.batchSize = 4, .shuffled = false}), {.threads = threads});
    EXPECT_EQ(takenMany(loader, *data, 2)[1].labels, (std::vector<std::int64_t>{4, 5, 6, 7}));
    EXPECT_EQ(refusal(loader), "set/9.jpg: not a JPEG");
    EXPECT_EQ(refusal(loader), "set/9.jpg: not a JPEG");
  }
}

TEST(BatchLoader, LeavesOutBrokenImagesWhenAskedTo) {
  const auto data = shared(inFiles({4, 6, 22}, true)), sound = shared(inFiles());
  ::testing::internal::CaptureStderr();
  for (const int threads : {0, 1, 3}) {
    const BatchStream stream(all(), {.batchSize = 4, .shuffled = false});
    BatchLoader loader(data, stream, {.threads = threads}), whole(sound, stream, {.threads = 0});
    for (int epoch = 0; epoch < 3; ++epoch) {
      const std::vector<Taken> got = takenMany(loader, *data, 6), expected = takenMany(whole, *sound, 6);
      EXPECT_EQ(got[0], expected[0]);
      EXPECT_EQ(got[1].labels, (std::vector<std::int64_t>{5, 7}));
      EXPECT_EQ(std::vector<float>(got[1].pixels.begin(), got[1].pixels.begin() + 147),
                std::vector<float>(expected[1].pixels.begin() + 147, expected[1].pixels.begin() + 2 * 147));
      EXPECT_EQ(got[5].labels, (std::vector<std::int64_t>{20, 21}));
    }
    EXPECT_EQ(loader.skipped(), 3U);
  }
  const std::string once = "skipped set/4.jpg: not a JPEG\nskipped set/6.jpg: not a JPEG\nskipped set/22.jpg: not a JPEG\n";
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), once + once + once);
}

TEST(BatchLoader, NamesTheFirstTwentyOfManyBrokenImages) {
  std::set<std::size_t> broken;
  for (std::size_t i = 0; i < 22; ++i) broken.insert(i);
  const auto data = shared(inFiles(broken, true));
  ::testing::internal::CaptureStderr();
  BatchLoader loader(data, BatchStream(all(), {.batchSize = 4, .shuffled = false}), {});
  EXPECT_EQ(taken(loader, *data).labels, (std::vector<std::int64_t>{22}));
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(loader.skipped(), 22U);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 21);
  EXPECT_THAT(lines, HasSubstr("skipped set/19.jpg"));
  EXPECT_THAT(lines, ::testing::Not(HasSubstr("set/20.jpg")));
  EXPECT_TRUE(lines.ends_with("skipped more images, which are not named\n"));
}

TEST(BatchLoader, PassesOverABatchOfWhichTooFewImagesDecode) {
  const auto data = shared(inFiles({4, 5, 7, 8, 9, 10, 11}, true));  // of the second batch one is left, of the third none
  ::testing::internal::CaptureStderr();
  for (const int threads : {0, 1, 3}) {
    BatchLoader loader(data, BatchStream(all(), {.batchSize = 4, .minimum = 2, .shuffled = false}), {.threads = threads});
    for (int epoch = 0; epoch < 2; ++epoch) {
      EXPECT_EQ(taken(loader, *data).labels, (std::vector<std::int64_t>{0, 1, 2, 3}));
      EXPECT_EQ(taken(loader, *data).labels, (std::vector<std::int64_t>{12, 13, 14, 15}));
      takenMany(loader, *data, 2);
    }
  }
  ::testing::internal::GetCapturedStderr();
}

TEST(BatchLoader, EndsWhereNoImageDecodes) {
  std::set<std::size_t> broken;
  for (std::size_t i = 0; i < kCount; ++i) broken.insert(i);
  const auto data = shared(inFiles(broken, true));
  ::testing::internal::CaptureStderr();
  for (const int threads : {0, 1, 3}) {
    BatchLoader loader(data, BatchStream(all(), {.batchSize = 4, .shuffled = false}), {.threads = threads});
    EXPECT_EQ(refusal(loader), "an epoch of 23 images has no batch of 1 or more that decode; the last: set/22.jpg: not a JPEG");
  }
  ::testing::internal::GetCapturedStderr();
}

TEST(TestBatch, HasNothingRandomAndLeavesOutWhatDoesNotDecode) {
  const Dataset data = inFiles({1}, true);
  std::vector<float> pixels(3 * 147), again(3 * 147);
  std::vector<std::int64_t> labels(3);
  ::testing::internal::CaptureStderr();
  const std::vector<std::uint32_t> indices{2, 1, 3};
  EXPECT_EQ(testBatch(data, indices, false, pixels.data(), labels.data()), 2U);
  EXPECT_EQ(testBatch(data, indices, false, again.data(), labels.data()), 2U);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "skipped set/1.jpg: not a JPEG\n");
  EXPECT_EQ(pixels, again);
  EXPECT_EQ(labels[0], 2);
  EXPECT_EQ(labels[1], 3);
}

TEST(TestBatch, OfAPlainSetIsBytesOver255) {
  Dataset data = inMemory();
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
}  // namespace paceline
