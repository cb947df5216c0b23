// A Message as ZeroMQ frames and back, dense parts without copying. Private to the ZeroMQ wire.
#pragma once

#include <atomic>
#include <string_view>

#include <zmq.hpp>

#include "engine/comm/message.h"

namespace paceline {

// How many sent frames still point into borrowed memory; ZeroMQ's I/O thread counts down. Outlives the context.
using BorrowedCount = std::atomic<std::int64_t>;

struct Frames {
  zmq::message_t header, dense;
  int count = 1;  // as received: frames after the sender's id; as sent: 1, or 2 with a dense part
};

// Shared memory is let go by ZeroMQ's I/O thread once it is sent. Short dense parts are copied.
Frames framesOf(const Message& message, BorrowedCount& borrowed);

// The dense part keeps the received frame. Throws Error{kFormat} naming `peer`.
Message messageOf(Frames frames, std::string_view peer);

}  // namespace paceline
