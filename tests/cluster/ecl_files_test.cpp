#include "app/cluster/interop/cluster_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/spec/topologies.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kList = R"({"nodes": {"left":  {"device": "cpu", "round": 8, "edges": {"mid": 0}},
                                        "mid":   {"device": "cpu", "round": 8, "edges": {"left": 4, "right": 2}},
                                        "right": {"device": "cpu", "round": 8, "edges": {"mid": -1}}}})";
const std::string kHosts = R"({"hosts": [{"name": "right", "addr": "10.0.0.7", "port": "21000"}, {"name": "left", "addr": "127.0.0.1", "port": "21001"},
                                         {"name": "mid", "addr": "127.0.0.1", "port": "21002"}]})";

std::string replaced(std::string text, const std::string& what, const std::string& by) { return text.replace(text.find(what), what.size(), by); }
std::vector<std::string> problems(const std::string& list, const std::string& hosts = kHosts) {
  return interop::readEclFiles({.path = "n.json", .text = list}, interop::NamedText{.path = "h.json", .text = hosts}).problems;
}

TEST(EclFiles, BecomeWorkersInTheOrderOfTheHostsAndEdges) {
  const interop::EclCluster cluster = interop::readEclFiles({.path = "n.json", .text = kList}, interop::NamedText{.path = "h.json", .text = kHosts});
  EXPECT_THAT(cluster.problems, IsEmpty());
  EXPECT_THAT(cluster.workers, ElementsAre(interop::EclWorker{"right", "10.0.0.7"}, interop::EclWorker{"left", "127.0.0.1"}, interop::EclWorker{"mid", "127.0.0.1"}));
  EXPECT_THAT(cluster.edges, ElementsAre(Edge{"left", "mid", 8, 0}, Edge{"mid", "left", 8, 4}, Edge{"mid", "right", 8, 2}));
}

TEST(EclFiles, WithoutHostsRanksFollowTheNames) {
  const interop::EclCluster cluster = interop::readEclFiles({.path = "n.json", .text = kList}, std::nullopt);
  EXPECT_THAT(cluster.workers, ElementsAre(interop::EclWorker{"left"}, interop::EclWorker{"mid"}, interop::EclWorker{"right"}));
  EXPECT_THAT(cluster.notes, ElementsAre("n.json: without a hosts file the workers' ranks follow their names"));
}

TEST(EclFiles, BadPlacesAreNamedWithTheirValues) {
  EXPECT_THAT(problems(replaced(kList, R"({"left": 4, "right": 2})", R"({"right": 2})")),
              ElementsAre("n.json: /nodes/left/edges/mid: is listed by this end only; \"mid\" must list \"left\" too, with -1 if it never begins"));
  EXPECT_THAT(problems(replaced(kList, "\"left\": 4", "\"left\": 8")),
              ElementsAre("n.json: /nodes/mid/edges/left: must be a step from 0 to round - 1, which is 7, or -1 for never, got 8"));
  EXPECT_THAT(problems(replaced(kList, "\"left\": 4", "\"left\": 4, \"top\": 1")), ElementsAre("n.json: /nodes/mid/edges/top: node \"top\" is not in the list"));
  EXPECT_THAT(problems(replaced(kList, "\"left\": 4", "\"left\": 4, \"mid\": 1")), ElementsAre("n.json: /nodes/mid/edges/mid: joins \"mid\" with itself"));
  EXPECT_THAT(problems(replaced(kList, "\"right\": 2", "\"right\": -1")), ElementsAre("n.json: /nodes/mid/edges/right: neither end ever begins an exchange"));
  EXPECT_THAT(problems(replaced(kList, "\"round\": 8", "\"round\": 0")), ElementsAre("n.json: /nodes/left/round: \"round\" must be at least 1; it is 0."));
  EXPECT_THAT(problems(replaced(kList, "\"round\": 8, ", "")), ElementsAre("n.json: /nodes/left/round: is required"));
  EXPECT_THAT(problems(replaced(kList, "{\"mid\": 0}", "[\"mid\"]")), ElementsAre("n.json: /nodes/left/edges: \"edges\" must be an object; it is an array."));
  EXPECT_THAT(problems("{}"), ElementsAre("n.json: /nodes: is required", ::testing::_, ::testing::_, ::testing::_));
  EXPECT_EQ(problems("{\"nodes\": ").size(), 4U);  // and none of the hosts' names is known
  EXPECT_THAT(problems(kList, replaced(kHosts, "\"21001\"", "21001")), ElementsAre("h.json: /hosts/1/port: \"port\" must be a text; it is 21001."));
  EXPECT_THAT(problems(kList, replaced(kHosts, "21001", "70000")), ElementsAre("h.json: /hosts/1/port: must be a port from 0 to 65535, got \"70000\""));
  EXPECT_THAT(problems(kList, replaced(kHosts, "\"name\": \"left\"", "\"name\": \"lft\"")),
              ElementsAre("h.json: /hosts/1/name: node \"lft\" is not in the node list", "h.json: /hosts: node \"left\" of the node list is missing"));
}

TEST(EclFiles, RoundTrip) {
  for (const char* topology : {"ring", "double_ring", "star", "complete", "random"})
    for (const bool both : {false, true})
      for (const int count : {2, 3, 8, 12}) {  // w10 stands behind w9 by rank, before it by name
        RunSpec spec;
        for (int i = 0; i < count; ++i) {
          NodeSpec& node = spec.nodes.emplace_back();
          node.id = strCat("w", i);
          if (i % 2 == 1) node.host = "far";
        }
        spec.topology = {.id = topology, .params = Params({{"both_ends", both}, {"every", std::int64_t{9}}})};
        const interop::EclCluster back = interop::readEclFiles({.path = "n", .text = interop::eclNodeList(spec)},
                                             interop::NamedText{.path = "h", .text = interop::eclHosts(spec, [](const std::string& host) { return "at " + host; })});
        EXPECT_THAT(back.problems, IsEmpty());
        ASSERT_EQ(back.workers.size(), spec.nodes.size());
        RunSpec again = spec;
        again.topology = {.id = "edges", .params = {}};
        again.edges = back.edges;
        for (int rank = 0; rank < count; ++rank) {
          EXPECT_EQ(back.workers[static_cast<std::size_t>(rank)], (interop::EclWorker{strCat("w", rank), rank % 2 == 0 ? "at local" : "at far"}));
          EXPECT_EQ(neighboursOf(again, rank), neighboursOf(spec, rank)) << topology;
        }
      }
}

TEST(EclFiles, WhatTheFormCannotSayIsRefused) {
  RunSpec spec;
  for (const char* id : {"a", "b", "c"}) spec.nodes.emplace_back().id = id;
  spec.edges = {{"a", "b", 4, 0}, {"b", "c", 6, 0}};
  try {
    (void)interop::eclNodeList(spec);
    FAIL() << "it was written";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "worker \"b\" has edges with intervals 4 and 6; a node list has one for each node");
  }
}

}  // namespace
}  // namespace paceline::tests
