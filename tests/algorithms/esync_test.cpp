// ESync as a whole, in virtual time.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithms/esync_state.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr double kFast = 0.03, kSlow = 3.5;

// The published cluster: four GPUs and two CPUs.
RunSpec paper(const std::string& algorithm, int rounds) {
  RunSpec spec = clusterOf(algorithm, 6, 1);
  for (int i = 0; i < 6; ++i) spec.nodes[static_cast<std::size_t>(i)].emulate.stepSeconds = i % 3 == 2 ? kSlow : kFast;
  spec.stop.rounds = rounds;
  return spec;
}

TEST(Esync, KeepsEveryWorkerOfThePaperBusy) {
  const SimResult result = runInSim(paper("esync", 20), quadratic());
  for (int node = 0; node < 6; ++node) {
    double compute = 0, total = 0;
    for (const RoundRecord& round : result.rounds(node)) compute += round.compute, total += round.total;
    EXPECT_GE(compute / total, 0.9) << "w" << node;
    EXPECT_EQ(result.rounds(node).back().localSteps, node % 3 == 2 ? 1 : 114);
  }
}

double throughput(const SimResult& result) { return static_cast<double>(result.samples()) / result.rounds(0).back().t; }

TEST(Esync, BeatsSsgdByWhatTheStepTimesAllow) {
  const double gain =
      throughput(runInSim(paper("esync", 20), quadratic())) / throughput(runInSim(paper("ssgd", 20), quadratic()));
  // Everybody always busy: sum of 1 / c_i. SSGD: all at the pace of the slowest.
  const double allowed = (4 / kFast + 2 / kSlow) / (6 / kSlow);
  EXPECT_NEAR(gain / allowed, 1, 0.05);
  EXPECT_LE(gain, allowed * (1 + 1e-9));
}

TEST(Esync, PublishedEpsilonGivesPublishedSteps) {
  RunSpec spec = paper("esync", 5);
  spec.algorithm.params.set("epsilon", 0.5);
  spec.algorithm.params.set("epsilon_unit", std::string("seconds"));
  const SimResult result = runInSim(spec, quadratic());
  for (const RoundRecord& round : result.rounds(0)) EXPECT_EQ(round.localSteps, 100);
}

class Skewed final : public Clock {
 public:
  Skewed(Clock& below, double by) : below_(below), by_(by) {}
  double now() const override { return below_.now() + by_; }
  void sleepFor(double seconds) override { below_.sleepFor(seconds); }

 private:
  Clock& below_;
  double by_;
};

// A worker's clock differs by an hour, a quarter of an hour ...: powers of two, so that differences of its readings stay exact.
TEST(Esync, AnHourOfClockSkewChangesNothing) {
  RunSpec spec = paper("esync", 6);
  for (NodeSpec& node : spec.nodes)
    if (node.role == Role::kWorker) node.emulate.stepSeconds = *node.emulate.stepSeconds > 1 ? 3.5 : 0.03125;
  SimOptions skewed;
  skewed.clock = [](Clock& clock, int node) {
    return std::make_unique<Skewed>(clock, node == 1 ? 4096 : node == 2 ? -4096 : node * 512.0);
  };
  const SimResult a = runInSim(spec, quadratic()), b = runInSim(spec, quadratic(), skewed);
  EXPECT_EQ(a.parameters, b.parameters);
  for (int node = 0; node < 6; ++node) EXPECT_EQ(a.rounds(node), b.rounds(node));
}

TEST(Esync, AbsorbsJitterWithoutLosingTheBusyRatio) {
  RunSpec spec = paper("esync", 30);
  for (NodeSpec& node : spec.nodes) node.emulate.jitter = node.role == Role::kWorker ? 0.05 : 0;
  const SimResult result = runInSim(spec, quadratic());
  for (int node = 0; node < 6; ++node) {
    double compute = 0, total = 0;
    for (const RoundRecord& round : result.rounds(node)) compute += round.compute, total += round.total;
    EXPECT_GE(compute / total, 0.85) << "w" << node;
  }
}

TEST(Esync, UsesEveryBatchItDraws) {
  std::vector<QuadraticObjective*> workers(6);
  std::vector<std::int64_t> drawn(6), used(6);
  const ObjectiveFactory factory = [&](const RunSpec& spec, int rank) {
    auto objective = std::make_unique<QuadraticObjective>(QuadraticProblem{}, rank, 6, spec.batchSize);
    workers[static_cast<std::size_t>(rank)] = objective.get();
    return objective;
  };
  SimOptions options;
  options.onEvent = [&](int node, const Event& event, std::atomic<bool>&) {
    const auto i = static_cast<std::size_t>(node);
    if (const auto* round = std::get_if<RoundRecord>(&event)) {
      used[i] += round->localSteps;
      drawn[i] = workers[i]->steps();
      EXPECT_EQ(drawn[i], used[i]);
    }
  };
  runInSim(paper("esync", 4), factory, options);
  for (std::int64_t count : used) EXPECT_GE(count, 4);
}

TEST(Esync, AdaptsAcrossLinksOfDifferentSpeed) {
  RunSpec spec = paper("esync", 8);
  spec.nodes[0].emulate.latencyMs = 20;
  spec.nodes[5].emulate.bandwidthMbps = 1;
  const SimResult result = runInSim(spec, quadratic());
  EXPECT_EQ(result.rounds(0).size(), 8u);
  EXPECT_LT(result.rounds(0).back().localSteps, 114) << "each question costs 20 ms";
  EXPECT_GT(result.rounds(0).back().query, 0.02);
}

}  // namespace
}  // namespace paceline::tests
