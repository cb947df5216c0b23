// Exchanges that overlap with the steps around them: the same bits, the same counts, less time.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/algorithms/algorithm.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

constexpr std::size_t kElements = 16 * 8192 + 48;  // sixteen shards with a few elements more than the shortest has
constexpr QuadraticProblem kLong{.size = kElements, .statistics = 16, .samples = 8, .blocks = 23};

// Links on which a vector takes as long as a step.
RunSpec slowLinks(const std::string& algorithm, int workers, int servers) {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  const double megabits = static_cast<double>(kElements * sizeof(Real)) * 8 / 1e6;
  for (NodeSpec& node : spec.nodes) {
    node.emulate.bandwidthMbps = megabits / kNominalStepSeconds;
    node.emulate.latencyMs = 0.1;
  }
  spec.evaluate.everyRounds = 0;
  return spec;
}

RunSpec plainly(RunSpec spec) {
  spec.wire.overlap = false;
  return spec;
}

std::vector<std::string> overlapping() {
  std::vector<std::string> ids;
  for (const AlgorithmDef& def : algorithms())
    if (def.overlaps) ids.push_back(def.id);
  return ids;
}

TEST(Overlap, IsWhatTheCatalogueSays) {
  EXPECT_EQ(overlapping(), (std::vector<std::string>{"ssgd", "local_sgd", "asgd", "dc_asgd", "grouping_sgd", "ssp", "gradient_dropping", "dgc", "dgs", "ringmaster_asgd"}));
}

struct Synchronous {
  const char* algorithm;
  std::int64_t localSteps = 0;  // 0: the method has none
};
class SynchronousOverlap : public ::testing::TestWithParam<Synchronous> {};
INSTANTIATE_TEST_SUITE_P(Methods, SynchronousOverlap, ::testing::Values(Synchronous{"ssgd"}, Synchronous{"local_sgd", 1}, Synchronous{"local_sgd", 3}),
                         [](const auto& test) { return test.param.algorithm + (test.param.localSteps > 0 ? strCat("_", test.param.localSteps) : ""); });

TEST_P(SynchronousOverlap, EndsWithTheSameBits) {
  const double most = GetParam().localSteps > 1 ? 0.95 : 0.9;  // of the time without: less of a longer round is exchange
  for (const int servers : {1, 3})
    for (const char* format : {"fp32", "fp16", "int8"})
      for (const bool schedule : {false, true}) {
        RunSpec spec = slowLinks(GetParam().algorithm, 3, servers);
        if (GetParam().localSteps > 0) spec.algorithm.params.set("local_steps", GetParam().localSteps);
        spec.nodes[1].emulate.slowdown = 1.7;
        spec.nodes[2].emulate.jitter = 0.4;
        spec.wire.format = format;
        spec.optimizer = schedule ? Optimizer{.weightDecay = 0.01, .clipNorm = {}, .id = "adamw"} : Optimizer{.momentum = 0.9, .nesterov = true, .weightDecay = 0.01, .clipNorm = {}};
        if (schedule) {
          spec.learningRateSchedule.id = "step";
          spec.learningRateSchedule.params.set("every_samples", std::int64_t{24});
          spec.learningRateSchedule.params.set("factor", 0.5);
        }
        const SimResult overlapped = runInSim(spec, quadratic(kLong)), plain = runInSim(plainly(spec), quadratic(kLong));
        EXPECT_EQ(overlapped.parameters, plain.parameters) << servers << ' ' << format << ' ' << schedule;
        EXPECT_LT(overlapped.seconds, most * plain.seconds) << servers << ' ' << format << ' ' << schedule;
      }
}

// What a worker's own parameters are from their mean is known when that has come: in the next round.
TEST(Overlap, DriftIsOfTheRoundThatSentTheParameters) {
  const RunSpec spec = slowLinks("local_sgd", 3, 2);
  const SimResult overlapped = runInSim(spec, quadratic(kLong)), plain = runInSim(plainly(spec), quadratic(kLong));
  for (const int node : {0, 2}) {
    const auto drifts = [node](const SimResult& result) {
      std::vector<MetricRecord> metrics = result.of<MetricRecord>(node);
      std::erase_if(metrics, [](const MetricRecord& metric) { return metric.name != "drift"; });
      return metrics;
    };
    const auto a = drifts(overlapped), b = drifts(plain);
    ASSERT_EQ(a.size(), b.size());
    ASSERT_EQ(a.size(), overlapped.rounds(node).size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].round, b[i].round);
      EXPECT_NEAR(a[i].value, b[i].value, 1e-12 * b[i].value);  // sums of doubles in another order
    }
  }
}

TEST(Overlap, EveryMethodTrainsAloneAsWithout) {
  for (const std::string& id : overlapping()) {
    RunSpec spec = slowLinks(id, 1, 2);
    spec.optimizer.weightDecay = 0.01;
    if (id == "grouping_sgd") spec.groups = {{"w0"}};
    const SimResult overlapped = runInSim(spec, quadratic(kLong)), plain = runInSim(plainly(spec), quadratic(kLong));
    EXPECT_EQ(overlapped.parameters, plain.parameters) << id;
    EXPECT_LE(overlapped.seconds, plain.seconds) << id;
  }
}

TEST(Overlap, CountsAreThoseOfTheRoundThatSentThem) {
  for (const std::string& id : overlapping()) {
    RunSpec spec = slowLinks(id, 2, 1);
    if (id == "grouping_sgd") spec.groups = {{"w0"}, {"w1"}};
    const SimResult overlapped = runInSim(spec, quadratic(kLong)), plain = runInSim(plainly(spec), quadratic(kLong));
    for (const int node : {0, 1}) {
      const auto a = overlapped.rounds(node), b = plain.rounds(node);
      ASSERT_EQ(a.size(), b.size()) << id;
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].round, b[i].round) << id;
        EXPECT_EQ(a[i].localSteps, b[i].localSteps) << id;
        EXPECT_EQ(a[i].samples, b[i].samples) << id;
        EXPECT_EQ(a[i].learningRate, b[i].learningRate) << id;
        if (id == "ssgd") {
          EXPECT_EQ(a[i].bytesSent, b[i].bytesSent) << id << " round " << a[i].round;
          EXPECT_EQ(a[i].loss, b[i].loss) << id;
        }
        EXPECT_NEAR(a[i].fetch + a[i].compute + a[i].update + a[i].send + a[i].wait + a[i].receive + a[i].query, a[i].total, 1e-9) << id;
      }
    }
  }
}

// What the servers' answers say is the average over shards of the updates by the other worker between a gradient's values and its own update.
TEST(Overlap, TwoEqualWorkersAreOneUpdateBehind) {
  RunSpec spec = slowLinks("asgd", 2, 1);
  spec.stop.rounds = 40;
  for (const int node : {0, 1}) {
    const auto rounds = runInSim(spec, quadratic(kLong)).rounds(node);
    double sum = 0;
    for (std::size_t i = 10; i < 30; ++i) sum += rounds[i].staleness;
    EXPECT_NEAR(sum / 20, 1, 0.1);
  }
}

// One server whose link carries the vectors of two workers, twice as long as a step computes. Both directions at once: a round takes the link's time,
// two shards' more (the last one's way in and out) and what the step needs behind the last: 2/16 and some blocks. In turn: the step and the link and a shard more.
TEST(Overlap, ARoundIsAsLongAsTheBusiestPort) {
  RunSpec spec = slowLinks("ssgd", 2, 1);
  spec.stop.rounds = 30;
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 0;
  const auto rounds = runInSim(spec, quadratic({.size = kElements, .samples = 8, .blocks = 16})).rounds(0);
  const double link = 2 * kNominalStepSeconds;
  const double spent = rounds[24].t - rounds[4].t;
  EXPECT_GT(spent / 20 / link, 1);
  EXPECT_LT(spent / 20 / link, 1.25);
  const auto plain = runInSim(plainly(spec), quadratic({.size = kElements, .samples = 8, .blocks = 16})).rounds(0);
  EXPECT_GT((plain[24].t - plain[4].t) / 20 / link, 1.5);
}

// Where computing dominates, the exchange is hidden but for what the first layers' way takes.
TEST(Overlap, ARoundIsAsLongAsAStepWhereTheLinkIsFast) {
  RunSpec spec = slowLinks("ssgd", 2, 1);
  spec.stop.rounds = 30;
  for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = *node.emulate.bandwidthMbps * 10, node.emulate.latencyMs = 0;
  const auto rounds = runInSim(spec, quadratic({.size = kElements, .samples = 8, .blocks = 16})).rounds(0);
  EXPECT_LT((rounds[24].t - rounds[4].t) / 20 / kNominalStepSeconds, 1.05);
}

TEST(Overlap, AClippedGradientIsSentWhole) {
  RunSpec spec = slowLinks("ssgd", 2, 1);
  spec.optimizer.clipNorm = 0.5;
  const SimResult overlapped = runInSim(spec, quadratic(kLong)), plain = runInSim(plainly(spec), quadratic(kLong));
  EXPECT_EQ(overlapped.parameters, plain.parameters);
  EXPECT_EQ(overlapped.seconds, plain.seconds);
}

}  // namespace
}  // namespace paceline::tests
