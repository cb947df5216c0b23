// A Message as ZeroMQ frames and back, dense parts without copying unless they are sealed. Private to the ZeroMQ wire.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include <zmq.hpp>

#include "engine/comm/codecs/codec.h"
#include "engine/comm/transport/message.h"
#include "engine/comm/zmq/seal.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

// ZeroMQ's I/O thread counts down. Outlives the context.
struct FrameCounts {
  std::atomic<std::int64_t> queued = 0;    // frames that ZeroMQ has taken and not yet handed to the kernel
  std::atomic<std::int64_t> borrowed = 0;  // those of them that point into borrowed memory
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
  counts.queued.fetch_sub(1, std::memory_order_acq_rel);
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

inline zmq::message_t sealed(FrameRole role, Bytes plain, Sealer& sealer, FrameCounts& counts) {
  Memory memory(plain.size() + kSealBytes);
  sealer.seal(role, plain, memory.span);
  return owned(std::move(memory), counts);
}

// The plain bytes of a received frame.
inline Bytes opened(zmq::message_t& frame, FrameRole role, Opener* opener, std::string_view peer) {
  const std::span<std::byte> whole(static_cast<std::byte*>(frame.data()), frame.size());
  if (!opener) return whole;
  if (!opener->open(role, whole))
    throw Error(Errc::kFormat, strCat(peer, " sent a message that does not open: it was altered, repeated, left out or reordered on the way"));
  return whole.first(whole.size() - kSealBytes);
}

struct Frames {
  zmq::message_t header, dense;
  int count = 1;  // as received: frames after the sender's id; as sent: 1, or 2 with a dense part
};

// Shared memory is let go by ZeroMQ's I/O thread once it is sent. With a sealer both frames are sealed copies, the next of its stream.
inline Frames framesOf(const Message& message, FrameCounts& counts, Sealer* sealer) {
  Frames frames;
  frames.count = message.dense.empty() && message.packed.empty() ? 1 : 2;
  Memory header(codecs::headerFrameBytes(message));
  codecs::encodeHeader(message, header.span);
  const Bytes payload = message.packed.empty() ? std::as_bytes(message.dense.values()) : message.packed.bytes;
  if (sealer) {
    frames.header = sealed(frames.count > 1 ? FrameRole::kHeader : FrameRole::kAlone, header.span, *sealer, counts);
    if (frames.count > 1) frames.dense = sealed(FrameRole::kDense, payload, *sealer, counts);
  } else {
    frames.header = owned(std::move(header), counts);
    if (frames.count > 1) frames.dense = lent(payload, message.packed.empty() ? message.dense.owner() : message.packed.owner, counts);
  }
  return frames;
}

// The dense part keeps the received frame. Throws Error{kFormat} naming `peer`: malformed, or not the next of the opener's stream.
inline Message messageOf(Frames frames, std::string_view peer, Opener* opener) {
  codecs::DecodedHeader header = codecs::decodeHeader(opened(frames.header, frames.count > 1 ? FrameRole::kHeader : FrameRole::kAlone, opener, peer), peer);
  const int expected = header.hasPayload() ? 2 : 1;
  if (frames.count != expected)
    throw Error(Errc::kFormat, strCat(peer, " sent a malformed message: ", frames.count, " frames instead of ", expected));
  if (expected == 2) {
    const auto owner = std::make_shared<zmq::message_t>(std::move(frames.dense));
    codecs::decodePayload(header, opened(*owner, FrameRole::kDense, opener, peer), owner, peer);
  }
  return std::move(header.message);
}

}  // namespace paceline::zeromq
