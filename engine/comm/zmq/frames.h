// A Message as ZeroMQ frames and back, dense parts without copying unless they are sealed. Private to the ZeroMQ wire.
#pragma once

#include <atomic>
#include <string_view>

#include <zmq.hpp>

#include "engine/comm/transport/message.h"
#include "engine/comm/zmq/seal.h"

namespace paceline::zeromq {

// ZeroMQ's I/O thread counts down. Outlives the context.
struct FrameCounts {
  std::atomic<std::int64_t> queued = 0;    // frames that ZeroMQ has taken and not yet handed to the kernel
  std::atomic<std::int64_t> borrowed = 0;  // those of them that point into borrowed memory
};

struct Frames {
  zmq::message_t header, dense;
  int count = 1;  // as received: frames after the sender's id; as sent: 1, or 2 with a dense part
};

// Shared memory is let go by ZeroMQ's I/O thread once it is sent. With a sealer both frames are sealed copies, the next of its stream.
Frames framesOf(const Message& message, FrameCounts& counts, Sealer* sealer = nullptr);

// The dense part keeps the received frame. Throws Error{kFormat} naming `peer`: malformed, or not the next of the opener's stream.
Message messageOf(Frames frames, std::string_view peer, Opener* opener = nullptr);

}  // namespace paceline::zeromq
