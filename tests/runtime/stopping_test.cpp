// However and whenever a run ends, every node ends, with the same reason and nothing half done recorded.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/aggregators/aggregator.h"
#include "engine/runtime/hollow_objective.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

RunSpec endless(const std::string& algorithm, int workers, int servers) {
  RunSpec spec = clusterOf(algorithm, workers, servers);
  spec.stop = {};
  return spec;
}

void expectReason(const SimResult& result, const std::string& reason) {
  for (const std::string& given : result.reasons) EXPECT_EQ(given, reason);
}

TEST(Stopping, ByRounds) {
  for (const char* algorithm : {"ssgd", "local_sgd", "esync"}) {
    RunSpec spec = endless(algorithm, 3, 1);
    spec.nodes[1].emulate.slowdown = 3;
    spec.stop.rounds = 7;
    const SimResult result = runInSim(spec, quadratic());
    expectReason(result, "rounds");
    for (int node = 0; node < 3; ++node) EXPECT_EQ(result.rounds(node).size(), 7u) << algorithm;
  }
}

TEST(Stopping, BySeconds) {
  RunSpec spec = endless("ssgd", 2, 1);
  spec.stop.seconds = 0.55;
  const SimResult result = runInSim(spec, quadratic());
  expectReason(result, "seconds");
  EXPECT_EQ(result.rounds(0).size(), 6u);
}

// The stop comes while the others hold back shards of a round that is none any more, for want of answers; behind them waits what they say at their end.
TEST(Stopping, BySecondsWithinARoundOfManyShards) {
  constexpr std::size_t kSize = 400'000;  // more shards than leave unanswered
  for (const char* algorithm : {"ssgd", "local_sgd"})
    for (const bool overlap : {true, false})
      for (const double seconds : {0.5, 1.0, 1.7, 2.3}) {
        RunSpec spec = endless(algorithm, 3, 1);
        spec.stop.seconds = seconds, spec.wire.overlap = overlap;
        const double steps[] = {0.01, 0.05, 0.03};
        for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
          spec.nodes[i].emulate.bandwidthMbps = 100;
          if (i < 3) spec.nodes[i].emulate.stepSeconds = steps[i];
        }
        SCOPED_TRACE(strCat(algorithm, overlap ? ", overlapping, " : ", ", seconds, " s"));
        const ObjectiveFactory hollow = hollowObjectives({{"a", 0, kSize / 2, true}, {"b", kSize / 2, kSize / 2, true}}, {.samples = {1000, 1000, 1000}, .batchSize = 4});
        ASSERT_NO_THROW(expectReason(runInSim(spec, hollow), "seconds"));
      }
}

TEST(Stopping, BySamplesOfAllWorkers) {
  RunSpec spec = endless("asgd", 4, 1);
  spec.stop.samples = 200;  // batches of 4
  const SimResult result = runInSim(spec, quadratic());
  expectReason(result, "samples");
  EXPECT_GE(result.samples(), 200);
  EXPECT_LE(result.samples(), 200 + 2 * 4 * 4);
}

TEST(Stopping, ByAccuracy) {
  RunSpec spec = endless("ssgd", 3, 1);
  spec.algorithm.params.set("learning_rate", 0.2);
  spec.stop.accuracy = 1;
  spec.stop.rounds = 1000;
  const SimResult result = runInSim(spec, quadratic({.spread = 0.1}));
  expectReason(result, "accuracy");
  const std::vector<EvaluationRecord> evaluations = result.evaluations(0);
  EXPECT_EQ(evaluations.back().accuracy, 1);
  EXPECT_LT(evaluations[evaluations.size() - 2].accuracy, 1);
  EXPECT_EQ(result.rounds(1).size(), static_cast<std::size_t>(evaluations.back().round));
}

TEST(Stopping, AccuracyIsFoundOnlyWhereItIsEvaluated) {
  RunSpec spec = endless("ssgd", 3, 1);
  spec.algorithm.params.set("learning_rate", 0.2);
  spec.stop.accuracy = 1;
  spec.evaluate.everyRounds = 7;
  const SimResult result = runInSim(spec, quadratic({.spread = 0.1}));
  EXPECT_EQ(result.rounds(0).size() % 7, 0u);
}

TEST(Stopping, WhenTheEvaluatingWorkerIsAsked) {
  for (const char* algorithm : {"ssgd", "local_sgd", "asgd", "dc_asgd", "esync"}) {
    SimOptions options;
    options.onEvent = [](int node, const Event& event, std::atomic<bool>& asked) {
      const auto* round = std::get_if<RoundRecord>(&event);
      if (node == 0 && round && round->round == 5) asked = true;
    };
    const SimResult result = runInSim(endless(algorithm, 3, 2), quadratic(), options);
    expectReason(result, "asked");
    EXPECT_EQ(result.rounds(0).size(), 6u);
    EXPECT_EQ(result.evaluations(0).back().round, 6) << "the last round is evaluated";
  }
}

TEST(Stopping, AskingAnotherWorkerAloneChangesNothing) {
  SimOptions options;
  options.onEvent = [](int node, const Event&, std::atomic<bool>& asked) { asked = node == 1; };
  RunSpec spec = endless("ssgd", 3, 1);
  spec.stop.rounds = 12;
  const SimResult result = runInSim(spec, quadratic(), options);
  expectReason(result, "rounds");
  EXPECT_EQ(result.rounds(1).size(), 12u);
}

TEST(Stopping, SynchronousWorkersCloseTheSameRounds) {
  for (const char* aggregation : {"server", "ring"})
    for (const char* algorithm : {"ssgd", "local_sgd", "esync"})
      for (int last = 1; last <= 6; ++last) {
        RunSpec spec = endless(algorithm, 4, 2);
        spec.aggregation.id = aggregation;
        spec.stop.rounds = last;
        spec.nodes[0].emulate.latencyMs = 40;
        spec.nodes[3].emulate.latencyMs = 170;
        spec.nodes[2].emulate.slowdown = 2.5;
        const SimResult result = runInSim(spec, quadratic());
        for (int node = 0; node < 4; ++node)
          EXPECT_EQ(result.rounds(node).size(), static_cast<std::size_t>(last)) << algorithm << ' ' << aggregation;
        for (int node = 1; node < 4; ++node) EXPECT_EQ(result.rounds(node).back().round, last);
      }
}

// The stop is noticed in every phase of the others' rounds: links and devices of many speeds, every moment of asking.
TEST(Stopping, AtAnyMomentNeverHangs) {
  for (const AlgorithmDef& def : algorithms()) {
    const int world = def.topology == Topology::kStandalone ? 1 : 4;
    for (const char* aggregation : {"server", "ring"})
      for (double seconds = 0.01; seconds < 1.2; seconds += 0.043) {
        if (def.combines && !aggregators::findAggregator(aggregation)->needsServer) continue;
        RunSpec spec = endless(def.id, world, 2);
        spec.aggregation.id = aggregation;
        spec.evaluate.on = world > 1 ? "w1" : "w0";
        spec.stop.seconds = seconds;
        for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
          spec.nodes[i].emulate.latencyMs = static_cast<double>(i * 13 % 7) * 9;
          spec.nodes[i].emulate.slowdown = 1 + static_cast<double>(i * 5 % 4) * 0.7;
          spec.nodes[i].emulate.jitter = 0.4;
          if (i % 2 == 0) spec.nodes[i].emulate.bandwidthMbps = 0.05;
        }
        const SimResult result = runInSim(spec, quadratic());
        expectReason(result, "seconds");
      }
  }
}

TEST(Stopping, BeforeAnotherWorkerHasBegunItsFirstRound) {
  RunSpec spec = endless("asgd", 2, 1);
  spec.nodes[1].emulate.slowdown = 1000;
  spec.stop.rounds = 3;
  const SimResult result = runInSim(spec, quadratic());
  expectReason(result, "rounds");
  EXPECT_TRUE(result.rounds(1).empty());
}

double total(const SimResult& result, const std::string& name) {
  double sum = 0;
  for (const auto& [node, event] : result.events)
    if (const auto* metric = std::get_if<MetricRecord>(&event); metric && metric->name == name) sum += metric->value;
  return sum;
}

// The rounds' own bytes cannot show it: the pushes of a round that the stop discards are in no round's record.
TEST(Stopping, WhatWasSentIsWhatWasReceivedToTheLastByte) {
  for (const char* algorithm : {"ssgd", "asgd", "ssp", "sync_backup", "dgs", "esync"})
    for (const double seconds : {0.3, 0.75, 1.01, 2.2}) {
      RunSpec spec = endless(algorithm, 4, 2);
      spec.stop.seconds = seconds;
      for (std::size_t i = 0; i < spec.nodes.size(); ++i) spec.nodes[i].emulate.slowdown = 1 + 0.37 * static_cast<double>(i), spec.nodes[i].emulate.latencyMs = 7;
      const SimResult result = runInSim(spec, quadratic());
      for (const std::string unit : {"bytes", "messages"}) {
        EXPECT_GT(total(result, unit + "_to_servers"), 0) << algorithm;
        EXPECT_EQ(total(result, unit + "_to_servers"), total(result, unit + "_from_workers")) << algorithm << " stopped after " << seconds << " s";
        EXPECT_EQ(total(result, unit + "_to_workers"), total(result, unit + "_from_servers") + total(result, unit + "_undelivered"))
            << algorithm << " stopped after " << seconds << " s";
      }
    }
}

}  // namespace
}  // namespace paceline::tests
