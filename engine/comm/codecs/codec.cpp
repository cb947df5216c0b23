#include "engine/comm/codecs/codec.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline::codecs {
namespace {

static_assert(std::endian::native == std::endian::little, "dense values travel as they lie in memory");
static_assert(sizeof(Real) == 4 || sizeof(Real) == 8);

constexpr std::uint8_t kElement = sizeof(Real) == 4 ? 1 : 2;

constexpr std::size_t kAtVersion = 4, kAtElement = 5, kAtKind = 6, kAtPacking = 7, kAtShard = 8, kAtScalarCount = 12, kAtRound = 16,
                      kAtDataVersion = 24, kAtDenseCount = 32, kAtAvailable = 40, kAtHold = 48, kAtPackedBytes = 56;

template <class T>
void put(std::span<std::byte> frame, std::size_t at, T value) {
  std::memcpy(frame.data() + at, &value, sizeof value);
}

template <class T>
T get(std::span<const std::byte> frame, std::size_t at) {
  T value;
  std::memcpy(&value, frame.data() + at, sizeof value);
  return value;
}

template <class... Parts>
void require(bool good, std::string_view peer, const Parts&... what) {
  if (!good) throw Error(Errc::kFormat, strCat(peer, " sent a malformed message: ", what...));
}

const char* elementName(int element) { return element == 1 ? "f32" : element == 2 ? "f64" : "an unknown type"; }

void checkIdentity(std::span<const std::byte> frame, std::string_view peer) {
  require(frame.size() >= kHeaderBytes, peer, "its header has ", frame.size(), " bytes, need ", kHeaderBytes);
  require(get<std::uint32_t>(frame, 0) == kWireMagic, peer, "it does not start with the magic number");
  const int version = get<std::uint8_t>(frame, kAtVersion);
  require(version == kWireVersion, peer, "wire version ", version, ", this program speaks ", int{kWireVersion});
  const int element = get<std::uint8_t>(frame, kAtElement);
  require(element == kElement, peer, "its values are ", elementName(element), ", this program computes in ", elementName(kElement));
}

// Of a packed payload: how, of how many elements, in how many bytes.
void decodePacking(std::span<const std::byte> frame, DecodedHeader& header, std::string_view peer) {
  const int packing = get<std::uint8_t>(frame, kAtPacking);
  const std::uint64_t bytes = get<std::uint64_t>(frame, kAtPackedBytes);
  require(packing <= static_cast<int>(Packing::kSparse), peer, "packing ", packing, " is not known");
  require(bytes <= kMaxPackedBytes, peer, bytes, " packed bytes, at most ", kMaxPackedBytes);
  require((packing != 0) == (bytes != 0), peer, "packing ", packing, " with ", bytes, " packed bytes");
  if (packing == 0) return;
  header.message.packed.packing = static_cast<Packing>(packing);
  header.message.packed.count = std::exchange(header.denseCount, 0);
  header.packedBytes = static_cast<std::size_t>(bytes);
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
  std::memset(frame.data(), 0, kHeaderBytes);
  put(frame, 0, kWireMagic);
  put(frame, kAtVersion, kWireVersion);
  put(frame, kAtElement, kElement);
  put(frame, kAtKind, static_cast<std::uint8_t>(message.kind));
  put(frame, kAtShard, message.shard);
  put(frame, kAtScalarCount, static_cast<std::uint32_t>(message.scalars.size()));
  put(frame, kAtRound, message.round);
  put(frame, kAtDataVersion, message.version);
  const std::size_t count = message.packed.empty() ? message.dense.values().size() : message.packed.count;
  put(frame, kAtDenseCount, static_cast<std::uint64_t>(count));
  put(frame, kAtPacking, static_cast<std::uint8_t>(message.packed.packing));
  put(frame, kAtPackedBytes, static_cast<std::uint64_t>(message.packed.bytes.size()));
  put(frame, kAtAvailable, message.availableAt);
  put(frame, kAtHold, message.holdSeconds);
  if (!message.scalars.empty())
    std::memcpy(frame.data() + kHeaderBytes, message.scalars.data(), message.scalars.size() * sizeof(double));
}

DecodedHeader decodeHeader(std::span<const std::byte> frame, std::string_view peer) {
  checkIdentity(frame, peer);
  DecodedHeader header;
  Message& message = header.message;
  message.kind = static_cast<MessageKind>(get<std::uint8_t>(frame, kAtKind));
  require(std::string_view(kindName(message.kind)) != "unknown", peer, "kind ", static_cast<int>(message.kind), " is not known");
  message.shard = get<std::int32_t>(frame, kAtShard);
  require(message.shard >= 0, peer, "shard ", message.shard);
  message.round = get<std::int64_t>(frame, kAtRound);
  message.version = get<std::int64_t>(frame, kAtDataVersion);
  message.availableAt = get<double>(frame, kAtAvailable);
  message.holdSeconds = get<double>(frame, kAtHold);
  require(std::isfinite(message.availableAt), peer, "its time is not finite");
  require(message.holdSeconds >= 0 && message.holdSeconds <= kMaxHoldSeconds, peer, "it asks to be held for ", message.holdSeconds, " s");

  const std::size_t scalars = get<std::uint32_t>(frame, kAtScalarCount);
  require(scalars <= kMaxScalars, peer, scalars, " scalars, at most ", kMaxScalars);
  require(frame.size() == kHeaderBytes + scalars * sizeof(double), peer, "a header frame of ", frame.size(), " bytes for ", scalars,
          " scalars");
  const std::uint64_t dense = get<std::uint64_t>(frame, kAtDenseCount);
  require(dense <= kMaxDenseBytes / sizeof(Real), peer, dense, " values, at most ", kMaxDenseBytes / sizeof(Real));
  header.denseCount = static_cast<std::size_t>(dense);
  decodePacking(frame, header, peer);
  message.scalars.resize(scalars);
  if (scalars > 0) std::memcpy(message.scalars.data(), frame.data() + kHeaderBytes, scalars * sizeof(double));
  return header;
}

Dense decodeDense(const DecodedHeader& header, std::span<const std::byte> frame, std::shared_ptr<const void> owner,
                  std::string_view peer) {
  require(frame.size() == header.denseCount * sizeof(Real), peer, "a dense frame of ", frame.size(), " bytes for ", header.denseCount,
          " values");
  if (header.denseCount == 0) return {};
  if (reinterpret_cast<std::uintptr_t>(frame.data()) % alignof(Real) == 0)
    return Dense::shared({reinterpret_cast<const Real*>(frame.data()), header.denseCount}, std::move(owner));
  std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(header.denseCount);
  std::memcpy(memory.get(), frame.data(), frame.size());
  const std::span<const Real> view(memory.get(), header.denseCount);
  return Dense::shared(view, std::move(memory));
}

Packed decodePacked(const DecodedHeader& header, std::span<const std::byte> frame, std::shared_ptr<const void> owner,
                    std::string_view peer) {
  require(frame.size() == header.packedBytes, peer, "a packed frame of ", frame.size(), " bytes where ", header.packedBytes, " were announced");
  Packed packed = header.message.packed;
  packed.owner = std::move(owner);
  packed.bytes = frame;
  return packed;
}

}  // namespace paceline::codecs
