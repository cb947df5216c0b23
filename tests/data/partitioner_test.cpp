#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "tests/data/split_requests.h"

namespace paceline::tests {
namespace {

using namespace testing_splits;

TEST(ByClass, CutsSixWorkersAsESyncDoes) {
  const Labels labels = balancedLabels(6000);
  const partitioners::Partition partition = split("by_class", request("by_class", labels, 6));
  EXPECT_EQ(classCounts(partition, labels), (std::vector<Counts>{{{0, 6000}, {1, 4000}},
                                                                 {{1, 2000}, {2, 6000}, {3, 2000}},
                                                                 {{3, 4000}, {4, 6000}},
                                                                 {{5, 6000}, {6, 4000}},
                                                                 {{6, 2000}, {7, 6000}, {8, 2000}},
                                                                 {{8, 4000}, {9, 6000}}}));
  EXPECT_FALSE(partition.shuffled);
}

TEST(ByClass, CutsTwoToFiveWorkersAsESyncDoes) {
  const Labels labels = balancedLabels(6000);
  const auto counts = [&](int world) { return classCounts(split("by_class", request("by_class", labels, world)), labels); };
  EXPECT_EQ(counts(2)[0], (Counts{{0, 6000}, {1, 6000}, {2, 6000}, {3, 6000}, {4, 6000}}));
  EXPECT_EQ(counts(3)[0], (Counts{{0, 6000}, {1, 6000}, {2, 6000}, {3, 2000}}));
  EXPECT_EQ(counts(3)[1], (Counts{{3, 4000}, {4, 6000}, {5, 6000}, {6, 4000}}));
  EXPECT_EQ(counts(4)[3], (Counts{{7, 3000}, {8, 6000}, {9, 6000}}));
  EXPECT_EQ(counts(5)[2], (Counts{{4, 6000}, {5, 6000}}));
}

TEST(ByClass, KeepsFileOrderWithinAClass) {
  const Labels labels{1, 0, 1, 0, 2, 0};
  const partitioners::Partition partition = split("by_class", request("by_class", labels, 2));
  EXPECT_THAT(partition.indices,
              ::testing::ElementsAre(std::vector<std::uint32_t>{1, 3, 5}, std::vector<std::uint32_t>{0, 2, 4}));
}

TEST(ByClass, OneWorkerReadsTheFileInOrder) {
  const Labels labels{1, 0, 1, 0};
  EXPECT_THAT(split("by_class", request("by_class", labels, 1)).indices,
              ::testing::ElementsAre(std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(ByClass, ShufflesWithinAWorkerOnlyWhenAsked) {
  const Labels labels = balancedLabels(10);
  EXPECT_TRUE(split("by_class", request("by_class", labels, 2, {{"shuffle", true}})).shuffled);
}

TEST(Contiguous, GivesRankRItsStretchAndDropsTheTail) {
  const Labels labels(23, 0);
  const partitioners::Partition partition = split("contiguous", request("contiguous", labels, 4));
  EXPECT_THAT(
      partition.indices,
      ::testing::ElementsAre(std::vector<std::uint32_t>{0, 1, 2, 3, 4}, std::vector<std::uint32_t>{5, 6, 7, 8, 9},
                             std::vector<std::uint32_t>{10, 11, 12, 13, 14}, std::vector<std::uint32_t>{15, 16, 17, 18, 19}));
  EXPECT_TRUE(partition.shuffled);
}

TEST(Contiguous, GivesTheTailToTheFirstRanksWhenAsked) {
  const Labels labels(23, 0);
  const partitioners::Partition partition = split("contiguous", request("contiguous", labels, 4, {{"drop_remainder", false}}));
  EXPECT_EQ(sizes(partition), (std::vector<std::size_t>{6, 6, 6, 5}));
  EXPECT_EQ(partition.indices[1].front(), 6U);
  EXPECT_EQ(partition.indices[3].back(), 22U);
}

TEST(Iid, GivesTheRemainderToTheFirstRanks) {
  const Labels labels(23, 0);
  EXPECT_EQ(sizes(split("iid", request("iid", labels, 4))), (std::vector<std::size_t>{6, 6, 6, 5}));
}

TEST(Iid, IsARandomSampleOfEveryClass) {
  const Labels labels = balancedLabels(1000);
  for (const Counts& counts : classCounts(split("iid", request("iid", labels, 5)), labels))
    for (int label = 0; label < 10; ++label) EXPECT_NEAR(counts.at(label), 200, 70) << label;  // deviation 12.6
}

TEST(Iid, DependsOnTheSeed) {
  const Labels labels(100, 0);
  partitioners::PartitionRequest one = request("iid", labels, 3), two = one;
  two.seed = one.seed + 1;
  EXPECT_NE(split("iid", one).indices, split("iid", two).indices);
}

TEST(Partitioners, RespectShares) {
  const Labels labels = balancedLabels(6000);
  for (const partitioners::PartitionerDef& def : partitioners::partitioners()) {
    if (!def.even || !def.disjoint) continue;
    partitioners::PartitionRequest asked = request(def.id, labels, 4);
    asked.shares = {0.1, 0.2, 0.3, 0.4};
    EXPECT_EQ(sizes(def.split(asked)), (std::vector<std::size_t>{6000, 12000, 18000, 24000})) << def.id;
  }
}

// What ECL-ISVR's program logged on Fashion-MNIST, 6000 samples of each class, eight nodes.
TEST(ClassesPerWorker, PublishedVariantHasTheLoggedCounts) {
  const Labels labels = balancedLabels(6000);
  const int logged[8][10] = {{0, 1100, 969, 947, 798, 862, 890, 911, 888, 0},     {887, 1092, 0, 940, 879, 842, 0, 860, 801, 1007},
                             {992, 0, 933, 0, 856, 953, 939, 822, 876, 998},      {1092, 936, 1068, 1085, 835, 807, 1048, 0, 0, 974},
                             {1072, 1041, 1082, 1059, 0, 0, 1073, 875, 882, 1008}, {0, 903, 975, 934, 826, 867, 1049, 934, 919, 0},
                             {1046, 928, 0, 1035, 898, 808, 0, 801, 819, 972},    {911, 0, 973, 0, 908, 861, 1001, 797, 815, 1041}};
  const partitioners::Partition partition = split("classes_per_worker", request("classes_per_worker", labels, 8, {{"variant", "published"}}));
  const std::vector<Counts> counts = classCounts(partition, labels);
  for (std::size_t node = 0; node < 8; ++node)
    for (int c = 0; c < 10; ++c)
      EXPECT_EQ(counts[node].contains(c) ? counts[node].at(c) : 0, logged[node][c]) << "node " << node << ", class " << c;
  const partitioners::Partition three = split("classes_per_worker", request("classes_per_worker", labels, 3, {{"variant", "published"}}));
  EXPECT_EQ(sizes(three), (std::vector<std::size_t>{20008, 20006, 19986}));
}

TEST(ClassesPerWorker, PublishedVariantGivesStretchesOfTheFile) {
  const Labels labels = balancedLabels(600);
  const partitioners::Partition partition = split("classes_per_worker", request("classes_per_worker", labels, 8, {{"variant", "published"}}));
  for (int c = 0; c < 10; ++c) {
    std::uint32_t last = 0;
    for (const auto& part : partition.indices)
      for (const std::uint32_t i : part)
        if (labels[i] == c) {
          EXPECT_GE(i, last) << "class " << c;
          last = i;
        }
  }
}

TEST(ClassesPerWorker, EveryWorkerHoldsKClassesInEqualStretches) {
  const Labels labels = balancedLabels(400);
  for (const auto& [world, k] : {std::pair{8, 2}, {8, 8}, {10, 1}, {5, 2}, {4, 10}}) {
    const partitioners::Partition partition = split("classes_per_worker", request("classes_per_worker", labels, world, {{"k", std::int64_t{k}}}));
    std::vector<std::pair<int, int>> held(10, {400, 0});  // fewest and most of one worker
    for (const Counts& counts : classCounts(partition, labels)) {
      EXPECT_EQ(counts.size(), static_cast<std::size_t>(k)) << world;
      for (const auto& [c, count] : counts) {
        auto& [fewest, most] = held[static_cast<std::size_t>(c)];
        fewest = std::min(fewest, count), most = std::max(most, count);
      }
    }
    for (const auto& [fewest, most] : held) EXPECT_LE(most - fewest, 1) << world << ' ' << k;
  }
}

TEST(ClassesPerWorker, TakesMoreClassesWhereOneWouldBelongToNobody) {
  const Labels labels = balancedLabels(40);
  for (const Counts& counts : classCounts(split("classes_per_worker", request("classes_per_worker", labels, 3, {{"k", std::int64_t{2}}})), labels))
    EXPECT_EQ(counts.size(), 4U);
}

TEST(ClassesPerWorker, DividesAClassByItsOwnersShares) {
  const Labels labels = balancedLabels(1000);
  partitioners::PartitionRequest asked = request("classes_per_worker", labels, 4, {{"k", std::int64_t{10}}});
  asked.shares = {0.1, 0.2, 0.3, 0.4};
  EXPECT_EQ(sizes(split("classes_per_worker", asked)), (std::vector<std::size_t>{1000, 2000, 3000, 4000}));
}

TEST(ClassesPerWorker, RefusesWhatCannotBe) {
  const Labels labels = balancedLabels(40);
  const auto refused = [&](int world, const std::map<std::string, ParamValue>& params) {
    EXPECT_THROW(split("classes_per_worker", request("classes_per_worker", labels, world, params)), Error);
  };
  refused(4, {{"k", std::int64_t{11}}});
  refused(1, {{"variant", "published"}});                          // two classes would belong to nobody
  refused(3, {{"variant", "published"}, {"k", std::int64_t{2}}});  // four would
}

TEST(Partitioners, RefuseToLeaveARankWithNothing) {
  const Labels labels(4, 0);
  try {
    split("iid", request("iid", labels, 5));
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kData);
    EXPECT_STREQ(error.what(), "partition \"iid\": rank 4 of 5 workers would get none of 4 samples");
  }
}

}  // namespace
}  // namespace paceline::tests
