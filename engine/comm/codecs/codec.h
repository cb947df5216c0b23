// Messages as bytes: one frame with the 64-byte little-endian header and the scalars, one frame with the dense or packed values (absent
// when empty). Pure functions, any thread. Decoding checks every length against its maximum before memory is taken; an error
// is Error{kFormat} that names the peer.
//
//   0 u32 magic "PLNE"    4 u8 wire version   5 u8 element (1: f32, 2: f64)   6 u8 kind   7 u8 packing
//   8 i32 shard          12 u32 scalar count 16 i64 round                    24 i64 version
//  32 u32 element count 36 i32 cause         40 f64 availableAt              48 f32 holdSeconds  52 u32 number
//  56 u32 packed bytes  60 u32 taken         64 f64 scalars ...
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "engine/comm/transport/message.h"
#include "engine/core/base/vec.h"

namespace paceline::codecs {

constexpr std::uint32_t kWireMagic = 0x454e4c50;  // "PLNE"
constexpr std::uint8_t kWireVersion = 4;
constexpr double kMaxHoldSeconds = 86400;  // nobody may make a receiver hold a message longer

// Bytes of the first frame. Too many scalars or too long a dense part is our bug: InvariantError.
std::size_t headerFrameBytes(const Message& message);
void encodeHeader(const Message& message, std::span<std::byte> frame);  // frame.size() == headerFrameBytes(message)

struct DecodedHeader {
  Message message;              // without from, dense and packed.bytes
  std::size_t denseCount = 0;   // elements that the second frame must have
  std::size_t packedBytes = 0;  // or bytes, when message.packed.packing says that it is packed
  bool hasPayload() const { return denseCount > 0 || !message.packed.empty(); }
};
DecodedHeader decodeHeader(std::span<const std::byte> frame, std::string_view peer);

// The second frame becomes the message's dense part or the bytes of its packed one: shares `owner`'s memory; copies only what is not aligned for
// Real. Of a packed part only its length is checked.
void decodePayload(DecodedHeader& header, std::span<const std::byte> frame, std::shared_ptr<const void> owner, std::string_view peer);

// Dense vectors in fewer bits than the wire's fp32, with error feedback (compressor.h) in the same pass over memory. Pure functions, any thread.
//
//   kHalf  2 bytes per element: IEEE fp16, to nearest even. NaN and infinities travel as such. A finite element beyond +-65504 is sent as
//          +-65504 and the rest waits; without feedback it becomes an infinity, as the conversion says.
//   kInt8  1 byte per element and an fp32 scale per 1024 (the scales first): s = max |y| / 127 over the block's finite elements, element
//          = code * s with codes -127..127; code -128 is a NaN, which NaN and infinities arrive as. Blocks below 2^-100 are sent as 0.
// What is not finite leaves nothing waiting: a diverged run shows at the receiver in the same round.
std::size_t packedDenseBytes(Packing packing, std::size_t count);

// packing: kHalf or kInt8. residual: r on entry, y - Q(y) on return, as long as `values`; empty: no feedback.
Packed packDense(Packing packing, std::span<const Real> values, std::span<Real> residual, CpuPath path = CpuPath::kBest);

// Throws Error{kFormat} that names the peer when the bytes are not what packDense makes.
Dense unpackDense(const Packed& packed, std::string_view peer);

}  // namespace paceline::codecs
