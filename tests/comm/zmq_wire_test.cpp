#include "engine/comm/zmq/zmq_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/comm/transport/layers.h"
#include "engine/core/base/error.h"
#include "tests/comm/patience.h"
#include "tests/support/failure.h"
#include "tests/support/fault_proxy.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

using Wires = std::vector<std::unique_ptr<zeromq::BoundWire>>;

std::unique_ptr<zeromq::BoundWire> plainWire(int node, zeromq::WireLimits limits = {}) {
  limits.plainTcp = true;
  return zeromq::bindZmqWire(node, "127.0.0.1", {}, limits);
}

// `count` connected wires named w0, w1 ... on the loopback interface.
Wires connected(int count, zeromq::WireLimits limits = {}, const std::string& address = "127.0.0.1") {
  limits.plainTcp = true;
  Wires wires;
  std::vector<std::string> endpoints, names;
  for (int i = 0; i < count; ++i) {
    wires.push_back(zeromq::bindZmqWire(i, address, {}, limits));
    endpoints.push_back(wires.back()->endpoint());
    names.push_back(strCat("w", i));
  }
  for (const auto& wire : wires) wire->connect(endpoints, names);
  return wires;
}

Message message(MessageKind kind, std::int64_t round = 0) {
  Message result;
  result.kind = kind;
  result.round = round;
  return result;
}

void exchangeBothWays(Wires wires) {
  Message question = message(MessageKind::kAsk, 42);
  question.shard = 3;
  question.version = 17;
  question.scalars = {1.5, -2.5};
  wires[0]->send(1, question);
  const auto got = wires[1]->receive(kPatience);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->from, 0);
  EXPECT_EQ(got->kind, MessageKind::kAsk);
  EXPECT_EQ(got->round, 42);
  EXPECT_EQ(got->shard, 3);
  EXPECT_EQ(got->version, 17);
  EXPECT_EQ(got->scalars, question.scalars);
  EXPECT_TRUE(got->dense.empty());
  wires[1]->send(0, message(MessageKind::kAnswer, 43));
  EXPECT_EQ(wires[0]->receive(kPatience)->round, 43);
  EXPECT_FALSE(wires[0]->receive(0));
}

TEST(ZmqWire, CarriesMessagesBothWays) { exchangeBothWays(connected(2)); }

TEST(ZmqWire, ListensOnAnEphemeralPort) {
  const auto a = plainWire(0), b = plainWire(1);
  EXPECT_THAT(a->endpoint(), HasSubstr("tcp://127.0.0.1:"));
  EXPECT_NE(a->endpoint(), b->endpoint());
}

TEST(ZmqWire, WorksOverAPrivateSocket) {
  char folder[] = "/tmp/paceline-wire-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  exchangeBothWays(connected(2, {}, strCat("ipc://", folder)));
  std::filesystem::remove_all(folder);
}

TEST(ZmqWire, SaysWhereItCannotListen) {
  EXPECT_THAT(failureOf([] { zeromq::bindZmqWire(0, "203.0.113.7", {}, {.plainTcp = true}); }, Errc::kHost), HasSubstr("cannot listen on 203.0.113.7"));
  EXPECT_THAT(failureOf([] { zeromq::bindZmqWire(0, "ipc:///nowhere/at/all"); }, Errc::kHost), HasSubstr("/nowhere/at/all"));
}

TEST(ZmqWire, CarriesAModelBitForBit) {
  Wires wires = connected(2);
  std::vector<Real> values(11175370);
  std::uint32_t state = 1;
  for (Real& value : values) value = static_cast<Real>((state = state * 1664525u + 1013904223u) >> 8);
  const std::vector<ShardRange> shards = shardsOf(values.size(), {1});
  std::jthread sender([&] {
    for (std::size_t s = 0; s < shards.size(); ++s) {
      Message push = message(MessageKind::kPush);
      push.shard = static_cast<std::int32_t>(s);
      push.dense = Dense::borrowed(std::span(values).subspan(shards[s].offset, shards[s].size));
      wires[0]->send(1, std::move(push));
    }
    EXPECT_TRUE(wires[0]->receive(kPatience));  // the memory is lent until here
  });
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const auto push = wires[1]->receive(kPatience);
    ASSERT_TRUE(push);
    EXPECT_EQ(push->shard, static_cast<std::int32_t>(s));
    EXPECT_TRUE(std::ranges::equal(push->dense.values(), std::span(values).subspan(shards[s].offset, shards[s].size)));
  }
  wires[1]->send(0, message(MessageKind::kReply));
}

TEST(ZmqWire, FreesSharedMemoryOnceItIsSent) {
  Wires wires = connected(3);
  auto memory = std::make_shared<std::vector<Real>>(100000, Real(3));
  for (int to = 1; to < 3; ++to) {
    Message reply = message(MessageKind::kReply);
    reply.dense = Dense::shared(*memory, memory);
    wires[0]->send(to, std::move(reply));
  }
  const std::weak_ptr<std::vector<Real>> watched = memory;
  memory.reset();
  for (std::size_t node = 1; node < 3; ++node) EXPECT_EQ(wires[node]->receive(kPatience)->dense.values()[99999], Real(3));
  wires.clear();
  EXPECT_TRUE(watched.expired());
}

TEST(ZmqWire, APeerThatLeavesWithoutAByeIsLost) {
  Wires wires = connected(3);
  wires[1]->send(0, message(MessageKind::kPush, 5));
  wires[1].reset();
  EXPECT_EQ(wires[0]->receive(kPatience)->round, 5);  // what it had said comes first
  EXPECT_EQ(failureOf([&] { wires[0]->receive(kForever); }, Errc::kPeerLost), "w1 is gone: its connection closed");
  EXPECT_EQ(failureOf([&] { wires[0]->receive(0); }, Errc::kPeerLost), "w1 is gone: its connection closed");
  EXPECT_EQ(failureOf([&] { wires[2]->receive(kForever); }, Errc::kPeerLost), "w1 is gone: its connection closed");
}

// Node 1 as a process of its own that is killed.
[[noreturn]] void victim(int in, int out) {
  const auto wire = plainWire(1);
  char other[64] = {};
  if (write(out, wire->endpoint().c_str(), wire->endpoint().size()) < 0 || read(in, other, sizeof other - 1) <= 0) _exit(1);
  wire->connect({other, ""}, {"w0", "w1"});
  wire->send(0, message(MessageKind::kPush, 1));
  wire->receive(kForever);
  _exit(0);
}

TEST(ZmqWire, AKilledProcessIsNamed) {
  int toChild[2], toParent[2];
  ASSERT_EQ(pipe(toChild), 0);
  ASSERT_EQ(pipe(toParent), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) victim(toChild[0], toParent[1]);
  const auto wire = plainWire(0);
  ASSERT_GT(write(toChild[1], wire->endpoint().c_str(), wire->endpoint().size()), 0);
  char other[64] = {};
  ASSERT_GT(read(toParent[0], other, sizeof other - 1), 0);
  wire->connect({"", other}, {"w0", "w1"});
  EXPECT_TRUE(wire->receive(kPatience));
  kill(child, SIGKILL);
  EXPECT_EQ(failureOf([&] { wire->receive(kForever); }, Errc::kPeerLost), "w1 is gone: its connection closed");
  waitpid(child, nullptr, 0);
}

// What comes next, passing over what other nodes say.
std::optional<MessageKind> nextFrom(zeromq::BoundWire& wire, int node) {
  while (const std::optional<Message> message = wire.receive(kPatience))
    if (message->from == node) return message->kind;
  return std::nullopt;
}

TEST(ZmqWire, AToleratedLossIsAMessageAndTheOthersGoOn) {
  Wires wires = connected(3);
  wires[0]->tolerate({1});
  wires[1].reset();  // without a bye
  EXPECT_EQ(nextFrom(*wires[0], 1), MessageKind::kLost);
  wires[0]->send(1, message(MessageKind::kPush));  // goes nowhere
  wires[2]->send(0, message(MessageKind::kPush, 7));
  EXPECT_EQ(wires[0]->receive(kPatience)->round, 7);
  EXPECT_THAT(failureOf([&] { wires[2]->receive(kForever); }, Errc::kPeerLost), HasSubstr("w1 is gone"));  // who does not tolerate it
}

TEST(ZmqWire, AToleratedPeerIsTakenBackWhenTheLinkIsMended) {
  const auto first = plainWire(0), second = plainWire(1);
  FaultProxy toFirst(first->endpoint()), toSecond(second->endpoint());
  std::jthread other([&] { second->connect({toFirst.endpoint(), second->endpoint()}, {"w0", "w1"}); });
  first->connect({first->endpoint(), toSecond.endpoint()}, {"w0", "w1"});
  other.join();
  first->tolerate({1});
  second->tolerate({0});
  toFirst.cut();
  toSecond.cut();
  EXPECT_EQ(nextFrom(*first, 1), MessageKind::kLost);
  EXPECT_EQ(nextFrom(*second, 0), MessageKind::kLost);
  first->send(1, message(MessageKind::kPush, 1));  // nobody will read it
  toFirst.mend();
  toSecond.mend();
  EXPECT_EQ(nextFrom(*first, 1), MessageKind::kBack);
  EXPECT_EQ(nextFrom(*second, 0), MessageKind::kBack);
  first->send(1, message(MessageKind::kPush, 2));
  second->send(0, message(MessageKind::kPush, 3));
  EXPECT_EQ(second->receive(kPatience)->round, 2);
  EXPECT_EQ(first->receive(kPatience)->round, 3);
}

TEST(ZmqWire, AByeBeforeLeavingIsNoLoss) {
  Wires wires = connected(2);
  wires[1]->send(0, message(MessageKind::kPush, 1));
  wires[1]->send(0, message(MessageKind::kBye));
  wires[1].reset();
  EXPECT_EQ(wires[0]->receive(kPatience)->round, 1);
  EXPECT_EQ(wires[0]->receive(kPatience)->kind, MessageKind::kBye);
  EXPECT_FALSE(wires[0]->receive(1.0));            // longer than the grace time
  wires[0]->send(1, message(MessageKind::kBye));   // goes nowhere and harms nobody
  EXPECT_FALSE(wires[0]->receive(0));
}

TEST(ZmqWire, EverythingSaidBeforeClosingArrives) {
  Wires wires = connected(2, {.sendQueue = 2, .receiveQueue = 2});
  const std::vector<Real> values(50000, Real(1));
  for (int i = 0; i < 100; ++i) {
    Message push = message(MessageKind::kPush, i);
    push.dense = Dense::copied(values);
    wires[1]->send(0, std::move(push));
  }
  wires[1]->send(0, message(MessageKind::kBye));
  std::jthread leaving([wire = std::move(wires[1])]() mutable { wire.reset(); });
  for (int i = 0; i < 100; ++i) EXPECT_EQ(wires[0]->receive(kPatience)->round, i);
  EXPECT_EQ(wires[0]->receive(kPatience)->kind, MessageKind::kBye);
}

TEST(ZmqWire, InterruptWakesAWaitingReceive) {
  Wires wires = connected(2);
  std::jthread waiting([&] { EXPECT_THAT(failureOf([&] { wires[0]->receive(kForever); }, Errc::kStopped), HasSubstr("asked to stop")); });
  zeromq::interrupt(*wires[0]);
  waiting.join();
  wires[1]->send(0, message(MessageKind::kPush));
  EXPECT_TRUE(wires[0]->receive(kPatience));  // once asked, once answered
}

TEST(ZmqWire, NamesAPeerThatCannotBeReached) {
  const std::string nobody = plainWire(1)->endpoint();  // closed again
  const auto wire = plainWire(0, {.reachMs = 300});
  EXPECT_EQ(failureOf([&] { wire->connect({wire->endpoint(), nobody}, {"w0", "w1"}); }, Errc::kPeerLost),
            strCat("w1 cannot be reached at ", nobody, " within 300 ms"));
  const auto other = plainWire(0);
  std::jthread waiting([&] { failureOf([&] { other->connect({other->endpoint(), nobody}, {"w0", "w1"}); }, Errc::kStopped); });
  zeromq::interrupt(*other);
}

TEST(ZmqWire, RefusesEndpointsThatAreNone) {
  const auto wire = plainWire(0);
  EXPECT_THAT(failureOf([&] { wire->connect({"", "carrier-pigeon"}, {"w0", "w1"}); }, Errc::kHost), HasSubstr("w1 at \"carrier-pigeon\""));
}

TEST(ZmqWire, FullQueuesNeverDeadlock) {
  Wires wires = connected(2, {.sendQueue = 1, .receiveQueue = 1});
  constexpr int kCount = 500;
  const std::vector<Real> values(20000, Real(1));
  const auto talk = [&](int self) {
    for (int i = 0; i < kCount; ++i) {
      Message push = message(MessageKind::kPush, i);
      push.dense = Dense::borrowed(values);
      wires[static_cast<std::size_t>(self)]->send(1 - self, std::move(push));
    }
    for (int i = 0; i < kCount; ++i) EXPECT_EQ(wires[static_cast<std::size_t>(self)]->receive(kPatience)->round, i);
    wires[static_cast<std::size_t>(self)]->send(1 - self, message(MessageKind::kBye));
    EXPECT_EQ(wires[static_cast<std::size_t>(self)]->receive(kPatience)->kind, MessageKind::kBye);
  };
  std::jthread other([&] { talk(1); });
  talk(0);
}

TEST(ZmqWire, SettlesBeforeLentMemoryGoes) {
  // The peer takes nothing: sockets and queues are full and messages are still pending when we must let go.
  Wires wires = connected(2, {.sendQueue = 4, .receiveQueue = 1, .lingerMs = 200});
  auto values = std::make_unique<std::vector<Real>>(250000, Real(1));
  for (int i = 0; i < 100; ++i) {
    Message push = message(MessageKind::kPush, i);
    push.dense = Dense::borrowed(*values);
    wires[0]->send(1, std::move(push));
  }
  wires[0]->settle();
  std::ranges::fill(*values, Real(2));
  values.reset();
  wires[0].reset();
  int whole = 0;
  try {
    while (const auto got = wires[1]->receive(kPatience)) {
      for (const Real value : got->dense.values()) ASSERT_EQ(value, Real(1));
      ++whole;
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kPeerLost);
  }
  EXPECT_GE(whole, 1);
}

}  // namespace
}  // namespace paceline::tests
