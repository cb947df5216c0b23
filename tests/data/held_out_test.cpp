// Training samples that are held out: no worker has one, whatever divides the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "engine/core/base/error.h"
#include "tests/data/split_requests.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using namespace testing_splits;

constexpr std::size_t kSamples = 1000;

RunSpec holdingOut(double share, std::uint64_t seed = 1) {
  RunSpec spec;
  spec.seed = seed, spec.evaluate.validation = share;
  spec.nodes.resize(3);
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) spec.nodes[i].id = std::to_string(i);
  return spec;
}

datasets::Dataset balancedSet() {
  datasets::Dataset data;
  data.train.labels = balancedLabels(kSamples / 10);
  return data;
}

TEST(HeldOut, IsDrawnByTheSeedAlone) {
  const std::vector<std::uint32_t> held = partitioners::heldOut(holdingOut(0.1), kSamples);
  EXPECT_EQ(held.size(), kSamples / 10);
  EXPECT_TRUE(std::ranges::is_sorted(held));
  EXPECT_EQ(std::set(held.begin(), held.end()).size(), held.size());
  EXPECT_LT(held.back(), kSamples);
  EXPECT_EQ(partitioners::heldOut(holdingOut(0.1), kSamples), held);
  EXPECT_NE(partitioners::heldOut(holdingOut(0.1, 2), kSamples), held);
  EXPECT_THAT(partitioners::heldOut(holdingOut(0), kSamples), ::testing::IsEmpty());
}

TEST(HeldOut, NoWorkerHasOneOfThemWhateverDivides) {
  const datasets::Dataset data = balancedSet();
  for (const partitioners::PartitionerDef& def : partitioners::partitioners()) {
    if (def.namesSamples) continue;  // by a file; below
    RunSpec spec = holdingOut(0.2);
    spec.partition.id = def.id;
    const std::vector<std::uint32_t> held = partitioners::heldOut(spec, kSamples);
    std::set<std::uint32_t> trained;
    for (const auto& mine : partitioners::splitOf(spec, data).indices) trained.insert(mine.begin(), mine.end());
    for (const std::uint32_t sample : held) EXPECT_FALSE(trained.contains(sample)) << def.id;
    EXPECT_GT(trained.size(), kSamples / 2) << def.id;
    EXPECT_LT(*trained.rbegin(), kSamples) << def.id;
  }
}

// Classes stay where the partition puts them: a share of every worker's kind is held out, not another worker's.
TEST(HeldOut, TheOthersAreDividedByTheirOwnClasses) {
  const datasets::Dataset data = balancedSet();
  RunSpec spec = holdingOut(0.5);
  spec.nodes.resize(1), spec.partition.id = "contiguous";
  const partitioners::Partition partition = partitioners::splitOf(spec, data);
  std::vector<std::uint32_t> all(kSamples), left;
  for (std::uint32_t i = 0; i < kSamples; ++i) all[i] = i;
  std::ranges::set_difference(all, partitioners::heldOut(spec, kSamples), std::back_inserter(left));
  EXPECT_EQ(partition.indices[0], left);
}

TEST(HeldOut, AListedSampleThatIsHeldOutIsLeftOutOfItsList) {
  const std::string path = (ownFolder() / "lists.json").string();
  std::ofstream(path) << "[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], [20, 21, 22, 23, 24, 25, 26, 27, 28, 29]]";
  RunSpec spec = holdingOut(0.5);
  spec.partition.id = "indices";
  spec.partition.params.set("path", path);
  const std::vector<std::uint32_t> held = partitioners::heldOut(spec, kSamples);
  const partitioners::Partition partition = partitioners::splitOf(spec, balancedSet());
  for (std::uint32_t rank = 0; rank < 3; ++rank)
    for (std::uint32_t sample = 10 * rank; sample < 10 * rank + 10; ++sample)
      EXPECT_NE(std::ranges::binary_search(held, sample), std::ranges::binary_search(partition.indices[rank], sample)) << sample;
}

TEST(HeldOut, LessThanASampleIsRefused) {
  const auto refusal = [](double share) -> std::string {
    try {
      partitioners::heldOut(holdingOut(share), 10);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(0.01), "/evaluate/validation: 0.01 of 10 training samples are 0; it must be at least one of them, and leave some");
  EXPECT_EQ(refusal(0.96), "/evaluate/validation: 0.96 of 10 training samples are 10; it must be at least one of them, and leave some");
  EXPECT_EQ(refusal(0.9), "");
}

}  // namespace
}  // namespace paceline::tests
