#include "app/cluster/run/launch_plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/core/record/control.h"
#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

RunSpec twoHosts() {
  return parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "asgd"}, "model": {"id": "m"}, "dataset": {"id": "d"},
    "nodes": [{"id": "w0", "host": "a", "threads": 3}, {"id": "w1", "host": "b"}, {"id": "s0", "role": "server", "host": "a"}],
    "stop": {"rounds": 5}})")
      .spec;
}

std::map<std::string, run::HostSite> sites(const std::string& a = "10.0.0.1", const std::string& b = "10.0.0.2") {
  return {{"a", {.installation = {.folder = "/a", .env = {{"PACELINE_DATA", "/data"}, {"OMP_NUM_THREADS", "99"}}}, .dataAddress = a}},
          {"b", {.installation = {.folder = "/b", .env = {}}, .dataAddress = b}}};
}

std::vector<run::HostLaunch> planned(const RunSpec& spec) {
  return run::planLaunch("r7", spec, sites(), run::bindAddresses(run::protectionOf(spec, sites()), sites()));
}

std::string refusal(const std::map<std::string, run::HostSite>& given) {
  try {
    run::bindAddresses("curve", given);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(LaunchPlan, GroupsByHostServersFirst) {
  const auto plan = planned(twoHosts());
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
  const auto plan = planned(twoHosts());
  const std::map<std::string, std::string> expected{{"OPENBLAS_NUM_THREADS", "3"}, {"OMP_NUM_THREADS", "3"}, {"OMP_WAIT_POLICY", "passive"},
                                                    {"GOMP_SPINCOUNT", "0"},       {"OPENBLAS_THREAD_TIMEOUT", "4"},
                                                    {"PACELINE_DATA", "/data"}};
  EXPECT_EQ(plan[0].nodes[1].env, expected);
  EXPECT_FALSE(plan[1].nodes[0].env.contains("PACELINE_DATA"));
}

RunSpec threeOnOneHost() {
  return parseRunSpec(R"({"paceline": 1, "algorithm": {"id": "asgd"}, "model": {"id": "m"}, "dataset": {"id": "d", "params": {"path": "/p"}}, "seed": 7,
    "nodes": [{"id": "w0", "host": "a", "threads": 3}, {"id": "w1", "host": "a"}, {"id": "w2", "host": "b"}, {"id": "s0", "role": "server", "host": "a"},
              {"id": "e0", "role": "evaluator", "host": "a"}],
    "stop": {"rounds": 5}})")
      .spec;
}

TEST(LaunchPlan, WorkersThatDifferInTheirThreadsOnlyAreForkedFromOneProgram) {
  const RunSpec spec = threeOnOneHost();
  const auto plan = planned(spec);
  ASSERT_EQ(plan[0].forkServers.size(), 1U);
  const run::ForkServerLaunch& server = plan[0].forkServers[0];
  EXPECT_EQ(server.command, (std::vector<std::string>{"/a/paceline-worker", "fork"}));
  EXPECT_EQ(server.env.at("OPENBLAS_NUM_THREADS"), "1");
  EXPECT_EQ(server.env.at("PACELINE_DATA"), "/data");
  const RunSpec loaded = parseRunSpec(server.first).spec;
  EXPECT_EQ(loaded.dataset, spec.dataset);
  EXPECT_EQ(loaded.seed, spec.seed);
  std::map<std::string, int> from;
  for (const run::HostLaunch& host : plan)
    for (const run::NodeLaunch& node : host.nodes) from[node.id] = node.forkServer;
  EXPECT_EQ(from, (std::map<std::string, int>{{"s0", -1}, {"w0", 0}, {"w1", 0}, {"e0", 0}, {"w2", -1}}));
  EXPECT_TRUE(plan[1].forkServers.empty());  // a worker alone on its host gains nothing
}

TEST(LaunchPlan, ForksNobodyWhoseEnvironmentForbidsIt) {
  auto given = sites();
  given["a"].installation.env["PACELINE_FORK"] = "no";
  const RunSpec spec = threeOnOneHost();
  const auto plan = run::planLaunch("r7", spec, given, run::bindAddresses(run::protectionOf(spec, given), given));
  EXPECT_TRUE(plan[0].forkServers.empty());
  for (const run::NodeLaunch& node : plan[0].nodes) EXPECT_EQ(node.forkServer, -1);
}

TEST(LaunchPlan, AResumedRunAsksForTheKernelsThatItsNodesHad) {
  RunSpec spec = twoHosts();
  spec.checkpointEveryRounds = 5;
  const run::Resumed resumed{.run = "r6", .kernels = {{"w0", {{"OPENBLAS_CORETYPE", "Haswell"}}}}};
  const auto plan = run::planLaunch("r7", spec, sites(), run::bindAddresses(run::protectionOf(spec, sites()), sites()), resumed);
  EXPECT_EQ(plan[0].nodes[1].env.at("OPENBLAS_CORETYPE"), "Haswell");
  EXPECT_FALSE(plan[0].nodes[0].env.contains("OPENBLAS_CORETYPE"));
  EXPECT_FALSE(plan[1].nodes[0].env.contains("OPENBLAS_CORETYPE"));
  EXPECT_EQ(std::get<Prepare>(parseControl(plan[0].nodes[1].prepareLine)).resume, "r6/w0");
}

TEST(LaunchPlan, EveryNodeIsToldWhoItIsWhereToListenAndItsOwnKey) {
  const RunSpec spec = twoHosts();
  std::set<std::string> secrets;
  for (const run::HostLaunch& host : planned(spec))
    for (const run::NodeLaunch& node : host.nodes) {
      const auto prepare = std::get<Prepare>(parseControl(node.prepareLine));
      EXPECT_EQ(prepare.run, "r7");
      EXPECT_EQ(spec.nodes[static_cast<std::size_t>(prepare.node)].id, node.id);
      EXPECT_EQ(prepare.bind, host.host == "a" ? "10.0.0.1" : "10.0.0.2");
      EXPECT_EQ(prepare.spec, spec);
      EXPECT_EQ(prepare.keys.mode, "curve");
      secrets.insert(prepare.keys.secret);
      for (const auto& [name, value] : node.env) EXPECT_EQ(value.find(prepare.keys.secret), std::string::npos);
    }
  EXPECT_EQ(secrets.size(), 3U);
}

TEST(LaunchPlan, OneHostUsesPrivateSocketsUnlessItsDataIsToBeSealed) {
  const std::map<std::string, run::HostSite> one = {{"gpu1", {.installation = {}, .dataAddress = "10.0.0.1"}}};
  EXPECT_EQ(run::bindAddresses("plain", one), (std::map<std::string, std::string>{{"gpu1", "ipc"}}));
  EXPECT_EQ(run::bindAddresses("curve", one), (std::map<std::string, std::string>{{"gpu1", "127.0.0.1"}}));
}

TEST(LaunchPlan, ThisComputerListensWhereItsPacketsToTheOthersLeave) {
  auto given = sites("", "127.0.0.1");
  given["local"] = std::exchange(given["a"], {});
  given.erase("a");
  EXPECT_EQ(run::bindAddresses("curve", given), (std::map<std::string, std::string>{{"b", "127.0.0.1"}, {"local", "127.0.0.1"}}));
  given["local"].dataAddress = "10.1.1.1";
  given["b"].dataAddress = "10.1.1.2";
  EXPECT_EQ(run::bindAddresses("curve", given)["local"], "10.1.1.1");
}

TEST(LaunchPlan, AnAddressThatTheOthersCannotReachIsRefused) {
  EXPECT_EQ(refusal(sites("10.0.0.1", "")),
            "b: it is not known on which address its nodes can be reached by those of other hosts; set it with paceline hosts add b --data-address IP");
  EXPECT_EQ(refusal(sites("127.0.0.1", "10.0.0.2")),
            "a: its nodes would listen on 127.0.0.1, which b cannot reach; set another with paceline hosts add a --data-address IP");
}

TEST(LaunchPlan, EndpointsAreInTheOrderOfTheDocument) {
  const auto start = std::get<Start>(parseControl(run::startLine(twoHosts(), {{"s0", "tcp://s"}, {"w0", "tcp://0"}, {"w1", "tcp://1"}})));
  EXPECT_EQ(start.endpoints, (std::vector<std::string>{"tcp://0", "tcp://1", "tcp://s"}));
  EXPECT_THROW(run::startLine(twoHosts(), {{"w0", "tcp://0"}}), InvariantError);
}

TEST(LaunchPlan, NodesInheritWhereDataIsButNotWhereTheDesktopKeepsItsOwn) {
  ::setenv("PACELINE_DATA", "/data", 1);
  ::setenv("PACELINE_STORE", "/store", 1);
  ::setenv("PACELINE_AGENT_DIR", "/agent", 1);
  const auto found = run::inheritedVariables();
  EXPECT_EQ(found.at("PACELINE_DATA"), "/data");
  EXPECT_FALSE(found.contains("PACELINE_STORE"));
  EXPECT_FALSE(found.contains("PACELINE_AGENT_DIR"));
  EXPECT_FALSE(found.contains("HOME"));
}

}  // namespace
}  // namespace paceline::tests
