// Some entries of a vector as bytes (Packing::kSparse): how far it is from one index to the next, Rice-coded, or in varints where that is
// smaller, then the values; where the values of all positions are smaller, those. Pure functions; a decoder trusts no byte.
//
// Little-endian: u8 layout | u8 Rice parameter | i16 exponent | u32 entries, then the gaps (index - previous index - 1; the first
// counts from the vector's begin), then the values. Rice: bits from the lowest of each byte on; gap >> parameter zeros, a one, the
// low `parameter` bits. R. F. Rice, 1979, "Some practical universal noiseless coding techniques". At a random 1 % this is within 0.3 %
// of the entropy bound. fp16 values are scaled by 2^exponent, which is exact, so that the largest fills the format: small gradients keep 11 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/comm/transport/message.h"

namespace paceline::codecs {

struct SparseVector {
  std::vector<std::uint32_t> indices;  // strictly ascending
  std::vector<Real> values;            // as many, finite
};

// A part [begin, begin + count) of a vector: a shard.
struct SparseRange {
  std::size_t begin = 0, count = 0;
};

enum class SparseValues : std::uint8_t { kReal, kHalf };

constexpr std::size_t kSparseHeaderBytes = 8;

// Entries of `range`, at indices into the whole vector. On return `values` are as the receiver reads them: rounded to fp16 where the
// format says so. A zero need not arrive. Indices that do not ascend within the range or values that are not finite are our bug (PACELINE_CHECK).
Packed packSparse(SparseRange range, std::span<const std::uint32_t> indices, std::span<Real> values, SparseValues format);

// What packSparse made for a range of that many elements; indices count from the range's begin. `into` keeps its memory. Throws
// Error{kFormat} that names `peer` for anything else; takes no more memory than `count` entries need.
void unpackSparse(const Packed& packed, std::size_t count, std::string_view peer, SparseVector& into);

std::size_t entriesOf(const Packed& packed);  // that packSparse was given

}  // namespace paceline::codecs
