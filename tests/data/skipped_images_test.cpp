// Images that do not decode: they end the run, or are left out where the set says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/loader_sets.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

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
  const datasets::Dataset data = inFiles({1}, true);
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

}  // namespace
}  // namespace paceline::tests
