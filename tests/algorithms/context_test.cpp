// What the context measures and keeps, seen through whole simulated runs.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr QuadraticProblem kWithStatistics{.size = 12, .statistics = 4};

double parts(const RoundRecord& r) { return r.fetch + r.compute + r.update + r.send + r.wait + r.receive + r.query + r.evaluate; }

TEST(WorkerContext, PhasesAddUpToTheRound) {
  for (const AlgorithmDef& def : algorithms()) {
    const int world = def.topology == Topology::kStandalone ? 1 : 3;
    RunSpec spec = clusterOf(def.id, world, 2);
    spec.nodes[0].emulate = {.slowdown = 2, .stepSeconds = {}, .jitter = 0.1, .bandwidthMbps = 0.5, .latencyMs = 3};
    const SimResult result = runInSim(spec, quadratic());
    for (int node = 0; node < world; ++node)
      for (const RoundRecord& round : result.rounds(node)) EXPECT_NEAR(parts(round), round.total, 1e-9) << def.id << " w" << node;
  }
}

TEST(WorkerContext, CountsSamplesStepsAndLoss) {
  RunSpec spec = clusterOf("local_sgd", 2, 1);
  spec.algorithm.params.set("local_steps", std::int64_t{3});
  const SimResult result = runInSim(spec, quadratic());
  for (const RoundRecord& round : result.rounds(1)) {
    EXPECT_EQ(round.localSteps, 3);
    EXPECT_EQ(round.samples, 12);
    EXPECT_GT(round.loss, 0);
    EXPECT_NEAR(round.compute, 3 * kNominalStepSeconds, 1e-12);
  }
  EXPECT_LT(result.rounds(1).back().loss, result.rounds(1).front().loss);
}

TEST(WorkerContext, AMetricOfTheMethodIsRecordedOnceARoundWithItsRoundsTime) {
  const SimResult result = runInSim(clusterOf("local_sgd", 2, 1), quadratic());
  for (const int node : {0, 1}) {
    const auto rounds = result.rounds(node);
    auto metrics = result.of<MetricRecord>(node);
    std::erase_if(metrics, [](const MetricRecord& metric) { return metric.round == 0; });  // totals of the run
    ASSERT_EQ(metrics.size(), rounds.size());
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      EXPECT_EQ(metrics[i].name, "drift");
      EXPECT_EQ(metrics[i].round, rounds[i].round);
      EXPECT_EQ(metrics[i].t, rounds[i].t);
    }
  }
  // Two workers are as far from their mean.
  EXPECT_NEAR(result.of<MetricRecord>(0)[0].value, result.of<MetricRecord>(1)[0].value, 1e-5);
  EXPECT_GT(result.of<MetricRecord>(0)[0].value, 0);
  for (const MetricRecord& metric : runInSim(clusterOf("ssgd", 2, 1), quadratic()).of<MetricRecord>(0)) EXPECT_EQ(metric.round, 0) << metric.name;
}

TEST(WorkerContext, CountsWhatCrossesTheWire) {
  RunSpec spec = clusterOf("ssgd", 2, 1);
  const SimResult result = runInSim(spec, quadratic());
  const RoundRecord round = result.rounds(1)[3];
  const auto message = static_cast<std::int64_t>(kHeaderBytes + 12 * sizeof(Real));
  const auto progress = static_cast<std::int64_t>(kHeaderBytes + 2 * sizeof(double));
  EXPECT_EQ(round.messagesSent, 2);  // its gradient; its progress of the round before
  EXPECT_EQ(round.bytesSent, message + progress);
  EXPECT_EQ(round.messagesReceived, 1);
  EXPECT_EQ(round.bytesReceived, message);
}

TEST(Statistics, AveragedWhereTheAlgorithmSaysSo) {
  for (const AlgorithmDef& def : algorithms()) {
    if (def.topology == Topology::kStandalone) continue;
    if (def.topology == Topology::kDecentralised) continue;  // those average with their neighbours, when they exchange
    const SimResult result = runInSim(clusterOf(def.id, 3, 1), quadratic(kWithStatistics));
    const std::vector<Real> a(result.parameters[0].begin() + 12, result.parameters[0].end());
    const std::vector<Real> b(result.parameters[1].begin() + 12, result.parameters[1].end());
    if (def.statistics == Statistics::kAveraged)
      EXPECT_EQ(a, b) << def.id;
    else
      EXPECT_NE(a, b) << def.id;
    for (const Real value : a) EXPECT_NE(value, Real{0}) << def.id << ": a pull took the worker's own statistics";
  }
}

// Three workers that all exchange at every step hold the same averages after each.
TEST(Statistics, AveragedAtExchanges) {
  for (const AlgorithmDef& def : algorithms()) {
    if (def.topology != Topology::kDecentralised || !def.synchronous) continue;
    RunSpec spec = clusterOf(def.id, 3, 0);
    spec.topology.params.set("every", std::int64_t{1});
    for (const ParamSpec& param : def.params)
      if (param.name == "step_size") spec.algorithm.params.set("step_size", "published");
    const SimResult result = runInSim(spec, quadratic(kWithStatistics));
    for (std::size_t i = 12; i < 16; ++i) {
      EXPECT_NE(result.parameters[0][i], Real{0}) << def.id;
      for (const auto& parameters : result.parameters)
        EXPECT_NEAR(static_cast<double>(parameters[i]), static_cast<double>(result.parameters[0][i]), 1e-6) << def.id;
    }
  }
}

}  // namespace
}  // namespace paceline::tests
