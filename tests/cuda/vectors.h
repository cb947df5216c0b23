// Vectors that a selection may find hard, with what it must find.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/comm/codecs/select.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {

inline std::vector<std::uint32_t> placesOnTheCpu(const std::vector<float>& values, std::size_t k) {
  std::vector<std::uint32_t> places;
  codecs::Selector().largest(values, k, 0, "it", places);
  return places;
}

// Calls `same` with each vector and k, and a name for both.
inline void forHardVectors(const std::vector<std::size_t>& sizes,
                           const std::function<void(const std::vector<float>&, std::size_t k, const std::string&)>& same) {
  const std::vector<std::pair<std::string, std::function<float(Rng&)>>> draws = {
      {"normal", [](Rng& rng) { return static_cast<float>(rng.normal()); }},
      {"few values", [](Rng& rng) { return static_cast<float>(static_cast<int>(rng.below(7)) - 3); }},
      {"one value", [](Rng& rng) { return rng.below(2) == 0 ? 1.5F : -1.5F; }},
      {"zeros", [](Rng& rng) { return rng.below(2) == 0 ? 0.0F : -0.0F; }},
      {"mostly zeros", [](Rng& rng) { return rng.below(100) == 0 ? static_cast<float>(rng.normal()) : 0.0F; }},
      {"heavy tail", [](Rng& rng) { return static_cast<float>(std::pow(rng.uniform() + 1e-9, -3)); }},
      {"denormal", [](Rng& rng) { return static_cast<float>(rng.normal()) * std::numeric_limits<float>::denorm_min() * 100; }},
      {"lowest bits", [](Rng& rng) { return 1.0F + static_cast<float>(rng.below(100)) * std::numeric_limits<float>::epsilon(); }},
  };
  for (const auto& [name, draw] : draws)
    for (const std::size_t size : sizes) {
      Rng rng = Rng::stream(size, name);
      std::vector<float> values(size);
      for (float& value : values) value = draw(rng);
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}, size / 100, size / 10, size / 2, size})
        if (k > 0) same(values, k, name + ", " + std::to_string(size) + " values, k = " + std::to_string(k));
    }
}

}  // namespace paceline::tests
