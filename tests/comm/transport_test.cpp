#include "engine/comm/transport/transport.h"

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/comm/fakes.h"

namespace paceline::tests {
namespace {

struct Desk {
  FakeClock clock;
  FakeWire wire{clock};
  Transport transport{wire, clock};
  void put(double when, Message message) { wire.incoming.emplace_back(when, std::move(message)); }
};

TEST(Transport, ReceiveFromKeepsTheOthersInOrder) {
  Desk desk;
  desk.put(0, messageFrom(1, MessageKind::kPush, 1));
  desk.put(0, messageFrom(2, MessageKind::kPush, 2));
  desk.put(0, messageFrom(1, MessageKind::kPush, 3));
  desk.put(0, messageFrom(3, MessageKind::kPush, 4));
  EXPECT_EQ(desk.transport.receiveFrom(3).round, 4);
  EXPECT_EQ(desk.transport.receiveFrom(2).round, 2);
  EXPECT_EQ(desk.transport.receive().round, 1);
  EXPECT_EQ(desk.transport.receive().round, 3);
}

TEST(Transport, ControlGoesToItsHandlerAndNeverToAlgorithms) {
  Desk desk;
  std::vector<MessageKind> seen;
  desk.transport.onControl([&](const Message& message) { seen.push_back(message.kind); });
  desk.put(0, messageFrom(1, MessageKind::kProgress));
  desk.put(0, messageFrom(1, MessageKind::kPush, 7));
  desk.put(0, messageFrom(2, MessageKind::kStop));
  EXPECT_EQ(desk.transport.receive().round, 7);
  EXPECT_EQ(seen, (std::vector{MessageKind::kProgress}));
  desk.transport.poll();
  EXPECT_EQ(seen, (std::vector{MessageKind::kProgress, MessageKind::kStop}));
}

TEST(Transport, PollKeepsWhatIsForAlgorithms) {
  Desk desk;
  desk.put(0, messageFrom(1, MessageKind::kPush, 7));
  desk.transport.poll();
  EXPECT_EQ(desk.transport.receive().round, 7);
}

Message answerFrom(int from, int cause) {
  Message message = messageFrom(from, MessageKind::kReduced);
  message.cause = cause;
  return message;
}

// Control messages and others that are kept do not end a wait; waits for one node that follow each other are one.
TEST(Transport, TellsTheLongestWaitAndWhomItWasFor) {
  Desk desk;
  EXPECT_EQ(desk.transport.longestWait().node, -1);
  desk.put(1, messageFrom(1));
  desk.put(2, messageFrom(7, MessageKind::kProgress));
  desk.put(3, messageFrom(2));
  desk.put(4, answerFrom(5, 2));
  desk.put(6, answerFrom(5, 0));
  desk.transport.receiveFrom(2);
  EXPECT_EQ(desk.transport.longestWait().node, 2);
  EXPECT_EQ(desk.transport.longestWait().seconds, 3);
  EXPECT_EQ(desk.transport.receive().from, 1);  // was kept: nobody waited
  desk.transport.receive();
  EXPECT_EQ(desk.transport.longestWait().seconds, 4);
  desk.transport.beginWaits();
  desk.transport.receive();  // an answer to this node itself: the sender was waited for
  EXPECT_EQ(desk.transport.longestWait().node, 5);
  EXPECT_EQ(desk.transport.longestWait().seconds, 2);
}

TEST(Transport, SettlesTheWireWhenTheHandlerEndsTheExchange) {
  Desk desk;
  desk.transport.onControl([](const Message&) { throw Error(Errc::kStopped, "stop"); });
  desk.put(0, messageFrom(1, MessageKind::kStop));
  desk.put(0, messageFrom(1, MessageKind::kStop));
  EXPECT_THROW(desk.transport.receive(), Error);
  EXPECT_EQ(desk.wire.settled, 1);
  EXPECT_THROW(desk.transport.poll(), Error);
  EXPECT_EQ(desk.wire.settled, 2);
}

TEST(Transport, TimesWaitingApart) {
  Desk desk;
  desk.put(1.5, messageFrom(1));
  desk.put(4.0, messageFrom(1));
  desk.transport.receive();
  EXPECT_DOUBLE_EQ(desk.transport.waitSeconds(), 1.5);
  desk.transport.receive();
  EXPECT_DOUBLE_EQ(desk.transport.waitSeconds(), 4.0);
  EXPECT_EQ(desk.transport.sendSeconds(), 0);
}

}  // namespace
}  // namespace paceline::tests
