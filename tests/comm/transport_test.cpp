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
