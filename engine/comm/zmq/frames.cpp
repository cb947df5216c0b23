#include "engine/comm/zmq/frames.h"

#include <memory>

#include "engine/comm/codecs/codec.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {
namespace {

using Bytes = std::span<const std::byte>;

// What a frame refers to, until ZeroMQ is done with it.
struct Loan {
  std::shared_ptr<const void> owner;  // null: borrowed
  FrameCounts& counts;
};

void release(void*, void* hint) {
  const std::unique_ptr<Loan> loan(static_cast<Loan*>(hint));
  if (!loan->owner) loan->counts.borrowed.fetch_sub(1, std::memory_order_acq_rel);
  FrameCounts& counts = loan->counts;
  loan->owner.reset();
  counts.queued.fetch_sub(1, std::memory_order_acq_rel);
}

zmq::message_t lent(Bytes bytes, std::shared_ptr<const void> owner, FrameCounts& counts) {
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

zmq::message_t owned(Memory memory, FrameCounts& counts) { return lent(memory.span, std::move(memory.bytes), counts); }

zmq::message_t sealed(FrameRole role, Bytes plain, Sealer& sealer, FrameCounts& counts) {
  Memory memory(plain.size() + kSealBytes);
  sealer.seal(role, plain, memory.span);
  return owned(std::move(memory), counts);
}

// The plain bytes of a received frame.
Bytes opened(zmq::message_t& frame, FrameRole role, Opener* opener, std::string_view peer) {
  const std::span<std::byte> whole(static_cast<std::byte*>(frame.data()), frame.size());
  if (!opener) return whole;
  if (!opener->open(role, whole))
    throw Error(Errc::kFormat, strCat(peer, " sent a message that does not open: it was altered, repeated, left out or reordered on the way"));
  return whole.first(whole.size() - kSealBytes);
}

}  // namespace

Frames framesOf(const Message& message, FrameCounts& counts, Sealer* sealer) {
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

Message messageOf(Frames frames, std::string_view peer, Opener* opener) {
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
