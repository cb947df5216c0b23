#include "engine/comm/transport/layers.h"

#include <gtest/gtest.h>

#include "tests/comm/fakes.h"
#include "tests/comm/patience.h"

namespace paceline::tests {
namespace {

Emulate link(std::optional<double> mbps, double latencyMs) {
  Emulate emulate;
  emulate.bandwidthMbps = mbps;
  emulate.latencyMs = latencyMs;
  return emulate;
}

Message bytes(std::size_t total, int from = 1) {  // a message of so many bytes on the wire
  Message message = messageFrom(from);
  message.scalars.resize((total - kHeaderBytes) / sizeof(double));
  EXPECT_EQ(wireBytes(message), total);
  return message;
}

TEST(MeteredWire, CountsWireBytes) {
  FakeClock clock;
  FakeWire below(clock);
  MeteredWire wire(below);
  const std::vector<Real> values(100);
  Message message = bytes(kHeaderBytes + 16);
  message.dense = Dense::borrowed(values);
  const auto size = static_cast<std::int64_t>(wireBytes(message));
  wire.send(1, message);
  wire.send(2, message);
  below.incoming.emplace_back(0, message);
  EXPECT_TRUE(wire.receive(0));
  EXPECT_FALSE(wire.receive(0));
  EXPECT_EQ(wire.traffic().bytesSent, 2 * size);
  EXPECT_EQ(wire.traffic().messagesSent, 2);
  EXPECT_EQ(wire.traffic().bytesReceived, size);
  EXPECT_EQ(wire.traffic().messagesReceived, 1);
}

TEST(LinkModel, LeavesAfterTheOnesBeforePlusLatency) {
  LinkModel model(link(8, 50));  // 1e6 bytes a second
  EXPECT_DOUBLE_EQ(model.leave(0, 1000000), 1.05);
  EXPECT_DOUBLE_EQ(model.leave(0, 500000), 1.55);   // queued behind the first
  EXPECT_DOUBLE_EQ(model.leave(10, 500000), 10.55);  // the link was free
}

TEST(LinkModel, ArrivesAfterTheOnesBefore) {
  LinkModel model(link(8, 50));
  EXPECT_DOUBLE_EQ(model.arrive(2, 1000000), 3);
  EXPECT_DOUBLE_EQ(model.arrive(2.5, 1000000), 4);
  EXPECT_DOUBLE_EQ(model.leave(2.5, 1000000), 3.55);  // full duplex
}

TEST(LinkModel, WithoutLimitsIsNoDelay) {
  LinkModel model(link(std::nullopt, 0));
  EXPECT_EQ(model.leave(3, 1u << 30), 3);
  EXPECT_EQ(model.arrive(3, 1u << 30), 3);
}

TEST(ShapedWire, StampsWhatItSendsByTheLinkModel) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(8, 100));
  clock.time = 5;
  wire.send(1, bytes(1000000));
  wire.send(1, bytes(1000000));
  ASSERT_EQ(below.sent.size(), 2u);
  EXPECT_DOUBLE_EQ(below.sent[0].second.availableAt, 6.1);
  EXPECT_DOUBLE_EQ(below.sent[0].second.holdSeconds, 1.1);
  EXPECT_DOUBLE_EQ(below.sent[1].second.availableAt, 7.1);
  EXPECT_DOUBLE_EQ(below.sent[1].second.holdSeconds, 2.1);
}

Message held(double availableAt, double hold, int from, std::int64_t round) {
  Message message = messageFrom(from, MessageKind::kPush, round);
  message.availableAt = availableAt;
  message.holdSeconds = hold;
  return message;
}

TEST(ShapedWire, HoldsUntilTheSendersLinkHasDelivered) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(std::nullopt, 0));
  below.incoming.emplace_back(0.5, held(2.0, 2.0, 1, 7));
  EXPECT_FALSE(wire.receive(1.0));
  EXPECT_DOUBLE_EQ(clock.time, 1.0);
  EXPECT_EQ(wire.receive(kForever)->round, 7);
  EXPECT_NEAR(clock.time, 2.0, 1e-9);
}

TEST(ShapedWire, AMessageFromAnotherPeerOvertakesAHeldOne) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(std::nullopt, 0));
  below.incoming.emplace_back(0.1, held(2.0, 2.0, 1, 1));
  below.incoming.emplace_back(0.2, held(0.2, 0.0, 2, 2));
  EXPECT_EQ(wire.receive(kForever)->round, 2);
  EXPECT_NEAR(clock.time, 0.2, 1e-9);
  EXPECT_EQ(wire.receive(kForever)->round, 1);
  EXPECT_NEAR(clock.time, 2.0, 1e-9);
}

TEST(ShapedWire, AnotherHostsClockNeverHoldsLongerThanTheHold) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(std::nullopt, 0));
  below.incoming.emplace_back(1.0, held(1e6, 0.25, 1, 1));  // a clock far ahead
  below.incoming.emplace_back(2.0, held(-1e6, 0.25, 1, 2));  // and one far behind
  EXPECT_EQ(wire.receive(kForever)->round, 1);
  EXPECT_NEAR(clock.time, 1.25, 1e-9);
  EXPECT_EQ(wire.receive(kForever)->round, 2);
  EXPECT_NEAR(clock.time, 2.0, 1e-9);
}

TEST(ShapedWire, KeepsAPeersMessagesInOrder) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(std::nullopt, 0));
  below.incoming.emplace_back(1.0, held(1e6, 0.5, 1, 1));
  below.incoming.emplace_back(1.0, held(1e6, 0.1, 1, 2));  // came late, so it would be held shorter
  EXPECT_EQ(wire.receive(kForever)->round, 1);
  EXPECT_EQ(wire.receive(kForever)->round, 2);
}

TEST(ShapedWire, PassesTheReceiversOwnLink) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(8, 0));
  below.incoming.emplace_back(0.0, bytes(1000000, 1));
  below.incoming.emplace_back(0.0, bytes(1000000, 2));
  EXPECT_TRUE(wire.receive(kForever));
  EXPECT_NEAR(clock.time, 1.0, 1e-9);
  EXPECT_FALSE(wire.receive(0));
  EXPECT_TRUE(wire.receive(kForever));
  EXPECT_NEAR(clock.time, 2.0, 1e-9);
}

TEST(ShapedWire, GivesUpAtTheTimeout) {
  FakeClock clock;
  FakeWire below(clock);
  ShapedWire wire(below, clock, link(std::nullopt, 0));
  EXPECT_FALSE(wire.receive(0));
  EXPECT_EQ(clock.time, 0);
  EXPECT_FALSE(wire.receive(0.75));
  EXPECT_NEAR(clock.time, 0.75, 1e-9);
}

}  // namespace
}  // namespace paceline::tests
