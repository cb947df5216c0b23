// Checkpoints of whole runs in virtual time: what is refused, what is fallen back to, and that a full disk does not end a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/algorithms/algorithm.h"
#include "engine/core/base/file_text.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/checkpoints.h"
#include "tests/support/clusters.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

class ResumeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    spec.checkpointEveryRounds = 3;
    spec.stop.rounds = 10;
  }
  SimResult run(const RunSpec& what, bool save, bool load) {
    stores.clear();
    for (int node = 0; node < static_cast<int>(what.nodes.size()); ++node) {
      const std::string id = what.nodes[static_cast<std::size_t>(node)].id;
      stores.push_back(std::make_unique<CheckpointFolder>(folder + "/" + id, StateOwner{id, stateConfig(what)}));
    }
    const auto of = [this](int node) { return stores[static_cast<std::size_t>(node)].get(); };
    SimOptions options;
    if (save) options.checkpoints = of;
    if (load) options.resume = of;
    return runInSim(what, quadratic(problem), options);
  }
  std::string refusal(const RunSpec& what) {
    try {
      run(what, false, true);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string file(const std::string& node, int round) const { return strCat(folder, "/", node, "/round-00000000000", round, ".checkpoint"); }
  static std::vector<std::string> warnings(const SimResult& result, int node) {
    std::vector<std::string> texts;
    for (const NoticeRecord& notice : result.of<NoticeRecord>(node))
      if (notice.level == "warn") texts.push_back(notice.text);
    return texts;
  }

  RunSpec spec = clusterOf("ssgd", 2, 1);
  QuadraticProblem problem;
  const std::string folder = tests::ownFolder();
  std::vector<std::unique_ptr<CheckpointFolder>> stores;
};

TEST_F(ResumeTest, ADamagedNewestOneFallsBackToTheOneBeforeAndSaysSo) {
  const SimResult whole = run(spec, true, false);
  std::ofstream(file("s0", 9), std::ios::binary | std::ios::in | std::ios::out).seekp(30).put('x');
  const SimResult rest = run(spec, false, true);
  EXPECT_EQ(rest.rounds(0).front().round, 7);
  EXPECT_EQ(rest.parameters, whole.parameters);
  ASSERT_EQ(warnings(rest, 2).size(), 1u);
  EXPECT_EQ(warnings(rest, 2)[0], strCat("checkpoint ", file("s0", 9), " cannot be used: its SHA-256 is not that of its content"));
}

TEST_F(ResumeTest, WithBothDamagedTheMessageSaysWhoHasWhat) {
  run(spec, true, false);
  for (const int round : {6, 9}) std::filesystem::resize_file(file("s0", round), 50);  // a worker would take part again: join_contract_test.cpp
  EXPECT_EQ(refusal(spec), "there is no sound checkpoint of one round on all nodes (rounds by node: w0: 9 6, w1: 9 6, s0: none)");
}

TEST_F(ResumeTest, FilesOfAnotherNodeOrRunAreNotTaken) {
  run(spec, true, false);
  for (const int round : {6, 9}) std::filesystem::copy_file(file("w0", round), file("s0", round), std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(refusal(spec).find("s0: none"), std::string::npos);
  RunSpec other = spec;
  other.seed = 5;
  EXPECT_NE(refusal(other).find("w0: none"), std::string::npos);
}

TEST_F(ResumeTest, AnotherStopRuleIsTheSameTraining) {
  RunSpec longer = spec;
  longer.stop.rounds = 16;
  const SimResult whole = run(longer, false, false);
  run(spec, true, false);
  const SimResult rest = run(longer, true, true);
  EXPECT_EQ(rest.rounds(1).front().round, 10);
  EXPECT_EQ(rest.rounds(1).back().round, 16);
  EXPECT_EQ(rest.parameters, whole.parameters);
  EXPECT_EQ(stores[0]->rounds(), (std::vector<std::int64_t>{15, 12}));
}

// What rounding took and has yet to be sent.
TEST_F(ResumeTest, WhatAWireFormatOwesIsInTheCheckpoint) {
  for (const char* aggregation : {"server", "ring"}) {
    spec = clusterOf("ssgd", 3, aggregation == std::string("server") ? 1 : 0);
    spec.aggregation.id = aggregation;
    spec.wire.format = "int8";
    spec.checkpointEveryRounds = 3;
    spec.stop.rounds = 14;  // some rounds after the last checkpoint
    const SimResult whole = run(spec, true, false), rest = run(spec, false, true);
    EXPECT_EQ(rest.rounds(0).front().round, 13) << aggregation;
    EXPECT_EQ(rest.parameters, whole.parameters) << aggregation;
  }
}

// A server's shards cut anew into these fewer, equal to within one element.
void recut(StateTable& table, std::size_t count) {
  for (const char* name : {"algorithm/values", "algorithm/velocity"}) {
    const auto of = [name](std::size_t shard) { return strCat("shard ", shard, "/", name); };
    std::string whole;
    for (std::size_t shard = 0; table.arrays.contains(of(shard)); ++shard) whole += table.arrays.at(of(shard)).bytes;
    const std::size_t elements = whole.size() / sizeof(Real);
    std::size_t offset = 0;
    for (std::size_t shard = 0; shard < count; ++shard) {
      const std::size_t size = elements / count + (shard < elements % count ? 1 : 0);
      table.arrays.at(of(shard)).bytes = whole.substr(offset * sizeof(Real), size * sizeof(Real));
      offset += size;
    }
  }
  auto& ids = table.arrays.at("shards").bytes;
  for (std::size_t shard = count; shard < ids.size() / sizeof(std::uint64_t); ++shard)
    std::erase_if(table.arrays, [prefix = strCat("shard ", shard, "/")](const auto& entry) { return entry.first.starts_with(prefix); });
  ids.resize(count * sizeof(std::uint64_t));
}

// How versions of before cut a vector, and today's.
struct EarlierCut {
  const char* name;
  std::size_t elements, before, today;
};
constexpr std::size_t kTwelveMegabytes = (12 << 20) / sizeof(Real);
class ResumeEarlierCut : public ResumeTest, public ::testing::WithParamInterface<EarlierCut> {};

INSTANTIATE_TEST_SUITE_P(Versions, ResumeEarlierCut, ::testing::Values(EarlierCut{"OneShard", 5 * 8192, 1, 5}, EarlierCut{"AsFewAsThereCouldBe", kTwelveMegabytes, 12, 24}, EarlierCut{"Sixteen", kTwelveMegabytes, 16, 24}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(ResumeEarlierCut, GoesOn) {
  const EarlierCut& cut = GetParam();
  problem = {.size = cut.elements, .samples = 2};
  spec = clusterOf("asgd", 1, 1);
  NodeSpec& evaluator = spec.nodes.emplace_back();
  evaluator.id = "e0", evaluator.role = Role::kEvaluator;
  spec.evaluate.source = "server";
  spec.checkpointEveryRounds = 3;
  spec.optimizer.momentum = 0.5;
  const SimResult whole = run(spec, true, false);
  const auto edit = [this](const std::string& node, const std::function<void(StateTable&)>& change) {
    SavedState saved = parseState(fileText(file(node, 9)).value());
    change(saved.table);
    std::ofstream(file(node, 9), std::ios::binary) << stateBytes(saved.owner, saved.round, saved.table);
  };
  edit("w0", [&cut](StateTable& table) { table.arrays.at("context/versions").bytes.resize(cut.before * sizeof(std::uint64_t)); });
  edit("s0", [&cut](StateTable& table) { recut(table, cut.before); });
  const SimResult rest = run(spec, false, true);
  EXPECT_EQ(rest.rounds(0).front().round, 10);
  EXPECT_EQ(rest.rounds(0).front().messagesSent - static_cast<std::int64_t>(cut.before), whole.rounds(0).back().messagesSent - static_cast<std::int64_t>(cut.today));
  EXPECT_TRUE(rest.parameters == whole.parameters);
  EXPECT_EQ(rest.evaluations(2).back().loss, whole.evaluations(2).back().loss);
}

TEST_F(ResumeTest, ARunThatIsAtItsEndEndsAtOnce) {
  spec.stop.rounds = 9;
  const SimResult whole = run(spec, true, false), rest = run(spec, false, true);
  EXPECT_EQ(rest.parameters, whole.parameters);
  for (int node = 0; node < 2; ++node) EXPECT_TRUE(rest.rounds(node).empty());
  for (const std::string& reason : rest.reasons) EXPECT_EQ(reason, "rounds");
}

TEST_F(ResumeTest, ANodeThatCannotSaveKeepsTheRunGoingAndTheLastGoodOnes) {
  for (const char* round : {"6", "9"})  // a folder where the file is to be written first
    std::filesystem::create_directories(strCat(folder, "/", spec.nodes[1].id, "/.round-00000000000", round, ".checkpoint.new"));
  const SimResult result = run(spec, true, false);
  EXPECT_EQ(result.rounds(0).size(), 10u);
  EXPECT_EQ(warnings(result, 1).size(), 2u);
  EXPECT_NE(warnings(result, 1)[0].find("the checkpoint of round 6 is not saved"), std::string::npos);
  for (const auto& store : stores) EXPECT_EQ(store->rounds(), std::vector<std::int64_t>{3});
  EXPECT_EQ(run(spec, false, true).rounds(0).front().round, 4);
}

// Of every method each array of a checkpoint with an element too few and one too many, whose hash is right: nothing believes a length.
class ForgedLengths : public ResumeTest, public ::testing::WithParamInterface<std::string> {
 protected:
  int newestOfAll() const {
    for (const std::int64_t round : stores[0]->rounds())
      if (std::ranges::all_of(stores, [round](const auto& store) { return std::ranges::count(store->rounds(), round) > 0; })) return static_cast<int>(round);
    throw Error(Errc::kFile, "no round's checkpoint is on all nodes");
  }
  void expectRefusals(std::size_t node) {
    const std::string& id = spec.nodes[node].id;
    const std::string path = file(id, newestOfAll()), sound = fileText(path).value();
    const SavedState saved = parseState(sound);
    for (const auto& [name, array] : saved.table.arrays)
      for (const int more : {-1, 1}) {
        if (more < 0 && array.bytes.empty()) continue;
        StateTable forged = saved.table;
        std::string& bytes = forged.arrays.at(name).bytes;
        bytes.resize(more < 0 ? bytes.size() - sizeOf(array.type) : bytes.size() + sizeOf(array.type));
        std::ofstream(path, std::ios::binary) << stateBytes(saved.owner, saved.round, forged);
        EXPECT_NE(refusal(spec), "") << id << ": " << name << (more < 0 ? " is too short" : " is too long");
      }
    std::ofstream(path, std::ios::binary) << sound;
  }
};

TEST_P(ForgedLengths, AreRefused) {
  const AlgorithmDef& def = *findAlgorithm(GetParam());
  const bool served = def.makeServer || def.topology == Topology::kAggregated;  // by the aggregation "server"
  spec = clusterOf(def.id, def.topology == Topology::kStandalone ? 1 : 3, served ? 1 : 0);
  spec.aggregation.id = "server";
  slowRates(spec, def);
  if (def.momentum) spec.optimizer.momentum = 0.5;
  spec.checkpointEveryRounds = 3;
  spec.stop.rounds = 7;  // some rounds after the last checkpoint
  run(spec, true, false);
  expectRefusals(0);
  if (served) expectRefusals(spec.nodes.size() - 1);
  EXPECT_EQ(refusal(spec), "");
}

std::vector<std::string> methods() {
  std::vector<std::string> ids;
  for (const AlgorithmDef& def : algorithms()) ids.push_back(def.id);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Every, ForgedLengths, ::testing::ValuesIn(methods()), [](const auto& info) { return info.param; });

TEST_F(ResumeTest, TimeSpentSavingIsInNoRound) {
  for (NodeSpec& node : spec.nodes) node.emulate.latencyMs = 50;
  const SimResult result = run(spec, true, false);
  const std::vector<RoundRecord> rounds = result.rounds(0);
  const double usual = rounds[1].t - rounds[0].t;
  EXPECT_NEAR(rounds[3].t - rounds[2].t, usual + 4 * 0.05, 1e-9) << "ready, save, saved, go";
  EXPECT_NEAR(rounds[3].total, rounds[2].total, 0.06);
  EXPECT_EQ(rounds[3].bytesSent, rounds[1].bytesSent);
}

}  // namespace
}  // namespace paceline::tests
