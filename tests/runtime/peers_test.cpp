// Who connects to whom.
#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace paceline::tests {
namespace {

std::vector<std::string> idsOf(const RunSpec& spec) {
  std::vector<std::string> ids;
  for (const NodeSpec& node : spec.nodes) ids.push_back(node.id);
  return ids;
}

// "w0 s0": without the node itself.
std::string metBy(const RunSpec& spec, const std::string& id) {
  std::string met;
  for (const std::string& other : endpointsMetBy(spec, spec.nodeIndex(id), idsOf(spec)))
    if (!other.empty() && other != id) met += strCat(met.empty() ? "" : " ", other);
  return met;
}

TEST(Peers, AWorkerMeetsTheCoordinatorAndTheServers) {
  const RunSpec spec = clusterOf("ssgd", 4, 2);
  EXPECT_EQ(metBy(spec, "w0"), "w1 w2 w3 s0 s1");
  EXPECT_EQ(metBy(spec, "w2"), "w0 s0 s1");
  EXPECT_EQ(metBy(spec, "s1"), "w0 w1 w2 w3");
}

TEST(Peers, WhereTheyAggregateWorkersMeet) {
  RunSpec spec = clusterOf("ssgd", 4, 0);
  spec.aggregation.id = "ring";
  EXPECT_EQ(metBy(spec, "w2"), "w0 w1 w3");
}

TEST(Peers, AWorkerMeetsItsNeighboursAndBeforeSnapshotsAllWorkers) {
  RunSpec spec = clusterOf("d_sgd", 6, 0);
  EXPECT_EQ(metBy(spec, "w3"), "w0 w2 w4");
  spec.checkpointEveryRounds = 5;
  EXPECT_EQ(metBy(spec, "w3"), "w0 w1 w2 w4 w5");
}

TEST(Peers, TheEvaluatorMeetsEverybody) {
  RunSpec spec = clusterOf("asgd", 3, 1);
  NodeSpec& evaluator = spec.nodes.emplace_back();
  evaluator.id = "e0";
  evaluator.role = Role::kEvaluator;
  EXPECT_EQ(metBy(spec, "e0"), "w0 w1 w2 s0");
  EXPECT_EQ(metBy(spec, "w2"), "w0 s0 e0");
  EXPECT_EQ(metBy(spec, "s0"), "w0 w1 w2 e0");
}

TEST(Peers, WhoMeetsIsMet) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& spec, const std::string& name) {
      const std::vector<std::string> ids = idsOf(spec);
      for (std::size_t a = 0; a < ids.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_EQ(endpointsMetBy(spec, static_cast<int>(a), ids)[b].empty(), endpointsMetBy(spec, static_cast<int>(b), ids)[a].empty()) << name << ' ' << ids[a] << ' ' << ids[b];
    });
}

}  // namespace
}  // namespace paceline::tests
