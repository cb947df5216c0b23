// Every class has a prototype: a coarse random pattern, smoothly enlarged. A sample is its class's prototype plus pixel noise.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/datasets/file_set.h"

namespace paceline::datasets {
namespace {

constexpr int kCells = 7;  // coarse cells along a side
constexpr double kMostBytes = 16e9;

using Prototype = std::vector<float>;  // channels x height x width, in [0, 1]

void drawChannel(Rng& rng, int height, int width, Prototype& image) {
  std::array<std::array<double, kCells + 1>, kCells + 1> coarse{};
  for (auto& row : coarse)
    for (double& value : row) value = rng.uniform();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int top = y * kCells / height, left = x * kCells / width;
      const double down = static_cast<double>(y * kCells % height) / height, right = static_cast<double>(x * kCells % width) / width;
      const auto along = [&](const std::array<double, kCells + 1>& row) {
        return row[static_cast<std::size_t>(left)] * (1 - right) + row[static_cast<std::size_t>(left) + 1] * right;
      };
      const double value =
          along(coarse[static_cast<std::size_t>(top)]) * (1 - down) + along(coarse[static_cast<std::size_t>(top) + 1]) * down;
      image.push_back(static_cast<float>(value));
    }
  }
}

Prototype prototype(Rng rng, const Shape& shape) {
  Prototype image;
  for (int c = 0; c < shape.channels; ++c) drawChannel(rng, shape.height, shape.width, image);
  return image;
}

// Classes as even as the count allows, in random order.
Images samples(const std::vector<Prototype>& prototypes, std::size_t count, double noise, Rng rng) {
  Images images;
  images.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) images.labels[i] = static_cast<std::uint16_t>(i % prototypes.size());
  rng.shuffle(std::span<std::uint16_t>(images.labels));
  images.pixels.resize(count * prototypes[0].size());
  std::uint8_t* pixel = images.pixels.data();
  for (const std::uint16_t label : images.labels)
    for (const float base : prototypes[label])
      *pixel++ = static_cast<std::uint8_t>(std::lround(255 * std::clamp(base + noise * rng.normal(), 0.0, 1.0)));
  return images;
}

Dataset generated(const Params& params, std::uint64_t seed) {
  Dataset data;
  data.classes = static_cast<int>(params.integer("classes"));
  data.stored = {.channels = static_cast<int>(params.integer("channels")),
                 .height = static_cast<int>(params.integer("height")),
                 .width = static_cast<int>(params.integer("width"))};
  const auto train = static_cast<std::size_t>(params.integer("train_count")), test = static_cast<std::size_t>(params.integer("test_count"));
  const double bytes = static_cast<double>(train + test) * data.stored.channels * data.stored.height * data.stored.width;
  if (bytes > kMostBytes)
    throw Error(Errc::kData, strCat("dataset \"synthetic\": ", train + test, " pictures of ", data.stored.channels, "x", data.stored.height, "x", data.stored.width, " take ",
                                    static_cast<std::int64_t>(bytes / 1e9), " GB, the limit is ", static_cast<std::int64_t>(kMostBytes / 1e9)));
  std::vector<Prototype> prototypes;
  for (int k = 0; k < data.classes; ++k)
    prototypes.push_back(prototype(Rng::stream(seed, "synthetic prototype", static_cast<std::uint64_t>(k)), data.stored));
  const double noise = params.real("noise");
  data.train = samples(prototypes, train, noise, Rng::stream(seed, "synthetic", 0));
  data.test = samples(prototypes, test, noise, Rng::stream(seed, "synthetic", 1));
  images::applyImageParams({}, params, data);
  return data;
}

}  // namespace

DatasetDef synthetic() {
  DatasetDef def;
  def.id = "synthetic";
  def.title = "Synthetic";
  def.summary = "Pictures of any size made from the seed: a random pattern per class plus noise. Needs no files.";
  def.params = {
      integerParam({"train_count", "Training samples"}, 6000, 1, 1000000, "Pictures to train on."),
      integerParam({"test_count", "Test samples"}, 1000, 1, 1000000, "Pictures to test on."),
      advanced(integerParam("classes", 10, 2, 10000, "Kinds of pictures.")),
      advanced(integerParam("channels", 1, 1, 16, "Channels of a picture.")),
      advanced(integerParam("height", 28, 1, 1024, "Rows of a picture.")),
      advanced(integerParam("width", 28, 1, 1024, "Columns of a picture.")),
      realParam("noise", 0.5, 0, 10, "Standard deviation of the pixel noise; black to white is 1."),
  };
  images::addImageParams(def, {});
  def.trainCount = 6000;
  def.testCount = 1000;
  def.locate = [](const Params&) { return std::string(kBuiltIn); };
  def.load = generated;
  return def;
}

}  // namespace paceline::datasets
