// Nodes go round the hosts; shares follow what cores can do and sum to exactly 1.
#include "app/cluster/run/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/base/rng.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;

std::vector<NodeSpec> workers(int count) {
  std::vector<NodeSpec> nodes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].id = std::to_string(i);
  return nodes;
}

std::vector<std::string> hostsOf(const std::vector<NodeSpec>& nodes) {
  std::vector<std::string> hosts;
  for (const NodeSpec& node : nodes) hosts.push_back(node.host);
  return hosts;
}

std::string refusal(const auto& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Placement, GoesRoundTheHostsAndRespectsSlots) {
  auto nodes = workers(5);
  run::placeRoundRobin(nodes, run::parsePlacementHosts("a,b:2"));
  EXPECT_THAT(hostsOf(nodes), ElementsAre("a", "b", "b", "a", "b"));
}

TEST(Placement, SharesFollowTheSpeedOfTheCoresAWorkerUses) {
  auto nodes = workers(3);
  nodes[0].host = nodes[1].host = "fast", nodes[2].host = "slow";
  nodes[2].threads = 4;
  // fast: 100 on 10 CPUs, one thread each -> 10 and 10; slow: 20 on 2 CPUs, four threads share them -> 20
  run::shareBySpeed(nodes, {{.name = "fast", .speed = 100, .cpus = 10}, {.name = "slow", .speed = 20, .cpus = 2}});
  EXPECT_EQ(nodes[0].share, 0.25);
  EXPECT_EQ(nodes[1].share, 0.25);
  EXPECT_EQ(nodes[2].share, 0.5);
}

TEST(Placement, AnEmulatedSlowDeviceGetsLess) {
  auto nodes = workers(2);
  nodes[0].emulate.slowdown = 3;
  run::shareBySpeed(nodes, {{.name = "local", .speed = 10, .cpus = 2}});
  EXPECT_EQ(nodes[0].share, 0.25);
  EXPECT_EQ(nodes[1].share, 0.75);
}

TEST(Placement, AServerAloneGetsNoShareAndAnEvaluatorNever) {
  auto nodes = workers(3);
  nodes[0].role = Role::kServer, nodes[2].role = Role::kEvaluator;
  run::shareBySpeed(nodes, {{.name = "local", .speed = 10, .cpus = 2}});
  EXPECT_EQ(nodes[0].share, std::nullopt);
  EXPECT_EQ(nodes[1].share, 1.0);
  EXPECT_EQ(nodes[2].share, std::nullopt);
}

TEST(Placement, FasterServersOwnMoreOfTheParameters) {
  auto nodes = workers(4);
  for (const std::size_t server : {0, 1, 2}) nodes[server].role = Role::kServer;
  nodes[0].host = "fast", nodes[1].host = nodes[2].host = nodes[3].host = "slow";
  // fast: 60 on 2 CPUs -> 30; slow: 20 on 2 CPUs, two servers -> 10 each; the worker there is of another role
  run::shareBySpeed(nodes, {{.name = "fast", .speed = 60, .cpus = 2}, {.name = "slow", .speed = 20, .cpus = 2}});
  EXPECT_EQ(nodes[0].share, 0.6);
  EXPECT_EQ(nodes[1].share, 0.2);
  EXPECT_EQ(nodes[2].share, 0.2);
  EXPECT_EQ(nodes[3].share, 1.0);
}

TEST(Placement, SharesSumToExactlyOneForAnyWeights) {
  Rng rng = Rng::stream(5, "shares");
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> weights(1 + static_cast<std::size_t>(rng.uniform(0, 40)));
    for (double& weight : weights) weight = rng.uniform() < 0.1 ? rng.uniform(1e-9, 1e-7) : rng.uniform(0.1, 900);
    const std::vector<double> shares = run::exactShares(weights);
    ASSERT_EQ(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      ASSERT_GT(shares[i], 0);
      ASSERT_NEAR(shares[i], weights[i] / total, 5e-5);
    }
  }
}

TEST(Placement, UnmeasuredHostIsRefusedByName) {
  auto nodes = workers(1);
  EXPECT_EQ(refusal([&] { run::shareBySpeed(nodes, {{.name = "local"}}); }), "the speed of \"local\" was never measured; run paceline hosts check local");
}

TEST(Placement, BadHostListsHaveOneSentence) {
  EXPECT_EQ(refusal([] { run::parsePlacementHosts("a,,b"); }), "--hosts has an empty name; give names with commas between, as a,b:2");
  EXPECT_EQ(refusal([] { run::parsePlacementHosts("a:0"); }), "--hosts: \"a:0\": what follows the colon must be 1 to 100000 nodes");
  EXPECT_EQ(refusal([] { run::parsePlacementHosts("a,a"); }), "--hosts names \"a\" twice; give \"a:2\" for two nodes a turn");
}

TEST(Placement, ADocumentKeepsEverythingElse) {
  const std::string text = R"({"zeta": 1, "nodes": [{"id": "s0", "role": "server"}, {"id": "w0", "device": "cpu"}, {"id": "w1"}]})";
  const Json placed = Json::parse(run::placedDocument(text, {{.name = "a", .speed = 1, .cpus = 1}, {.name = "b", .speed = 3, .cpus = 1}}, true));
  EXPECT_EQ(placed, Json::parse(R"({"zeta": 1, "nodes": [{"id": "s0", "role": "server", "host": "a"},
      {"id": "w0", "device": "cpu", "host": "b", "share": 0.75}, {"id": "w1", "host": "a", "share": 0.25}]})"));
  const Json suite = Json::parse(run::placedDocument(R"({"base": {"nodes": [{"id": "w0"}]}, "vary": {}})", {{.name = "a"}}, false));
  EXPECT_EQ(suite["base"]["nodes"][0]["host"], "a");
  EXPECT_EQ(refusal([] { run::placedDocument("{}", {{.name = "a"}}, false); }), "/nodes: there are no nodes to place");
}

}  // namespace
}  // namespace paceline::tests
