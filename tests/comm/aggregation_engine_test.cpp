#include "engine/comm/aggregators/aggregation_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/comm/sim/sim_world.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using testing::HasSubstr;

// A collective that does nothing, or fails on one rank in round 2.
class FakeEngine final : public aggregators::EngineAggregator {
 public:
  FakeEngine(const aggregators::AggregatorSetup& setup, bool fails) : aggregators::EngineAggregator(setup, "fake", "ring"), fails_(fails) {}
  int connected = 0, collectives = 0, disconnected = 0;

 private:
  void connect(Transport&, const aggregators::EngineBarrier&) override { ++connected; }
  void allReduce(std::span<Real>) override {
    if (++collectives == 2 && fails_) throw std::runtime_error("the cable is out");
  }
  void disconnect() noexcept override { ++disconnected; }
  bool fails_;
};

aggregators::AggregatorSetup setupOf(int rank, int world) {
  aggregators::AggregatorSetup setup;
  setup.rank = rank;
  std::vector<int> nodes;
  for (int i = 0; i < world; ++i) nodes.push_back(i);
  setup.workers = std::move(nodes);
  return setup;
}

void inSim(int world, const std::function<void(int rank, Transport&, Clock&)>& live) {
  sim::SimWorld sim{std::vector<Emulate>(static_cast<std::size_t>(world))};
  std::vector<std::function<void()>> bodies;
  for (int rank = 0; rank < world; ++rank)
    bodies.push_back([&, rank] {
      Transport transport(sim.wire(rank), sim.clock(rank));
      live(rank, transport, sim.clock(rank));
    });
  sim.run(bodies);
}

TEST(EngineAggregator, AFailureAnywhereIsAnErrorEverywhere) {
  for (const int world : {2, 3, 5, 8})
    inSim(world, [&](int rank, Transport& transport, Clock&) {
      FakeEngine engine(setupOf(rank, world), rank == 1);
      std::vector<Real> data(10);
      engine.mean(transport, 1, data);
      std::string text;
      try {
        engine.mean(transport, 2, data);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::kHost);
        text = error.what();
      }
      EXPECT_EQ(text, rank == 1 ? "the fake all-reduce of round 2 failed: the cable is out" : "the fake all-reduce of round 2 failed on another node");
      EXPECT_EQ(engine.connected, 1);
      EXPECT_EQ(engine.disconnected, rank == 1 ? 1 : 0);
    });
}

TEST(EngineAggregator, NobodyBeginsBeforeAllAreHereOrLeavesBeforeAllAreDone) {
  static constexpr int kWorld = 5;
  int here = 0, done = 0;
  class Counting final : public aggregators::EngineAggregator {
   public:
    Counting(const aggregators::AggregatorSetup& setup, int& here, int& done, Clock& clock) : aggregators::EngineAggregator(setup, "counting", "ring"), here_(here), done_(done), clock_(clock), rank_(setup.rank) {}

   private:
    void connect(Transport&, const aggregators::EngineBarrier&) override {}
    void allReduce(std::span<Real>) override {
      EXPECT_EQ(here_, kWorld);
      clock_.sleepFor(kWorld - rank_);
      ++done_;
    }
    void disconnect() noexcept override {}
    int &here_, &done_;
    Clock& clock_;
    int rank_;
  };
  inSim(kWorld, [&](int rank, Transport& transport, Clock& clock) {
    Counting engine(setupOf(rank, kWorld), here, done, clock);
    std::vector<Real> data(10);
    clock.sleepFor(rank);
    ++here;
    engine.mean(transport, 1, data);
    EXPECT_EQ(done, kWorld);
  });
}

TEST(EngineBarrier, TellsEverybodyEverything) {
  constexpr int kWorld = 4;
  inSim(kWorld, [](int rank, Transport& transport, Clock&) {
    const aggregators::EngineBarrier barrier(setupOf(rank, kWorld));
    const std::vector<char> own(static_cast<std::size_t>(rank + 1), static_cast<char>(250 + rank));  // above 127 too
    const auto all = barrier.tellAll(transport, own);
    for (int other = 0; other < kWorld; ++other)
      EXPECT_EQ(all[static_cast<std::size_t>(other)], std::vector<char>(static_cast<std::size_t>(other + 1), static_cast<char>(250 + other)));
  });
}

TEST(EngineBarrier, RefusesBytesThatAreNone) {
  inSim(2, [](int rank, Transport& transport, Clock&) {
    const aggregators::EngineBarrier barrier(setupOf(rank, 2));
    if (rank == 1) {
      const std::vector<Real> bad{1, 256};
      transport.send(0, {.kind = MessageKind::kExchange, .dense = Dense::copied(bad)});
      return;
    }
    try {
      (void)barrier.tellAll(transport, std::vector<char>{1});
      ADD_FAILURE() << "took 256 for a byte";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("node 1 sent an address with the byte 256"));
    }
  });
}

TEST(MakeAggregator, RefusesAnEngineThatItDoesNotHave) {
  EXPECT_TRUE(aggregators::makeAggregator(*aggregators::findAggregator("tree"), "auto", setupOf(0, 2)));
  EXPECT_TRUE(aggregators::makeAggregator(*aggregators::findAggregator("tree"), "paceline", setupOf(0, 2)));
  EXPECT_THROW((void)aggregators::makeAggregator(*aggregators::findAggregator("tree"), "gloo", setupOf(0, 2)), Error);
  EXPECT_TRUE(aggregators::makeAggregator(*aggregators::findAggregator("ring"), "gloo", setupOf(0, 2)));
}

}  // namespace
}  // namespace paceline::tests
