#include "engine/comm/codecs/sparse_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/core/base/error.h"
#include "engine/core/base/vec.h"

namespace paceline::codecs {
namespace {

// On the wire; append only. kHalfFlag is added to a layout whose values are fp16.
enum Layout : std::uint8_t { kAllValues = 1, kRice = 2, kVarint = 3 };
constexpr std::uint8_t kHalfFlag = 16;

constexpr int kMaxRiceParameter = 24;
constexpr int kLeastExponent = -126, kLargestExponent = sizeof(Real) == 4 ? 112 : 1000;  // 2^+-exponent is normal, 65504 * 2^exponent finite
constexpr std::size_t kMaxVarintBytes = 5;

std::size_t valueBytes(SparseValues format) { return format == SparseValues::kHalf ? sizeof(HalfBits) : sizeof(Real); }

template <class... Parts>
void wellFormed(bool good, std::string_view peer, const Parts&... what) {
  if (!good) throw Error(Errc::kFormat, strCat(peer, " sent a malformed sparse vector: ", what...));
}

using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

// The largest absolute value; not finite when any is not. On bits, where sizes order like numbers, so that it vectorises.
Real largestMagnitude(std::span<const Real> values) {
  Bits largest = 0;
  for (const Real value : values) largest = std::max(largest, std::bit_cast<Bits>(value) & (~Bits{0} >> 1));
  return std::bit_cast<Real>(largest);
}

// ---- Choosing

// Mean bits per entry of geometric gaps: parameter + 1 + E[gap >> parameter].
int bestRiceParameter(std::size_t count, std::size_t entries) {
  const double fraction = static_cast<double>(entries) / static_cast<double>(count);
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int parameter = 0; parameter <= kMaxRiceParameter; ++parameter) {
    const double beyond = std::pow(1 - fraction, std::ldexp(1.0, parameter));  // P(gap >= 2^parameter)
    const double bits = parameter + beyond / (1 - beyond);
    if (!(bits < least)) break;  // convex
    least = bits;
    best = parameter;
  }
  return best;
}

std::size_t riceBytes(std::span<const std::uint32_t> gaps, int parameter) {
  std::uint64_t bits = gaps.size() * static_cast<std::uint64_t>(parameter + 1);
  for (const std::uint32_t gap : gaps) bits += gap >> parameter;
  return static_cast<std::size_t>((bits + 7) / 8);
}

std::size_t varintBytes(std::span<const std::uint32_t> gaps) {
  std::size_t bytes = gaps.size();
  for (const std::uint32_t gap : gaps) bytes += (gap >= 1U << 7) + (gap >= 1U << 14) + (gap >= 1U << 21) + (gap >= 1U << 28);
  return bytes;
}

std::vector<std::uint32_t> gapsOf(SparseRange range, std::span<const std::uint32_t> indices) {
  std::vector<std::uint32_t> gaps(indices.size());
  if (indices.empty()) return gaps;
  bool ascending = indices[0] >= range.begin && indices.back() - range.begin < range.count;
  gaps[0] = indices[0] - static_cast<std::uint32_t>(range.begin);
  for (std::size_t i = 1; i < indices.size(); ++i) {
    ascending &= indices[i] > indices[i - 1];
    gaps[i] = indices[i] - indices[i - 1] - 1;
  }
  PACELINE_CHECK(ascending, "indices ascend within their range");
  return gaps;
}

// ---- Gaps

// Writes up to 8 bytes behind its end; who calls it has them.
std::byte* putRice(std::span<const std::uint32_t> gaps, int parameter, std::byte* at) {
  std::uint64_t pending = 0;  // `bits` < 8 of them are not yet in a byte that is done
  unsigned bits = 0;
  const auto put = [&](std::uint64_t code, unsigned length) {  // length <= 56
    pending |= code << bits;
    std::memcpy(at, &pending, sizeof pending);
    bits += length;
    at += bits / 8;
    pending = bits / 8 == 8 ? 0 : pending >> (bits / 8 * 8);
    bits %= 8;
  };
  const std::uint64_t mask = (std::uint64_t{1} << parameter) - 1;
  for (const std::uint32_t gap : gaps) {
    std::uint64_t zeros = gap >> parameter;
    for (; zeros > 31; zeros -= 31) put(0, 31);
    put((std::uint64_t{1} | (gap & mask) << 1) << zeros, static_cast<unsigned>(zeros) + 1 + static_cast<unsigned>(parameter));
  }
  return at + (bits > 0 ? 1 : 0);
}

std::byte* putVarints(std::span<const std::uint32_t> gaps, std::byte* at) {
  for (std::uint32_t gap : gaps) {
    for (; gap >= 128; gap >>= 7) *at++ = static_cast<std::byte>(gap | 128);
    *at++ = static_cast<std::byte>(gap);
  }
  return at;
}

// Little-endian; zeros behind the end.
std::uint64_t wordAt(std::span<const std::byte> bytes, std::uint64_t at) {
  std::uint64_t word = 0;
  if (at + sizeof word <= bytes.size()) std::memcpy(&word, bytes.data() + at, sizeof word);
  else if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return word;
}

// The zeros that one word does not hold: where the one is. Behind the end there is none.
std::uint64_t skipZeros(std::span<const std::byte> bytes, std::uint64_t bit, std::string_view peer) {
  for (;;) {
    wellFormed(bit / 8 < bytes.size(), peer, "a gap does not end");
    const std::uint64_t word = wordAt(bytes, bit / 8) >> bit % 8;
    if (word != 0) return bit + static_cast<unsigned>(std::countr_zero(word));
    bit += 64 - bit % 8;
  }
}

void takeRice(std::span<const std::byte> bytes, unsigned parameter, std::span<std::uint32_t> indices, std::string_view peer) {
  const std::uint64_t mask = (std::uint64_t{1} << parameter) - 1;
  std::uint64_t bit = 0, next = 0;  // next: the least index that may follow; at most kept * 2^32
  for (std::size_t i = 0; i < indices.size();) {
    std::uint64_t word = wordAt(bytes, bit / 8) >> bit % 8;
    unsigned left = 64 - static_cast<unsigned>(bit % 8);
    const std::size_t before = i;
    while (word != 0 && i < indices.size()) {
      const auto zeros = static_cast<unsigned>(std::countr_zero(word));
      const unsigned length = zeros + 1 + parameter;
      if (length >= left) break;  // less than a word, so that the shifts are defined
      next += (static_cast<std::uint64_t>(zeros) << parameter | (word >> zeros >> 1 & mask)) + 1;
      indices[i++] = static_cast<std::uint32_t>(next - 1);
      word >>= length;
      left -= length;
      bit += length;
    }
    if (i != before) continue;
    const std::uint64_t one = skipZeros(bytes, bit, peer);
    const std::uint64_t low = wordAt(bytes, (one + 1) / 8) >> (one + 1) % 8 & mask;
    next += ((one - bit) << parameter | low) + 1;
    indices[i++] = static_cast<std::uint32_t>(next - 1);
    bit = one + 1 + parameter;
  }
  wellFormed((bit + 7) / 8 == bytes.size(), peer, "its gaps take ", (bit + 7) / 8, " bytes where it has ", bytes.size());
  wellFormed(bit % 8 == 0 || std::to_integer<unsigned>(bytes.back()) >> bit % 8 == 0, peer, "bits behind its last gap");
  wellFormed(next <= std::numeric_limits<std::uint32_t>::max(), peer, "an index of ", next - 1);
}

void takeVarints(std::span<const std::byte> bytes, std::span<std::uint32_t> indices, std::string_view peer) {
  std::size_t at = 0;
  std::uint64_t next = 0;
  for (std::uint32_t& index : indices) {
    std::uint64_t gap = 0;
    for (unsigned shift = 0;; shift += 7) {
      wellFormed(at < bytes.size() && shift < 7 * kMaxVarintBytes, peer, "a gap does not end");
      const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
      gap |= (byte & 127) << shift;
      if (byte >= 128) continue;
      wellFormed(byte != 0 || shift == 0, peer, "a gap that is longer than it need be");
      break;
    }
    next += gap + 1;
    index = static_cast<std::uint32_t>(next - 1);
  }
  wellFormed(at == bytes.size(), peer, bytes.size() - at, " bytes between its gaps and its values");
  wellFormed(next <= std::numeric_limits<std::uint32_t>::max(), peer, "an index of ", next - 1);
}

// ---- Values

Real powerOfTwo(int exponent) { return std::ldexp(Real{1}, exponent); }

// So that the largest lies in [2^15, 65504] (or just below, where it would round up): what is exact in fp16 stays exact.
int exponentFor(Real largest) {
  if (largest == 0) return 0;
  const int exponent = std::clamp(std::ilogb(largest) - 15, kLeastExponent, kLargestExponent);
  const bool over = largest * powerOfTwo(-exponent) > Real{kLargestHalf};
  return over ? std::min(exponent + 1, kLargestExponent) : exponent;
}

void expandHalves(std::span<const HalfBits> halves, int exponent, std::span<Real> values) {
  fromHalf<Real>(halves, values);
  const Real scale = powerOfTwo(exponent);
  for (Real& value : values) value *= scale;
}

// The bits, and in `values` what they stand for.
std::vector<HalfBits> roundToHalves(std::span<Real> values, Real largest, int exponent) {
  const Real scale = powerOfTwo(-exponent);
  for (Real& value : values) value *= scale;
  if (largest * scale > Real{kLargestHalf})  // at the end of Real's own range
    for (Real& value : values) value = std::clamp(value, -Real{kLargestHalf}, Real{kLargestHalf});
  std::vector<HalfBits> halves(values.size());
  toHalf<Real>(values, halves);
  expandHalves(halves, exponent, values);
  return halves;
}

// Only what is not zero, when `bytes` hold the values of all positions.
void keepNonZero(SparseVector& all) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    if (all.values[i] == 0) continue;
    all.indices[kept] = static_cast<std::uint32_t>(i);
    all.values[kept++] = all.values[i];
  }
  all.indices.resize(kept);
  all.values.resize(kept);
}

template <class T>  // T: how a value lies on the wire
void putValues(Layout layout, SparseRange range, std::span<const std::uint32_t> indices, std::span<const T> values, std::byte* at) {
  if (layout != kAllValues && !values.empty()) std::memcpy(at, values.data(), values.size_bytes());
  if (layout != kAllValues) return;
  for (std::size_t i = 0; i < indices.size(); ++i)
    std::memcpy(at + (indices[i] - range.begin) * sizeof(T), &values[i], sizeof(T));
}

void takeValues(std::span<const std::byte> bytes, bool half, int exponent, std::span<Real> values) {
  if (values.empty()) return;
  if (!half) {
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return;
  }
  std::vector<HalfBits> halves(values.size());
  std::memcpy(halves.data(), bytes.data(), bytes.size());
  expandHalves(halves, exponent, values);
}

// ---- Header

// As it lies in the payload.
struct Header {
  std::uint8_t kind = kRice;  // the layout, and kHalfFlag
  std::uint8_t parameter = 0;
  std::int16_t exponent = 0;
  std::uint32_t entries = 0;

  Layout layout() const { return static_cast<Layout>(kind & ~kHalfFlag); }
  bool half() const { return (kind & kHalfFlag) != 0; }
};
static_assert(sizeof(Header) == kSparseHeaderBytes && std::endian::native == std::endian::little);

Header headerOf(std::span<const std::byte> bytes, std::size_t count, std::string_view peer) {
  Header header;
  wellFormed(bytes.size() >= sizeof header, peer, bytes.size(), " bytes");
  std::memcpy(&header, bytes.data(), sizeof header);
  const Layout layout = header.layout();
  wellFormed(layout >= kAllValues && layout <= kVarint, peer, "layout ", int{header.kind}, " is not known");
  wellFormed(header.parameter <= (layout == kRice ? kMaxRiceParameter : 0), peer, "Rice parameter ", int{header.parameter});
  const bool fits = header.half() ? header.exponent >= kLeastExponent && header.exponent <= kLargestExponent : header.exponent == 0;
  wellFormed(fits, peer, "exponent ", header.exponent);
  wellFormed(header.entries <= count, peer, header.entries, " entries of ", count, " elements");
  return header;
}

}  // namespace

Packed packSparse(SparseRange range, std::span<const std::uint32_t> indices, std::span<Real> values, SparseValues format) {
  const Real largest = largestMagnitude(values);
  PACELINE_CHECK(indices.size() == values.size() && std::isfinite(largest), "sparse values are finite, one per index");
  const std::vector<std::uint32_t> gaps = gapsOf(range, indices);
  const int parameter = indices.empty() ? 0 : bestRiceParameter(range.count, indices.size());
  const std::size_t rice = riceBytes(gaps, parameter), varint = varintBytes(gaps);
  const std::size_t some = std::min(rice, varint) + values.size() * valueBytes(format), all = range.count * valueBytes(format);
  const Layout layout = all <= some && !indices.empty() ? kAllValues : rice <= varint ? kRice : kVarint;
  const bool half = format == SparseValues::kHalf;
  const Header header{.kind = static_cast<std::uint8_t>(layout | (half ? kHalfFlag : 0)),
                      .parameter = static_cast<std::uint8_t>(layout == kRice ? parameter : 0),
                      .exponent = static_cast<std::int16_t>(half ? exponentFor(largest) : 0),
                      .entries = static_cast<std::uint32_t>(indices.size())};

  constexpr std::size_t kSlack = sizeof(std::uint64_t);  // for putRice
  std::vector<std::byte> bytes(kSparseHeaderBytes + (layout == kAllValues ? all : some) + kSlack);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::byte* at = bytes.data() + kSparseHeaderBytes;
  if (layout == kRice) at = putRice(gaps, parameter, at);
  if (layout == kVarint) at = putVarints(gaps, at);
  if (half) putValues<HalfBits>(layout, range, indices, roundToHalves(values, largest, header.exponent), at);
  else putValues<Real>(layout, range, indices, values, at);
  bytes.resize(bytes.size() - kSlack);
  return Packed::of(Packing::kSparse, range.count, std::move(bytes));
}

void unpackSparse(const Packed& packed, std::size_t count, std::string_view peer, SparseVector& into) {
  wellFormed(packed.packing == Packing::kSparse, peer, "packing ", static_cast<int>(packed.packing), " where entries were due");
  wellFormed(packed.count == count, peer, "it stands for ", packed.count, " elements where ", count, " were due");
  const Header header = headerOf(packed.bytes, count, peer);
  const std::span<const std::byte> rest = packed.bytes.subspan(kSparseHeaderBytes);
  const bool all = header.layout() == kAllValues;
  const std::size_t held = all ? count : header.entries;
  const std::size_t valuesSize = held * (header.half() ? sizeof(HalfBits) : sizeof(Real));
  wellFormed(rest.size() >= valuesSize, peer, rest.size(), " bytes for the values of ", held, " elements");
  const std::span<const std::byte> gaps = rest.first(rest.size() - valuesSize);
  wellFormed(!all || gaps.empty(), peer, gaps.size(), " bytes too many");

  into.indices.resize(held);
  into.values.resize(held);
  if (header.layout() == kRice) takeRice(gaps, header.parameter, into.indices, peer);
  if (header.layout() == kVarint) takeVarints(gaps, into.indices, peer);
  wellFormed(all || held == 0 || into.indices.back() < count, peer, "an index behind its ", count, " elements");
  takeValues(rest.last(valuesSize), header.half(), header.exponent, into.values);
  wellFormed(std::isfinite(largestMagnitude(into.values)), peer, "a value that is not finite");
  if (all) keepNonZero(into);
  wellFormed(into.indices.size() <= header.entries, peer, into.indices.size(), " values where it announced ", header.entries);
}

std::size_t entriesOf(const Packed& packed) { return headerOf(packed.bytes, packed.count, "this node").entries; }

}  // namespace paceline::codecs
