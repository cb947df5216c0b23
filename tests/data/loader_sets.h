// A set of 23 small pictures, in memory or in files of which some do not decode, and what a loader gives of it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"
#include "engine/data/loader.h"

namespace paceline::tests {

inline constexpr std::uint32_t kCount = 23;

inline images::Transform everything(const Shape& output) {
  return {.output = output, .crop = images::Crop::kPadded, .padding = images::Padding::kReflect, .flip = true, .mean = {0.3F}, .deviation = {0.2F}};
}

inline datasets::Dataset inMemory() {
  datasets::Dataset data;
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
class Files final : public datasets::ImageFiles {
 public:
  explicit Files(std::set<std::size_t> broken = {}) : broken_(std::move(broken)) {}

  void decode(std::size_t index, datasets::Picture& into) const override {
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

inline datasets::Dataset inFiles(std::set<std::size_t> broken = {}, bool skip = false) {
  datasets::Dataset data = inMemory();
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

inline std::shared_ptr<const datasets::Dataset> shared(datasets::Dataset data) { return std::make_shared<const datasets::Dataset>(std::move(data)); }

inline std::vector<std::uint32_t> all(std::uint32_t count = kCount) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

inline constexpr BatchPlan kPlan{.batchSize = 4, .minimum = 1, .shuffled = true, .seed = 5, .rank = 2};

struct Taken {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  std::uint64_t seed = 0;
  bool operator==(const Taken&) const = default;
};

inline Taken copied(const Batch& batch, const datasets::Dataset& data) {
  const auto size = static_cast<std::size_t>(data.shape.channels * data.shape.height * data.shape.width);
  const auto* const pixels = static_cast<const float*>(batch.inputs);
  const auto* const labels = static_cast<const std::int64_t*>(batch.targets);
  return {{pixels, pixels + batch.count * size}, {labels, labels + batch.count}, batch.seed};
}

inline Taken taken(BatchLoader& loader, const datasets::Dataset& data) {
  Taken batch = copied(loader.front(), data);
  loader.pop();
  return batch;
}

inline std::vector<Taken> takenMany(BatchLoader& loader, const datasets::Dataset& data, int batches) {
  std::vector<Taken> many;
  for (int i = 0; i < batches; ++i) many.push_back(taken(loader, data));
  return many;
}

}  // namespace paceline::tests
