// Every registered algorithm, saved after any round and loaded into fresh objects, continues bit for bit: parameters of all workers and
// everything that is recorded from then on. And the snapshots themselves never hang, whatever the speeds and whenever the run ends.
#include <gtest/gtest.h>

#include "engine/algorithms/algorithm.h"
#include "tests/support/checkpoint_stores.h"
#include "tests/support/clusters.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

// What is measured, by node, after that node's first `after` rounds. Notices say nothing about training.
std::string recordsOf(const SimResult& result, int node, std::int64_t after) {
  std::string lines;
  for (const auto& [from, event] : result.events) {
    if (from != node || std::holds_alternative<NoticeRecord>(event) || std::holds_alternative<LinkRecord>(event)) continue;  // a node counts its links since it began
    const auto round = std::visit(
        []<class Record>(const Record& record) -> std::int64_t {
          if constexpr (requires { record.round; }) return record.round;
          return 0;
        },
        event);
    if (round > after) lines += toLine(event) + '\n';
  }
  return lines;
}

constexpr std::int64_t kRounds = 9;
#ifdef PACELINE_SANITIZED
constexpr int kEvery[] = {1, 4};
#else
constexpr int kEvery[] = {1, 2, 3, 4, 5, 7};
#endif

void expectSameFrom(CheckpointStores& stores, const RunSpec& spec, const SimResult& whole, const std::string& name) {
  const std::string at = strCat(name, ", resumed at round ", stores.nodes[0]->rounds().front());
  SimResult rest;
  try {
    rest = checkpointed(spec, nullptr, &stores);
  } catch (const Error& error) {
    FAIL() << at << ": " << error.what();
  }
  for (std::size_t rank = 0; rank < whole.parameters.size(); ++rank) {
    const int node = spec.workers()[rank];
    const std::int64_t after = resumedAfter(rest, node);
    EXPECT_GT(after, 0) << at;
    EXPECT_EQ(recordsOf(rest, node, 0), recordsOf(whole, node, after))
        << at << ": rank " << rank << " went on differently after its round " << after
        << "; state() of its worker half, of its server half or of the objective leaves something out";
    EXPECT_EQ(rest.parameters[rank], whole.parameters[rank]) << at << ": rank " << rank;
  }
}

void expectSameContinuation(const RunSpec& given, const std::string& name, int every) {
  RunSpec spec = given;
  spec.stop.rounds = kRounds;
  spec.checkpointEveryRounds = every;
  const MemoryFolder folder;
  CheckpointStores stores(spec, folder.path());
  const SimResult whole = checkpointed(spec, &stores, nullptr);
  const std::vector<std::int64_t> rounds = stores.nodes[0]->rounds();
  ASSERT_FALSE(rounds.empty()) << name << ": no checkpoint although one was due every " << every << " rounds";
  expectSameFrom(stores, spec, whole, name);
  for (const auto& node : stores.nodes) node->drop(rounds.front());
  if (rounds.size() > 1) expectSameFrom(stores, spec, whole, name);
}

class ResumeContract : public ::testing::TestWithParam<std::string> {};

TEST_P(ResumeContract, ContinuesBitForBit) {
  const AlgorithmDef& def = *findAlgorithm(GetParam());
  forEachCluster(def, [&def](const RunSpec& given, const std::string& name) {
    for (const int every : kEvery) {
      RunSpec spec = given;
      for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
        spec.nodes[i].emulate.jitter = 0.2;
        spec.nodes[i].emulate.latencyMs = static_cast<double>(1 + i);
      }
      expectSameContinuation(spec, name, every);
      if (std::any_of(def.params.begin(), def.params.end(), [](const ParamSpec& param) { return param.name == "exchange"; })) {  // crossings that are half done at a checkpoint
        spec.algorithm.params.set("exchange", std::string("asynchronous"));
        expectSameContinuation(spec, name + ", asynchronous", every);
      }
      if (!def.partialBy.empty() && aggregators::findAggregator(spec.aggregation.id)->needsServer) {
        RunSpec partial = spec;
        partial.algorithm.params.set(def.partialBy, 0.4);
        expectSameContinuation(partial, name + ", a part of the workers", every);
      }
      if (def.momentum && def.adaptive) {
        spec.optimizer.id = every % 2 == 0 ? "adam" : "adagrad";
        expectSameContinuation(spec, strCat(name, ", ", spec.optimizer.id), every);
      }
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// Links and devices of many speeds, a snapshot after every round, an end of any kind: all nodes end, and for the same reason.
TEST_P(ResumeContract, SnapshotsNeverHang) {
  const AlgorithmDef& def = *findAlgorithm(GetParam());
  forEachCluster(def, [](const RunSpec& given, const std::string& name) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      RunSpec spec = given;
      Rng rng = Rng::stream(seed, "speeds");
      for (NodeSpec& node : spec.nodes) {
        node.emulate.slowdown = rng.uniform(1, 6);
        node.emulate.jitter = 0.4;
        node.emulate.latencyMs = rng.uniform(0, 200);
      }
      spec.checkpointEveryRounds = 1 + static_cast<int>(rng.below(3));
      spec.stop = {.rounds = {}, .seconds = {}, .samples = {}, .accuracy = {}};
      if (seed % 3 == 0) spec.stop.rounds = static_cast<std::int64_t>(1 + rng.below(8));
      if (seed % 3 == 1) spec.stop.seconds = rng.uniform(0, 4);
      if (seed % 3 == 2) spec.stop.samples = static_cast<std::int64_t>(1 + rng.below(100));
      const SimResult result = checkpointed(spec, nullptr, nullptr);
      for (const std::string& reason : result.reasons) EXPECT_EQ(reason, result.reasons.front()) << name << ", seed " << seed;
    }
  });
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const AlgorithmDef& def : algorithms()) all.push_back(def.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, ResumeContract, ::testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paceline::tests
