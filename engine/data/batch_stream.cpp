#include "engine/data/batch_stream.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/rng.h"

// The same arithmetic in wider registers: a quarter of a logistic regression's step is made of this loop.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define PACELINE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PACELINE_CLONES
#endif

namespace paceline {
namespace {

PACELINE_CLONES void scaled(const std::uint8_t* bytes, std::size_t count, float* pixels) {
  for (std::size_t p = 0; p < count; ++p) pixels[p] = static_cast<float>(bytes[p]) / 255.0F;
}

}  // namespace

BatchStream::BatchStream(std::vector<std::uint32_t> indices, BatchPlan plan) : indices_(std::move(indices)), plan_(plan) {
  PACELINE_CHECK(!indices_.empty() && plan_.batchSize > 0, "a batch stream needs samples");
  startEpoch();
}

void BatchStream::startEpoch() {
  cursor_ = 0;
  order_ = indices_;
  if (!plan_.shuffled) return;
  const std::uint64_t index = (static_cast<std::uint64_t>(plan_.rank) << 32) + epoch_;
  Rng::stream(plan_.seed, "epoch", index).shuffle(std::span<std::uint32_t>(order_));
}

std::span<const std::uint32_t> BatchStream::peek() {
  const std::size_t left = order_.size() - cursor_;
  if (left == 0 || (cursor_ > 0 && left < plan_.minimum)) {
    ++epoch_;
    startEpoch();
  }
  return {order_.data() + cursor_, std::min(plan_.batchSize, order_.size() - cursor_)};
}

std::span<const std::uint32_t> BatchStream::next() {
  const std::span<const std::uint32_t> batch = peek();
  cursor_ += batch.size();
  return batch;
}

void BatchStream::state(Archive& archive) {
  auto epoch = static_cast<std::int64_t>(epoch_), cursor = static_cast<std::int64_t>(cursor_);
  archive.number("epoch", epoch);
  archive.number("cursor", cursor);
  if (!archive.loading()) return;
  if (epoch < 0 || cursor < 0 || static_cast<std::size_t>(cursor) > indices_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is at sample ", cursor, " of epoch ", epoch, "; an epoch has ", indices_.size()));
  epoch_ = static_cast<std::uint64_t>(epoch);
  startEpoch();
  cursor_ = static_cast<std::size_t>(cursor);
}

void gatherSamples(const Images& images, const Shape& shape, std::span<const std::uint32_t> indices, bool channelsLast,
                   float* pixels, std::int64_t* labels) {
  const auto channels = static_cast<std::size_t>(shape.channels);
  const auto area = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
  for (const std::uint32_t index : indices) {
    PACELINE_CHECK(index < images.count(), "sample index");
    const std::uint8_t* bytes = images.pixels.data() + index * channels * area;
    if (channelsLast && channels > 1) {
      for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t p = 0; p < area; ++p) pixels[p * channels + c] = static_cast<float>(bytes[c * area + p]) / 255.0F;
    } else {
      scaled(bytes, channels * area, pixels);
    }
    pixels += channels * area;
    *labels++ = images.labels[index];
  }
}

}  // namespace paceline
