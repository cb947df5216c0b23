// A wire whose peer is a bare ZeroMQ socket that sends what it likes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zmq.hpp>

#include "engine/comm/codecs/codec.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/comm/patience.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

class ZmqHostile : public testing::Test {
 protected:
  ZmqHostile() {
    router_.set(zmq::sockopt::linger, 0);
    router_.bind("tcp://127.0.0.1:*");
    wire_->connect({"", router_.get(zmq::sockopt::last_endpoint)}, {"w0", "w1"});
  }

  zmq::socket_t dealer(const std::string& routingId) { return dealer(routingId, *wire_); }
  zmq::socket_t dealer(const std::string& routingId, const zeromq::BoundWire& to) {
    zmq::socket_t socket(context_, zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::routing_id, routingId);
    socket.connect(to.endpoint());
    return socket;
  }

  static void sendFrames(zmq::socket_t& socket, const std::vector<std::vector<std::byte>>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i)
      (void)socket.send(zmq::message_t(frames[i].data(), frames[i].size()),
                        i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
  }

  static std::vector<std::byte> header(std::size_t denseCount = 0) {
    const std::vector<Real> values(denseCount);
    Message message;
    message.round = 77;
    message.dense = Dense::borrowed(values);
    std::vector<std::byte> frame(codecs::headerFrameBytes(message));
    codecs::encodeHeader(message, frame);
    return frame;
  }

  std::string refusal() { return refusal(*wire_); }
  static std::string refusal(zeromq::BoundWire& wire) {
    try {
      wire.receive(kPatience);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat) << error.what();
      return error.what();
    }
    return "nothing was thrown";
  }

  zmq::context_t context_;
  zmq::socket_t router_{context_, zmq::socket_type::router};
  std::unique_ptr<zeromq::BoundWire> wire_ = zeromq::bindZmqWire(0, "127.0.0.1", {}, {.plainTcp = true});
};

TEST_F(ZmqHostile, MalformedFramesNameTheirPeer) {
  zmq::socket_t peer = dealer("n1");
  sendFrames(peer, {std::vector<std::byte>(10)});
  EXPECT_THAT(refusal(), HasSubstr("w1 sent a malformed message: its header has 10 bytes"));
  sendFrames(peer, {header(3)});
  EXPECT_THAT(refusal(), HasSubstr("w1 sent a malformed message: 1 frames instead of 2"));
  sendFrames(peer, {header(0), std::vector<std::byte>(4)});
  EXPECT_THAT(refusal(), HasSubstr("2 frames instead of 1"));
  sendFrames(peer, {header(3), std::vector<std::byte>(11)});
  EXPECT_THAT(refusal(), HasSubstr("a dense frame of 11 bytes for 3 values"));
  sendFrames(peer, std::vector<std::vector<std::byte>>(100, header()));
  EXPECT_THAT(refusal(), HasSubstr("100 frames instead of 1"));
  sendFrames(peer, {header()});
  EXPECT_EQ(wire_->receive(kPatience)->round, 77);  // and the wire still works
}

// The peer takes nothing, so settling lasts until it gives up; what the peer sends meanwhile is met there.
TEST_F(ZmqHostile, GarbageThatComesWhileSettlingIsNotForgotten) {
  zmq::socket_t full(context_, zmq::socket_type::router);
  full.set(zmq::sockopt::linger, 0);
  full.set(zmq::sockopt::rcvhwm, 1);
  full.bind("tcp://127.0.0.1:*");
  const auto wire = zeromq::bindZmqWire(0, "127.0.0.1", {}, {.sendQueue = 4, .lingerMs = 500, .plainTcp = true});
  wire->connect({"", full.get(zmq::sockopt::last_endpoint)}, {"w0", "w1"});
  const std::vector<Real> values(250'000);
  for (int i = 0; i < 40; ++i) {
    Message push;
    push.dense = Dense::borrowed(values);
    wire->send(1, std::move(push));
  }
  zmq::socket_t peer = dealer("n1", *wire);
  sendFrames(peer, {std::vector<std::byte>(10)});
  wire->settle();
  EXPECT_THAT(refusal(*wire), HasSubstr("w1 sent a malformed message: its header has 10 bytes"));
}

TEST_F(ZmqHostile, RandomBytesAreRefused) {
  zmq::socket_t peer = dealer("n1");
  Rng rng(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::vector<std::byte>> frames(1 + rng.below(3));
    for (auto& frame : frames) {
      frame = rng.below(2) == 0 ? header(rng.below(5)) : std::vector<std::byte>(rng.below(200));
      if (!frame.empty()) frame[rng.below(frame.size())] = std::byte(rng.below(256));
    }
    sendFrames(peer, frames);
    try {
      wire_->receive(kPatience);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
    }
  }
}

TEST_F(ZmqHostile, StrangersAreDroppedAndCounted) {
  zmq::socket_t stranger = dealer("evil"), peer = dealer("n1");
  sendFrames(stranger, {header()});
  sendFrames(stranger, {std::vector<std::byte>(5)});
  zmq::socket_t unnamed(context_, zmq::socket_type::dealer);
  unnamed.set(zmq::sockopt::linger, 0);
  unnamed.connect(wire_->endpoint());
  sendFrames(unnamed, {header()});
  while (wire_->counts().droppedMessages < 3) EXPECT_FALSE(wire_->receive(0.01));
  sendFrames(peer, {header()});
  EXPECT_EQ(wire_->receive(kPatience)->round, 77);
  EXPECT_EQ(wire_->counts().droppedMessages, 3);
}

TEST_F(ZmqHostile, TooLongAFrameEndsTheConnectionNotTheNode) {
  zmq::socket_t giant = dealer("evil"), peer = dealer("n1");
  (void)giant.send(zmq::message_t(kMaxDenseBytes + 1), zmq::send_flags::none);
  sendFrames(peer, {header()});
  EXPECT_EQ(wire_->receive(kPatience)->round, 77);
}

}  // namespace
}  // namespace paceline::tests
