#include "app/cluster/launch_plan.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/core/control.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

RunSpec twoHosts() {
  return parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "asgd"}, "model": {"id": "m"}, "dataset": {"id": "d"},
    "nodes": [{"id": "w0", "host": "a", "threads": 3}, {"id": "w1", "host": "b"}, {"id": "s0", "role": "server", "host": "a"}],
    "stop": {"rounds": 5}})")
      .spec;
}

const ProgramPath kPath = [](const std::string& host, const std::string& program) { return "/" + host + "/" + program; };

TEST(LaunchPlan, GroupsByHostServersFirst) {
  const auto plan = planLaunch("r", twoHosts(), kPath);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_EQ(plan[0].host, "a");
  ASSERT_EQ(plan[0].nodes.size(), 2U);
  EXPECT_EQ(plan[0].nodes[0].id, "s0");
  EXPECT_EQ(plan[0].nodes[0].command, (std::vector<std::string>{"/a/paceline-server", "run"}));
  EXPECT_EQ(plan[0].nodes[1].id, "w0");
  EXPECT_EQ(plan[0].nodes[1].command, (std::vector<std::string>{"/a/paceline-worker", "run"}));
  EXPECT_EQ(plan[1].host, "b");
  EXPECT_EQ(plan[1].nodes[0].command, (std::vector<std::string>{"/b/paceline-worker", "run"}));
}

TEST(LaunchPlan, BoundsTheThreadsOfEveryNodeBeforeItStarts) {
  const auto plan = planLaunch("r", twoHosts(), kPath, {{"PACELINE_DATA", "/data"}, {"OMP_NUM_THREADS", "99"}});
  const std::map<std::string, std::string> expected{{"OPENBLAS_NUM_THREADS", "3"}, {"OMP_NUM_THREADS", "3"}, {"OMP_WAIT_POLICY", "passive"},
                                                    {"GOMP_SPINCOUNT", "0"},       {"PACELINE_DATA", "/data"}};
  EXPECT_EQ(plan[0].nodes[1].env, expected);
}

TEST(LaunchPlan, TellsEveryNodeWhichItIs) {
  const RunSpec spec = twoHosts();
  for (const HostLaunch& host : planLaunch("r7", spec, kPath))
    for (const NodeLaunch& node : host.nodes) {
      const auto prepare = std::get<Prepare>(parseControl(node.prepareLine));
      EXPECT_EQ(prepare.run, "r7");
      EXPECT_EQ(spec.nodes[static_cast<std::size_t>(prepare.node)].id, node.id);
      EXPECT_EQ(prepare.bind, "127.0.0.1");
      EXPECT_EQ(prepare.spec, spec);
    }
}

TEST(LaunchPlan, EndpointsAreInTheOrderOfTheDocument) {
  const auto start = std::get<Start>(parseControl(startLine(twoHosts(), {{"s0", "tcp://s"}, {"w0", "tcp://0"}, {"w1", "tcp://1"}})));
  EXPECT_EQ(start.endpoints, (std::vector<std::string>{"tcp://0", "tcp://1", "tcp://s"}));
  EXPECT_THROW(startLine(twoHosts(), {{"w0", "tcp://0"}}), InvariantError);
}

TEST(LaunchPlan, NodesInheritWhereDataIsButNotWhereTheDesktopKeepsItsOwn) {
  ::setenv("PACELINE_DATA", "/data", 1);
  ::setenv("PACELINE_STORE", "/store", 1);
  ::setenv("PACELINE_AGENT_DIR", "/agent", 1);
  const auto found = inheritedVariables();
  EXPECT_EQ(found.at("PACELINE_DATA"), "/data");
  EXPECT_FALSE(found.contains("PACELINE_STORE"));
  EXPECT_FALSE(found.contains("PACELINE_AGENT_DIR"));
  EXPECT_FALSE(found.contains("HOME"));
}

}  // namespace
}  // namespace paceline
