#include "engine/comm/codecs/select.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/core/base/error.h"
#include "engine/core/record/reasons.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace paceline::codecs {
namespace {

constexpr int kDigitBits = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
constexpr int kTopShift = 8 * sizeof(Real) - 1 - kDigitBits;  // of the highest digit; the sign is gone
constexpr std::size_t kCollectAll = 4096;       // shorter vectors: every value that is not zero is looked at
constexpr std::size_t kSampleFrom = 64 * 1024;  // from here on a sample pays
constexpr std::size_t kVectorRoom = 8;          // collecting writes up to so many places behind its last

using Key = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
constexpr Key kInfinityKey = std::bit_cast<Key>(std::numeric_limits<Real>::infinity());

Key keyOf(Real value) { return std::bit_cast<Key>(value) & (~Key{0} >> 1); }

std::size_t collectPortable(const Real* values, std::size_t from, std::size_t size, Key least, std::uint32_t* places) {
  std::size_t found = 0;
  for (std::size_t i = from; i < size; ++i) {  // without a branch that would be guessed wrong
    places[found] = static_cast<std::uint32_t>(i);
    found += keyOf(values[i]) >= least ? 1 : 0;
  }
  return found;
}

#if defined(__x86_64__)

[[maybe_unused]] bool hasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// For each mask of 8 lanes, the numbers of those that are set, in front.
constexpr std::array<std::uint64_t, 256> kLanesOf = [] {
  std::array<std::uint64_t, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask)
    for (unsigned lane = 0, next = 0; lane < 8; ++lane)
      if (mask >> lane & 1) table[mask] |= std::uint64_t{lane} << 8 * next++;
  return table;
}();

__attribute__((target("avx2"))) std::uint32_t* appendLanes(unsigned mask, __m256i places, std::uint32_t* out) {
  const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kLanesOf[mask])));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(places, lanes));
  return out + std::popcount(mask);
}

// Does whole groups of 32; returns how many places it wrote, `done` how far it came.
__attribute__((target("avx2"), unused)) std::size_t collectAvx2(const Real* values, std::size_t size, Key least, std::uint32_t* places, std::size_t& done) {
  const __m256i noSign = _mm256_set1_epi32(0x7fffffff), below = _mm256_set1_epi32(static_cast<int>(least) - 1);
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::uint32_t* out = places;
  std::size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    __m256i over[4];
    for (int j = 0; j < 4; ++j) {
      const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + i + 8 * j));
      over[j] = _mm256_cmpgt_epi32(_mm256_and_si256(bits, noSign), below);  // keys are not negative as signed numbers
    }
    const __m256i any = _mm256_or_si256(_mm256_or_si256(over[0], over[1]), _mm256_or_si256(over[2], over[3]));
    if (_mm256_testz_si256(any, any)) continue;
    for (int j = 0; j < 4; ++j) {
      const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(over[j])));
      out = appendLanes(mask, _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i) + 8 * j), lane), out);
    }
  }
  done = i;
  return static_cast<std::size_t>(out - places);
}

#endif

// How many fall into each bucket of the highest digit. Four tables, so that equal neighbours do not wait for each other.
std::vector<std::uint32_t> topHistogram(std::span<const Real> values) {
  std::vector<std::uint32_t> counts(4 * kBuckets);
  std::uint32_t* const tables[] = {counts.data(), counts.data() + kBuckets, counts.data() + 2 * kBuckets, counts.data() + 3 * kBuckets};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (std::size_t j = 0; j < 4; ++j) ++tables[j][keyOf(values[i + j]) >> kTopShift];
  for (; i < values.size(); ++i) ++tables[0][keyOf(values[i]) >> kTopShift];
  for (std::size_t b = 0; b < kBuckets; ++b) counts[b] += tables[1][b] + tables[2][b] + tables[3][b];
  counts.resize(kBuckets);
  return counts;
}

struct Elsewhere {
  SelectElsewhere select;
  std::size_t from = 0;
};

Elsewhere& elsewhere() {
  static Elsewhere other;
  return other;
}

}  // namespace

void selectElsewhere(SelectElsewhere select, std::size_t from) { elsewhere() = {.select = std::move(select), .from = from}; }

std::size_t keptOf(std::size_t size, double fraction) {
  const double exact = fraction * static_cast<double>(size), nearest = std::nearbyint(exact);
  const double kept = std::abs(exact - nearest) <= 1e-9 * std::max(1.0, exact) ? nearest : std::floor(exact);
  return std::min(size, std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0, kept))));
}

void Selector::largest(std::span<const Real> values, std::size_t k, std::size_t begin, std::string_view what, std::vector<std::uint32_t>& into) {
  if (values.empty() || k == 0) return;
  k = std::min(k, values.size());
  PACELINE_CHECK(begin + values.size() <= std::size_t{1} << 32, "a vector's indices fit 32 bits");
  if (method_ == SelectMethod::kAuto && elsewhere().select && values.size() >= elsewhere().from && largestElsewhere(values, k, begin, into)) return;
  Key least = 1;
  const bool short_ = values.size() < kCollectAll || k == values.size();
  const bool sample = method_ == SelectMethod::kSampled || (method_ == SelectMethod::kAuto && values.size() >= kSampleFrom && k <= values.size() / 8);
  if (method_ != SelectMethod::kAuto || !short_) least = sample ? boundBySample(values, k) : boundByHistogram(values, k);
  std::size_t found = collect(values, least);
  if (found < k && least > 1) found = collect(values, boundByHistogram(values, k));

  keys_.resize(found);
  bool finite = true;
  for (std::size_t i = 0; i < found; ++i) {
    keys_[i] = keyOf(values[places_[i]]);
    finite &= keys_[i] < kInfinityKey;
  }
  if (!finite) {
    const std::size_t at = static_cast<std::size_t>(std::find_if(keys_.begin(), keys_.end(), [](Key key) { return key >= kInfinityKey; }) - keys_.begin());
    throw Error(Errc::kData, strCat(what, " has the value ", values[places_[at]], " at place ", places_[at], ": ", kDiverged));
  }
  Threshold bound{.key = 0, .ties = 0};
  if (found > k) {
    scratch_ = keys_;
    bound = thresholdOf(scratch_, k);
  }
  for (std::size_t i = 0; i < found; ++i)
    if (keys_[i] > bound.key || (keys_[i] == bound.key && bound.ties > 0 && bound.ties-- > 0))
      into.push_back(static_cast<std::uint32_t>(begin + places_[i]));
}

bool Selector::largestElsewhere(std::span<const Real> values, std::size_t k, std::size_t begin, std::vector<std::uint32_t>& into) {
  std::vector<std::uint32_t> found;
  elsewhere().select(values.data(), values.size(), k, found);
  for (const std::uint32_t place : found)
    if (keyOf(values[place]) >= kInfinityKey) return false;
  for (const std::uint32_t place : found) into.push_back(static_cast<std::uint32_t>(begin + place));
  return true;
}

Selector::Key Selector::boundByHistogram(std::span<const Real> values, std::size_t k) {
  const std::vector<std::uint32_t> counts = topHistogram(values);
  std::size_t bucket = kBuckets, above = 0;
  while (bucket > 0 && above < k) above += counts[--bucket];
  return std::max<Key>(1, static_cast<Key>(bucket) << kTopShift);
}

// A sample of about 400 expected among the k largest: three standard deviations below the k-th are 15 % more than k. One value per
// stretch, at a place that a hash chooses, so that no pattern of the layer's shape meets the sample's.
Selector::Key Selector::boundBySample(std::span<const Real> values, std::size_t k) {
  const auto size = static_cast<double>(values.size());
  const double wanted = std::clamp(400 * size / static_cast<double>(k), std::min(4096.0, size), std::max(size / 64, std::min(4096.0, size)));
  const std::size_t stretch = std::max<std::size_t>(1, values.size() / static_cast<std::size_t>(wanted));
  scratch_.clear();
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t at = 0; at + stretch <= values.size(); at += stretch) {
    hash = hash * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX generator
    scratch_.push_back(keyOf(values[at + (hash >> 32) * stretch / (std::uint64_t{1} << 32)]));
  }
  const double expected = static_cast<double>(k) * static_cast<double>(scratch_.size()) / size;
  const auto rank = static_cast<std::size_t>(std::ceil(expected + 3 * std::sqrt(expected) + 1));
  if (rank >= scratch_.size()) return 1;
  return std::max<Key>(1, thresholdOf(scratch_, rank).key);
}

std::size_t Selector::collect(std::span<const Real> values, Key least) {
  if (room_ < values.size() + kVectorRoom) {
    room_ = values.size() + kVectorRoom;
    places_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_);
  }
  std::size_t done = 0, found = 0;
#if defined(__x86_64__)
  if constexpr (sizeof(Real) == 4)
    if (path_ == CpuPath::kBest && hasAvx2()) found = collectAvx2(values.data(), values.size(), least, places_.get(), done);
#endif
  return found + collectPortable(values.data(), done, values.size(), least, places_.get() + found);
}

// Radix selection from the highest digit down; what cannot be the k-th any more is dropped on the way.
Selector::Threshold Selector::thresholdOf(std::vector<Key>& keys, std::size_t k) {
  std::array<std::uint32_t, kBuckets> counts;
  for (int shift = kTopShift;; shift = std::max(0, shift - kDigitBits)) {
    counts.fill(0);
    for (const Key key : keys) ++counts[key >> shift & (kBuckets - 1)];
    std::size_t digit = kBuckets - 1;
    for (; counts[digit] < k; --digit) k -= counts[digit];
    std::size_t kept = 0;
    for (const Key key : keys) {
      keys[kept] = key;
      kept += (key >> shift & (kBuckets - 1)) == digit ? 1 : 0;
    }
    keys.resize(kept);
    if (shift == 0) return {.key = keys.front(), .ties = k};
  }
}

}  // namespace paceline::codecs
