// Every registered algorithm whose runs go on without a lost worker, with checkpoints: the others rest and save without it, and where the run is resumed it takes part again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/runtime/setup.h"
#include "tests/support/checkpoint_stores.h"
#include "tests/support/clusters.h"

namespace paceline::tests {
namespace {

constexpr int kLostAfter = 3;
constexpr std::int64_t kEnd = 9, kLaterEnd = 20;

RunSpec losing(const RunSpec& given, std::size_t node, int after, int every) {
  RunSpec spec = given;
  spec.checkpointEveryRounds = every;
  spec.stop.rounds = kEnd;
  spec.nodes[node].emulate.lostAfterRounds = after;
  return spec;
}

RunSpec goingOn(RunSpec spec) {
  spec.stop.rounds = kLaterEnd;
  return spec;
}

// For each cluster of five workers of which the last is lost, in equal and unequal speeds: what the run leaves behind.
void forEachLoss(const std::function<void(const AlgorithmDef&, const RunSpec&, CheckpointStores&, const std::string&)>& check) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [&](const RunSpec& given, const std::string& name) {
      if (given.workers().size() < 5) return;
      const RunSpec spec = losing(given, 4, kLostAfter, 2);
      if (!partsOf(spec).goesOn) return;
      const MemoryFolder folder;
      CheckpointStores stores(spec, folder.path());
      const SimResult before = checkpointed(spec, &stores, nullptr);
      EXPECT_EQ(before.rounds(0).size(), static_cast<std::size_t>(kEnd)) << name;
      ASSERT_FALSE(stores.nodes[0]->rounds().empty()) << name << ": no checkpoint after a loss";
      check(def, spec, stores, name);
    });
}

std::size_t roundsOf(const SimResult& result, int node) { return result.rounds(node).size(); }

TEST(JoinContract, IsOfAllThatGoOnButThese) {
  std::string without;
  for (const AlgorithmDef& def : algorithms())
    if (def.survivesLoss && !def.joinsAgain) without += def.id + " ";
  EXPECT_EQ(without, "grouping_sgd ");
}

TEST(JoinContract, WhatAMethodNamesIsInItsState) {
  for (const AlgorithmDef& def : algorithms()) {
    if (def.owed.empty() && def.own.empty()) continue;
    forEachCluster(def, [&](const RunSpec& given, const std::string& name) {
      RunSpec spec = given;
      spec.checkpointEveryRounds = 2, spec.stop.rounds = 3;
      const MemoryFolder folder;
      CheckpointStores stores(spec, folder.path());
      checkpointed(spec, &stores, nullptr);
      const StateTable table = stores.nodes[0]->load(stores.nodes[0]->rounds().front());
      for (const auto* names : {&def.owed, &def.own})
        for (const std::string& array : *names) EXPECT_TRUE(table.arrays.contains("algorithm/" + array)) << name << ": " << array;
    });
  }
}

TEST(JoinContract, TheLostOneTakesPartAgain) {
  int tried = 0;
  forEachLoss([&](const AlgorithmDef& def, const RunSpec& spec, CheckpointStores& stores, const std::string& name) {
    ++tried;
    const SimResult rest = checkpointed(goingOn(spec), nullptr, &stores);
    const std::int64_t after = resumedAfter(rest, 0);
    EXPECT_GT(after, kLostAfter) << name;
    EXPECT_EQ(roundsOf(rest, 0), static_cast<std::size_t>(kLaterEnd - after)) << name;
    if (!def.joinsAgain) {
      EXPECT_EQ(rest.reasons[4], kVanished) << name;
      return;
    }
    EXPECT_EQ(rest.reasons, std::vector<std::string>(spec.nodes.size(), "rounds")) << name;
    EXPECT_GT(roundsOf(rest, 4), 0U) << name;
    for (int node = 0; node < 5 && def.topology == Topology::kAggregated; ++node) {
      EXPECT_EQ(roundsOf(rest, node), roundsOf(rest, 0)) << name;
      EXPECT_EQ(rest.parameters[static_cast<std::size_t>(node)], rest.parameters[0]) << name << " rank " << node;
    }
  });
  EXPECT_GE(tried, 40);
}

TEST(JoinContract, IsDeterministicAndNeedsNoCheckpointOfTheLostOne) {
  const auto linesOf = [](const SimResult& result) {
    std::string lines;
    for (const auto& [node, event] : result.events) lines += strCat(node, toLine(event), '\n');
    return lines;
  };
  forEachLoss([&](const AlgorithmDef& def, const RunSpec& spec, CheckpointStores& stores, const std::string& name) {
    const SimResult a = checkpointed(goingOn(spec), nullptr, &stores), b = checkpointed(goingOn(spec), nullptr, &stores);
    EXPECT_EQ(linesOf(a), linesOf(b)) << name;
    EXPECT_EQ(a.parameters, b.parameters) << name;
    for (const std::int64_t round : stores.nodes[4]->rounds()) stores.nodes[4]->drop(round);  // its host is gone
    const SimResult anew = checkpointed(goingOn(spec), nullptr, &stores);
    EXPECT_EQ(anew.reasons[0], "rounds") << name;
    EXPECT_EQ(roundsOf(anew, 4) > 0, def.joinsAgain) << name;
  });
}

TEST(JoinContract, AllLearnOn) {
  forEachLoss([](const AlgorithmDef&, const RunSpec& given, CheckpointStores& stores, const std::string& name) {
    RunSpec spec = given;
    spec.stop.rounds = 300;
    spec.evaluate.everyRounds = 50;
    const double loss = checkpointed(spec, nullptr, &stores).evaluations(0).back().loss;
    spec.nodes[4].emulate.lostAfterRounds.reset();
    EXPECT_LT(loss, 1.5 * checkpointed(spec, nullptr, nullptr).evaluations(0).back().loss + 0.05) << name;  // as far as without the loss
  });
}

// A worker other than the lost one whose host is gone as well, at the resume: the newest round that the coordinator and the servers hold.
TEST(JoinContract, AWorkerWhoseFilesAreGoneTakesPartToo) {
  for (const char* id : {"ssgd", "esync", "ssp", "asgd", "dgs", "dc_asgd", "scaffold"}) {
    RunSpec spec = clusterOf(id, 3, 2);
    spec.checkpointEveryRounds = 2, spec.stop.rounds = kEnd;
    slowRates(spec, *findAlgorithm(id));
    const MemoryFolder folder;
    CheckpointStores stores(spec, folder.path());
    checkpointed(spec, &stores, nullptr);
    for (const std::int64_t round : stores.nodes[1]->rounds()) stores.nodes[1]->drop(round);
    const SimResult rest = checkpointed(goingOn(spec), nullptr, &stores);
    EXPECT_EQ(rest.reasons, std::vector<std::string>(spec.nodes.size(), "rounds")) << id;
    EXPECT_GT(roundsOf(rest, 1), 0U) << id;
    for (const std::int64_t round : stores.nodes[3]->rounds()) stores.nodes[3]->drop(round);  // of a server
    try {
      checkpointed(goingOn(spec), nullptr, &stores);
      ADD_FAILURE() << id;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("s0: none")) << id;
    }
  }
}

// Where every node has the older of two checkpoints and one has lost the newer, nothing is made up: the older one is it.
TEST(JoinContract, AnOlderCheckpointOfAllComesFirst) {
  RunSpec spec = clusterOf("ssgd", 3, 1);
  spec.checkpointEveryRounds = 2, spec.stop.rounds = kEnd;
  const MemoryFolder folder;
  CheckpointStores stores(spec, folder.path());
  const SimResult whole = checkpointed(spec, &stores, nullptr);
  stores.nodes[1]->drop(8);
  const SimResult rest = checkpointed(spec, nullptr, &stores);
  EXPECT_EQ(resumedAfter(rest, 0), 6);
  EXPECT_EQ(rest.parameters, whole.parameters);
}

// w -= rate * mean of the gradients of those who are there, step by step; who joins goes on in its data where its own checkpoint of round 2 had it.
TEST(JoinContract, SsgdTakesTheMeanOfThoseWhoAreThere) {
  RunSpec spec = losing(clusterOf("ssgd", 3, 2), 1, kLostAfter, 2);
  spec.algorithm.params.set("learning_rate", 0.125);
  const MemoryFolder folder;
  CheckpointStores stores(spec, folder.path());
  checkpointed(spec, &stores, nullptr);
  const SimResult result = checkpointed(goingOn(spec), nullptr, &stores);
  const QuadraticProblem problem{.size = 12, .statistics = 3};
  std::vector<std::unique_ptr<QuadraticObjective>> workers;
  for (int rank = 0; rank < 3; ++rank) workers.push_back(std::make_unique<QuadraticObjective>(problem, rank, 3, spec.batchSize));
  StateTable second;
  for (std::int64_t round = 1; round <= kLaterEnd; ++round) {
    if (round == 9) {
      StateReader reader(second);
      workers[1]->state(reader);
    }
    std::vector<Real> sum(workers[0]->parameters().size()), g(sum.size());
    Real count = 0;
    for (std::size_t rank = 0; rank < 3; ++rank) {
      if (rank == 1 && round > kLostAfter && round <= 8) continue;
      workers[rank]->gradient(g);
      for (std::size_t i = 0; i < g.size(); ++i) sum[i] += g[i];
      ++count;
    }
    for (const auto& worker : workers)
      for (std::size_t i = 0; i < problem.size; ++i) worker->parameters()[i] -= Real(0.125) * (sum[i] * (1 / count));
    if (round == 2) {
      StateWriter writer(second);
      workers[1]->state(writer);
    }
  }
  EXPECT_EQ(resumedAfter(result, 1), 8);
  for (std::size_t i = 0; i < problem.size; ++i) EXPECT_NEAR(result.parameters[0][i], workers[0]->parameters()[i], 1e-6) << i;
}

// Links and devices of many speeds, any worker lost after any round, a snapshot after every few: all others end, for the same reason, and a resume finds its round.
TEST(JoinContract, SnapshotsNeverHangWhereWorkersAreLost) {
  for (const AlgorithmDef& def : algorithms())
    forEachCluster(def, [](const RunSpec& given, const std::string& name) {
      if (given.workers().size() < 3) return;
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        RunSpec spec = given;
        Rng rng = Rng::stream(seed, "losses");
        for (NodeSpec& node : spec.nodes) node.emulate.slowdown = rng.uniform(1, 6), node.emulate.jitter = 0.4, node.emulate.latencyMs = rng.uniform(0, 200);
        spec.checkpointEveryRounds = 1 + static_cast<int>(rng.below(3));
        if (!partsOf(spec).goesOn) return;
        spec.stop = {.rounds = 4 + static_cast<std::int64_t>(rng.below(8)), .seconds = {}, .samples = {}, .accuracy = {}};
        const std::vector<int> workers = spec.workers();
        for (const int worker : workers)
          if (worker != spec.evaluatorNode() && rng.below(2) == 0) spec.nodes[static_cast<std::size_t>(worker)].emulate.lostAfterRounds = 1 + static_cast<int>(rng.below(6));
        const MemoryFolder folder;
        CheckpointStores stores(spec, folder.path());
        const SimResult result = checkpointed(spec, &stores, nullptr);
        for (const std::string& reason : result.reasons) EXPECT_TRUE(reason == "rounds" || reason == kVanished) << name << ", seed " << seed << ": " << reason;
        if (stores.nodes[0]->rounds().empty()) continue;
        spec.stop.rounds = *spec.stop.rounds + 5;
        const SimResult rest = checkpointed(spec, nullptr, &stores);
        EXPECT_EQ(rest.reasons[0], "rounds") << name << ", seed " << seed;
      }
    });
}

}  // namespace
}  // namespace paceline::tests
