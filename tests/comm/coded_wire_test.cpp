#include "engine/comm/codecs/compressor.h"

#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/record/state_table.h"
#include "tests/comm/fakes.h"

namespace paceline::tests {
namespace {

Message push(std::int64_t round, const std::vector<Real>& values, std::int32_t shard = 0, MessageKind kind = MessageKind::kPush) {
  Message message;
  message.kind = kind;
  message.round = round;
  message.shard = shard;
  message.dense = Dense::borrowed(values);
  return message;
}

class Coded : public testing::Test {
 protected:
  // What arrives of a message that was sent through `wire` to node 1.
  std::vector<Real> arrives(codecs::CodedWire& wire, Message message) {
    wire.send(1, std::move(message));
    Message sent = std::move(below.sent.back().second);
    sent.from = 1;
    below.incoming.emplace_back(0, std::move(sent));
    const std::optional<Message> got = wire.receive(0);
    return {got->dense.values().begin(), got->dense.values().end()};
  }
  const Message& last() const { return below.sent.back().second; }

  FakeClock clock;
  FakeWire below{clock};
  const std::vector<Real> values{1, Real(0.001), 3};
};

TEST_F(Coded, PacksContributionsOnly) {
  codecs::CodedWire wire(below, {.format = "fp16"});
  for (const MessageKind kind : {MessageKind::kPush, MessageKind::kReduce}) {
    wire.send(1, push(1, values, 0, kind));
    EXPECT_EQ(last().packed.packing, Packing::kHalf);
    EXPECT_TRUE(last().dense.empty());
    EXPECT_EQ(wireBytes(last()), kHeaderBytes + 3 * 2);
  }
  for (const MessageKind kind : {MessageKind::kInit, MessageKind::kReply, MessageKind::kReduced, MessageKind::kExchange, MessageKind::kCopy}) {
    wire.send(1, push(1, values, 0, kind));
    EXPECT_TRUE(last().packed.empty());
    EXPECT_EQ(last().dense.values().data(), values.data());
  }
}

TEST_F(Coded, Fp32ChangesNothing) {
  codecs::CodedWire wire(below, {.format = "fp32"});
  wire.send(1, push(1, values));
  EXPECT_EQ(last().dense.values().data(), values.data());
}

TEST_F(Coded, LeavesOtherPackingsAlone) {
  codecs::CodedWire wire(below, {.format = "int8"});
  Message sparse;
  sparse.packed = Packed::of(Packing::kSparse, 3, std::vector<std::byte>(2));
  below.incoming.emplace_back(0, sparse);
  EXPECT_EQ(wire.receive(0)->packed.packing, Packing::kSparse);
}

TEST_F(Coded, PaysEveryPeerKindAndShardItsOwnDebt) {
  codecs::CodedWire wire(below, {.format = "int8"});
  const std::vector<Real> large{127, Real(0.25)}, small{127, Real(0.5)};
  EXPECT_EQ(arrives(wire, push(1, large)), (std::vector<Real>{127, 0}));
  for (const auto& other : {push(2, large, 1), push(2, large, 0, MessageKind::kReduce)})
    EXPECT_EQ(arrives(wire, other), (std::vector<Real>{127, 0}));
  wire.send(2, push(2, large));
  EXPECT_EQ(arrives(wire, push(2, small)), (std::vector<Real>{127, 1}));  // 0.25 + 0.5 rounds up
}

TEST_F(Coded, KeepsTheVectorsOfARoundApart) {
  codecs::CodedWire wire(below, {.format = "int8"});
  const std::vector<Real> quarter{127, Real(0.25)}, longer{127, 0, Real(0.25)};
  for (const std::int64_t round : {1, 2, 3}) {
    const Real expected = round == 3 ? 1 : 0;  // 0.75 by then
    EXPECT_EQ(arrives(wire, push(round, quarter))[1], expected);
    EXPECT_EQ(arrives(wire, push(round, longer))[2], expected);
  }
}

// Means have a number each, so two vectors that a method averages in turn are no two messages of one round.
TEST_F(Coded, KeepsNamedVectorsApartAndLeavesExactOnesAlone) {
  codecs::CodedWire wire(below, {.format = "int8"});
  const std::vector<Real> quarter{127, Real(0.25)}, longer{127, 0, Real(0.25)};
  const auto named = [](Message message, std::int32_t vector) {
    message.vector = vector;
    return message;
  };
  for (const std::int64_t turn : {1, 2, 3}) {
    const Real expected = turn == 3 ? 1 : 0;  // 0.75 by then
    EXPECT_EQ(arrives(wire, push(2 * turn, quarter))[1], expected);
    EXPECT_EQ(arrives(wire, named(push(2 * turn + 1, longer), 1))[2], expected);
  }
  wire.send(1, named(push(9, quarter), kExactVector));
  EXPECT_EQ(last().dense.values().data(), quarter.data());
}

TEST_F(Coded, ForgetsWithoutFeedback) {
  codecs::CodedWire wire(below, {.format = "int8", .errorFeedback = false});
  const std::vector<Real> quarter{127, Real(0.25)};
  for (const std::int64_t round : {1, 2, 3, 4}) EXPECT_EQ(arrives(wire, push(round, quarter))[1], 0);
}

TEST_F(Coded, NamesWhoSendsGarbage) {
  codecs::CodedWire wire(below, {.format = "fp16"});
  Message garbage = messageFrom(4);
  garbage.packed = Packed::of(Packing::kHalf, 3, std::vector<std::byte>(2));
  below.incoming.emplace_back(0, garbage);
  try {
    (void)wire.receive(0);
    FAIL() << "took garbage";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "node 4 sent 2 bytes for 3 values in packing 1");
  }
}

TEST_F(Coded, GoesOnWhereACheckpointWasMade) {
  const std::vector<Real> a{127, Real(0.25), Real(0.375)}, b{Real(0.1), Real(-0.7), 127};
  codecs::CodedWire wire(below, {.format = "int8"}), resumed(below, {.format = "int8"});
  for (const std::int64_t round : {1, 2}) wire.send(1, push(round, a)), wire.send(1, push(round, b)), wire.send(1, push(round, b, 7));
  StateTable table;
  StateWriter writer(table);
  wire.state(writer);
  StateReader reader(table);
  resumed.state(reader);
  for (const std::int64_t round : {3, 4, 5}) {
    EXPECT_EQ(arrives(wire, push(round, a)), arrives(resumed, push(round, a)));
    EXPECT_EQ(arrives(wire, push(round, b)), arrives(resumed, push(round, b)));
    EXPECT_EQ(arrives(wire, push(round, b, 7)), arrives(resumed, push(round, b, 7)));
  }
}

}  // namespace
}  // namespace paceline::tests
