// Whatever happens during a save, what can be loaded afterwards is the old checkpoint or the new one, whole.
#include "engine/runtime/checkpoints.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/comm/sim/sim_world.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/rng.h"
#include "engine/core/record/state_table.h"
#include "tests/support/disk_faults.h"
#include "tests/support/own_folder.h"
#include "tests/support/sim_run.h"

namespace paceline::tests {
namespace {

class CheckpointFolderTest : public ::testing::Test {
 protected:
  CheckpointFolder here() const { return {folder + "/w0", {"w0", "cafe"}}; }
  std::string file(int round) const { return strCat(folder, "/w0/round-00000000000", round, ".checkpoint"); }

  const std::string folder = tests::ownFolder();
};

StateTable tableOf(int seed) {
  StateTable table;
  StateWriter writer(table);
  Rng rng(static_cast<std::uint64_t>(seed));
  std::vector<Real> w(1000);
  for (Real& x : w) x = static_cast<Real>(rng.uniform());
  std::int64_t steps = seed;
  writer.reals("w", w);
  writer.number("steps", steps);
  rng.state(writer, "rng");
  return table;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void overwrite(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

TEST_F(CheckpointFolderTest, WhatIsSavedIsLoaded) {
  here().save(3, tableOf(3));
  EXPECT_EQ(here().load(3), tableOf(3));
  EXPECT_EQ(here().rounds(), std::vector<std::int64_t>{3});
}

TEST_F(CheckpointFolderTest, TheTwoNewestCompleteOnesAreKept) {
  CheckpointFolder node = here();
  for (int round = 1; round <= 5; ++round) {
    node.save(round, tableOf(round));
    EXPECT_LE(node.rounds().size(), 3u);
    node.keep(round);
  }
  EXPECT_EQ(node.rounds(), (std::vector<std::int64_t>{5, 4}));
  node.save(6, tableOf(6));
  node.drop(6);
  EXPECT_EQ(node.rounds(), (std::vector<std::int64_t>{5, 4}));
}

TEST_F(CheckpointFolderTest, OtherKernelsAreToldAndTheSameAreNot) {
  sim::SimWorld world({Emulate{}});
  const RunSpec spec;
  CheckpointFolder mine = here();
  std::vector<std::string> told;
  std::int64_t steps = 7;
  const auto nodeWith = [&](const std::string& kernels) {
    return NodeRun{.spec = spec, .wire = world.wire(0), .clock = world.clock(0), .emit = [&](const Event& event) { told.push_back(std::get<NoticeRecord>(event).text); },
                   .kernels = kernels, .checkpoints = &mine, .resume = &mine};
  };
  const auto state = [&](Archive& archive) { archive.number("steps", steps); };
  const NodeRun first = nodeWith("OPENBLAS_CORETYPE=SkylakeX"), other = nodeWith("OPENBLAS_CORETYPE=Haswell"), silent = nodeWith("");
  NodeCheckpoints(first, state, {}).save(1);
  steps = 0;
  NodeCheckpoints(first, state, {}).load(1);
  NodeCheckpoints(silent, state, {}).load(1);
  EXPECT_EQ(steps, 7);
  EXPECT_TRUE(told.empty());
  NodeCheckpoints(other, state, {}).load(1);
  EXPECT_EQ(told, std::vector<std::string>{"goes on with other kernels, so not with the same bits: OPENBLAS_CORETYPE=Haswell; before: OPENBLAS_CORETYPE=SkylakeX"});
  NodeCheckpoints(silent, state, {}).save(2);  // as those of versions that did not know of kernels
  NodeCheckpoints(other, state, {}).load(2);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(CheckpointFolderTest, AnotherNodeOrConfigurationIsRefusedInOneSentence) {
  here().save(1, tableOf(1));
  const auto refusal = [&](const StateOwner& owner) -> std::string {
    try {
      static_cast<void>(CheckpointFolder(folder + "/w0", owner).load(1));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({"w1", "cafe"}), strCat("checkpoint ", file(1), " cannot be used: it is of node \"w0\", not of \"w1\""));
  EXPECT_EQ(refusal({"w0", "beef"}), strCat("checkpoint ", file(1), " cannot be used: it is of a run that is configured differently"));
}

TEST_F(CheckpointFolderTest, EveryCutAndEveryFlippedByteIsNoticed) {
  here().save(1, tableOf(1));
  const std::string whole = contentOf(file(1));
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 400) {
    overwrite(file(1), whole.substr(0, length));
    EXPECT_THROW(static_cast<void>(here().load(1)), Error) << length;
  }
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 400) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    overwrite(file(1), flipped);
    EXPECT_THROW(static_cast<void>(here().load(1)), Error) << at;
  }
}

// With a right hash, so that the table itself is what is tried.
TEST_F(CheckpointFolderTest, AForgedTableIsAnErrorNotACrash) {
  const std::string whole = stateBytes({"w0", "cafe"}, 1, tableOf(1));
  const std::string content = whole.substr(0, whole.size() - 64);
  Rng rng(7);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string forged = content.substr(0, trial % 2 == 0 ? content.size() : rng.below(content.size()));
    for (std::uint64_t flips = 1 + rng.below(4); flips > 0 && !forged.empty(); --flips)
      forged[rng.below(std::min<std::size_t>(forged.size(), 100))] = static_cast<char>(rng.below(256));
    forged += sha256Hex(forged);
    try {
      EXPECT_LE(parseState(forged).table.bytes(), forged.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
    }
  }
}

TEST_F(CheckpointFolderTest, AKillBeforeAnyCallLeavesOldOrNew) {
  here().save(1, tableOf(1));
  const auto save = [&] {
    CheckpointFolder node = here();
    node.save(2, tableOf(2));
    node.keep(2);
  };
  const int calls = killBeforeEveryCall(save, [&](const std::string& where) {
    const std::vector<std::int64_t> rounds = here().rounds();
    EXPECT_FALSE(rounds.empty()) << where;
    for (const std::int64_t round : rounds) EXPECT_EQ(here().load(round), tableOf(static_cast<int>(round))) << where;
    here().drop(2);
  });
  EXPECT_GE(calls, 7) << "open, write, fsync, close, rename, open folder, fsync folder";
}

TEST_F(CheckpointFolderTest, AFailingCallCostsThatCheckpointOnly) {
  here().save(1, tableOf(1));
  const int calls = failEveryCall([&] { here().save(2, tableOf(2)); },
                                  [&](const std::string& where, const std::string& sentence) {
                                    EXPECT_EQ(here().rounds(), sentence.empty() ? (std::vector<std::int64_t>{2, 1}) : std::vector<std::int64_t>{1}) << where;
                                    EXPECT_TRUE(sentence.empty() || sentence.find("/w0") != std::string::npos) << sentence;
                                    EXPECT_EQ(here().load(1), tableOf(1)) << where;
                                    if (sentence.empty()) here().drop(2);
                                    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder + "/w0"), {}), 1) << "nothing half-written stays: " << where;
                                  });
  EXPECT_EQ(calls, 7);
  here().save(2, tableOf(2));
  EXPECT_EQ(here().load(2), tableOf(2));
}

TEST_F(CheckpointFolderTest, TheConfigurationIsWhatTheStateDependsOn) {
  RunSpec spec = clusterOf("ssgd", 2, 1), same = spec, other = spec;
  same.name = "another";
  same.stop.rounds = 77;
  same.evaluate.everyRounds = 5;
  same.checkpointEveryRounds = 3;
  same.nodes[1].host = "elsewhere";
  same.nodes[1].threads = 4;
  EXPECT_EQ(stateConfig(spec), stateConfig(same));
  other.batchSize = 5;
  EXPECT_NE(stateConfig(spec), stateConfig(other));
  other = spec;
  other.seed = 2;
  EXPECT_NE(stateConfig(spec), stateConfig(other));
}

}  // namespace
}  // namespace paceline::tests
