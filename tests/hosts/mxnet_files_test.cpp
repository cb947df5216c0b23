// MXNet-G's groups and data_sharding: the published sample, every way to name a worker, and one sentence for every bad line.
#include "app/cluster/interop/cluster_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<interop::ClusterWorker> workers(const std::vector<std::string>& addresses) {
  std::vector<interop::ClusterWorker> all;
  for (std::size_t i = 0; i < addresses.size(); ++i) 
    all.push_back({.id = strCat("w", i), .host = addresses[i].empty() ? "local" : strCat("host", addresses[i]), .address = addresses[i]});
  return all;
}
std::vector<interop::ClusterWorker> local(std::size_t count) { return workers(std::vector<std::string>(count)); }

interop::MxnetCluster grouped(const std::string& text, const std::vector<interop::ClusterWorker>& all) { return interop::readMxnetFiles(interop::NamedText{"groups", text}, {}, all); }
interop::MxnetCluster sharded(const std::string& text, const std::vector<interop::ClusterWorker>& all) { return interop::readMxnetFiles({}, interop::NamedText{"sharding", text}, all); }

// The repository's own files: twelve workers on six machines.
const std::string kGroups = "10.10.10.25 10.10.10.26\n10.10.10.29 10.10.10.29 10.10.10.30 10.10.10.30\n10.10.10.31 10.10.10.31 10.10.10.31 10.10.10.33 10.10.10.33 10.10.10.33\n";

TEST(MxnetFiles, TheSamplesAddressesAreRanksFromTheHighest) {
  const interop::MxnetCluster cluster = grouped(kGroups, local(12));
  EXPECT_THAT(cluster.problems, IsEmpty());
  EXPECT_THAT(cluster.groups, ElementsAre(ElementsAre("w10", "w11"), ElementsAre("w6", "w7", "w8", "w9"), ElementsAre("w0", "w1", "w2", "w3", "w4", "w5")));
  EXPECT_THAT(cluster.notes, ElementsAre("groups: addresses are MXNet-G's ranks, the highest is worker \"w0\""));
}

TEST(MxnetFiles, AddressesOfTheDocumentsHostsMeanTheWorkersThere) {
  const auto all = workers({"10.0.0.7", "10.0.0.5", "10.0.0.7", "10.0.0.6"});
  const interop::MxnetCluster cluster = grouped("10.0.0.5 10.0.0.6\n10.0.0.7 10.0.0.7\n", all);
  EXPECT_THAT(cluster.problems, IsEmpty());
  EXPECT_THAT(cluster.groups, ElementsAre(ElementsAre("w1", "w3"), ElementsAre("w0", "w2")));
  // One machine in two groups: MXNet-G gives it whole to the first, here each worker goes where it is named.
  EXPECT_THAT(grouped("10.0.0.7 10.0.0.6\n10.0.0.5 10.0.0.7", all).groups, ElementsAre(ElementsAre("w0", "w3"), ElementsAre("w1", "w2")));
  EXPECT_THAT(grouped("10.0.0.7:1 10.0.0.6\n10.0.0.5 10.0.0.7:0", all).groups, ElementsAre(ElementsAre("w2", "w3"), ElementsAre("w1", "w0")));
}

TEST(MxnetFiles, MembersMayBeWorkersIds) { EXPECT_THAT(grouped("w2 w0\nw1", local(3)).groups, ElementsAre(ElementsAre("w2", "w0"), ElementsAre("w1"))); }

TEST(MxnetFiles, BadGroupsAreToldWithLineAndValue) {
  const auto all = workers({"10.0.0.5", "10.0.0.6", "10.0.0.6"});
  const auto problems = [](const std::string& text, const std::vector<interop::ClusterWorker>& of) { return grouped(text, of).problems; };
  EXPECT_THAT(problems("10.0.0.5\n\n10.0.0.6 10.0.0.6\n", all), ElementsAre("groups:2: is empty: a group without workers in MXNet-G"));
  EXPECT_THAT(problems("", all), ElementsAre("groups:1: there are no groups in it"));
  EXPECT_THAT(problems("10.0.0.5\n10.0.0.6 10.0.0.6 10.0.0.6", all), ElementsAre("groups:2: \"10.0.0.6:2\" is one too many: the document has 2 workers there"));
  EXPECT_THAT(problems("10.0.0.5\n10.0.0.6 10.0.0.9", all), ElementsAre("groups:2: \"10.0.0.9:0\" is the host of no worker of the document, as others here are"));
  EXPECT_THAT(problems("10.0.0.5\n10.0.0.6", all), ElementsAre("groups:2: worker \"w2\" on host \"host10.0.0.6\" is in no group"));
  EXPECT_THAT(problems("10.0.0.5\n10.0.0.6:1 10.0.0.6:1", all), ElementsAre("groups:2: \"10.0.0.6:1\": worker \"w2\" is in a group already"));
  EXPECT_THAT(problems("10.0.0.5\n10.0.0.6:1 10.0.0.6", all), ElementsAre("groups:2: \"10.0.0.6\" has no number, but in line 2 it has; number all or none"));
  EXPECT_THAT(problems("w0 w1\nw1 w2", all), ElementsAre("groups:2: \"w1\": worker \"w1\" is in a group already"));
  EXPECT_THAT(problems("w0 w1\nw9 w2", all), ElementsAre("groups:2: \"w9\" is no worker of the document, as others here are"));
  EXPECT_THAT(problems("1.1.1.1\n2.2.2.2\n", local(3)), ElementsAre("groups:2: the groups have 2 members, but the document has 3 workers"));
  EXPECT_THAT(problems("1.1.1.1:0\n1.1.1.1:0 2.2.2.2\n", local(3)), ElementsAre("groups:2: \"1.1.1.1:0\" is in a group already"));
}

TEST(MxnetFiles, SharesOfTheSampleAreExact) {
  std::string lines;
  const double parts[] = {.05, .05, .05, .05, .05, .05, .10, .10, .10, .10, .15, .15};
  double begin = 0;
  for (const double part : parts) lines += strCat(begin, " ", begin + part, "\n"), begin += part;
  const interop::MxnetCluster cluster = sharded(lines, local(12));
  EXPECT_THAT(cluster.problems, IsEmpty());
  EXPECT_THAT(cluster.notes, IsEmpty());
  ASSERT_EQ(cluster.shares.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(cluster.shares[i], parts[i], 1e-9);
  EXPECT_EQ(std::accumulate(cluster.shares.begin(), cluster.shares.end(), 0.0), 1.0);
}

// What auto-grouping writes: two decimals, the last group rounded down.
TEST(MxnetFiles, SharesThatDoNotSumToOneAreScaled) {
  const interop::MxnetCluster cluster = sharded("0 0.33\n0.33 0.66\n0.66 0.98", local(3));
  EXPECT_EQ(std::accumulate(cluster.shares.begin(), cluster.shares.end(), 0.0), 1.0);
  EXPECT_NEAR(cluster.shares[2], 0.32 / 0.98, 1e-6);
  EXPECT_THAT(cluster.notes, ElementsAre("sharding gives away 0.98 of the data; shares are scaled to sum to 1"));
}

TEST(MxnetFiles, SharesFollowTheRanksThatGroupsGive) {
  const auto all = workers({"10.0.0.5", "10.0.0.7", "10.0.0.6"});
  const interop::MxnetCluster cluster = interop::readMxnetFiles(interop::NamedText{"groups", "10.0.0.5\n10.0.0.6 10.0.0.7\n"}, interop::NamedText{"sharding", "0 0.5\n0.5 0.75\n0.75 1\n"}, all);
  EXPECT_THAT(cluster.shares, ElementsAre(0.25, 0.5, 0.25));  // the highest address is rank 0
  EXPECT_THAT(interop::readMxnetFiles(interop::NamedText{"groups", "10.0.0.5\n10.0.0.6 10.0.0.7\n"}, interop::NamedText{"sharding", "0 0.2\n0.2 0.5\n0.5 1\n"}, all).shares, ElementsAre(0.5, 0.2, 0.3));
}

TEST(MxnetFiles, BadSharesAreToldWithLineAndValue) {
  const auto problems = [](const std::string& text) { return sharded(text, local(2)).problems; };
  EXPECT_THAT(problems("0 0.5\n0.5 x\n"), ElementsAre("sharding:2: two fractions of the data, the first below the second, expected, got \"0.5 x\""));
  EXPECT_THAT(problems("0 0.5\n0.5 1.5\n"), ElementsAre("sharding:2: two fractions of the data, the first below the second, expected, got \"0.5 1.5\""));
  EXPECT_THAT(problems("0.5 0\n\n"), ElementsAre("sharding:1: two fractions of the data, the first below the second, expected, got \"0.5 0\"",
                                                 "sharding:2: two fractions of the data, the first below the second, expected, got \"\""));
  EXPECT_THAT(problems("0 nan\n0 1 2\n"), ElementsAre("sharding:1: two fractions of the data, the first below the second, expected, got \"0 nan\"",
                                                    "sharding:2: two fractions of the data, the first below the second, expected, got \"0 1 2\""));
  EXPECT_THAT(problems("0 0.6\n0.5 1\n"), ElementsAre("sharding:2: begins at 0.5, where line 1 has the data up to 0.6"));
  EXPECT_THAT(problems("0 1\n"), ElementsAre("sharding:1: 1 lines, one for each worker, but the document has 2 workers"));
}

}  // namespace
}  // namespace paceline::tests
