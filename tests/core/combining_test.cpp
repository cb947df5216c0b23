// What methods that need contributions one by one ask of a document.
#include <gtest/gtest.h>

#include "engine/core/spec/catalog.h"

namespace paceline::tests {
namespace {

struct Case {
  std::string aggregation;
  double share = 1;
  std::int64_t wrong = 0;
  std::string rule = "median";
};

std::vector<Finding> findings(const Case& given, bool combines) {
  Catalog catalog;
  catalog.aggregations.resize(2);
  catalog.aggregations[0].id = "server", catalog.aggregations[0].needsServer = true;
  catalog.aggregations[1].id = "ring";
  AlgorithmEntry& entry = catalog.algorithms.emplace_back();
  entry.id = "some";
  entry.combines = combines;
  entry.partialBy = "participation";
  entry.needsTwoMore = {.param = "rule", .values = {"krum"}};
  entry.params = {realParam("participation", 1, 0.001, 1, "Share."), limited(integerParam({"byzantine", "Byzantine workers"}, 0, 0, 100, "Wrong ones."), Limit::kMinority)};
  RunSpec spec;
  for (int i = 0; i < 4; ++i) spec.nodes.push_back({.id = strCat("w", i), .role = Role::kWorker});
  spec.algorithm.id = "some";
  spec.algorithm.params.set("participation", given.share);
  spec.algorithm.params.set("byzantine", given.wrong);
  spec.algorithm.params.set("rule", given.rule);
  spec.aggregation.id = given.aggregation;
  std::vector<Finding> found;
  checkCombining(spec, catalog, found);
  return found;
}

TEST(Combining, PartOfTheWorkersNeedsAServer) {
  EXPECT_TRUE(findings({.aggregation = "server", .share = 0.5}, false).empty());
  EXPECT_TRUE(findings({.aggregation = "ring"}, false).empty());
  const std::vector<Finding> found = findings({.aggregation = "ring", .share = 0.5}, false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pointer, "/aggregation/id");
  EXPECT_EQ(found[0].message, "participation 0.5 needs an aggregation whose server has each contribution: server; in \"ring\" the workers add them up on the way.");
}

TEST(Combining, RulesNeedAServer) {
  EXPECT_TRUE(findings({.aggregation = "server"}, true).empty());
  const std::vector<Finding> found = findings({.aggregation = "ring"}, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "algorithm \"some\" needs an aggregation whose server has each contribution: server; in \"ring\" the workers add them up on the way.");
}

TEST(Combining, WrongWorkersAreAMinority) {
  EXPECT_TRUE(findings({.aggregation = "server", .wrong = 1}, true).empty());
  const std::vector<Finding> found = findings({.aggregation = "server", .wrong = 2}, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "Byzantine workers must be below half the number of workers, 4; it is 2.");
}

// Krum's score is a sum over N - b - 2 others.
TEST(Combining, SomeRulesNeedTwoWorkersMore) {
  EXPECT_TRUE(findings({.aggregation = "server", .rule = "krum"}, true).empty());
  const std::vector<Finding> found = findings({.aggregation = "server", .wrong = 1, .rule = "krum"}, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pointer, "/algorithm/params/byzantine");
  EXPECT_EQ(found[0].message, "Byzantine workers must be at most 0 with rule krum and 4 workers; it is 1.");
}

// A worker that is started again takes part where the run has gone on without it.
TEST(Combining, WhoComesAgainMustHaveBeenDoneWithout) {
  Catalog catalog;
  AlgorithmEntry& entry = catalog.algorithms.emplace_back();
  entry.id = "some", entry.topology = Topology::kServer;
  RunSpec spec;
  for (int i = 0; i < 2; ++i) spec.nodes.push_back({.id = strCat("w", i), .role = Role::kWorker});
  spec.algorithm.id = "some", spec.workerRestarts = 5;
  const auto message = [&] {
    std::vector<Finding> found;
    checkCombining(spec, catalog, found);
    return found.empty() ? "" : strCat(found[0].pointer, " ", found[0].message);
  };
  EXPECT_EQ(message(), "/worker_restarts A worker cannot take part again (5 times): algorithm \"some\" needs all of its workers.");
  entry.survivesLoss = true;
  EXPECT_EQ(message(), "");
  entry.joinsAgain = false;
  EXPECT_EQ(message(), "/worker_restarts A worker cannot take part again (5 times): algorithm \"some\" goes on without it, and no other worker's state is of use to it.");
  entry.topology = Topology::kDecentralised;
  EXPECT_EQ(message(), "/worker_restarts A worker cannot take part again (5 times): in a decentralised method its neighbours go on with its last vector, and no other process takes its place.");
  for (const int by : {0, RunSpec().workerRestarts}) {  // by itself it is done where it can be
    spec.workerRestarts = by;
    EXPECT_EQ(message(), "");
  }
  spec.lostData = "divided";
  EXPECT_EQ(message(), "/lost_data The data of a lost worker cannot be divided: in a decentralised method each worker goes on by itself, and none says who is lost.");
  entry.topology = Topology::kServer;
  EXPECT_EQ(message(), "");
  entry.survivesLoss = false;
  EXPECT_EQ(message(), "/lost_data The data of a lost worker cannot be divided: algorithm \"some\" needs all of its workers.");
  spec.nodes.pop_back();
  EXPECT_EQ(message(), "");  // a suite may have one worker, too
}

}  // namespace
}  // namespace paceline::tests
