// Who was waited for, how long, and when a round's exchange was under way: exact in virtual time.
#include <gtest/gtest.h>

#include "engine/core/record/event.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr double kStep = kNominalStepSeconds;

RunSpec withSlow(RunSpec spec, std::size_t node, double slowdown) {
  spec.nodes[node].emulate.slowdown = slowdown;
  return spec;
}

void expectWait(const RoundRecord& round, const std::string& node, double seconds) {
  EXPECT_EQ(round.longestWaitFor, node) << "round " << round.round;
  ASSERT_TRUE(round.longestWait) << "round " << round.round;
  EXPECT_NEAR(*round.longestWait, seconds, 1e-9) << "round " << round.round;
}

void expectNoWait(const std::vector<RoundRecord>& rounds) {
  for (const RoundRecord& round : rounds) {
    EXPECT_EQ(round.longestWaitFor, "");
    EXPECT_EQ(round.longestWait, std::nullopt);
  }
}

// Servers answer when the last contribution has come: it is its sender who was waited for.
TEST(Waits, ThroughAServerAreForTheStraggler) {
  RunSpec spec = withSlow(clusterOf("ssgd", 3, 2), 1, 3);
  spec.wire.overlap = false;
  const SimResult result = runInSim(spec, quadratic());
  for (const int node : {0, 2})
    for (const RoundRecord& round : result.rounds(node)) expectWait(round, "w1", 2 * kStep);
  expectNoWait(result.rounds(1));
}

// What a round has left under way is waited for in the next: the first has none, the last its own too.
TEST(Waits, ForWhatIsUnderWayAreOfTheNextRoundWithOverlap) {
  const std::vector<RoundRecord> rounds = runInSim(withSlow(clusterOf("ssgd", 3, 2), 1, 3), quadratic()).rounds(2);
  ASSERT_EQ(rounds.size(), 10U);
  expectNoWait({rounds.front()});
  for (std::size_t i = 1; i < 9; ++i) expectWait(rounds[i], "w1", 2 * kStep);
  expectWait(rounds.back(), "w1", 4 * kStep);
}

// In a ring each hears its neighbour alone: the one behind the straggler waited for it, the next for that one.
TEST(Waits, InARingAreForTheNeighbour) {
  RunSpec spec = withSlow(clusterOf("ssgd", 3, 0), 2, 3);
  spec.aggregation.id = "ring";
  const SimResult result = runInSim(spec, quadratic());
  for (const RoundRecord& round : result.rounds(0)) expectWait(round, "w2", 2 * kStep);
  for (const RoundRecord& round : result.rounds(1)) expectWait(round, "w0", 2 * kStep);
  expectNoWait(result.rounds(2));
}

// Two clocks ahead and no further: then each round of the quick one ends with the slow one's push.
TEST(Waits, OfSspAreForTheSlowest) {
  RunSpec spec = withSlow(clusterOf("ssp", 2, 1), 0, 3);
  spec.wire.overlap = false;
  spec.algorithm.params.set("staleness_bound", std::int64_t{2});
  const std::vector<RoundRecord> rounds = runInSim(spec, quadratic()).rounds(1);
  int waited = 0;
  for (const RoundRecord& round : rounds) {
    if (!round.longestWait) continue;
    expectWait(round, "w0", round.wait);
    if (++waited > 1) {
      EXPECT_NEAR(round.wait, 2 * kStep, 1e-9);
    }
  }
  EXPECT_GE(waited, 3);
}

// Whoever comes last to a barrier was waited for, until it came.
TEST(Waits, AtEsyncsBarrierEndWhenTheLastHasCome) {
  RunSpec spec = withSlow(clusterOf("esync", 3, 1), 2, 2.5);
  spec.algorithm.params.set("local_lr", 0.05);
  const SimResult result = runInSim(spec, quadratic());
  int waited = 0;
  for (std::size_t i = 0; i < result.rounds(0).size(); ++i) {
    int last = 0;
    const auto beganAt = [&](int node) { return result.rounds(node)[i].exchangeBegan.value(); };
    for (const int node : {1, 2})
      if (beganAt(node) > beganAt(last) + 1e-12) last = node;
    for (const int node : {0, 1, 2}) {
      const double seconds = beganAt(last) - beganAt(node);
      if (seconds < 1e-9) continue;
      expectWait(result.rounds(node)[i], strCat("w", last), seconds);
      ++waited;
    }
  }
  EXPECT_GT(waited, 0);
}

TEST(Waits, OfDecentralisedMethodsAreForTheNeighbour) {
  RunSpec spec = withSlow(clusterOf("d_sgd", 3, 0), 2, 3);
  spec.topology.id = "edges";
  spec.edges = {{"w0", "w1", 1, 0}, {"w1", "w2", 1, 0}};
  const SimResult result = runInSim(spec, quadratic());
  for (const RoundRecord& round : result.rounds(1)) expectWait(round, "w2", 2 * kStep);
  const std::vector<RoundRecord> far = result.rounds(0);
  for (std::size_t i = 1; i < far.size(); ++i) expectWait(far[i], "w1", 2 * kStep);
}

// A server that answers one worker's own push was itself waited for: here the way there and back.
TEST(Waits, ForAnAnswerToOneselfAreForTheServer) {
  RunSpec spec = clusterOf("asgd", 1, 1);
  spec.wire.overlap = false;
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 5;
  for (const RoundRecord& round : runInSim(spec, quadratic()).rounds(0)) expectWait(round, "s0", 0.010);
}

TEST(Waits, AreNobodysOfOneWhoIsAlone) { expectNoWait(runInSim(clusterOf("standalone", 1, 0), quadratic()).rounds(0)); }

TEST(ExchangeTrack, IsInsideTheRoundWithoutOverlap) {
  RunSpec spec = clusterOf("ssgd", 1, 1);
  spec.wire.overlap = false;
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 5;
  for (const RoundRecord& round : runInSim(spec, quadratic()).rounds(0)) {
    EXPECT_NEAR(round.exchangeBegan.value(), round.t - 0.010, 1e-9);
    EXPECT_NEAR(round.exchangeEnded.value(), round.t, 1e-9);
  }
}

// Two shards: the second block's gradient is final a third of a step before the end, the first block's shard comes back when the next round has begun.
TEST(ExchangeTrack, ReachesFromTheBackwardPassIntoTheNextRoundWithOverlap) {
  RunSpec spec = clusterOf("ssgd", 1, 1);
  spec.evaluate.everyRounds = 0;
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 5;
  const std::size_t twoShards = 2 * (std::size_t{1} << 15) / sizeof(float);
  const std::vector<RoundRecord> rounds = runInSim(spec, quadratic({.size = twoShards, .samples = 8})).rounds(0);
  ASSERT_EQ(rounds.size(), 10U);
  for (std::size_t i = 0; i + 1 < rounds.size(); ++i) {
    const RoundRecord& round = rounds[i];
    EXPECT_NEAR(round.exchangeBegan.value(), round.t - kStep / 3, 1e-9) << round.round;
    EXPECT_NEAR(round.exchangeEnded.value(), round.t + 0.010, 1e-9) << round.round;
    EXPECT_NEAR(round.fetch + round.compute + round.update + round.send + round.wait + round.receive + round.query, round.total, 1e-9) << round.round;
    if (i > 0) expectWait(round, "s0", 0.010);
  }
}

TEST(ExchangeTrack, IsAbsentWhereNothingIsExchanged) {
  for (const RoundRecord& round : runInSim(clusterOf("standalone", 1, 0), quadratic()).rounds(0)) EXPECT_EQ(round.exchangeBegan, std::nullopt);
}

TEST(Clocks, OfASimulationAreOne) {
  RunSpec spec = clusterOf("ssgd", 3, 2);
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 5;
  const SimResult result = runInSim(spec, quadratic());
  for (int node = 0; node < 5; ++node) {
    const auto clocks = result.of<ClockRecord>(node);
    ASSERT_EQ(clocks.size(), 1U) << node;
    EXPECT_EQ(clocks[0].t, 0.0);
    EXPECT_EQ(clocks[0].error, 0);
    EXPECT_EQ(clocks[0].offset, std::nullopt);
  }
  // The others begin when the coordinator's word has come.
  EXPECT_NEAR(result.of<ClockRecord>(1)[0].unixTime - result.of<ClockRecord>(0)[0].unixTime, 0.005, 1e-12);
}

}  // namespace
}  // namespace paceline::tests
