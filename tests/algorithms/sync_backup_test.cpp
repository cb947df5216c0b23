// Backup workers: a step takes exactly k gradients, whole; late ones are dropped and seen in the log; all parameters of a step are the same.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

RunSpec backed(int workers, int servers, std::int64_t k) {
  RunSpec spec = clusterOf("sync_backup", workers, servers);
  spec.algorithm.params.set("num_aggregate", k);
  spec.algorithm.params.set("learning_rate", 0.05);
  return spec;
}

TEST(SyncBackup, OfAllWorkersIsSsgdBitForBit) {
  RunSpec spec = backed(3, 2, 0), plain = clusterOf("ssgd", 3, 2);
  plain.algorithm.params.set("learning_rate", 0.05);
  spec.nodes[2].emulate.slowdown = 3;
  EXPECT_EQ(runInSim(spec, quadratic()).parameters, runInSim(plain, quadratic()).parameters);
}

TEST(SyncBackup, TheSlowestDoesNotSetThePaceAndItsGradientsAreDropped) {
  RunSpec spec = backed(4, 2, 3);
  spec.nodes[3].emulate.slowdown = 2.5;
  spec.stop.rounds = 20;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_NEAR(result.rounds(0).back().t, 20 * kNominalStepSeconds, 0.01);
  for (int node = 0; node < 3; ++node)
    for (const RoundRecord& round : result.rounds(node)) EXPECT_EQ(round.staleness, 0);
  ASSERT_GE(result.rounds(3).size(), 5u);
  for (const RoundRecord& round : result.rounds(3)) EXPECT_GE(round.staleness, 1);
}

// One big model over many shards and servers: a step that counted different workers in different shards would give elements apart.
TEST(SyncBackup, AllShardsTakeTheSameGradients) {
  constexpr std::size_t kSize = 3 * kShardBytes / sizeof(Real);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {  // w0 is among the late ones in some
    RunSpec spec = backed(4, 3, 2);
    spec.algorithm.params.set("learning_rate", 1.0);
    spec.evaluate.everyRounds = 0;
    spec.stop.rounds = 12;
    Rng rng = Rng::stream(seed, "speeds");
    for (NodeSpec& node : spec.nodes) {
      node.emulate.slowdown = rng.uniform(1, 2);
      node.emulate.jitter = 0.5;
      node.emulate.latencyMs = rng.uniform(0, 60);
      node.emulate.bandwidthMbps = rng.uniform(500, 5000);
    }
    // The same number in every element, another for every worker and step.
    class Flat final : public Objective {
     public:
      explicit Flat(int rank) : value_(static_cast<Real>(1 << (4 * rank))), w_(kSize), blocks_{{"all", 0, kSize, true}} {}
      std::span<Real> parameters() override { return w_; }
      StepStats gradient(std::span<Real> out, const StepWatch& = {}) override {
        std::fill(out.begin(), out.end(), value_);
        return {.loss = 0, .samples = 1, .fetchSeconds = 0, .computeSeconds = 0};
      }
      StepStats warmUpStep(std::span<Real> out) override { return gradient(out); }
      Evaluation evaluate(Cores*) override { return {}; }
      std::span<const Block> blocks() const override { return blocks_; }

     private:
      Real value_;
      std::vector<Real> w_;
      std::vector<Block> blocks_;
    };
    const SimResult result = runInSim(spec, [](const RunSpec&, int rank) { return std::make_unique<Flat>(rank); });
    const std::vector<Real>& w = result.parameters[0];  // the others are stopped within a round
    EXPECT_EQ(std::count(w.begin(), w.end(), w.front()), static_cast<std::ptrdiff_t>(w.size())) << "seed " << seed;
  }
}

TEST(SyncBackup, MoreGradientsThanWorkersAreRefused) {
  try {
    runInSim(backed(2, 1, 3), quadratic());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/algorithm/params/num_aggregate: 3 gradients a step cannot come from 2 workers");
  }
}

TEST(SyncBackup, EndsAndIsCutAtAnySpeed) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng = Rng::stream(seed, "speeds");
    RunSpec spec = backed(5, 2, static_cast<std::int64_t>(1 + rng.below(5)));
    for (NodeSpec& node : spec.nodes) {
      node.emulate.slowdown = rng.uniform(1, 6);
      node.emulate.jitter = 0.4;
      node.emulate.latencyMs = rng.uniform(0, 150);
    }
    spec.checkpointEveryRounds = seed % 2 == 0 ? 2 : 0;
    spec.stop.rounds = 8;
    const SimResult result = runInSim(spec, quadratic());
    for (const std::string& reason : result.reasons) EXPECT_EQ(reason, "rounds") << seed;
  }
}

}  // namespace
}  // namespace paceline::tests
