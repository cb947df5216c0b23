// Without learning: every method whose traffic does not follow from values sends and waits as it does when it learns, to the last bit.
#include <cmath>

#include <gtest/gtest.h>

#include "engine/runtime/hollow_objective.h"
#include "tests/support/clusters.h"

namespace paceline::tests {
namespace {

constexpr int kBatch = 4;
const QuadraticProblem kProblem{.size = 12, .statistics = 3, .spread = 0.02};

ObjectiveFactory hollowTwin(const RunSpec& spec) {
  const QuadraticObjective learns(kProblem, 0, 1, kBatch);
  const std::span<const Block> blocks = learns.blocks();
  return hollowObjectives({blocks.begin(), blocks.end()}, {.samples = std::vector<std::size_t>(spec.workers().size(), 10 * kBatch), .batchSize = kBatch});
}

// What is of times, bytes, rounds and staleness, in order, as lines. What is of values is left out: losses, evaluations and a method's own numbers, which
// belong to a round. What servers and workers say of their traffic has round 0.
std::string traceOf(const SimResult& result) {
  std::string lines;
  for (const auto& [node, given] : result.events) {
    Event event = given;
    if (std::holds_alternative<EvaluationRecord>(event)) continue;
    if (const auto* metric = std::get_if<MetricRecord>(&event); metric && metric->round > 0) continue;
    if (auto* round = std::get_if<RoundRecord>(&event)) round->loss = 0;
    lines += strCat(node, ' ', toLine(event), '\n');
  }
  return lines;
}

void expectSameTrace(const RunSpec& spec, const std::string& name) {
  const SimResult learns = runInSim(spec, quadratic(kProblem)), hollow = runInSim(spec, hollowTwin(spec));
  EXPECT_EQ(traceOf(hollow), traceOf(learns)) << name;
  EXPECT_EQ(hollow.seconds, learns.seconds) << name;
  EXPECT_EQ(hollow.simulatedEvents, learns.simulatedEvents) << name;
  for (const auto& [node, event] : hollow.events) {
    EXPECT_FALSE(std::holds_alternative<EvaluationRecord>(event)) << name;
    const auto* metric = std::get_if<MetricRecord>(&event);
    EXPECT_FALSE(metric && metric->round > 0) << name << ": " << metric->name;
    const auto* round = std::get_if<RoundRecord>(&event);
    EXPECT_TRUE(!round || std::isnan(round->loss)) << name;
  }
}

void forEachHollow(const std::function<void(const RunSpec&, const std::string&)>& check) {
  for (const AlgorithmDef& def : algorithms())
    if (!def.trafficByValue) forEachCluster(def, check);
}

TEST(Hollow, IsTheLearningRunsTrace) { forEachHollow(expectSameTrace); }

TEST(Hollow, IsItOnSlowLinksToo) {
  forEachHollow([](const RunSpec& given, const std::string& name) {
    RunSpec spec = given;
    double mbps = 0.05;
    for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = mbps, node.emulate.latencyMs = 100 * mbps, node.emulate.jitter = 0.2, mbps += 0.01;
    expectSameTrace(spec, name);
  });
}

TEST(Hollow, IsItWhereBatchesEvaluationsAndServersTakeTime) {
  forEachHollow([](const RunSpec& given, const std::string& name) {
    RunSpec spec = given;
    for (NodeSpec& node : spec.nodes) node.emulate.steps = {0.05, 0.1, 0.2}, node.emulate.fetchSeconds = 0.03, node.emulate.evaluateSeconds = 0.4, node.emulate.serveMbps = 0.05;
    expectSameTrace(spec, name);
  });
}

TEST(Hollow, IsItInEveryWireFormatAndWithEveryOption) {
  for (const char* format : kWireFormats)
    forEachHollow([format](const RunSpec& given, const std::string& name) {
      RunSpec spec = given;
      const AlgorithmDef& def = *findAlgorithm(spec.algorithm.id);
      spec.wire.format = def.densePushes ? format : "fp32";
      spec.wire.overlap = format != std::string("int8");
      if (def.momentum && def.adaptive && format == std::string("int8")) spec.optimizer.id = "adam";
      else if (def.momentum) spec.optimizer.momentum = 0.5, spec.optimizer.nesterov = true;
      spec.optimizer.weightDecay = 0.01;
      if (format == std::string("fp16")) spec.optimizer.clipNorm = 0.1;
      spec.learningRateSchedule = {.id = "step", .params = {}};
      for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = 0.2;
      expectSameTrace(spec, strCat(name, ' ', format));
    });
}

// Each choice of a method's parameters: variants, mixings, exchanges, groups by speed.
TEST(Hollow, IsItForEveryChoiceOfAMethod) {
  forEachHollow([](const RunSpec& given, const std::string& name) {
    for (const ParamSpec& param : findAlgorithm(given.algorithm.id)->params)
      for (const std::string& choice : param.choices) {
        RunSpec spec = given;
        spec.algorithm.params.set(param.name, choice);
        for (Edge& edge : spec.edges) edge.every = 2;
        expectSameTrace(spec, strCat(name, ' ', param.name, ' ', choice));
      }
  });
}

TEST(Hollow, IsItWhereAPartOfTheWorkersTakesPart) {
  forEachHollow([](const RunSpec& given, const std::string& name) {
    const std::string& share = findAlgorithm(given.algorithm.id)->partialBy;
    if (share.empty() || !aggregators::findAggregator(given.aggregation.id)->needsServer) return;
    RunSpec spec = given;
    spec.algorithm.params.set(share, 0.4);
    expectSameTrace(spec, name);
  });
}

// The last batch of an epoch has what is left, unless that is less than the model takes.
TEST(Hollow, CountsTheBatchesThatALoaderDraws) {
  RunSpec spec = clusterOf("ssgd", 1, 1);
  spec.stop.rounds = 6;
  const SimResult run = runInSim(spec, hollowObjectives({{"all", 0, 5, true}}, {.samples = {10}, .batchSize = 4, .minimum = 3}));
  std::vector<std::int64_t> samples;
  for (const RoundRecord& round : run.rounds(0)) samples.push_back(round.samples);
  EXPECT_EQ(samples, (std::vector<std::int64_t>{4, 4, 4, 4, 4, 4}));
  const SimResult whole = runInSim(spec, hollowObjectives({{"all", 0, 5, true}}, {.samples = {10}, .batchSize = 4, .minimum = 2}));
  samples.clear();
  for (const RoundRecord& round : whole.rounds(0)) samples.push_back(round.samples);
  EXPECT_EQ(samples, (std::vector<std::int64_t>{4, 4, 2, 4, 4, 2}));
}

}  // namespace
}  // namespace paceline::tests
