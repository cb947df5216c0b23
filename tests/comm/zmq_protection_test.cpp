// Protected wires: what the run's nodes may do, and what everybody else may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include <zmq.hpp>

#include "engine/comm/codecs/codec.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"
#include "tests/support/failure.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/run_keys.h"
#include "tests/support/tcp_client.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Values;
constexpr char kDoesNotOpen[] = "a message from it does not open: it was altered, repeated, left out or reordered on the way";

Message message(std::int64_t round, std::size_t dense = 0) {
  Message result;
  result.round = round;
  result.dense = Dense::copied(std::vector<Real>(dense, Real(round)));
  return result;
}

// Three nodes: w0, w1, s0.
class Protected : public ::testing::TestWithParam<const char*> {
 protected:
  explicit Protected(const char* mode = GetParam()) : mode_(mode), keys_(runKeys(mode_, 3)) {
    // On a machine that stands still for a while, a node that is too slow would come again, and be counted among the refused.
    const zeromq::WireLimits patient{.handshakeMs = static_cast<int>(kPatience * 1e3)};
    for (int i = 0; i < 3; ++i) wires_.push_back(zeromq::bindZmqWire(i, "127.0.0.1", keys_[static_cast<std::size_t>(i)], patient));
    for (const auto& wire : wires_) endpoints_.push_back(wire->endpoint());
  }
  void connect() {
    std::vector<std::jthread> threads;
    for (const auto& wire : wires_) threads.emplace_back([&] { wire->connect(endpoints_, {"w0", "w1", "s0"}); });
  }
  void expectToWork() {
    for (int from = 0; from < 3; ++from)
      for (int to = 0; to < 3; ++to) {
        if (from == to) continue;
        wires_[static_cast<std::size_t>(from)]->send(to, message(7, 1000));
        const auto got = wires_[static_cast<std::size_t>(to)]->receive(kPatience);
        ASSERT_TRUE(got);
        EXPECT_EQ(got->from, from);
        EXPECT_EQ(got->dense.values()[999], Real(7));
      }
  }
  // Only w0 reaches the server through the proxy; nobody else is there.
  void throughProxy() {
    proxy_ = std::make_unique<FaultProxy>(endpoints_[2], FaultPlan{.record = true});
    endpoints_ = {endpoints_[0], "", proxy_->endpoint()};  // all take the proxy for the server
    std::jthread other([&] { server().connect(endpoints_, {"w0", "w1", "s0"}); });
    wires_[0]->connect(endpoints_, {"w0", "w1", "s0"});
  }
  void tolerateEachOther() {
    server().tolerate({0});
    wires_[0]->tolerate({2});
  }
  zeromq::BoundWire& server() { return *wires_[2]; }
  // Until the server has refused so many, and nobody's connection is under way (which counts until it is done).
  void awaitRefusals(std::int64_t count) {
    const double until = steadySeconds() + kPatience;
    while (server().counts().refusedConnections != count) {
      ASSERT_FALSE(server().receive(0.01));
      ASSERT_LT(steadySeconds(), until) << server().counts().refusedConnections << " refused, not " << count;
    }
    EXPECT_EQ(server().counts().droppedMessages, 0);
  }

  std::string mode_;
  std::vector<DataKeys> keys_;
  std::vector<std::unique_ptr<zeromq::BoundWire>> wires_;
  std::vector<std::string> endpoints_;
  std::unique_ptr<FaultProxy> proxy_;
};

// A client of its own making.
class Stranger {
 public:
  Stranger() {
    dealer_.set(zmq::sockopt::linger, 0);
    dealer_.set(zmq::sockopt::reconnect_ivl, -1);
    zmq_socket_monitor(dealer_.handle(), "inproc://events", ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                                                                ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH);
    events_.connect("inproc://events");
  }
  zmq::socket_t* operator->() { return &dealer_; }
  void curve(const std::string& serverKey, const std::string& open, const std::string& secret) {
    dealer_.set(zmq::sockopt::curve_serverkey, serverKey);
    dealer_.set(zmq::sockopt::curve_publickey, open);
    dealer_.set(zmq::sockopt::curve_secretkey, secret);
  }
  void speak(const std::string& endpoint) {
    const std::size_t header = codecs::headerFrameBytes(message(99));
    std::vector<std::byte> frame(header + sizeof(std::uint64_t));  // the first of its connection: its number is 0
    codecs::encodeHeader(message(99), std::span(frame).first(header));
    dealer_.connect(endpoint);
    (void)dealer_.send(zmq::message_t(frame.data(), frame.size()), zmq::send_flags::dontwait);  // who was refused already would wait for ever
  }
  void awaitEnd() {  // of its connection
    zmq::message_t event;
    events_.set(zmq::sockopt::rcvtimeo, static_cast<int>(kPatience * 1e3));
    EXPECT_TRUE(events_.recv(event));
  }

 private:
  zmq::context_t context_;
  zmq::socket_t dealer_{context_, zmq::socket_type::dealer}, events_{context_, zmq::socket_type::pair};
};

TEST_P(Protected, NodesOfTheRunTalk) {
  connect();
  expectToWork();
  awaitRefusals(0);  // all have come in
  EXPECT_EQ(server().counts().sealedBytes, 2 * static_cast<std::int64_t>(wireBytes(message(7, 1000))));
  EXPECT_EQ(server().counts().openedBytes, server().counts().sealedBytes);
}

TEST_P(Protected, ManyShardsArriveBitForBit) {
  connect();
  std::jthread sender([&] {
    for (int i = 0; i < 100; ++i) wires_[0]->send(2, message(i, kShardBytes / sizeof(Real)));
    wires_[0]->settle();
  });
  for (int i = 0; i < 100; ++i) {
    const auto got = server().receive(kPatience);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->round, i);
    EXPECT_TRUE(std::ranges::all_of(got->dense.values(), [&](Real value) { return value == Real(i); }));
  }
}

TEST_P(Protected, NobodyWithoutAKeyComesIn) {
  connect();
  Stranger null, plain;
  null->set(zmq::sockopt::routing_id, "n0");
  null.speak(endpoints_[2]);
  plain->set(zmq::sockopt::plain_username, "n0");
  plain->set(zmq::sockopt::plain_password, "guess");
  plain.speak(endpoints_[2]);
  null.awaitEnd();
  plain.awaitEnd();
  awaitRefusals(2);
  expectToWork();
}

TEST_P(Protected, RawBytesDoNotComeIn) {
  connect();
  std::int64_t refused = 0;
  for (const std::string& bytes : {std::string(4096, '\xff'), std::string("GET / HTTP/1.1\r\nHost: s0\r\n\r\n") + std::string(100, ' ')}) {
    const TcpClient raw(endpoints_[2]);
    raw.send(bytes);
    EXPECT_TRUE(raw.closedByPeer());
    awaitRefusals(++refused);
  }
  expectToWork();
}

TEST_P(Protected, ABitFlippedOnTheWayNeverReachesTheDecoder) {
  throughProxy();
  wires_[0]->send(2, message(1));
  EXPECT_EQ(server().receive(kPatience)->round, 1);
  proxy_->once(Fault::kFlip, 500'000);
  wires_[0]->send(2, message(2, kShardBytes / sizeof(Real)));
  if (mode_ == "aes_gcm") {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(failureOf([&] { server().receive(kForever); }, Errc::kPeerLost), strCat("w0 is gone: ", kDoesNotOpen));
    EXPECT_EQ(server().counts().spoiltConnections, 1);
  }
  // Its connection is ended, which the sender notices.
  EXPECT_EQ(failureOf([&] { wires_[0]->receive(kForever); }, Errc::kPeerLost), "s0 is gone: its connection closed");
  if (mode_ == "curve") {
    EXPECT_FALSE(server().receive(0.1));
  }
}

TEST_P(Protected, AMessageThatIsLeftOutIsNoticed) {
  throughProxy();
  const auto sent = [&](std::int64_t round) {  // bytes on the way
    const std::size_t before = proxy_->recorded(0).size();
    wires_[0]->send(2, message(round));
    EXPECT_EQ(server().receive(kPatience)->round, round);
    return proxy_->recorded(0).size() - before;
  };
  proxy_->once(Fault::kLeaveOut, 0, sent(1));
  wires_[0]->send(2, message(2));  // all of it is left out
  wires_[0]->send(2, message(3));
  EXPECT_EQ(failureOf([&] { server().receive(kForever); }, Errc::kPeerLost), strCat("w0 is gone: ", kDoesNotOpen));
}

TEST_P(Protected, AToleratedPeerWhoseMessageDoesNotOpenIsLostAndComesBack) {
  throughProxy();
  tolerateEachOther();
  wires_[0]->send(2, message(1));
  EXPECT_EQ(server().receive(kPatience)->round, 1);
  proxy_->once(Fault::kFlip, 500'000);
  wires_[0]->send(2, message(2, kShardBytes / sizeof(Real)));
  const bool serverSees = mode_ == "aes_gcm";  // with CURVE ZeroMQ ends the connection, and only the next one tells the server of it
  if (serverSees) {
    EXPECT_EQ(server().receive(kPatience)->kind, MessageKind::kLost);
    EXPECT_EQ(server().receive(kPatience)->kind, MessageKind::kBack);
  }
  for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) EXPECT_EQ(wires_[0]->receive(kPatience)->kind, kind);
  wires_[0]->send(2, message(3));
  if (!serverSees) {
    for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) EXPECT_EQ(server().receive(kPatience)->kind, kind);
  }
  EXPECT_EQ(server().receive(kPatience)->round, 3);
  server().send(0, message(4));
  EXPECT_EQ(wires_[0]->receive(kPatience)->round, 4);
}

// Only the way from w0 to the server breaks: the server sees nothing of it.
TEST_P(Protected, APeerThatComesAnewHasLostWhatItSaid) {
  throughProxy();
  tolerateEachOther();
  wires_[0]->send(2, message(1));
  EXPECT_EQ(server().receive(kPatience)->round, 1);
  proxy_->cut();
  EXPECT_EQ(wires_[0]->receive(kPatience)->kind, MessageKind::kLost);
  wires_[0]->send(2, message(2));  // nobody will read it
  proxy_->mend();
  EXPECT_EQ(wires_[0]->receive(kPatience)->kind, MessageKind::kBack);
  wires_[0]->send(2, message(3));
  for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) EXPECT_EQ(server().receive(kPatience)->kind, kind);
  EXPECT_EQ(server().receive(kPatience)->round, 3);
  EXPECT_EQ(server().counts().droppedMessages, 0);
}

// First the server's way to w0 breaks, which it notices; later w0's way to the server, which it does not.
TEST_P(Protected, EachWayThatBreaksIsALossOfItsOwn) {
  FaultProxy toWorker(endpoints_[0]);
  endpoints_[0] = toWorker.endpoint();
  throughProxy();
  tolerateEachOther();
  wires_[0]->send(2, message(1));
  EXPECT_EQ(server().receive(kPatience)->round, 1);
  toWorker.cut();
  EXPECT_EQ(server().receive(kPatience)->kind, MessageKind::kLost);
  toWorker.mend();
  EXPECT_EQ(server().receive(kPatience)->kind, MessageKind::kBack);
  wires_[0]->send(2, message(2));  // the way that it always had
  EXPECT_EQ(server().receive(kPatience)->round, 2);
  proxy_->cut();
  EXPECT_EQ(wires_[0]->receive(kPatience)->kind, MessageKind::kLost);
  proxy_->mend();
  EXPECT_EQ(wires_[0]->receive(kPatience)->kind, MessageKind::kBack);
  wires_[0]->send(2, message(3));
  for (const MessageKind kind : {MessageKind::kLost, MessageKind::kBack}) EXPECT_EQ(server().receive(kPatience)->kind, kind);
  EXPECT_EQ(server().receive(kPatience)->round, 3);
}

TEST_P(Protected, OneRunsKeysOpenNoOtherRun) {
  connect();
  const std::vector<DataKeys> other = runKeys(mode_, 3);
  const auto intruder = zeromq::bindZmqWire(0, "127.0.0.1", other[0], {.reachMs = 1000});
  EXPECT_THAT(failureOf([&] { intruder->connect({"", "", endpoints_[2]}, {"w0", "w1", "s0"}); }, Errc::kPeerLost), HasSubstr("s0 cannot be reached"));
  EXPECT_GT(server().counts().refusedConnections, 0);
  expectToWork();
}

INSTANTIATE_TEST_SUITE_P(Wire, Protected, Values("curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

class Curve : public Protected {
 protected:
  Curve() : Protected("curve") { connect(); }
};

TEST_F(Curve, AKeyThatIsNotOfTheRunDoesNotComeIn) {
  const DataKeys made = runKeys("curve", 1)[0];
  Stranger stranger;
  stranger.curve(keys_[0].publics[2], made.publics[0], made.secret);
  stranger.speak(endpoints_[2]);
  stranger.awaitEnd();
  awaitRefusals(1);
  expectToWork();
}

TEST_F(Curve, WhoDoesNotKnowTheServersKeyDoesNotComeIn) {
  Stranger stranger;
  stranger.curve(runKeys("curve", 1)[0].publics[0], keys_[0].publics[0], keys_[0].secret);
  stranger.speak(endpoints_[2]);
  stranger.awaitEnd();
  awaitRefusals(1);
  expectToWork();
}

// Whatever it calls itself.
TEST_F(Curve, ANodeIsWhoseKeyItHas) {
  for (const char* name : {"n0", "n1", "somebody"}) {
    Stranger second;  // w1's key
    second.curve(keys_[0].publics[2], keys_[0].publics[1], keys_[1].secret);
    second->set(zmq::sockopt::routing_id, name);
    second.speak(endpoints_[2]);
    EXPECT_EQ(server().receive(kPatience)->from, 1) << name;
  }
}

TEST(Listening, IsRefusedOnEveryInterfaceAtOnce) {
  const DataKeys keys = runKeys("curve", 1)[0];
  for (const char* address : {"0.0.0.0", "::", "[::]", "::ffff:0.0.0.0"})
    EXPECT_EQ(failureOf([&] { zeromq::bindZmqWire(0, address, keys); }, Errc::kHost),
              strCat("cannot listen on ", address, ": that is every interface of this host; choose the address of one"));
  for (const char* address : {"*", "lo", "eth0", "localhost", "0", "", "127.0.0.1:80", "tcp://127.0.0.1"})
    EXPECT_EQ(failureOf([&] { zeromq::bindZmqWire(0, address, keys); }, Errc::kHost),
              strCat("cannot listen on \"", address, "\": give the IP address of one of this host's interfaces, or ipc"));
}

TEST(Listening, PlainIsForOneHost) {
  EXPECT_EQ(failureOf([] { zeromq::bindZmqWire(0, "127.0.0.1"); }, Errc::kHost),
            "cannot listen on 127.0.0.1: plain data ports are only allowed inside one host (ipc); protect them with curve");
}

TEST(Listening, WorksOnVersionSix) {
  const std::vector<DataKeys> keys = runKeys("curve", 2);
  std::unique_ptr<zeromq::BoundWire> a, b;
  try {
    a = zeromq::bindZmqWire(0, "::1", keys[0]), b = zeromq::bindZmqWire(1, "::1", keys[1]);
  } catch (const Error&) {
    GTEST_SKIP() << "this machine has no ::1";
  }
  std::jthread other([&] { b->connect({a->endpoint(), b->endpoint()}, {"w0", "w1"}); });
  a->connect({a->endpoint(), b->endpoint()}, {"w0", "w1"});
  other.join();
  a->send(1, message(3));
  EXPECT_EQ(b->receive(kPatience)->round, 3);
}

}  // namespace
}  // namespace paceline::tests
