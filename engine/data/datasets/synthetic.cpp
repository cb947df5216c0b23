// Every class has a prototype: a coarse random pattern, smoothly enlarged. A sample is its class's prototype plus pixel noise.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/rng.h"
#include "engine/data/dataset.h"

namespace paceline {
namespace {

constexpr int kSide = 28, kCoarse = 8;  // 7 coarse cells of 4 pixels
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;

using Prototype = std::array<float, kPixels>;  // in [0, 1]

Prototype prototype(Rng rng) {
  std::array<std::array<double, kCoarse>, kCoarse> coarse{};
  for (auto& row : coarse)
    for (double& value : row) value = rng.uniform();
  Prototype image{};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int top = y / 4, left = x / 4;
      const double down = (y % 4) / 4.0, right = (x % 4) / 4.0;
      const auto along = [&](const std::array<double, kCoarse>& row) {
        return row[static_cast<std::size_t>(left)] * (1 - right) + row[static_cast<std::size_t>(left) + 1] * right;
      };
      const double value =
          along(coarse[static_cast<std::size_t>(top)]) * (1 - down) + along(coarse[static_cast<std::size_t>(top) + 1]) * down;
      image[static_cast<std::size_t>(y * kSide + x)] = static_cast<float>(value);
    }
  }
  return image;
}

// Classes as even as the count allows, in random order.
Images samples(const std::vector<Prototype>& prototypes, std::size_t count, double noise, Rng rng) {
  Images images;
  images.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) images.labels[i] = static_cast<std::uint16_t>(i % prototypes.size());
  rng.shuffle(std::span<std::uint16_t>(images.labels));
  images.pixels.resize(count * kPixels);
  std::uint8_t* pixel = images.pixels.data();
  for (const std::uint16_t label : images.labels)
    for (const float base : prototypes[label])
      *pixel++ = static_cast<std::uint8_t>(std::lround(255 * std::clamp(base + noise * rng.normal(), 0.0, 1.0)));
  return images;
}

Dataset generated(const Params& params, std::uint64_t seed) {
  Dataset data;
  data.classes = static_cast<int>(params.integer("classes"));
  std::vector<Prototype> prototypes;
  for (int k = 0; k < data.classes; ++k)
    prototypes.push_back(prototype(Rng::stream(seed, "synthetic prototype", static_cast<std::uint64_t>(k))));
  const double noise = params.real("noise");
  data.train =
      samples(prototypes, static_cast<std::size_t>(params.integer("train_count")), noise, Rng::stream(seed, "synthetic", 0));
  data.test =
      samples(prototypes, static_cast<std::size_t>(params.integer("test_count")), noise, Rng::stream(seed, "synthetic", 1));
  return data;
}

}  // namespace

DatasetDef synthetic() {
  DatasetDef def;
  def.id = "synthetic";
  def.title = "Synthetic";
  def.summary = "28x28 pictures made from the seed: a random pattern per class plus noise. Needs no files.";
  def.params = {
      integerParam("train_count", 6000, 1, 1000000, "Pictures to train on."),
      integerParam("test_count", 1000, 1, 1000000, "Pictures to test on."),
      integerParam("classes", 10, 2, 256, "Kinds of pictures."),
      realParam("noise", 0.5, 0, 10, "Standard deviation of the pixel noise; black to white is 1."),
  };
  def.trainCount = 6000;
  def.testCount = 1000;
  def.locate = [](const Params&) { return std::string("built in"); };
  def.load = generated;
  return def;
}

}  // namespace paceline
