#include "engine/comm/zmq_frames.h"

#include <memory>

#include "engine/comm/codec.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr std::size_t kCopyBelowBytes = 2048;  // cheaper than ZeroMQ's bookkeeping for memory that is not its own

using Owner = std::shared_ptr<const void>;

void releaseOwner(void*, void* owner) { delete static_cast<Owner*>(owner); }
void countDown(void*, void* count) { static_cast<BorrowedCount*>(count)->fetch_sub(1, std::memory_order_acq_rel); }

zmq::message_t denseFrame(const Dense& dense, BorrowedCount& borrowed) {
  const std::size_t bytes = dense.values().size_bytes();
  if (bytes < kCopyBelowBytes) return zmq::message_t(dense.values().data(), bytes);
  void* memory = const_cast<Real*>(dense.values().data());  // ZeroMQ only reads it
  if (dense.owner()) {
    std::unique_ptr<Owner> owner = std::make_unique<Owner>(dense.owner());
    zmq::message_t frame(memory, bytes, releaseOwner, owner.get());
    owner.release();
    return frame;
  }
  zmq::message_t frame(memory, bytes, countDown, &borrowed);
  borrowed.fetch_add(1, std::memory_order_acq_rel);
  return frame;
}

std::span<const std::byte> bytesOf(const zmq::message_t& frame) { return {frame.data<std::byte>(), frame.size()}; }

}  // namespace

Frames framesOf(const Message& message, BorrowedCount& borrowed) {
  Frames frames;
  frames.header.rebuild(headerFrameBytes(message));
  encodeHeader(message, {frames.header.data<std::byte>(), frames.header.size()});
  if (!message.dense.empty()) {
    frames.dense = denseFrame(message.dense, borrowed);
    frames.count = 2;
  }
  return frames;
}

Message messageOf(Frames frames, std::string_view peer) {
  DecodedHeader header = decodeHeader(bytesOf(frames.header), peer);
  const int expected = header.denseCount > 0 ? 2 : 1;
  if (frames.count != expected)
    throw Error(Errc::kFormat, strCat(peer, " sent a malformed message: ", frames.count, " frames instead of ", expected));
  if (expected == 2) {
    const auto owner = std::make_shared<zmq::message_t>(std::move(frames.dense));
    header.message.dense = decodeDense(header, bytesOf(*owner), owner, peer);
  }
  return std::move(header.message);
}

}  // namespace paceline
