// Long vectors between nodes of one host: in memory that both map.
#include "engine/comm/shm/shared_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "engine/comm/transport/send_vector.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "tests/comm/patience.h"
#include "tests/support/failure.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kLong = 50'000;  // values

std::vector<Real> counted(std::size_t size, Real first) {
  std::vector<Real> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<Real> valuesOf(const Message& message) { return {message.dense.values().begin(), message.dense.values().end()}; }

// Two ends, or more, of queues; what crosses can be looked at and changed.
class Queues {
 public:
  class End final : public Wire {
   public:
    End(Queues& all, int self) : all_(all), self_(self) {}
    int self() const override { return self_; }
    void send(int to, Message message) override {
      message.from = self_;
      all_.bytes += wireBytes(message);
      all_.waiting[to].push_back(std::move(message));
    }
    std::optional<Message> receive(double) override {
      std::deque<Message>& mine = all_.waiting[self_];
      if (mine.empty()) return std::nullopt;
      Message message = std::move(mine.front());
      mine.pop_front();
      return message;
    }

   private:
    Queues& all_;
    int self_;
  };
  std::map<int, std::deque<Message>> waiting;  // by receiver
  std::size_t bytes = 0;
};

struct Node {
  Node(Queues& queues, int self, const std::string& folder)
      : end(queues, self), endpoint(strCat("ipc://", folder, "/n", self, ".sock")), wire(std::in_place, end, arena, endpoint) {}
  Queues::End end;
  std::string endpoint;
  shm::VectorArena arena;
  std::optional<shm::SharedWire> wire;

  Dense own(std::size_t size, Real first) const {
    const std::shared_ptr<void> memory = arena.allocate(size * sizeof(Real));
    const std::span<Real> values(static_cast<Real*>(memory.get()), size);
    std::iota(values.begin(), values.end(), first);
    return Dense::shared(values, memory);
  }
};

class SharedWire : public ::testing::Test {
 protected:
  SharedWire() {
    for (Node* node : {&one_, &other_, &third_}) node->wire->connect({one_.endpoint, other_.endpoint, third_.endpoint});
  }
  void send(Dense dense) { one_.wire->send(1, {.round = 7, .dense = std::move(dense)}); }
  Message received() { return other_.wire->receive(0).value(); }

  // A word from each, which is when the first notices what they have let go.
  void hear() {
    for (Node* node : {&other_, &third_}) node->wire->send(0, {});
    while (one_.wire->receive(0)) continue;
  }

  const std::string folder_ = ownFolder();
  Queues queues_;
  Node one_{queues_, 0, folder_}, other_{queues_, 1, folder_}, third_{queues_, 2, folder_};
};

TEST_F(SharedWire, ALongVectorCrossesInPlace) {
  send(one_.own(kLong, 3));
  EXPECT_LT(queues_.bytes, 200U);
  const Message message = received();
  EXPECT_EQ(message.round, 7);
  EXPECT_TRUE(message.packed.empty());
  EXPECT_EQ(valuesOf(message), counted(kLong, 3));
}

TEST_F(SharedWire, AShortOneGoesThroughTheSocket) {
  const std::vector<Real> few(10, 1);
  send(Dense::borrowed(few));
  EXPECT_FALSE(queues_.waiting[1].front().dense.empty());
  EXPECT_EQ(valuesOf(received()), few);
}

TEST_F(SharedWire, APartOfAVectorIsAPartOfItsMemory) {
  const Dense whole = one_.own(3 * kLong, 0);
  send(Dense::shared(whole.values().subspan(kLong, kLong), whole.owner()));
  EXPECT_EQ(valuesOf(received()), counted(kLong, static_cast<Real>(kLong)));
}

// Seen in the values: what is in place shows what is written behind it, what was copied does not.
TEST_F(SharedWire, WhatIsOnlyLentIsCopiedWhenItIsSent) {
  std::vector<Real> own = counted(kLong, 0);
  const Dense inArena = one_.own(kLong, 0);
  send(Dense::borrowed(own));
  send(Dense::borrowed(inArena.values()));  // its memory could be shared, but nobody says that it stays
  send(inArena);
  own[5] = -1;
  const_cast<Real&>(inArena.values()[5]) = -1;
  EXPECT_EQ(received().dense.values()[5], 5);
  EXPECT_EQ(received().dense.values()[5], 5);
  EXPECT_EQ(received().dense.values()[5], -1);
}

TEST_F(SharedWire, MemoryStaysWhileAnybodyReadsIt) {
  Dense first = one_.own(kLong, 1);
  const Real* const place = first.values().data();
  send(std::exchange(first, {}));
  std::optional<Message> message = received();
  std::optional<Message> copy = message;  // shares it
  message.reset();
  hear();
  EXPECT_NE(one_.own(kLong, 2).values().data(), place);
  EXPECT_EQ(valuesOf(*copy), counted(kLong, 1));
  copy.reset();
  hear();
  EXPECT_EQ(one_.own(kLong, 2).values().data(), place);
}

TEST_F(SharedWire, AVectorThatIsSentAgainAndAgainTakesTheMemoryOfTwo) {
  const std::vector<Real> like(kLong);
  std::set<const Real*> places;
  std::optional<Message> late;
  useVectorMemory([arena = one_.arena](std::size_t bytes) { return arena.allocate(bytes); });
  SendVector vector = SendVector::zeros(like);
  for (int round = 0; round < 100; ++round) {
    vector.renew();
    std::ranges::fill(vector.span(), static_cast<Real>(round));
    places.insert(vector.data());
    one_.wire->send(1, {.dense = Dense::shared(vector.span(), vector.owner())});
    Message message = received();
    EXPECT_EQ(message.dense.values()[kLong - 1], static_cast<Real>(round));
    late = std::move(message);  // the one before goes only now
    hear();
  }
  useVectorMemory({});
  EXPECT_EQ(places.size(), 2U);
}

TEST_F(SharedWire, OneVectorGoesToSeveralAndIsBackWhenTheLastLetsGo) {
  Dense mean = one_.own(kLong, 4);
  const Real* const place = mean.values().data();
  for (const int to : {1, 2}) one_.wire->send(to, {.dense = mean});
  mean = {};
  std::optional<Message> first = received(), second = third_.wire->receive(0);
  EXPECT_EQ(valuesOf(*first), valuesOf(*second));
  first.reset();
  hear();
  EXPECT_NE(one_.own(kLong, 0).values().data(), place);
  second.reset();
  hear();
  EXPECT_EQ(one_.own(kLong, 0).values().data(), place);
}

TEST_F(SharedWire, WhatWasSentOutlivesItsSender) {
  send(one_.own(kLong, 9));
  one_.wire.reset();
  one_.arena = {};
  EXPECT_EQ(valuesOf(received()), counted(kLong, 9));
}

TEST_F(SharedWire, APeerThatTakesNoMemoryGetsBytes) {
  std::filesystem::remove(shm::memoryPath(other_.endpoint));
  send(one_.own(kLong, 2));
  EXPECT_GT(queues_.bytes, kLong * sizeof(Real));
  EXPECT_EQ(valuesOf(received()), counted(kLong, 2));
}

TEST_F(SharedWire, WithoutAFreeSlotBytesGo) {
  std::vector<Message> held;
  const Dense vector = one_.own(kLong, 1);
  for (int i = 0; i < 17'000; ++i) {
    send(vector);
    held.push_back(received());
  }
  EXPECT_EQ(valuesOf(held.back()), counted(kLong, 1));
  EXPECT_GT(queues_.bytes, 500 * kLong * sizeof(Real));
  held.clear();
  const std::size_t before = queues_.bytes;
  send(vector);
  EXPECT_LT(queues_.bytes, before + 200);
}

// Each end notices a loss by itself, or not at all.
TEST_F(SharedWire, ALossThatOnlyOneEndSeesChangesNothing) {
  send(one_.own(kLong, 1));
  const Message kept = received();
  const Real* const place = kept.dense.values().data();
  queues_.waiting[1].push_back({.kind = MessageKind::kLost, .from = 0});
  EXPECT_EQ(received().kind, MessageKind::kLost);
  send(one_.own(kLong, 3));
  EXPECT_EQ(valuesOf(received()), counted(kLong, 3));
  queues_.waiting[0].push_back({.kind = MessageKind::kLost, .from = 1});
  EXPECT_EQ(one_.wire->receive(0)->kind, MessageKind::kLost);
  const std::size_t before = queues_.bytes;
  send(one_.own(kLong, 4));  // the wire below drops it: no memory may wait for a reader
  EXPECT_GT(queues_.bytes, before + kLong * sizeof(Real));
  queues_.waiting[1].clear();
  queues_.waiting[0].push_back({.kind = MessageKind::kBack, .from = 1});
  EXPECT_EQ(one_.wire->receive(0)->kind, MessageKind::kBack);
  for (int i = 0; i < 3; ++i) send(one_.own(kLong, 5));
  EXPECT_TRUE(queues_.waiting[1].back().dense.empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(valuesOf(received()), counted(kLong, 5));
  EXPECT_EQ(kept.dense.values().data(), place);
  EXPECT_EQ(valuesOf(kept), counted(kLong, 1));  // its memory is nobody else's meanwhile
}

// Node 1 as a process of its own, which takes memory and answers nothing.
class SharedWireWithAProcess : public SharedWire {
 protected:
  SharedWireWithAProcess() {
    other_.wire.reset();  // its place is the child's
    Pipe ready;
    child_ = forked();
    if (child_ == 0) {
      const Node node(queues_, 1, folder_);
      [[maybe_unused]] const ssize_t written = ::write(ready.write.get(), "r", 1);
      for (;;) ::pause();
    }
    char byte;
    EXPECT_EQ(::read(ready.read.get(), &byte, 1), 1);
    Dense vector = one_.own(kLong, 1);
    place_ = vector.values().data();
    send(std::move(vector));
    EXPECT_LT(queues_.bytes, 200U);
  }
  ~SharedWireWithAProcess() override { endChild(); }
  void endChild() {
    if (child_ > 0) ::kill(child_, SIGKILL), waitedFor(std::exchange(child_, 0));
  }
  void loseChild() {
    queues_.waiting[0].push_back({.kind = MessageKind::kLost, .from = 1});
    EXPECT_EQ(one_.wire->receive(0)->kind, MessageKind::kLost);
  }
  bool isBack() const { return one_.own(kLong, 0).values().data() == place_; }

  pid_t child_ = 0;
  const Real* place_ = nullptr;
};

TEST_F(SharedWireWithAProcess, WhatAKilledPeerWasLentIsBackWhenItIsLost) {
  endChild();
  EXPECT_FALSE(isBack());
  loseChild();
  EXPECT_TRUE(isBack());
}

TEST_F(SharedWireWithAProcess, WhatALostPeerWasLentStaysUntilItEnds) {
  loseChild();
  one_.wire->send(2, {.dense = one_.own(kLong, 2)});
  EXPECT_FALSE(isBack());
  endChild();
  one_.wire->send(2, {.dense = one_.own(kLong, 2)});
  EXPECT_TRUE(isBack());
}

TEST_F(SharedWire, APeerThatComesAgainAsAnotherProcessIsKnownByItsNewMemory) {
  send(one_.own(kLong, 1));
  const Message kept = received();
  Node again(queues_, 0, folder_ + "/again");
  queues_.waiting[1].push_back({.kind = MessageKind::kLost, .from = 0});
  EXPECT_EQ(received().kind, MessageKind::kLost);
  again.wire->connect({again.endpoint, other_.endpoint});
  again.wire->send(1, {.dense = again.own(kLong, 8)});
  EXPECT_EQ(valuesOf(received()), counted(kLong, 8));
  EXPECT_EQ(valuesOf(kept), counted(kLong, 1));
}

// Its next process may be heard before its end is noticed, and what it had sent last may come behind that.
TEST_F(SharedWire, WhatAProcessLeftBehindIsNotTakenForItsFollowers) {
  send(one_.own(kLong, 1));
  (void)received();
  send(one_.own(kLong, 2));
  Message late = queues_.waiting[1].front();
  queues_.waiting[1].pop_front();
  Node again(queues_, 0, folder_ + "/again");
  again.wire->connect({again.endpoint, other_.endpoint});
  again.wire->send(1, {.round = 8, .dense = again.own(kLong, 8)});
  queues_.waiting[1].push_back(std::move(late));
  again.wire->send(1, {.round = 9, .dense = again.own(kLong, 9)});
  EXPECT_EQ(valuesOf(received()), counted(kLong, 8));
  const Message last = received();
  EXPECT_EQ(last.round, 9);
  EXPECT_EQ(valuesOf(last), counted(kLong, 9));
}

TEST_F(SharedWire, WhatRefersToNothingNamesItsSender) {
  const auto refusal = [&](auto change) {
    send(one_.own(kLong, 1));
    Message& message = queues_.waiting[1].front();
    std::vector<std::byte> bytes(message.packed.bytes.begin(), message.packed.bytes.end());
    std::size_t count = message.packed.count;
    change(bytes, count);
    message.packed = Packed::of(Packing::kShared, count, bytes);
    return failureOf([&] { received(); }, Errc::kFormat);
  };
  const auto put = [](std::vector<std::byte>& bytes, std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  EXPECT_EQ(refusal([&](auto& bytes, auto&) { bytes.pop_back(); }), "node 0 sent a vector in shared memory that is not described as one");
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 0, std::uint64_t{1} << 60); }), HasSubstr("is not there: 50000 values at 1152921504606846976"));
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 0, std::uint64_t{(64 << 20) - 4}); }), HasSubstr("is not there"));
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 0, std::uint64_t{1}); }), HasSubstr("is not there"));
  EXPECT_THAT(refusal([&](auto&, auto& count) { count = std::size_t{1} << 40; }), HasSubstr("is not there"));
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 8, std::uint32_t{3}); }), HasSubstr("it has not handed over"));
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 12, std::uint32_t{1} << 30); }), HasSubstr("is not there"));
  EXPECT_THAT(refusal([&](auto& bytes, auto&) { put(bytes, 12, std::uint32_t{16'000}); }), HasSubstr("it does not lend: slot 16000"));
}

TEST_F(SharedWire, WhoConnectsAndSaysNothingOfUseIsPassedOver) {
  for (const char* text : {"", "x", "0", "0 ledger", "9 ledger", "1 vectors", "-1 vectors 0", "0 vectors 99999999999"}) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    shm::memoryPath(other_.endpoint).copy(address.sun_path, sizeof address.sun_path - 1);
    const Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_TRUE(*text == '\0' || sendPacket(socket, text));
  }
  send(one_.own(kLong, 2));
  EXPECT_EQ(valuesOf(received()), counted(kLong, 2));
}

TEST(VectorArena, GivesMemoryOfTheSameLengthAgainAndKnowsItsOwn) {
  const shm::VectorArena arena;
  std::shared_ptr<void> first = arena.allocate(100'000);
  const void* const place = first.get();
  EXPECT_TRUE(arena.placeOf(static_cast<std::byte*>(first.get()) + 99'999, 1));
  EXPECT_FALSE(arena.placeOf(&arena, 1));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 4096, 0U);
  EXPECT_NE(arena.allocate(100'000).get(), place);
  first.reset();
  EXPECT_EQ(arena.allocate(99'990).get(), place);  // the same pages
  const std::shared_ptr<void> large = arena.allocate(std::size_t{200} << 20);  // more than a segment
  ASSERT_TRUE(arena.placeOf(large.get(), std::size_t{200} << 20));
  EXPECT_FALSE(arena.placeOf(large.get(), std::size_t{201} << 20));
}

// Real sockets below, and nodes on threads of their own.
TEST(SharedWireOverZmq, ManyVectorsCrossBothWaysBitForBit) {
  constexpr int kRounds = 200;
  const std::string folder = ownFolder();
  std::vector<std::unique_ptr<zeromq::BoundWire>> below;
  std::vector<std::string> endpoints;
  for (int i = 0; i < 2; ++i) {
    below.push_back(zeromq::bindZmqWire(i, strCat("ipc://", folder)));
    endpoints.push_back(below.back()->endpoint());
  }
  std::vector<std::unique_ptr<shm::SharedWire>> wires;  // both listen before either introduces its memory
  for (std::size_t i = 0; i < 2; ++i) wires.push_back(std::make_unique<shm::SharedWire>(*below[i], shm::VectorArena(), endpoints[i]));
  const auto play = [&](int self) {
    shm::SharedWire& wire = *wires[static_cast<std::size_t>(self)];
    below[static_cast<std::size_t>(self)]->connect(endpoints, {"a", "b"});
    wire.connect(endpoints);
    std::vector<Real> values = counted(kLong, static_cast<Real>(self));
    for (int round = 0; round < kRounds; ++round) {
      wire.send(1 - self, {.round = round, .dense = Dense::copied(values)});  // what is lent may not change before settle()
      for (Real& value : values) value += 1;
      std::optional<Message> message;
      while (!message) message = wire.receive(kPatience);
      EXPECT_EQ(message->round, round);
      EXPECT_EQ(valuesOf(*message), counted(kLong, static_cast<Real>(1 - self + round)));
    }
    wire.settle();
  };
  std::jthread other([&] { play(1); });
  play(0);
}

}  // namespace
}  // namespace paceline::tests
