#include "engine/comm/codecs/codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline::codecs {
namespace {

static_assert(std::endian::native == std::endian::little, "dense values travel as they lie in memory");
static_assert(sizeof(Real) == 4 || sizeof(Real) == 8);

constexpr std::uint8_t kElement = sizeof(Real) == 4 ? 1 : 2;

// As it lies in the frame; codec.h has the places.
struct WireHeader {
  std::uint32_t magic = kWireMagic;
  std::uint8_t wireVersion = kWireVersion, element = kElement, kind = 0, packing = 0;
  std::int32_t shard = 0;
  std::uint32_t scalars = 0;
  std::int64_t round = 0, version = 0;
  std::uint32_t elements = 0;
  std::int32_t cause = -1;
  double availableAt = 0;
  float holdSeconds = 0;
  std::uint32_t number = 0, packedBytes = 0, taken = 0;
};
static_assert(sizeof(WireHeader) == kHeaderBytes);

template <class... Parts>
void require(bool good, std::string_view peer, const Parts&... what) {
  if (!good) throw Error(Errc::kFormat, strCat(peer, " sent a malformed message: ", what...));
}

const char* elementName(int element) { return element == 1 ? "f32" : element == 2 ? "f64" : "an unknown type"; }

WireHeader wireHeaderOf(std::span<const std::byte> frame, std::string_view peer) {
  WireHeader wire;
  require(frame.size() >= sizeof wire, peer, "its header has ", frame.size(), " bytes, need ", sizeof wire);
  std::memcpy(&wire, frame.data(), sizeof wire);
  require(wire.magic == kWireMagic, peer, "it does not start with the magic number");
  require(wire.wireVersion == kWireVersion, peer, "wire version ", int{wire.wireVersion}, ", this program speaks ", int{kWireVersion});
  require(wire.element == kElement, peer, "its values are ", elementName(wire.element), ", this program computes in ", elementName(kElement));
  require(std::string_view(kindName(static_cast<MessageKind>(wire.kind))) != "unknown", peer, "kind ", int{wire.kind}, " is not known");
  require(wire.shard >= 0, peer, "shard ", wire.shard);
  require(wire.cause >= -1, peer, "it was caused by node ", wire.cause);
  require(std::isfinite(wire.availableAt), peer, "its time is not finite");
  require(wire.holdSeconds >= 0 && wire.holdSeconds <= kMaxHoldSeconds, peer, "it asks to be held for ", wire.holdSeconds, " s");
  require(wire.scalars <= kMaxScalars, peer, wire.scalars, " scalars, at most ", kMaxScalars);
  require(frame.size() == kHeaderBytes + wire.scalars * sizeof(double), peer, "a header frame of ", frame.size(), " bytes for ", wire.scalars, " scalars");
  require(wire.elements <= kMaxDenseBytes / sizeof(Real), peer, wire.elements, " values, at most ", kMaxDenseBytes / sizeof(Real));
  require(wire.packing <= static_cast<int>(Packing::kState), peer, "packing ", int{wire.packing}, " is not known");
  require(wire.packedBytes <= kMaxPackedBytes, peer, wire.packedBytes, " packed bytes, at most ", kMaxPackedBytes);
  require((wire.packing != 0) == (wire.packedBytes != 0), peer, "packing ", int{wire.packing}, " with ", wire.packedBytes, " packed bytes");
  return wire;
}

}  // namespace

std::size_t headerFrameBytes(const Message& message) {
  PACELINE_CHECK(message.scalars.size() <= kMaxScalars, strCat("message with ", message.scalars.size(), " scalars"));
  PACELINE_CHECK(message.dense.values().size_bytes() <= kMaxDenseBytes,
                 strCat("message with ", message.dense.values().size_bytes(), " dense bytes"));
  PACELINE_CHECK(message.packed.empty() || message.dense.empty(), "a message has one payload");
  PACELINE_CHECK(message.packed.bytes.size() <= kMaxPackedBytes && message.packed.count <= kMaxDenseBytes / sizeof(Real),
                 strCat("message with ", message.packed.bytes.size(), " packed bytes of ", message.packed.count, " elements"));
  PACELINE_CHECK(message.packed.empty() == message.packed.bytes.empty(), "a packed payload has bytes");
  return kHeaderBytes + message.scalars.size() * sizeof(double);
}

void encodeHeader(const Message& message, std::span<std::byte> frame) {
  PACELINE_CHECK(frame.size() == headerFrameBytes(message), "size of the header frame");
  const WireHeader wire{.kind = static_cast<std::uint8_t>(message.kind),
                        .packing = static_cast<std::uint8_t>(message.packed.packing),
                        .shard = message.shard,
                        .scalars = static_cast<std::uint32_t>(message.scalars.size()),
                        .round = message.round,
                        .version = message.version,
                        .elements = static_cast<std::uint32_t>(message.packed.empty() ? message.dense.values().size() : message.packed.count),
                        .cause = message.cause,
                        .availableAt = message.availableAt,
                        .holdSeconds = static_cast<float>(message.holdSeconds),
                        .number = message.number,
                        .packedBytes = static_cast<std::uint32_t>(message.packed.bytes.size()),
                        .taken = message.taken};
  std::memcpy(frame.data(), &wire, sizeof wire);
  if (!message.scalars.empty()) std::memcpy(frame.data() + sizeof wire, message.scalars.data(), message.scalars.size() * sizeof(double));
}

DecodedHeader decodeHeader(std::span<const std::byte> frame, std::string_view peer) {
  const WireHeader wire = wireHeaderOf(frame, peer);
  DecodedHeader header{.message = {.kind = static_cast<MessageKind>(wire.kind),
                                   .shard = wire.shard,
                                   .round = wire.round,
                                   .version = wire.version,
                                   .scalars = std::vector<double>(wire.scalars),
                                   .cause = wire.cause,
                                   .availableAt = wire.availableAt,
                                   .holdSeconds = wire.holdSeconds,
                                   .number = wire.number,
                                   .taken = wire.taken}};
  if (wire.packing == 0) header.denseCount = wire.elements;
  else header.message.packed = {.packing = static_cast<Packing>(wire.packing), .count = wire.elements};
  header.packedBytes = wire.packedBytes;
  if (wire.scalars > 0) std::memcpy(header.message.scalars.data(), frame.data() + sizeof wire, wire.scalars * sizeof(double));
  return header;
}

void decodePayload(DecodedHeader& header, std::span<const std::byte> frame, std::shared_ptr<const void> owner, std::string_view peer) {
  Message& message = header.message;
  if (!message.packed.empty()) {
    require(frame.size() == header.packedBytes, peer, "a packed frame of ", frame.size(), " bytes where ", header.packedBytes, " were announced");
    message.packed.owner = std::move(owner);
    message.packed.bytes = frame;
    return;
  }
  const std::size_t count = header.denseCount;
  require(frame.size() == count * sizeof(Real), peer, "a dense frame of ", frame.size(), " bytes for ", count, " values");
  if (reinterpret_cast<std::uintptr_t>(frame.data()) % alignof(Real) == 0)
    message.dense = Dense::shared({reinterpret_cast<const Real*>(frame.data()), count}, std::move(owner));
  else
    message.dense = Dense::made(count, [&](std::span<Real> values) { std::memcpy(values.data(), frame.data(), frame.size()); });
}

namespace {

constexpr std::size_t kBlock = 1024;  // elements with a scale of their own; also what is worked on at once, to stay in the nearest cache
constexpr int kLargestCode = 127, kNotFinite = -128;
constexpr std::int32_t kInfinity = 0x7f800000;  // of a float, as bits
constexpr float kSmallest = 0x1p-100F;  // below, 127 / max would overflow

template <class T>
constexpr T kMost = std::numeric_limits<T>::max();

// Loops that are compiled twice, for any CPU and for those with AVX2 (the same bits: AVX2 alone fuses nothing).
#define PACELINE_INLINE __attribute__((always_inline)) inline
#if defined(__x86_64__)
#define PACELINE_WIDE __attribute__((target("avx2")))
bool hasWide() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
#define PACELINE_WIDE
bool hasWide() { return false; }
#endif

std::size_t blocksOf(std::size_t count) { return (count + kBlock - 1) / kBlock; }

// y = x + r, of a block.
PACELINE_INLINE std::span<const Real> withResidual(std::span<const Real> x, std::span<const Real> r, std::array<Real, kBlock>& y) {
  if (r.empty()) return x;
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + r[i];
  return {y.data(), x.size()};
}

// r = y - q; nothing of what is not finite.
PACELINE_INLINE void keepRest(std::span<const Real> y, const Real* q, std::span<Real> r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    const Real rest = y[i] - q[i];
    r[i] = std::abs(rest) <= kMost<Real> ? rest : Real(0);
  }
}

PACELINE_INLINE void packHalfBlock(std::span<const Real> y, std::span<HalfBits> bits, std::span<Real> residual) {
  toHalf<Real>(y, bits);
  if (residual.empty()) return;
  std::array<Real, kBlock> q;
  fromHalf<Real>(bits, std::span(q.data(), y.size()));
  unsigned int notFinite = 0;
  for (const HalfBits half : bits) notFinite |= (half & 0x7c00U) == 0x7c00U ? 1U : 0U;
  if (notFinite != 0)
    for (std::size_t i = 0; i < y.size(); ++i)
      if (std::isinf(q[i]) && std::isfinite(y[i])) {
        q[i] = std::copysign(static_cast<Real>(kLargestHalf), y[i]);
        bits[i] = toHalf(q[i]);
      }
  keepRest(y, q.data(), residual);
}

// Largest finite |y|. In integers, whose maximum compilers do in parallel: the bits of positive floats are ordered as they are.
PACELINE_INLINE float largestOf(std::span<const Real> y) {
  std::int32_t largest = 0;
  for (const Real value : y) {
    const std::int32_t bits = std::bit_cast<std::int32_t>(static_cast<float>(value)) & 0x7fffffff;
    const std::int32_t finite = bits < kInfinity ? bits : 0;
    largest = finite > largest ? finite : largest;
  }
  return std::bit_cast<float>(largest);
}

PACELINE_INLINE float scaleOf(std::span<const Real> y) {
  const float largest = largestOf(y), scale = largest / static_cast<float>(kLargestCode);
  if (largest < kSmallest) return 0.0F;
  return std::isinf(scale * static_cast<float>(kLargestCode)) ? std::nextafter(scale, 0.0F) : scale;
}

// Rounds to nearest even, without a call: in [2^23, 2^24) a float's last bit is 1, so adding rounds, and the bits count.
PACELINE_INLINE void packCodes(std::span<const Real> y, float scale, std::int8_t* codes) {
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23
  const float inverse = scale > 0 ? 1.0F / scale : 0.0F;
  const Real* const __restrict in = y.data();
  std::int8_t* const __restrict out = codes;
  for (std::size_t i = 0, size = y.size(); i < size; ++i) {
    const auto value = static_cast<float>(in[i]);
    const std::int32_t code = std::bit_cast<std::int32_t>(value * inverse + kMagic) - std::bit_cast<std::int32_t>(kMagic);
    const bool finite = (std::bit_cast<std::int32_t>(value) & 0x7fffffff) < kInfinity;
    out[i] = static_cast<std::int8_t>(finite ? code : kNotFinite);
  }
}

PACELINE_INLINE void unpackCodes(const std::int8_t* codes, float scale, std::span<Real> values) {
  constexpr std::int32_t kNaN = 0x7fc00000;
  const std::int8_t* const __restrict in = codes;
  Real* const __restrict out = values.data();
  for (std::size_t i = 0, size = values.size(); i < size; ++i) {
    const std::int32_t code = in[i], bits = std::bit_cast<std::int32_t>(static_cast<float>(code) * scale);
    out[i] = static_cast<Real>(std::bit_cast<float>(bits | (-static_cast<std::int32_t>(code == kNotFinite) & kNaN)));
  }
}

// Every block of `count` elements: visit(index, offset, size).
template <class Visit>
void forEachBlock(std::size_t count, Visit visit) {
  for (std::size_t i = 0, at = 0; at < count; ++i, at += kBlock) visit(i, at, std::min(kBlock, count - at));
}

std::span<Real> partOf(std::span<Real> all, std::size_t at, std::size_t size) { return all.empty() ? all : all.subspan(at, size); }

PACELINE_INLINE void packInt8Block(std::span<const Real> x, std::span<Real> rest, float& scale, std::int8_t* codes) {
  std::array<Real, kBlock> memory, q;
  const std::span<const Real> y = withResidual(x, rest, memory);
  scale = scaleOf(y);
  packCodes(y, scale, codes);
  if (rest.empty()) return;
  unpackCodes(codes, scale, std::span(q.data(), y.size()));
  keepRest(y, q.data(), rest);
}

PACELINE_INLINE void packHalfWhole(std::span<const Real> x, std::span<Real> rest, std::span<HalfBits> bits) {
  std::array<Real, kBlock> y;
  packHalfBlock(withResidual(x, rest, y), bits, rest);
}

// One block each.
PACELINE_WIDE void packInt8Wide(std::span<const Real> x, std::span<Real> rest, float& scale, std::int8_t* codes) { packInt8Block(x, rest, scale, codes); }
void packInt8Any(std::span<const Real> x, std::span<Real> rest, float& scale, std::int8_t* codes) { packInt8Block(x, rest, scale, codes); }
PACELINE_WIDE void unpackInt8Wide(const std::int8_t* codes, float scale, std::span<Real> values) { unpackCodes(codes, scale, values); }
void unpackInt8Any(const std::int8_t* codes, float scale, std::span<Real> values) { unpackCodes(codes, scale, values); }
PACELINE_WIDE void packHalfWide(std::span<const Real> x, std::span<Real> rest, std::span<HalfBits> bits) { packHalfWhole(x, rest, bits); }
void packHalfAny(std::span<const Real> x, std::span<Real> rest, std::span<HalfBits> bits) { packHalfWhole(x, rest, bits); }

void packInt8(std::span<const Real> values, std::span<Real> residual, std::span<std::byte> out, bool wide) {
  auto* codes = reinterpret_cast<std::int8_t*>(out.data() + blocksOf(values.size()) * sizeof(float));
  forEachBlock(values.size(), [&](std::size_t i, std::size_t at, std::size_t size) {
    float scale = 0;
    (wide ? packInt8Wide : packInt8Any)(values.subspan(at, size), partOf(residual, at, size), scale, codes + at);
    std::memcpy(out.data() + i * sizeof scale, &scale, sizeof scale);
  });
}

void packHalf(std::span<const Real> values, std::span<Real> residual, std::span<std::byte> out, bool wide) {
  const std::span<HalfBits> bits(reinterpret_cast<HalfBits*>(out.data()), values.size());
  forEachBlock(values.size(), [&](std::size_t, std::size_t at, std::size_t size) {
    (wide ? packHalfWide : packHalfAny)(values.subspan(at, size), partOf(residual, at, size), bits.subspan(at, size));
  });
}

void unpackInt8(std::span<const std::byte> in, std::span<Real> values, std::string_view peer) {
  const auto* codes = reinterpret_cast<const std::int8_t*>(in.data() + blocksOf(values.size()) * sizeof(float));
  const bool wide = hasWide();
  forEachBlock(values.size(), [&](std::size_t i, std::size_t at, std::size_t size) {
    float scale = 0;
    std::memcpy(&scale, in.data() + i * sizeof scale, sizeof scale);
    if (!(scale >= 0) || !std::isfinite(scale)) throw Error(Errc::kFormat, strCat(peer, " sent 8-bit values with the scale ", scale));
    (wide ? unpackInt8Wide : unpackInt8Any)(codes + at, scale, values.subspan(at, size));
  });
}

}  // namespace

std::size_t packedDenseBytes(Packing packing, std::size_t count) {
  if (packing == Packing::kHalf) return count * sizeof(HalfBits);
  PACELINE_CHECK(packing == Packing::kInt8, strCat("packing ", static_cast<int>(packing), " of a dense vector"));
  return count + blocksOf(count) * sizeof(float);
}

Packed packDense(Packing packing, std::span<const Real> values, std::span<Real> residual, CpuPath path) {
  PACELINE_CHECK(residual.empty() || residual.size() == values.size(), "residual of a packed vector");
  const std::size_t size = packedDenseBytes(packing, values.size());
  if (isHollow(values)) return {.packing = packing, .count = values.size(), .bytes = hollow<std::byte>(size)};
  const std::shared_ptr<std::byte[]> memory = std::make_shared_for_overwrite<std::byte[]>(size);
  const std::span<std::byte> bytes(memory.get(), size);
  (packing == Packing::kInt8 ? packInt8 : packHalf)(values, residual, bytes, path == CpuPath::kBest && hasWide());
  return {.packing = packing, .count = values.size(), .owner = memory, .bytes = bytes};
}

Dense unpackDense(const Packed& packed, std::string_view peer) {
  const bool known = packed.packing == Packing::kHalf || packed.packing == Packing::kInt8;
  if (!known || packed.count > kMaxDenseBytes / sizeof(Real) || packed.bytes.size() != packedDenseBytes(packed.packing, packed.count))
    throw Error(Errc::kFormat, strCat(peer, " sent ", packed.bytes.size(), " bytes for ", packed.count, " values in packing ",
                                      static_cast<int>(packed.packing)));
  if (isHollow(packed.bytes)) return Dense::borrowed(hollow<Real>(packed.count));
  return Dense::made(packed.count, [&](std::span<Real> values) {
    if (packed.packing == Packing::kInt8) return unpackInt8(packed.bytes, values, peer);
    if (reinterpret_cast<std::uintptr_t>(packed.bytes.data()) % alignof(HalfBits) == 0)
      return fromHalf<Real>(std::span(reinterpret_cast<const HalfBits*>(packed.bytes.data()), packed.count), values);
    std::vector<HalfBits> bits(packed.count);
    std::memcpy(bits.data(), packed.bytes.data(), packed.bytes.size());
    fromHalf<Real>(bits, values);
  });
}

}  // namespace paceline::codecs
