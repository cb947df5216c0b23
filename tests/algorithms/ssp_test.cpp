// SSP: who is held back and who is released, by hand; its two limits; the bound, seen by a checker that has only the event log.
#include <gtest/gtest.h>

#include <deque>

#include "tests/algorithms/traced_server.h"
#include "tests/algorithms/unequal.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

Params bound(std::int64_t s) { return Params({{"staleness_bound", s}}); }
Params unbounded(bool weighting) { return Params({{"bounded", false}, {"weighting", weighting}}); }

TEST(Ssp, HoldsAReplyWhileTwoAheadAndReleasesItWithTheValuesOfThatMoment) {
  TracedServer server("ssp", bound(1), 2, {0});
  EXPECT_EQ(seen(server.push(0, 2)), (std::vector<SeenReply>{{0, 1, {0, 4}, {-1}}}));  // one ahead: goes on
  EXPECT_TRUE(server.push(0, 2).empty());                                             // two ahead: waits, -2
  // The slowest moves to clock 1: both go on, rank 0 with what rank 1 has added meanwhile.
  EXPECT_EQ(seen(server.push(1, 4)), (std::vector<SeenReply>{{0, 3, {0, 12}, {-4}}, {1, 3, {2, 12}, {-4}}}));
  EXPECT_TRUE(server.push(0, 2).empty());
  // Rank 0's gradient was computed at version 3, which holds everybody's pushes so far: not stale.
  EXPECT_EQ(seen(server.push(1, 2)), (std::vector<SeenReply>{{0, 5, {0, 20}, {-6}}, {1, 5, {1, 20}, {-6}}}));
}

TEST(Ssp, NobodyWaitsForTheClockOfALostWorker) {
  TracedServer server("ssp", bound(1), 3, {0});
  server.push(0, 2), server.push(1, 2);
  EXPECT_TRUE(server.push(0, 2).empty());  // two ahead of rank 2
  EXPECT_EQ(seen(server.left(2)).size(), 1U);  // one ahead of rank 1
  EXPECT_TRUE(server.push(0, 2).empty());
  EXPECT_EQ(seen(server.left(1)).size(), 1U);
  EXPECT_EQ(seen(server.push(0, 2)).size(), 1U);
}

// What rank 0 had pushed counts, and it gets no answer.
TracedServer thatLostOneThatWaited() {
  TracedServer server("ssp", bound(1), 3, {0});
  server.push(0, 2);
  EXPECT_TRUE(server.push(0, 2).empty());
  EXPECT_TRUE(server.left(0).empty());
  return server;
}

TEST(Ssp, ALostWorkerThatWaitedIsNotAnswered) {
  TracedServer server = thatLostOneThatWaited();
  server.push(1, 2);
  EXPECT_EQ(seen(server.push(2, 2)), (std::vector<SeenReply>{{2, 4, {3, 16}, {-4}}}));
}

TEST(Ssp, NorIsWhoTakesItsPlaceForWhatItHadPushed) {
  TracedServer server = thatLostOneThatWaited();
  server.joined(0, 1);
  EXPECT_EQ(seen(server.push(0, 2)).size(), 1U);  // its first, one ahead of both
  for (const int rank : {1, 2}) EXPECT_EQ(seen(server.push(rank, 2)).size(), 1U);
}

TEST(Ssp, InLockStepAllGetTheSameValuesInRankOrderWithTheLastPush) {
  TracedServer server("ssp", bound(0), 3, {0});
  for (int clock = 1; clock <= 4; ++clock) {
    EXPECT_TRUE(server.push(2, 2).empty());
    EXPECT_TRUE(server.push(0, 4).empty());
    const double sum = -5.0 * clock, samples = 12.0 * clock;
    const auto value = static_cast<Real>(sum);
    EXPECT_EQ(seen(server.push(1, 4)),
              (std::vector<SeenReply>{{0, 3 * clock, {1, samples}, {value}}, {1, 3 * clock, {2, samples}, {value}}, {2, 3 * clock, {0, samples}, {value}}}));
  }
}

TEST(Ssp, WeighsByStaleness) {
  TracedServer server("ssp", unbounded(true), 2, {0});
  EXPECT_EQ(seen(server.push(0, 2))[0].values[0], -1);
  EXPECT_EQ(seen(server.push(0, 2))[0].values[0], -2);
  EXPECT_EQ(seen(server.push(0, 2))[0].values[0], -3);
  EXPECT_EQ(seen(server.push(1, 8))[0].values[0], -4);  // three updates late: a quarter of 0.5 * 8
}

TEST(Ssp, RefusesACheckpointOfAnotherNumberOfClocks) {
  TracedServer server("ssp", bound(1), 2, {0});
  StateTable table = server.saved();
  EXPECT_NO_THROW(server.load(table));
  table.arrays.at("clocks").bytes.resize(sizeof(double));
  try {
    server.load(table);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "\"clocks\" has 1 elements in the checkpoint, 2 here");
  }
}

TEST(Ssp, RefusesASecondPushWhileTheFirstWaits) {
  TracedServer server("ssp", bound(0), 2, {0});
  server.push(0, 1);
  EXPECT_THROW(server.push(0, 1), Error);
}

TEST(Ssp, ABoundBelowZeroIsRefused) {
  std::vector<Finding> findings;
  completeParams(findAlgorithm("ssp")->params, bound(-1), "/algorithm/params", findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0], (Finding{"/algorithm/params/staleness_bound", "Staleness bound must be at least 0; it is -1."}));
}

// E5: without a bound it is ASGD, bit for bit, on the same arrivals.
TEST(Ssp, UnboundedEqualsAsgdOnAReplayedTrace) {
  Rng rng = Rng::stream(1, "trace");
  for (const double momentum : {0.0, 0.9})
    for (const bool nesterov : {false, true}) {
      const Optimizer optimizer{.momentum = momentum, .nesterov = nesterov && momentum > 0, .clipNorm = {}};
      std::vector<Real> start(7), g(7);
      for (Real& w : start) w = static_cast<Real>(rng.uniform(-1, 1));
      TracedServer ssp("ssp", unbounded(false), 5, start, optimizer), asgd("asgd", {}, 5, start, optimizer);
      for (int message = 0; message < 2000; ++message) {
        for (Real& x : g) x = static_cast<Real>(rng.uniform(-1, 1));
        const int rank = static_cast<int>(rng.below(5));
        ASSERT_EQ(seen(ssp.push(rank, g)), seen(asgd.push(rank, g)));
      }
    }
}

RunSpec sspRun(int workers, int servers, std::int64_t s, double rate) {
  RunSpec spec = clusterOf("ssp", workers, servers);
  spec.algorithm.params = Params({{"learning_rate", rate}, {"staleness_bound", s}});
  return spec;
}

// E4, where sums are exact: integer gradients, rates that are powers of two, worlds that are powers of two.
TEST(Ssp, LockStepEqualsSsgdBitForBit) {
  const ObjectiveFactory integers = [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(300'000, rank); };
  for (const int world : {2, 4})
    for (const int servers : {1, 3}) {
      RunSpec ssp = sspRun(world, servers, 0, 0.125 / world), ssgd = clusterOf("ssgd", world, servers);
      ssgd.algorithm.params.set("learning_rate", 0.125);
      for (RunSpec* spec : {&ssp, &ssgd}) {
        makeUnequal(*spec);
        for (NodeSpec& node : spec->nodes) node.emulate.bandwidthMbps = node.emulate.bandwidthMbps ? std::optional(20.0) : std::nullopt;
      }
      const SimResult a = runInSim(ssp, integers), b = runInSim(ssgd, integers);
      EXPECT_TRUE(a.parameters[0] == b.parameters[0]) << world << " workers, " << servers << " servers";
      // Of a clock's N pushes the k-th is k - 1 updates late: nobody gets values with a part of the next clock in them.
      std::vector<double> late(10);
      for (int node = 0; node < world; ++node)
        for (const RoundRecord& round : a.rounds(node)) late[static_cast<std::size_t>(round.round) - 1] += round.staleness;
      for (std::size_t clock = 0; clock < 9; ++clock) EXPECT_NEAR(late[clock], world * (world - 1) / 2.0, 1e-9);
    }
}

// E4 in a fixed order: gradients of one clock at the same values, applied in rank order.
TEST(Ssp, LockStepEqualsTheOracleBitForBit) {
  for (const int world : {1, 3, 5}) {
    RunSpec spec = sspRun(world, 2, 0, 0.03125);
    const SimResult result = runInSim(spec, quadratic());
    std::vector<std::unique_ptr<QuadraticObjective>> workers;
    for (int rank = 0; rank < world; ++rank)
      workers.push_back(std::make_unique<QuadraticObjective>(QuadraticProblem{}, rank, world, 4));
    std::vector<Real> w(12), g(12);
    for (int clock = 0; clock < 10; ++clock) {
      const std::vector<Real> begun = w;
      for (const auto& worker : workers) {
        std::copy(begun.begin(), begun.end(), worker->parameters().begin());
        worker->gradient(g);
        for (std::size_t i = 0; i < w.size(); ++i) w[i] = w[i] - Real{0.03125} * g[i];
      }
    }
    EXPECT_EQ(result.parameters[0], w) << world << " workers";
  }
}

// What an outsider can know: the order in which workers closed their rounds, and each round's times. Convention: a worker that closed
// round c starts c + 1 at once; it may when c - (rounds that the slowest has pushed) <= s, so that closed rounds differ by s + 1 at most.
class BoundChecker {
 public:
  BoundChecker(int workers, std::int64_t bound) : closed_(static_cast<std::size_t>(workers)), pushedAt_(closed_.size()), bound_(bound) {}

  // `now`: when the round closed, on everybody's clock.
  void onRound(int worker, const RoundRecord& round, double now) {
    const auto own = static_cast<std::size_t>(worker);
    if (round.round != closed_[own] + 1) ++violations_;
    closed_[own] = round.round;
    pushedAt_[own].push_back(now - round.receive - round.wait - round.send);
    closings_.push_back({own, round.round, now, round.wait});
    const auto [low, high] = std::minmax_element(closed_.begin(), closed_.end());
    widest_ = std::max(widest_, *high - *low);
    if (*high - *low > bound_ + 1) ++violations_;
  }

  // With the times: nobody started a round before everybody had pushed what the bound asks for, and whoever waited went on the moment
  // that the last of them had. `early` and `late`: how many did not, by more than `slack` seconds.
  struct Verdict {
    std::int64_t early = 0, late = 0, judged = 0;
  };
  Verdict judge(double slack) const {
    Verdict verdict;
    for (const Closing& closing : closings_) {
      double due = 0;
      const auto needed = static_cast<std::size_t>(std::max<std::int64_t>(0, closing.round - bound_));
      if (std::any_of(pushedAt_.begin(), pushedAt_.end(), [&](const auto& pushes) { return pushes.size() < needed; })) continue;
      for (const std::vector<double>& pushes : pushedAt_)
        if (needed > 0) due = std::max(due, pushes[needed - 1]);
      const double own = pushedAt_[closing.worker][static_cast<std::size_t>(closing.round) - 1];
      ++verdict.judged;
      if (closing.at < due - slack) ++verdict.early;
      if (closing.at > std::max(due, own) + slack) ++verdict.late;
    }
    return verdict;
  }

  std::int64_t violations() const { return violations_; }
  std::int64_t widest() const { return widest_; }
  std::size_t rounds() const { return closings_.size(); }

 private:
  struct Closing {
    std::size_t worker = 0;
    std::int64_t round = 0;
    double at = 0, waited = 0;
  };
  std::vector<std::int64_t> closed_;
  std::vector<std::vector<double>> pushedAt_;  // by worker, by round
  std::vector<Closing> closings_;
  std::int64_t bound_, violations_ = 0, widest_ = 0;
};

// Runs and gives the checker every round as it closes, with the simulation's time.
void watch(const RunSpec& spec, BoundChecker& checker) {
  std::vector<Clock*> clocks(spec.nodes.size());
  class Seen final : public Clock {
   public:
    explicit Seen(Clock& clock) : clock_(clock) {}
    double now() const override { return clock_.now(); }
    void sleepFor(double seconds) override { clock_.sleepFor(seconds); }

   private:
    Clock& clock_;
  };
  SimOptions options;
  options.clock = [&](Clock& clock, int node) {
    clocks[static_cast<std::size_t>(node)] = &clock;
    return std::make_unique<Seen>(clock);
  };
  options.onEvent = [&](int node, const Event& event, std::atomic<bool>&) {
    if (const auto* round = std::get_if<RoundRecord>(&event)) checker.onRound(node, *round, clocks[static_cast<std::size_t>(node)]->now());
  };
  runInSim(spec, quadratic({.size = 3, .samples = 8}), options);
}

RunSpec randomCluster(Rng& rng, bool links, int rounds) {
  const int workers = 2 + static_cast<int>(rng.below(6));
  RunSpec spec = sspRun(workers, 1 + static_cast<int>(rng.below(3)), static_cast<std::int64_t>(rng.below(5)), 0.01);
  spec.evaluate.everyRounds = 0;
  spec.stop.rounds = rounds;
  for (NodeSpec& node : spec.nodes) {
    node.emulate.slowdown = rng.uniform(1, 6);
    node.emulate.jitter = rng.uniform(0, 0.9);
    if (!links) continue;
    node.emulate.latencyMs = rng.uniform(0, 300);
    if (rng.below(2) == 0) node.emulate.bandwidthMbps = rng.uniform(0.01, 1);
  }
  // The others reach the bound, and when it moves are told before the slowest is.
  if (!links) spec.nodes[static_cast<std::size_t>(workers) - 1].emulate.slowdown = 12;
  spec.wire.overlap = links;  // without, the record of a round ends when its answer is there
  return spec;
}

// The external check: more than 10^5 rounds in all, random clusters.
TEST(Ssp, NobodyRunsFurtherAheadThanTheBound) {
  Rng rng = Rng::stream(3, "clusters");
  std::size_t rounds = 0;
  for (int cluster = 0; rounds < 100'000; ++cluster) {
    const RunSpec spec = randomCluster(rng, cluster % 2 == 1, 1200);
    const std::int64_t s = spec.algorithm.params.integer("staleness_bound");
    BoundChecker checker(static_cast<int>(spec.workers().size()), s);
    watch(spec, checker);
    rounds += checker.rounds();
    ASSERT_EQ(checker.violations(), 0) << "cluster " << cluster;
    if (cluster % 2 == 1) continue;
    EXPECT_EQ(checker.widest(), s + 1) << "the bound is used up, cluster " << cluster;
    // Without links a push arrives when it is sent: who may go on is known to the instant.
    const BoundChecker::Verdict verdict = checker.judge(1e-9);
    EXPECT_EQ(verdict.early, 0) << "cluster " << cluster;
    EXPECT_EQ(verdict.late, 0) << "cluster " << cluster;
    EXPECT_GT(verdict.judged, static_cast<std::int64_t>(checker.rounds() / 2));
  }
}

TEST(Ssp, TheCheckerSeesARunWithoutABound) {
  RunSpec spec = sspRun(3, 1, 2, 0.01);
  spec.algorithm.params.set("bounded", false);
  spec.nodes[2].emulate.slowdown = 5;
  spec.stop.rounds = 50;
  BoundChecker checker(3, 2);
  watch(spec, checker);
  EXPECT_GT(checker.violations(), 0);
  EXPECT_GT(checker.judge(1e-9).early, 0);
}

TEST(Ssp, TheCheckerSeesABoundThatIsOneTooWide) {
  RunSpec spec = sspRun(3, 1, 3, 0.01);
  spec.nodes[2].emulate.slowdown = 5;
  spec.stop.rounds = 50;
  BoundChecker checker(3, 2);
  watch(spec, checker);
  EXPECT_GT(checker.violations(), 0);
}

TEST(Ssp, EveryElementHasEveryGradientOnceOverServersAndUnequalLinks) {
  RunSpec spec = sspRun(3, 3, 2, 0.5);
  makeUnequal(spec);
  spec.stop.rounds = 30;
  const SimResult result = runInSim(spec, [](const RunSpec&, int rank) { return std::make_unique<IntegerObjective>(90, rank); });
  const auto sumTo = [](int rank, std::size_t steps, std::size_t i) {
    std::int64_t sum = 0;
    for (std::size_t t = 0; t < steps; ++t) sum += IntegerObjective::at(rank, static_cast<std::int64_t>(t), i);
    return sum;
  };
  // A server's 30 elements hold all 30 pushes of worker 0 and the first k of each other, the same k for all of them.
  for (std::size_t shard = 0; shard < 3; ++shard) {
    int explanations = 0;
    for (std::size_t k1 = 27; k1 <= 33; ++k1)
      for (std::size_t k2 = 27; k2 <= 33; ++k2) {
        bool exact = true;
        for (std::size_t i = 30 * shard; i < 30 * shard + 30; ++i)
          exact = exact && static_cast<double>(result.parameters[0][i]) == -0.5 * static_cast<double>(sumTo(0, 30, i) + sumTo(1, k1, i) + sumTo(2, k2, i));
        explanations += exact ? 1 : 0;
      }
    EXPECT_EQ(explanations, 1) << "shard " << shard;
  }
}

}  // namespace
}  // namespace paceline::tests
