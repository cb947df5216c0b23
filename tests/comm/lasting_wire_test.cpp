#include "engine/comm/transport/lasting_wire.h"

#include <gmock/gmock.h>

#include "engine/core/base/error.h"
#include "tests/comm/fakes.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kReturning = 1, kOther = 2;

Message answer(std::uint32_t number, std::uint32_t taken, std::int64_t round = 0) {
  Message message = messageFrom(kReturning, MessageKind::kReply, round);
  message.number = number, message.taken = taken;
  return message;
}

class Lasting : public ::testing::Test {
 protected:
  void comes(Message message) { below_.incoming.emplace_back(clock_.time, std::move(message)); }
  void hears() {
    while (!below_.incoming.empty()) (void)wire_.receive(0);
  }
  std::vector<std::uint32_t> numbersSent() const {
    std::vector<std::uint32_t> numbers;
    for (const auto& [to, message] : below_.sent) numbers.push_back(message.number);
    return numbers;
  }

  FakeClock clock_;
  FakeWire below_{clock_};
  LastingWire wire_{below_, clock_, {{.node = kReturning, .name = "s0"}}, 20};
};

TEST_F(Lasting, NumbersWhatGoesToServersOnly) {
  wire_.send(kReturning, {});
  wire_.send(kOther, {});
  wire_.send(kReturning, {});
  EXPECT_THAT(numbersSent(), ElementsAre(1, 0, 2));
}

TEST_F(Lasting, KeepsUntilTheServerSaysThatItHasIt) {
  for (int i = 0; i < 3; ++i) wire_.send(kReturning, {});
  comes(answer(1, 2));
  EXPECT_TRUE(wire_.receive(0));
  EXPECT_EQ(wire_.kept(kReturning), 1U);
}

TEST_F(Lasting, TellsWhatItHasWithoutAGap) {
  for (const std::uint32_t number : {1U, 3U, 4U}) comes(answer(number, 0));
  hears();
  wire_.send(kReturning, {});
  comes(answer(2, 1));
  hears();
  wire_.send(kReturning, {});
  EXPECT_EQ(below_.sent[0].second.taken, 1U);
  EXPECT_EQ(below_.sent[1].second.taken, 4U);
}

TEST_F(Lasting, SendsAgainWhatAServerMissedAndNobodyHearsOfIt) {
  for (std::int64_t round = 1; round <= 3; ++round) wire_.send(kReturning, {.round = round});
  comes(answer(1, 1));
  comes(messageFrom(kReturning, MessageKind::kLost));
  EXPECT_TRUE(wire_.receive(0));
  EXPECT_FALSE(wire_.receive(0));
  wire_.send(kReturning, {.round = 4});  // it is away
  EXPECT_EQ(below_.sent.size(), 3U);
  comes(messageFrom(kReturning, MessageKind::kBack));
  EXPECT_FALSE(wire_.receive(0));
  EXPECT_THAT(numbersSent(), ElementsAre(1, 2, 3, 2, 3, 4));
  EXPECT_EQ(below_.sent.back().second.round, 4);
}

TEST_F(Lasting, HandsOnOnceWhatComesTwice) {
  comes(answer(1, 0, 10));
  comes(answer(3, 0, 30));
  comes(messageFrom(kReturning, MessageKind::kLost));
  comes(messageFrom(kReturning, MessageKind::kBack));
  for (const std::uint32_t number : {1U, 2U, 3U, 4U}) comes(answer(number, 0, 10 * number));
  std::vector<std::int64_t> rounds;
  while (!below_.incoming.empty())
    if (const std::optional<Message> message = wire_.receive(0)) rounds.push_back(message->round);
  EXPECT_THAT(rounds, ElementsAre(10, 30, 20, 40));
}

// A process that takes another's place says so before all else, and again to a server that may have been away meanwhile, until it has heard of it.
TEST_F(Lasting, AnotherProcessIsToldUntilItsServerAnswers) {
  wire_.send(kReturning, {.kind = MessageKind::kAnew});
  wire_.send(kReturning, {.kind = MessageKind::kPush});
  const auto returns = [this] {
    comes(messageFrom(kReturning, MessageKind::kLost));
    comes(messageFrom(kReturning, MessageKind::kBack));
    hears();
  };
  returns();
  EXPECT_THAT(numbersSent(), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(below_.sent[2].second.kind, MessageKind::kAnew);
  comes(answer(1, 1));  // for the process before
  EXPECT_FALSE(wire_.receive(0));
  comes(messageFrom(kReturning, MessageKind::kAnew));
  EXPECT_FALSE(wire_.receive(0));
  comes(answer(1, 1));
  EXPECT_TRUE(wire_.receive(0));
  returns();
  EXPECT_EQ(below_.sent.size(), 4U);
}

TEST_F(Lasting, OthersAreLostAsBefore) {
  comes(messageFrom(kOther, MessageKind::kLost));
  EXPECT_EQ(wire_.receive(0)->kind, MessageKind::kLost);
}

TEST_F(Lasting, AServerThatStaysAwayIsNamed) {
  comes(messageFrom(kReturning, MessageKind::kLost));
  EXPECT_FALSE(wire_.receive(1));
  try {
    (void)wire_.receive(1000);
    FAIL() << "it waits for ever";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kPeerLost);
    EXPECT_THAT(error.what(), HasSubstr("s0 is gone: its connection closed, and it did not come back within 20 s"));
  }
  EXPECT_NEAR(clock_.time, 20, 1e-9);
}

// What was lent goes after settle().
TEST_F(Lasting, WhatWasLentIsKeptAsItWas) {
  std::vector<Real> lent{1, 2};
  wire_.send(kReturning, {.dense = Dense::borrowed(lent)});
  wire_.settle();
  lent = {8, 9};
  comes(messageFrom(kReturning, MessageKind::kLost));
  comes(messageFrom(kReturning, MessageKind::kBack));
  hears();
  EXPECT_THAT(below_.sent.back().second.dense.values(), ElementsAre(1, 2));
}

TEST(Numbers, GoOnBeyondWhatTravels) {
  constexpr std::int64_t kTurn = std::int64_t{1} << 32;
  EXPECT_EQ(wholeNumber(5, 3), 5);
  EXPECT_EQ(wholeNumber(0xffffffffU, kTurn + 2), kTurn - 1);
  EXPECT_EQ(wholeNumber(7, 3 * kTurn - 10), 3 * kTurn + 7);
  TakenNumbers taken;
  taken.startAt(kTurn - 1);
  EXPECT_TRUE(taken.take(kTurn + 1));
  EXPECT_FALSE(taken.take(kTurn - 1));
  EXPECT_TRUE(taken.take(kTurn));
  EXPECT_EQ(taken.first(), kTurn + 1);
  EXPECT_TRUE(taken.beyond().empty());
}

}  // namespace
}  // namespace paceline::tests
