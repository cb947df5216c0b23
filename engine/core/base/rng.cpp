#include "engine/core/base/rng.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
  PACELINE_CHECK(bound > 0, "Rng::below needs a positive bound");
  const std::uint64_t threshold = (0 - bound) % bound;  // values under it would make the low ones likelier
  for (;;) {
    const std::uint64_t value = next();
    if (value >= threshold) return value % bound;
  }
}

double Rng::normal() {  // Marsaglia's polar method
  if (hasSpare_) {
    hasSpare_ = false;
    return spare_;
  }
  for (;;) {
    const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
    if (s >= 1 || s == 0) continue;
    const double factor = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * factor;
    hasSpare_ = true;
    return u * factor;
  }
}

Rng Rng::stream(std::uint64_t seed, std::string_view name, std::uint64_t index) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a of the name
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::uint64_t state = seed;
  std::uint64_t mixed = splitmix64(state) ^ hash;
  mixed = splitmix64(mixed) ^ index;
  return Rng(splitmix64(mixed));
}

void Rng::state(Archive& archive, std::string_view name) {
  std::vector<std::uint64_t> words(state_, state_ + 4);
  words.push_back(std::bit_cast<std::uint64_t>(spare_));
  words.push_back(hasSpare_ ? 1 : 0);
  archive.words(name, words);
  if (words.size() != 6) throw Error(Errc::kFormat, strCat("random stream \"", name, "\" has ", words.size(), " words"));
  std::copy_n(words.begin(), 4, state_);
  spare_ = std::bit_cast<double>(words[4]);
  hasSpare_ = words[5] != 0;
}

}  // namespace paceline
