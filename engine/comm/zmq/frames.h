// Messages as ZeroMQ frames, and what protects the messages of one connection beyond ZeroMQ itself. Private to the ZeroMQ wire; used by its
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <zmq.hpp>

#include "engine/comm/codecs/codec.h"
#include "engine/comm/transport/message.h"
#include "engine/comm/zmq/alarm.h"
#include "engine/comm/zmq/seal.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

// Of one peer. ZeroMQ's I/O thread counts down. Outlives the context.
struct FrameCounts {
  std::atomic<std::int64_t> queued = 0;    // frames that ZeroMQ has taken and not yet handed to the kernel
  std::atomic<std::int64_t> borrowed = 0;  // those of them that point into borrowed memory
  std::atomic<bool> awaited = false;       // somebody waits for `queued` to fall
  Alarm* fell = nullptr;                   // raised then
};

using Bytes = std::span<const std::byte>;

// What a frame refers to, until ZeroMQ is done with it.
struct Loan {
  std::shared_ptr<const void> owner;  // null: borrowed
  FrameCounts& counts;
};

inline void release(void*, void* hint) {
  const std::unique_ptr<Loan> loan(static_cast<Loan*>(hint));
  if (!loan->owner) loan->counts.borrowed.fetch_sub(1, std::memory_order_acq_rel);
  FrameCounts& counts = loan->counts;
  loan->owner.reset();
  counts.queued.fetch_sub(1);
  if (counts.awaited.exchange(false)) counts.fell->raise();
}

inline zmq::message_t lent(Bytes bytes, std::shared_ptr<const void> owner, FrameCounts& counts) {
  const bool borrowed = !owner;
  auto loan = std::make_unique<Loan>(Loan{std::move(owner), counts});
  zmq::message_t frame(const_cast<std::byte*>(bytes.data()), bytes.size(), release, loan.get());  // ZeroMQ only reads it
  loan.release();
  counts.queued.fetch_add(1, std::memory_order_acq_rel);
  if (borrowed) counts.borrowed.fetch_add(1, std::memory_order_acq_rel);
  return frame;
}

struct Memory {
  explicit Memory(std::size_t size) : bytes(std::make_shared_for_overwrite<std::byte[]>(size)), span(bytes.get(), size) {}
  std::shared_ptr<std::byte[]> bytes;
  std::span<std::byte> span;
};

inline zmq::message_t owned(Memory memory, FrameCounts& counts) { return lent(memory.span, std::move(memory.bytes), counts); }

// The messages of one connection, in their order. Default: as they are. Numbered: every header frame ends with its message's number, for CURVE,
// which keeps frames whole and in order but does not see that one is missing. Sealed: AES-GCM, whose nonce is the number.
struct SendStream {
  bool numbered = false;
  std::uint64_t next = 0;  // number of a message
  std::optional<Sealer> sealer{};
};

struct ReceiveStream {
  bool numbered = false;
  std::uint64_t next = 0;
  std::optional<Opener> opener{};
  bool guarded() const { return numbered || opener; }
};

constexpr std::size_t kNumberBytes = sizeof(std::uint64_t);

inline zmq::message_t sealed(FrameRole role, Bytes plain, Sealer& sealer, FrameCounts& counts) {
  Memory memory(plain.size() + kSealBytes);
  sealer.seal(role, plain, memory.span);
  return owned(std::move(memory), counts);
}

// The plain bytes of a received frame; nullopt: it does not open.
inline std::optional<Bytes> opened(zmq::message_t& frame, FrameRole role, ReceiveStream& stream) {
  const std::span<std::byte> whole(static_cast<std::byte*>(frame.data()), frame.size());
  if (!stream.opener) return whole;
  if (!stream.opener->open(role, whole)) return std::nullopt;
  return whole.first(whole.size() - kSealBytes);
}

// The header without its number; nullopt: it is not the next one's.
inline std::optional<Bytes> openedHeader(zmq::message_t& frame, FrameRole role, ReceiveStream& stream) {
  const std::optional<Bytes> bytes = opened(frame, role, stream);
  if (!bytes || !stream.numbered) return bytes;
  std::uint64_t number = 0;
  if (bytes->size() < kNumberBytes) return std::nullopt;
  std::memcpy(&number, bytes->last(kNumberBytes).data(), kNumberBytes);
  if (number != stream.next) return std::nullopt;
  ++stream.next;
  return bytes->first(bytes->size() - kNumberBytes);
}

// A Message as ZeroMQ frames, dense parts without copying unless they are sealed.
struct Frames {
  zmq::message_t header, dense;
  int count = 1;  // as received: frames after the sender's id; as sent: 1, or 2 with a dense part
};

// The next message of the stream. Shared memory is let go by ZeroMQ's I/O thread once it is sent; sealed frames are copies.
inline Frames framesOf(const Message& message, FrameCounts& counts, SendStream& stream) {
  Frames frames;
  frames.count = message.dense.empty() && message.packed.empty() ? 1 : 2;
  const std::size_t bytes = codecs::headerFrameBytes(message);
  Memory header(bytes + (stream.numbered ? kNumberBytes : 0));
  codecs::encodeHeader(message, header.span.first(bytes));
  if (stream.numbered) std::memcpy(header.span.subspan(bytes).data(), &stream.next, kNumberBytes), ++stream.next;
  const Bytes payload = message.packed.empty() ? std::as_bytes(message.dense.values()) : message.packed.bytes;
  if (stream.sealer) {
    frames.header = sealed(frames.count > 1 ? FrameRole::kHeader : FrameRole::kAlone, header.span, *stream.sealer, counts);
    if (frames.count > 1) frames.dense = sealed(FrameRole::kDense, payload, *stream.sealer, counts);
  } else {
    frames.header = owned(std::move(header), counts);
    if (frames.count > 1) frames.dense = lent(payload, message.packed.empty() ? message.dense.owner() : message.packed.owner, counts);
  }
  return frames;
}

// The dense part keeps the received frame. nullopt: it is not the next message of the stream as it was sent, and nothing later opens. Throws
// Error{kFormat} naming `peer`, which sent what is malformed.
inline std::optional<Message> messageOf(Frames frames, std::string_view peer, ReceiveStream& stream) {
  const auto bytes = openedHeader(frames.header, frames.count > 1 ? FrameRole::kHeader : FrameRole::kAlone, stream);
  if (!bytes) return std::nullopt;
  codecs::DecodedHeader header = codecs::decodeHeader(*bytes, peer);
  const int expected = header.hasPayload() ? 2 : 1;
  if (frames.count != expected && stream.guarded()) return std::nullopt;
  if (frames.count != expected)
    throw Error(Errc::kFormat, strCat(peer, " sent a malformed message: ", frames.count, " frames instead of ", expected));
  if (expected == 2) {
    const auto owner = std::make_shared<zmq::message_t>(std::move(frames.dense));
    const auto payload = opened(*owner, FrameRole::kDense, stream);
    if (!payload) return std::nullopt;
    codecs::decodePayload(header, *payload, owner, peer);
  }
  return std::move(header.message);
}

}  // namespace paceline::zeromq
