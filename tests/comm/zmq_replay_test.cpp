// An eavesdropper on the network says again what was said: greetings and frames of AES-GCM, whose handshake travels in the clear.
#include <gtest/gtest.h>

#include <thread>

#include <zmq.hpp>

#include "engine/comm/zmq/connection.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/run_keys.h"
#include "tests/support/tcp_client.h"

namespace paceline::tests {
namespace {

Message ofRound(std::int64_t round, std::size_t dense = 0) {
  Message result;
  result.round = round;
  result.dense = Dense::copied(std::vector<Real>(dense, Real(round)));
  return result;
}

// What one side of a ZMTP 3 connection sent: its greeting, then frames as they were on the wire.
struct Recording {
  std::string greeting;
  std::vector<std::string> frames;  // the first two are the commands of the handshake

  explicit Recording(std::string_view bytes) : greeting(bytes.substr(0, 64)) {
    for (bytes.remove_prefix(64); !bytes.empty(); bytes.remove_prefix(frames.back().size())) frames.emplace_back(bytes.substr(0, lengthOf(bytes)));
  }
  static bool isLong(std::string_view frame) { return (frame[0] & 2) != 0; }
  static std::size_t headOf(std::string_view frame) { return isLong(frame) ? 9 : 2; }
  static std::size_t lengthOf(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 1; i < headOf(bytes); ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    return headOf(bytes) + length;
  }
};

// A worker and a server that go on without each other; the eavesdropper sits between them.
class Overheard : public ::testing::Test {
 protected:
  Overheard() {
    const std::vector<std::string> endpoints{worker_->endpoint(), proxy_.endpoint()}, names{"w0", "s0"};
    std::jthread other([&] { server_->connect(endpoints, names); });
    worker_->connect(endpoints, names);
    other.join();
    worker_->tolerate({1});
    server_->tolerate({0});
    for (int round = 1; round <= 3; ++round) exchange(round);
  }

  void exchange(std::int64_t round) {
    worker_->send(1, ofRound(round, 100));
    const auto got = server_->receive(kPatience);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->kind, ofRound(0).kind);  // and not kLost
    EXPECT_EQ(got->round, round);
    EXPECT_EQ(got->dense.values()[99], Real(round));
    server_->send(0, ofRound(round));
    const auto answer = worker_->receive(kPatience);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->kind, ofRound(0).kind);
    EXPECT_EQ(answer->round, round);
  }

  // Says it all again, waiting for the answers of the handshake; false: it was not let in.
  static bool letIn(const TcpClient& thief, const Recording& said) {
    thief.send(said.greeting);
    if (thief.receive(64).size() != 64) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      thief.send(said.frames[i]);
      const std::string head = thief.receive(2);
      if (head.size() != 2 || thief.receive(static_cast<unsigned char>(head[1])).starts_with("\x05" "ERROR")) return false;
    }
    return true;
  }
  Recording recording() const { return Recording(proxy_.recorded(0)); }

  std::vector<DataKeys> keys_ = runKeys("aes_gcm", 2);
  std::unique_ptr<zeromq::BoundWire> worker_ = zeromq::bindZmqWire(0, "127.0.0.1", keys_[0]), server_ = zeromq::bindZmqWire(1, "127.0.0.1", keys_[1]);
  FaultProxy proxy_{server_->endpoint(), {.record = true}};
};

TEST_F(Overheard, AGreetingAndAFrameAreNotBelievedAgain) {
  const Recording said = recording();
  const TcpClient thief(server_->endpoint());
  EXPECT_FALSE(letIn(thief, said));
  for (std::size_t i = 2; i < 4; ++i) thief.send(said.frames[i]);
  while (server_->counts().refusedConnections != 1) ASSERT_FALSE(server_->receive(0.01));
  exchange(4);
  EXPECT_EQ(server_->counts().spoiltConnections, 0);
  EXPECT_EQ(server_->counts().droppedMessages, 0);
}

TEST_F(Overheard, AWholeConnectionIsNotBelievedAgainWhenItsPeerHasGone) {
  const Recording said = recording();
  worker_.reset();
  EXPECT_EQ(server_->receive(kPatience)->kind, MessageKind::kLost);
  const TcpClient thief(server_->endpoint());
  EXPECT_FALSE(letIn(thief, said));
  for (std::size_t i = 2; i < said.frames.size(); ++i) thief.send(said.frames[i]);
  while (server_->counts().refusedConnections < 1) ASSERT_FALSE(server_->receive(0.01));
}

// Somebody who was quicker than the worker with a greeting of its: let in, with nothing of its own to say.
class LetIn : public Overheard {
 protected:
  static constexpr std::uint64_t kNumber = 2;  // the worker's next one

  void speak(const std::vector<std::string>& frames) {
    const zeromq::PairKeys keys(keys_[0], 0);
    const zeromq::Connection connection{.node = 0, .number = kNumber, .nonce = zeromq::freshNonce()};
    dealer_.set(zmq::sockopt::linger, 0);
    dealer_.set(zmq::sockopt::reconnect_ivl, -1);
    dealer_.set(zmq::sockopt::plain_username, "n0");
    dealer_.set(zmq::sockopt::plain_password, zeromq::passwordOf(connection, keys, 1));
    zmq_socket_monitor(dealer_.handle(), "inproc://events", ZMQ_EVENT_DISCONNECTED);
    events_.set(zmq::sockopt::rcvtimeo, static_cast<int>(kPatience * 1e3));
    events_.connect("inproc://events");
    dealer_.connect(server_->endpoint());
    for (const std::string& frame : frames) {
      const std::string_view plain = std::string_view(frame).substr(Recording::headOf(frame));
      const auto more = (frame[0] & 1) != 0 ? zmq::send_flags::sndmore : zmq::send_flags::none;
      (void)dealer_.send(zmq::message_t(plain), zmq::send_flags::dontwait | more);  // its connection may have ended at an earlier frame
    }
  }

  // Its connection is ended, and no other.
  void expectOnlyItEnds() {
    while (server_->counts().spoiltConnections < 1) ASSERT_FALSE(server_->receive(0.01));
    zmq::message_t event;
    EXPECT_TRUE(events_.recv(event));
    exchange(4);
    EXPECT_EQ(server_->counts().spoiltConnections, 1);
  }

  zmq::context_t context_;
  zmq::socket_t dealer_{context_, zmq::socket_type::dealer}, events_{context_, zmq::socket_type::pair};
};

TEST_F(LetIn, RepeatedFramesEndOnlyTheirConnection) {
  const Recording said = recording();
  speak({said.frames[2], said.frames[3]});
  expectOnlyItEnds();
}

TEST_F(LetIn, ReorderedFramesEndOnlyTheirConnection) {
  const Recording said = recording();
  speak({said.frames[4], said.frames[5], said.frames[2], said.frames[3]});
  expectOnlyItEnds();
}

TEST_F(LetIn, TruncatedFramesEndOnlyTheirConnection) {
  const Recording said = recording();
  std::string shorter = said.frames[3];
  shorter.pop_back();
  speak({said.frames[2], shorter});
  expectOnlyItEnds();
}

TEST_F(LetIn, MadeUpFramesEndOnlyTheirConnection) {
  speak({std::string("\0\0", 2), std::string("\0\x01x", 3), std::string("\0\x40", 2) + std::string(64, 'x')});
  expectOnlyItEnds();
}

TEST_F(LetIn, TheWorkersNextConnectionIsBelieved) {
  speak({recording().frames[2], recording().frames[3]});
  expectOnlyItEnds();
  proxy_.cut();
  EXPECT_EQ(worker_->receive(kPatience)->kind, MessageKind::kLost);
  proxy_.mend();
  EXPECT_EQ(worker_->receive(kPatience)->kind, MessageKind::kBack);  // with the number behind the used one
  worker_->send(1, ofRound(5));
  for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) EXPECT_EQ(server_->receive(kPatience)->kind, kind);
  EXPECT_EQ(server_->receive(kPatience)->round, 5);
}

}  // namespace
}  // namespace paceline::tests
