#include "engine/core/spec/topologies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

RunSpec workers(int count, const std::string& topology, const std::map<std::string, ParamValue>& params = {}) {
  RunSpec spec;
  spec.nodes.push_back({.id = "s0", .role = Role::kServer});  // ranks are not node indices
  for (int i = 0; i < count; ++i) spec.nodes.push_back({.id = strCat("w", i)});
  spec.topology = {.id = topology, .params = Params(params)};
  return spec;
}

// "01 12" for pairs of single digits.
std::string pairsText(const RunSpec& spec) {
  std::string text;
  for (const Edge& edge : edgesOf(spec)) text += strCat(text.empty() ? "" : " ", edge.a.substr(1), edge.b.substr(1));
  return text;
}

std::string refusal(const RunSpec& spec) {
  try {
    (void)edgesOf(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

int reached(const RunSpec& spec) {  // workers that paths of edges join with the first
  std::set<int> seen = {0};
  std::vector<int> front = {0};
  while (!front.empty()) {
    const int rank = front.back();
    front.pop_back();
    for (const Neighbour& neighbour : neighboursOf(spec, rank))
      if (seen.insert(neighbour.rank).second) front.push_back(neighbour.rank);
  }
  return static_cast<int>(seen.size());
}

std::vector<CatalogEntry> presetsOfPairs() {  // no arrows
  std::vector<CatalogEntry> entries;
  for (const CatalogEntry& entry : topologies())
    if (!hasArrows(workers(2, entry.id))) entries.push_back(entry);
  return entries;
}

TEST(Topologies, AreWhatTheirNamesSay) {
  EXPECT_EQ(pairsText(workers(4, "ring")), "01 03 12 23");
  EXPECT_EQ(pairsText(workers(6, "double_ring")), "01 02 04 05 12 13 15 23 24 34 35 45");
  EXPECT_EQ(pairsText(workers(4, "complete")), "01 02 03 12 13 23");
  EXPECT_EQ(pairsText(workers(4, "star")), "01 02 03");
  EXPECT_EQ(pairsText(workers(6, "torus")), "01 02 03 12 14 25 34 35 45");
  EXPECT_EQ(pairsText(workers(6, "torus", {{"rows", std::int64_t{1}}})), pairsText(workers(6, "ring")));
}

std::string sidesText(const RunSpec& spec) {
  std::string text;
  for (const bool active : activeWorkers(spec)) text += active ? 'a' : 'p';
  return text;
}

TEST(Topologies, HaveAnActiveAndAPassiveSide) {
  EXPECT_EQ(sidesText(workers(6, "ring")), "apapap");
  EXPECT_EQ(sidesText(workers(5, "ring")), "apaap");  // w2 and w3 are of one side
  EXPECT_EQ(sidesText(workers(4, "star")), "appp");
  EXPECT_EQ(sidesText(workers(5, "complete")), "apapa");
  EXPECT_EQ(sidesText(workers(1, "ring")), "a");
  RunSpec apart = workers(4, "edges");
  apart.edges = {{.a = "w1", .b = "w0"}, {.a = "w3", .b = "w2"}};
  EXPECT_EQ(sidesText(apart), "apap");
}

// Whatever the graph: the pairs across join all.
TEST(Topologies, PairsAcrossTheSidesJoinAll) {
  for (std::int64_t seed = 0; seed < 200; ++seed) {
    const RunSpec spec = workers(2 + static_cast<int>(seed % 12), "random", {{"graph_seed", seed}, {"mean_degree", 1 + 0.1 * static_cast<double>(seed % 50)}});
    const std::vector<bool> active = activeWorkers(spec);
    RunSpec across = spec;
    across.topology = {.id = "edges", .params = {}};
    for (const Edge& edge : edgesOf(spec))
      if (active[static_cast<std::size_t>(std::stoi(edge.a.substr(1)))] != active[static_cast<std::size_t>(std::stoi(edge.b.substr(1)))]) across.edges.push_back(edge);
    EXPECT_TRUE(apartFromFirst(across).empty()) << seed;
  }
}

// To those 1, 2, 4 ... ahead, one after the other; everybody is sent one vector a step, too.
TEST(Topologies, TheDirectedExponentialGraphSendsAheadInTurn) {
  const RunSpec spec = workers(5, "exponential", {{"every", std::int64_t{2}}});
  EXPECT_TRUE(hasArrows(spec));
  EXPECT_EQ(pairsText(spec), "01 02 04 12 13 10 23 24 21 34 30 32 40 41 43");
  EXPECT_EQ(edgesOf(spec)[1], (Edge{.a = "w0", .b = "w2", .every = 6, .offset = 2}));
  for (int world = 2; world <= 20; ++world) {
    std::map<std::pair<std::string, int>, int> sent, came;
    for (const Edge& edge : edgesOf(workers(world, "exponential"))) {
      EXPECT_EQ(++sent[std::pair(edge.a, edge.offset)], 1);
      EXPECT_EQ(++came[std::pair(edge.b, edge.offset)], 1);
    }
    EXPECT_EQ(sent.size(), came.size());
    EXPECT_EQ(reached(workers(world, "exponential")), world);
  }
  EXPECT_EQ(pairsText(workers(1, "exponential")), "");
  EXPECT_EQ(refusal(workers(100000, "exponential")), "Topology \"exponential\" joins 1700000 pairs of 100000 workers; at most 1000000 are allowed.");
}

TEST(Topologies, PathsOfArrowsLeadOneWay) {
  RunSpec spec = workers(4, "edges");
  spec.edges = {{.a = "w0", .b = "w1"}, {.a = "w1", .b = "w2"}, {.a = "w3", .b = "w0"}, {.a = "w2", .b = "w0"}};
  EXPECT_EQ(apartFromFirst(spec, false), std::vector<int>{3});
  EXPECT_TRUE(apartFromFirst(spec, true).empty());
  spec.edges[2] = {.a = "w0", .b = "w3"};
  EXPECT_TRUE(apartFromFirst(spec, false).empty());
  EXPECT_EQ(apartFromFirst(spec, true), std::vector<int>{3});
}

TEST(Topologies, MoreThanAMillionPairsAreRefusedUnmade) {
  const RunSpec stray = workers(20000, "complete");
  EXPECT_EQ(refusal(stray), "Topology \"complete\" joins 199990000 pairs of 20000 workers; at most 1000000 are allowed.");
  EXPECT_THROW(checkPreset(stray), Error);
  EXPECT_EQ(refusal(workers(20000, "random", {{"mean_degree", 200.0}})), "Topology \"random\" joins 2000000 pairs of 20000 workers; at most 1000000 are allowed.");
  for (const char* id : {"ring", "double_ring", "star", "torus", "random"}) EXPECT_NO_THROW(checkPreset(workers(20000, id))) << id;
  EXPECT_THROW(checkPreset(workers(7, "torus", {{"rows", std::int64_t{2}}})), Error);  // whatever edgesOf() refuses
}

TEST(Topologies, WorkersThatNoPathReachesAreNamed) {
  RunSpec spec = workers(5, "edges");
  spec.edges = {{.a = "w2", .b = "w0"}, {.a = "w3", .b = "w4"}, {.a = "w4", .b = "w3"}};
  EXPECT_EQ(apartFromFirst(spec), (std::vector<int>{1, 3, 4}));
  spec.edges.push_back({.a = "w4", .b = "w2"}), spec.edges.push_back({.a = "w1", .b = "w3"});
  EXPECT_TRUE(apartFromFirst(spec).empty());
}

TEST(Topologies, SmallWorldsMakeSense) {
  for (const CatalogEntry& entry : presetsOfPairs()) {
    EXPECT_EQ(pairsText(workers(1, entry.id)), "") << entry.id;
    EXPECT_EQ(pairsText(workers(2, entry.id)), "01") << entry.id;
  }
  EXPECT_EQ(pairsText(workers(3, "ring")), "01 02 12");
  EXPECT_EQ(pairsText(workers(3, "double_ring")), "01 02 12");
  EXPECT_EQ(pairsText(workers(3, "torus")), "01 02 12");
}

TEST(Topologies, EveryPresetIsConnectedAndNamesEachPairOnce) {
  for (const CatalogEntry& entry : presetsOfPairs())
    for (int world = 1; world <= 26; ++world) {
      const RunSpec spec = workers(world, entry.id);
      std::set<std::pair<std::string, std::string>> pairs;
      for (const Edge& edge : edgesOf(spec)) {
        EXPECT_NE(edge.a, edge.b);
        EXPECT_TRUE(pairs.insert(std::minmax(edge.a, edge.b)).second) << entry.id << " of " << world;
      }
      EXPECT_EQ(reached(spec), world) << entry.id;
    }
}

TEST(Topologies, ARandomGraphIsSeededConnectedAndAsDenseAsAsked) {
  std::set<std::string> graphs;
  for (std::int64_t seed = 0; seed < 40; ++seed)
    for (const double degree : {1.0, 2.5, 4.0, 100.0}) {
      const RunSpec spec = workers(9, "random", {{"mean_degree", degree}, {"graph_seed", seed}});
      const std::size_t expected = degree == 1.0 ? 8 : degree == 2.5 ? 11 : degree == 4.0 ? 18 : 36;
      EXPECT_EQ(edgesOf(spec).size(), expected);
      EXPECT_EQ(reached(spec), 9);
      EXPECT_EQ(pairsText(spec), pairsText(spec));
      if (degree == 2.5) graphs.insert(pairsText(spec));
    }
  EXPECT_GT(graphs.size(), 35U);
}

TEST(Topologies, ExchangesAreSpreadOverTheInterval) {
  const auto offsets = [](const RunSpec& spec) {
    std::vector<int> all;
    for (const Edge& edge : edgesOf(spec)) all.push_back(edge.offset);
    return all;
  };
  EXPECT_THAT(offsets(workers(5, "ring", {{"every", std::int64_t{3}}})), testing::ElementsAre(0, 1, 2, 0, 1));
  EXPECT_THAT(offsets(workers(4, "ring", {{"spread", false}})), testing::ElementsAre(0, 0, 0, 0));
  for (const Edge& edge : edgesOf(workers(5, "star"))) EXPECT_EQ(edge.every, 8);
}

// The published ring of eight: a worker begins with the one before it at its rank, with the next one four steps later.
TEST(Topologies, FromBothEndsAPairHasTwoExchangesAtUnequalDistances) {
  const RunSpec spec = workers(8, "ring", {{"both_ends", true}});
  EXPECT_EQ(edgesOf(spec).size(), 16U);
  const std::vector<Neighbour> third = neighboursOf(spec, 3);
  ASSERT_EQ(third.size(), 2U);
  EXPECT_EQ(third[0], (Neighbour{.rank = 2, .degree = 2, .slots = {{8, 6, 2}, {8, 3, 3}}}));
  EXPECT_EQ(third[1], (Neighbour{.rank = 4, .degree = 2, .slots = {{8, 7, 3}, {8, 4, 4}}}));
  for (const int world : {2, 3, 5, 8, 12})
    for (const char* id : {"ring", "double_ring", "complete", "star"})
      for (int rank = 0; rank < world; ++rank)
        for (const Neighbour& neighbour : neighboursOf(workers(world, id, {{"both_ends", true}}), rank)) {
          ASSERT_EQ(neighbour.slots.size(), 2U);
          EXPECT_NE(neighbour.slots[0].offset, neighbour.slots[1].offset) << id << " of " << world;
        }
}

TEST(Topologies, BothEndsSeeTheSameTimes) {
  for (const CatalogEntry& entry : topologies())
    for (const bool both : {false, true})
      for (int world = 2; world <= 9 && entry.id != "edges"; ++world) {
        const RunSpec spec = workers(world, entry.id, entry.id == "exponential" ? std::map<std::string, ParamValue>{} : std::map<std::string, ParamValue>{{"both_ends", both}});
        int largest = 0;
        for (int rank = 0; rank < world; ++rank) {
          const std::vector<Neighbour> own = neighboursOf(spec, rank);
          largest = std::max(largest, static_cast<int>(own.size()));
          for (const Neighbour& neighbour : own) {
            const std::vector<Neighbour> theirs = neighboursOf(spec, neighbour.rank);
            EXPECT_EQ(theirs.size(), static_cast<std::size_t>(neighbour.degree));
            const auto back = std::find_if(theirs.begin(), theirs.end(), [&](const Neighbour& n) { return n.rank == rank; });
            ASSERT_NE(back, theirs.end());
            EXPECT_EQ(back->slots, neighbour.slots);
          }
        }
        EXPECT_EQ(largestDegree(spec), largest);
      }
}

TEST(Topologies, TheDocumentsEdgesStayAsTheyAre) {
  RunSpec spec = workers(3, "edges");
  spec.edges = {{"w2", "w1", 8, 4}, {"w0", "w1", 3, 0}, {"w1", "w2", 8, 1}};
  EXPECT_EQ(edgesOf(spec), spec.edges);
  const std::vector<Neighbour> middle = neighboursOf(spec, 1);
  ASSERT_EQ(middle.size(), 2U);
  EXPECT_EQ(middle[0], (Neighbour{.rank = 0, .degree = 1, .slots = {{3, 0, 0}}}));
  EXPECT_EQ(middle[1], (Neighbour{.rank = 2, .degree = 1, .slots = {{8, 1, 1}, {8, 4, 2}}}));
  spec.edges.push_back({"w0", "s0"});
  EXPECT_THROW((void)neighboursOf(spec, 1), Error);
}

TEST(Topologies, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal(workers(8, "torus", {{"rows", std::int64_t{3}}})), "Rows must divide the number of workers, which is 8; it is 3.");
  EXPECT_EQ(refusal(workers(8, "torus", {{"rows", std::int64_t{9}}})), "Rows must divide the number of workers, which is 8; it is 9.");
  EXPECT_EQ(refusal(workers(8, "hexagon")), "topology \"hexagon\" is not known");
  EXPECT_EQ(refusal(workers(8, "ring", {{"every", std::int64_t{0}}})), "/topology/params/every: Exchange every must be at least 1; it is 0.");
}

}  // namespace
}  // namespace paceline::tests
