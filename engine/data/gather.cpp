#include "engine/data/gather.h"

#include "engine/core/base/error.h"
#include "engine/data/loader.h"

namespace paceline {
namespace {

Rng randomOf(const Gathering& what, std::uint32_t index) {
  if (!what.how.draws()) return Rng(0);
  return Rng::stream(what.seed, "augment", what.epoch << 32 | index);
}

// `decoded` is what a picture of a file is decoded into.
void sample(const datasets::Dataset& data, const Gathering& what, const images::Transform& how, std::uint32_t index, datasets::Picture& decoded, float* out) {
  if (what.images.files == nullptr) {
    const std::uint8_t* bytes = what.images.pixels.data() + index * sizeOf(data.stored);
    return images::transform(how, data.stored, bytes, randomOf(what, index), what.channelsLast, out);
  }
  what.images.files->decode(index, decoded);
  PACELINE_CHECK(decoded.pixels.size() == sizeOf(decoded.shape), "a decoded picture of another size than its shape");
  images::transform(how, decoded.shape, decoded.pixels.data(), randomOf(what, index), what.channelsLast, out);
}

}  // namespace

std::size_t gather(const datasets::Dataset& data, const Gathering& what, std::span<const std::uint32_t> indices, float* pixels, std::int64_t* labels,
                   std::vector<images::BrokenImage>& broken) {
  static thread_local datasets::Picture decoded;  // grows to the largest picture of its thread
  images::Transform how = what.how;
  how.output = data.shape;
  std::size_t count = 0;
  for (const std::uint32_t index : indices) {
    PACELINE_CHECK(index < what.images.count(), "sample index");
    try {
      sample(data, what, how, index, decoded, pixels + count * sizeOf(data.shape));
    } catch (const Error& error) {
      if (!data.skipBroken || (error.code() != Errc::kFormat && error.code() != Errc::kFile)) throw;
      broken.push_back({.index = index, .reason = error.what()});
      continue;
    }
    labels[count++] = what.images.labels[index];
  }
  return count;
}

std::size_t trainBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, std::uint64_t seed, std::uint64_t epoch, bool channelsLast,
                       float* pixels, std::int64_t* labels) {
  static images::SkippedImages skipped;
  std::vector<images::BrokenImage> broken;
  const Gathering what{.images = data.train, .how = data.training, .seed = seed, .epoch = epoch, .channelsLast = channelsLast};
  const std::size_t count = gather(data, what, indices, pixels, labels, broken);
  skipped.add(broken);
  return count;
}

std::size_t testBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, bool channelsLast, float* pixels, std::int64_t* labels) {
  static images::SkippedImages skipped;
  std::vector<images::BrokenImage> broken;
  const std::size_t count = gather(data, {.images = data.test, .how = data.testing, .channelsLast = channelsLast}, indices, pixels, labels, broken);
  skipped.add(broken);
  return count;
}

}  // namespace paceline
