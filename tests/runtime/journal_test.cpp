#include "engine/runtime/journal/journal.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/core/base/error.h"
#include "engine/runtime/control.h"
#include "engine/runtime/journal/journal_wire.h"
#include "tests/comm/fakes.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

Message push(int from, std::int64_t round) {
  Message message{.kind = MessageKind::kPush, .from = from, .shard = 2, .round = round, .version = 7, .scalars = {0.5, 1.5}};
  message.dense = Dense::made(5, [round](std::span<Real> values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(round) + static_cast<Real>(i);
  });
  message.number = 4, message.taken = 9;
  return message;
}

std::vector<std::int64_t> roundsIn(Journal& journal) {
  std::vector<std::int64_t> rounds;
  while (const auto entry = journal.next()) rounds.push_back(entry->message.round);
  return rounds;
}

// One number as the state of a server.
auto stateOf(std::int64_t& number) {
  return [&number](Archive& archive) { archive.number("n", number); };
}

std::int64_t numberIn(const Journal& journal) {
  std::int64_t number = 0;
  const StateTable table = journal.state();
  StateReader reader(table);
  reader.number("n", number);
  return number;
}

class Journals : public ::testing::Test {
 protected:
  const Fd memory_ = Journal::memory();
};

TEST_F(Journals, AreNewOnce) {
  {
    Journal first(memory_);
    EXPECT_TRUE(first.isNew());
    EXPECT_EQ(first.processes(), 0);
    first.began(12.5);
    first.keepOrders("do this\n");
  }
  Journal second(memory_);
  EXPECT_FALSE(second.isNew());
  EXPECT_EQ(second.processes(), 1);
  EXPECT_EQ(second.began(), 12.5);
  EXPECT_EQ(second.orders(), "do this\n");
  EXPECT_FALSE(second.hasState());
  EXPECT_EQ(Journal(memory_).processes(), 2);
}

TEST_F(Journals, GiveMessagesAsTheyCame) {
  {
    Journal journal(memory_);
    journal.keepOrders("a");
    journal.add(push(3, 1), 0.25);
    Message packed{.kind = MessageKind::kReduce, .from = 1, .round = 2, .cause = -1};
    packed.packed = Packed::of(Packing::kSparse, 100, {std::byte{1}, std::byte{2}, std::byte{3}});
    journal.add(packed, 0.5);
    journal.handled();
    journal.add({.kind = MessageKind::kBye, .from = 2}, 0.75);
  }
  Journal journal(memory_);
  const auto first = journal.next(), second = journal.next();
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(journal.wasHandled());
  EXPECT_EQ(first->at, 0.25);
  const Message& message = first->message;
  EXPECT_EQ(message.kind, MessageKind::kPush);
  EXPECT_EQ(message.from, 3);
  EXPECT_EQ(message.shard, 2);
  EXPECT_EQ(message.version, 7);
  EXPECT_EQ(message.number, 4U);
  EXPECT_EQ(message.taken, 9U);
  EXPECT_THAT(message.scalars, ElementsAre(0.5, 1.5));
  EXPECT_THAT(message.dense.values(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(second->message.cause, -1);
  EXPECT_EQ(second->message.packed.packing, Packing::kSparse);
  EXPECT_EQ(second->message.packed.count, 100U);
  EXPECT_THAT(second->message.packed.bytes, ElementsAre(std::byte{1}, std::byte{2}, std::byte{3}));
  EXPECT_TRUE(journal.next());
  EXPECT_FALSE(journal.wasHandled());
  EXPECT_FALSE(journal.next());
  EXPECT_EQ(journal.given(), 3);
}

// The first bytes of a region are mapped, what is behind them is written by calls; messages begin at any byte.
TEST_F(Journals, HoldWhatIsMappedAndWhatLiesBehindIt) {
  constexpr std::size_t kValues = 100'001, kMessages = 20;
  constexpr std::uint64_t kWindow = std::uint64_t{4} << 20;
  const auto valueAt = [](std::size_t message, std::size_t i) { return static_cast<Real>(message * 1000 + i % 997); };
  {
    Journal journal(memory_, Journal::kLeastBytes, Journal::kMostBytes, kWindow);
    journal.keepOrders("a");
    for (std::size_t m = 0; m < kMessages; ++m) {
      Message message{.kind = MessageKind::kReduce, .from = 1, .round = static_cast<std::int64_t>(m)};
      message.dense = Dense::made(kValues, [&](std::span<Real> values) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = valueAt(m, i);
      });
      journal.add(message, 0);
      message = {.kind = MessageKind::kAsk, .from = 1};
      message.packed = Packed::of(Packing::kSparse, 3, std::vector<std::byte>(m + 1, std::byte{7}));
      journal.add(message, 0);
    }
    EXPECT_TRUE(journal.whole());
  }
  Journal journal(memory_);
  for (std::size_t m = 0; m < kMessages; ++m) {
    const auto dense = journal.next(), packed = journal.next();
    ASSERT_TRUE(dense && packed);
    ASSERT_EQ(dense->message.dense.values().size(), kValues);
    for (std::size_t i = 0; i < kValues; ++i) ASSERT_EQ(dense->message.dense.values()[i], valueAt(m, i)) << m << ' ' << i;
    EXPECT_TRUE(std::ranges::equal(packed->message.packed.bytes, std::vector<std::byte>(m + 1, std::byte{7})));
  }
  EXPECT_FALSE(journal.next());
  EXPECT_GT(journal.givenBytes(), kWindow);
}

TEST_F(Journals, AStateStandsForAllBeforeItOnceItIsCommitted) {
  std::int64_t number = 41;
  {
    Journal journal(memory_, 1);
    journal.keepOrders("a");
    EXPECT_FALSE(journal.wantsState());
    journal.add(push(0, 1), 0);
    EXPECT_TRUE(journal.wantsState());
    journal.begin(stateOf(number));
    EXPECT_FALSE(journal.wantsState());
    journal.add(push(0, 2), 0);
  }
  {
    Journal journal(memory_, 1);  // begun is not committed
    EXPECT_FALSE(journal.hasState());
    EXPECT_TRUE(journal.next());
    EXPECT_FALSE(journal.crossed());
    EXPECT_TRUE(journal.next());
    EXPECT_TRUE(journal.crossed());
    EXPECT_FALSE(journal.next());
    journal.commit();
    journal.add(push(0, 3), 0);
  }
  {
    Journal journal(memory_, 1);
    EXPECT_TRUE(journal.hasState());
    EXPECT_EQ(numberIn(journal), 41);
    EXPECT_THAT(roundsIn(journal), ElementsAre(2, 3));
    number = 42;
    journal.begin(stateOf(number));
    journal.commit();
    for (const std::int64_t round : {4, 5}) journal.add(push(0, round), 0);
  }
  Journal journal(memory_, 1);
  EXPECT_EQ(numberIn(journal), 42);
  EXPECT_THAT(roundsIn(journal), ElementsAre(4, 5));
}

// Whoever is killed within a state leaves the one before.
TEST_F(Journals, AStateThatIsCutIsNotThere) {
  std::int64_t number = 1;
  struct Cut {};
  {
    Journal journal(memory_, 1);
    journal.keepOrders("a");
    journal.begin(stateOf(number));
    journal.commit();
    journal.add(push(0, 8), 0);
    EXPECT_THROW(journal.begin([](Archive& archive) {
      std::int64_t other = 99;
      archive.number("n", other);
      throw Cut{};
    }), Cut);
  }
  Journal journal(memory_, 1);
  EXPECT_EQ(numberIn(journal), 1);
  EXPECT_THAT(roundsIn(journal), ElementsAre(8));
}

TEST_F(Journals, WithoutRoomTheyEndAndSaySo) {
  {
    Journal journal(memory_, 1, 200);
    journal.keepOrders("a");
    journal.add(push(0, 1), 0);
    EXPECT_TRUE(journal.whole());
    journal.add(push(0, 2), 0);
    EXPECT_FALSE(journal.whole());
    journal.add(push(0, 3), 0);
    EXPECT_FALSE(journal.wantsState());
  }
  EXPECT_FALSE(Journal(memory_).whole());
}

TEST_F(Journals, OfAnotherVersionAreRefused) {
  const std::array<char, 4096> other = [] { std::array<char, 4096> bytes{}; return bytes.fill('x'), bytes; }();
  ASSERT_EQ(::pwrite(memory_.get(), other.data(), other.size(), 0), 4096);
  EXPECT_THROW(Journal journal(memory_), Error);
}

// A worker's next process counts its messages from 1 on again; said twice it is one.
TEST_F(Journals, NumbersBeginAnewWithAnotherProcessOfAClient) {
  FakeClock clock;
  FakeWire below(clock);
  Journal journal(memory_);
  JournalWire wire(below, clock, journal, {1});
  const auto comes = [&](MessageKind kind, std::uint32_t number, std::int64_t process = 0) {
    Message message = kind == MessageKind::kAnew ? messageOf(kind, Anew{.process = process}) : Message{.kind = kind};
    message.from = 1, message.number = number;
    below.incoming.emplace_back(clock.time, std::move(message));
    return wire.receive(0).has_value();
  };
  const auto numberOfNext = [&] {
    wire.send(1, {});
    return below.sent.back().second.number;
  };
  EXPECT_TRUE(comes(MessageKind::kPush, 1));
  EXPECT_TRUE(comes(MessageKind::kPush, 2));
  EXPECT_EQ(numberOfNext(), 1U);
  EXPECT_FALSE(comes(MessageKind::kPush, 2));
  EXPECT_TRUE(comes(MessageKind::kAnew, 0, 1));
  wire.anew(1, 1);
  EXPECT_EQ(numberOfNext(), 1U);
  EXPECT_TRUE(comes(MessageKind::kPush, 1));
  EXPECT_FALSE(comes(MessageKind::kAnew, 0, 1));
  EXPECT_EQ(below.sent.back().second.kind, MessageKind::kAnew);  // it is answered again
  EXPECT_EQ(below.sent.back().second.number, 0U);
  EXPECT_FALSE(comes(MessageKind::kPush, 1));
  EXPECT_EQ(numberOfNext(), 2U);
}

// What a server says again in its next process, and said to a client's process before, is for nobody.
TEST_F(Journals, WhatIsSaidAgainIsNotForAnotherProcess) {
  FakeClock clock;
  FakeWire below(clock);
  const auto come = [&](JournalWire& wire, Journal& journal, const Message& message) {
    below.incoming.emplace_back(clock.time, message);
    EXPECT_TRUE(wire.receive(0));
    journal.handled();
  };
  const auto anew = [] {
    Message message = messageOf(MessageKind::kAnew, Anew{.process = 1});
    message.from = 1;
    return message;
  };
  {
    Journal journal(memory_);
    journal.keepOrders("do this\n");
    JournalWire wire(below, clock, journal, {1, 2});
    Message first{.kind = MessageKind::kPush, .from = 1};
    first.number = 1;
    come(wire, journal, first);
    come(wire, journal, anew());
    wire.anew(1, 1);
  }
  below.sent.clear();
  Journal journal(memory_);
  EXPECT_EQ(journal.processOf(1), 1);
  EXPECT_EQ(journal.processOf(2), 0);
  JournalWire wire(below, clock, journal, {1, 2});
  EXPECT_EQ(wire.receive(0)->kind, MessageKind::kPush);
  for (const int client : {1, 2}) wire.send(client, {});
  EXPECT_EQ(below.sent.size(), 1U);  // to the other
  EXPECT_EQ(wire.receive(0)->kind, MessageKind::kAnew);
  wire.anew(1, 1);
  wire.send(1, {});
  EXPECT_EQ(below.sent.back().second.number, 1U);
}

TEST_F(Journals, AWorkersNewestRoundOutlivesIt) {
  {
    Journal first(memory_);
    EXPECT_EQ(first.rounds(), 0);
    first.keepOrders("do this\n");
    first.rounds(41);
  }
  EXPECT_EQ(Journal(memory_).rounds(), 41);
}

}  // namespace
}  // namespace paceline::tests
