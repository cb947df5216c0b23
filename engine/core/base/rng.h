// Seeded random streams: the same (seed, name, index) gives the same numbers on every machine and compiler.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "engine/core/base/archive.h"

namespace paceline {

// xoshiro256** (Blackman & Vigna 2018), state filled by splitmix64. Own distributions: the standard ones differ between libraries.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);
  std::uint64_t next();
  double uniform();                             // [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  std::uint64_t below(std::uint64_t bound);     // [0, bound), unbiased; bound > 0
  double normal();                              // mean 0, variance 1

  template <class T>
  void shuffle(std::span<T> items) {  // Fisher-Yates
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // A stream of its own for one purpose: Rng::stream(spec.seed, "partition", rank).
  static Rng stream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

  void state(Archive& archive, std::string_view name);  // where the stream is

 private:
  std::uint64_t state_[4];
  double spare_ = 0;
  bool hasSpare_ = false;
};

}  // namespace paceline
