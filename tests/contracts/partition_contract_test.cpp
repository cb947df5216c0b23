// What every registered partitioner promises, for worlds of 1 to 9.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/data/partitioners/partitioner.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

std::vector<std::uint16_t> randomLabels(std::size_t count) {
  std::vector<std::uint16_t> labels(count);
  Rng rng(5);
  for (std::uint16_t& label : labels) label = static_cast<std::uint16_t>(rng.below(10));
  return labels;
}

class PartitionContract : public ::testing::TestWithParam<std::string> {
 protected:
  const partitioners::PartitionerDef& def() const { return *partitioners::findPartitioner(GetParam()); }

  partitioners::PartitionRequest request(int world, std::span<const std::uint16_t> labels, bool everySample) const {
    Params given;
    for (const ParamSpec& spec : def().params)
      if (spec.name == "drop_remainder" && everySample) given.set(spec.name, false);
      else if (spec.file) given.set(spec.name, dealtOut(world, labels.size()));
    std::vector<Finding> findings;
    partitioners::PartitionRequest made;
    made.labels = labels;
    made.world = world;
    made.seed = 11;
    made.params = completeParams(def().params, given, "", findings);
    return made;
  }

  // A file of lists in which the samples go to the workers by turns.
  static std::string dealtOut(int world, std::size_t samples) {
    const std::string path = (ownFolder() / "lists.json").string();
    std::ofstream file(path);
    for (int worker = 0; worker < world; ++worker) {
      file << (worker == 0 ? "[[" : ",[");
      for (std::size_t i = static_cast<std::size_t>(worker); i < samples; i += static_cast<std::size_t>(world)) file << (i < static_cast<std::size_t>(world) ? "" : ",") << i;
      file << ']';
    }
    file << ']';
    return path;
  }

  static std::vector<std::uint32_t> all(const partitioners::Partition& partition) {
    std::vector<std::uint32_t> indices;
    for (const auto& part : partition.indices) indices.insert(indices.end(), part.begin(), part.end());
    std::sort(indices.begin(), indices.end());
    return indices;
  }
};

TEST_P(PartitionContract, IsDisjointAndCovering) {
  if (!def().disjoint) GTEST_SKIP() << "a sample may belong to several";
  const auto labels = randomLabels(1003);
  for (int world = 1; world <= 9; ++world) {
    const partitioners::Partition partition = def().split(request(world, labels, true));
    EXPECT_EQ(partition.indices.size(), static_cast<std::size_t>(world));
    const auto indices = all(partition);
    ASSERT_EQ(indices.size(), labels.size()) << world;
    for (std::uint32_t i = 0; i < indices.size(); ++i) ASSERT_EQ(indices[i], i) << world;
  }
}

TEST_P(PartitionContract, CoversWithoutRepeatingASampleWithinARank) {
  const auto labels = randomLabels(1003);
  for (int world = 1; world <= 9; ++world) {
    const partitioners::Partition partition = def().split(request(world, labels, true));
    for (std::vector<std::uint32_t> mine : partition.indices) {
      ASSERT_FALSE(mine.empty());
      std::sort(mine.begin(), mine.end());
      EXPECT_EQ(std::adjacent_find(mine.begin(), mine.end()), mine.end()) << world;
    }
    auto seen = all(partition);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    ASSERT_EQ(seen.size(), labels.size()) << world;
    EXPECT_EQ(seen.back(), labels.size() - 1) << world;
  }
}

TEST_P(PartitionContract, NamesARankThatWouldGetNothing) {
  const std::vector<std::uint16_t> none;
  EXPECT_THROW(def().split(request(3, none, true)), Error);
}

TEST_P(PartitionContract, LeavesOutFewerSamplesThanThereAreRanks) {
  const auto labels = randomLabels(1003);
  for (int world = 1; world <= 9; ++world) {
    auto indices = all(def().split(request(world, labels, false)));
    if (!def().disjoint) indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    EXPECT_EQ(std::adjacent_find(indices.begin(), indices.end()), indices.end()) << world;
    EXPECT_GT(indices.size() + static_cast<std::size_t>(world), labels.size()) << world;
  }
}

TEST_P(PartitionContract, IsTheSameTwice) {
  const auto labels = randomLabels(1003);
  for (int world = 1; world <= 9; ++world) {
    const partitioners::Partition once = def().split(request(world, labels, false)), again = def().split(request(world, labels, false));
    EXPECT_EQ(once.indices, again.indices);
    EXPECT_EQ(once.shuffled, again.shuffled);
  }
}

TEST_P(PartitionContract, IsEvenWithinOneSampleWhereItSaysSo) {
  if (!def().even) GTEST_SKIP() << "equal classes, not equal numbers of samples";
  const auto labels = randomLabels(1003);
  for (int world = 1; world <= 9; ++world) {
    const partitioners::Partition partition = def().split(request(world, labels, true));
    const auto [least, most] = std::minmax_element(partition.indices.begin(), partition.indices.end(),
                                                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
    EXPECT_LE(most->size() - least->size(), 1U) << world;
  }
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const partitioners::PartitionerDef& def : partitioners::partitioners()) all.push_back(def.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, PartitionContract, ::testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace paceline::tests
