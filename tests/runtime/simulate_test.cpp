#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "engine/core/base/error.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

std::string linesOf(const RunSpec& spec) {
  std::string lines;
  simulate(spec, quadratic(), [&](int node, const Event& event) { lines += strCat(node, ' ', toLine(event), '\n'); });
  return lines;
}

// Everything that could differ: jitter, unequal devices, links, several servers.
RunSpec lively(const AlgorithmDef& def) {
  RunSpec spec = clusterOf(def.id, def.topology == Topology::kStandalone ? 1 : 5, 2);
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    Emulate& emulate = spec.nodes[i].emulate;
    emulate.slowdown = 1 + static_cast<double>(i % 3);
    emulate.jitter = 0.3;
    emulate.latencyMs = static_cast<double>(i);
    if (i % 2 == 1) emulate.bandwidthMbps = 10;
  }
  return spec;
}

TEST(Simulate, TwiceIsTheSameToTheByte) {
  for (const AlgorithmDef& def : algorithms()) {
    const RunSpec spec = lively(def);
    const std::string lines = linesOf(spec);
    EXPECT_EQ(lines, linesOf(spec)) << def.id;
    EXPECT_NE(lines.find("\"finished\""), std::string::npos);
  }
}

TEST(Simulate, AnotherSeedJittersDifferently) {
  RunSpec spec = lively(*findAlgorithm("asgd"));
  const std::string lines = linesOf(spec);
  spec.seed = 2;
  EXPECT_NE(lines, linesOf(spec));
}

TEST(Simulate, EmitsInTheOrderOfTimeAndNode) {
  std::vector<std::pair<double, int>> order;
  simulate(clusterOf("ssgd", 4, 1), quadratic(), [&](int node, const Event& event) {
    if (const auto* round = std::get_if<RoundRecord>(&event)) order.emplace_back(round->t, node);
  });
  EXPECT_EQ(order.size(), 40u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Simulate, SaysWhyEveryNodeFinished) {
  std::vector<std::string> reasons(5);
  simulate(clusterOf("asgd", 3, 2), quadratic(), [&](int node, const Event& event) {
    if (const auto* notice = std::get_if<NoticeRecord>(&event)) reasons[static_cast<std::size_t>(node)] = notice->reason;
  });
  for (const std::string& reason : reasons) EXPECT_EQ(reason, "rounds");
}

TEST(Simulate, AnObjectiveThatCannotBeMadeIsTheError) {
  int events = 0;
  const ObjectiveFactory broken = [](const RunSpec& spec, int rank) -> std::unique_ptr<Objective> {
    if (rank == 1) throw Error(Errc::kData, "no data for w1");
    return quadratic()(spec, rank);
  };
  try {
    simulate(clusterOf("ssgd", 3, 1), broken, [&](int, const Event&) { ++events; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kData);
    EXPECT_STREQ(error.what(), "no data for w1");
  }
  EXPECT_EQ(events, 1) << "what came before is not lost";
}

TEST(Simulate, SpecsThatCannotRunAreRefusedByName) {
  const std::vector<std::pair<RunSpec, std::string>> wrong = [] {
    RunSpec unknown = clusterOf("sgdx", 1, 0), lonely = clusterOf("standalone", 2, 0), serverless = clusterOf("asgd", 2, 0),
            aggregation = clusterOf("ssgd", 2, 1), parameter = clusterOf("ssgd", 2, 1), schedule = clusterOf("ssgd", 2, 1);
    aggregation.aggregation.id = "magic";
    parameter.algorithm.params.set("momentum", 0.9);
    schedule.learningRateSchedule.id = "cosinus";
    return std::vector<std::pair<RunSpec, std::string>>{
        {unknown, "sgdx"},          {lonely, "one worker"},  {serverless, "needs a server"},
        {aggregation, "\"magic\""}, {parameter, "momentum"}, {schedule, "cosinus"}};
  }();
  for (const auto& [spec, word] : wrong) {
    try {
      linesOf(spec);
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kSpec);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace paceline::tests
