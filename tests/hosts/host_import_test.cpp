// Other tools' host files become entries; a bad line is told with its place, and then nothing is imported.
#include "app/cluster/interop/host_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "app/cluster/ssh/config.h"
#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> addresses(const interop::HostImport& import) {
  std::vector<std::string> found;
  for (const interop::ImportedHost& host : import.hosts) found.push_back(host.address);
  return found;
}

std::vector<int> slots(const interop::HostImport& import) {
  std::vector<int> found;
  for (const interop::ImportedHost& host : import.hosts) found.push_back(host.slots);
  return found;
}

std::string problemOf(const std::string& text, interop::HostFormat format = interop::HostFormat::kAuto) {
  const interop::HostImport import = interop::readHosts(text, "f", format);
  EXPECT_THAT(import.hosts, IsEmpty());
  return import.problems.empty() ? "" : import.problems.front();
}

TEST(HostImport, PlainListHasCommentsUsersAndIpv6) {
  const interop::HostImport import = interop::readHosts("# the lab\n10.0.0.1\n\n  ann@gpu1.lab  # fast\r\nfe80::1\n[2001:db8::2]\n", "f");
  EXPECT_EQ(import.format, interop::HostFormat::kList);
  EXPECT_THAT(addresses(import), ElementsAre("10.0.0.1", "gpu1.lab", "fe80::1", "2001:db8::2"));
  EXPECT_EQ(import.hosts[1].user, "ann");
}

TEST(HostImport, OpenMpiSlotsOfRepeatedHostsAddUp) {
  const interop::HostImport import = interop::readHosts("a slots=2 max_slots=8\nb\na slots=3 max-slots=4\n", "f");
  EXPECT_EQ(import.format, interop::HostFormat::kMpi);
  EXPECT_THAT(addresses(import), ElementsAre("a", "b"));
  EXPECT_THAT(slots(import), ElementsAre(5, 1));
}

TEST(HostImport, MpichCountsFollowAColon) {
  const interop::HostImport import = interop::readHosts("a:4\n[::1]:2\nb\na:1\n", "f");
  EXPECT_THAT(addresses(import), ElementsAre("a", "::1", "b"));
  EXPECT_THAT(slots(import), ElementsAre(5, 2, 1));
}

TEST(HostImport, SlurmRangesKeepTheirZeros) {
  EXPECT_THAT(addresses(interop::readHosts("node[001-003,7]\n", "f")), ElementsAre("node001", "node002", "node003", "node7"));
  EXPECT_THAT(interop::expandHostRanges("gpu[1-2]x[0-1],login"), ElementsAre("gpu1x0", "gpu1x1", "gpu2x0", "gpu2x1", "login"));
}

TEST(HostImport, EclHostsHaveNamesAndTheirPortIsNotSshs) {
  const interop::HostImport import = interop::readHosts(R"({"hosts": [{"name": "left", "addr": "10.0.0.1", "port": "21000"}, {"name": "mid", "addr": "10.0.0.2", "port": "21001"}]})", "f");
  EXPECT_EQ(import.format, interop::HostFormat::kEcl);
  ASSERT_EQ(import.hosts.size(), 2U);
  EXPECT_EQ(import.hosts[0], (interop::ImportedHost{.name = "left", .address = "10.0.0.1", .user = "", .slots = 1}));
}

TEST(HostImport, MxnetListsAnAddressOncePerWorker) {
  const interop::HostImport import = interop::readHosts("10.10.10.25\n10.10.10.29\n10.10.10.29\n", "hosts", interop::HostFormat::kMxnet);
  EXPECT_THAT(addresses(import), ElementsAre("10.10.10.25", "10.10.10.29"));
  EXPECT_THAT(slots(import), ElementsAre(1, 2));
}

TEST(HostImport, PsPytorchHostsHaveAliases) {
  const interop::HostImport import = interop::readHosts("172.31.0.4\tdeeplearning-worker1\n172.31.0.5\tdeeplearning-worker2\n", "hosts");
  EXPECT_EQ(import.format, interop::HostFormat::kPsPytorch);
  EXPECT_EQ(import.hosts[1], (interop::ImportedHost{.name = "deeplearning-worker2", .address = "172.31.0.5", .user = "", .slots = 1}));
  EXPECT_THAT(addresses(interop::readHosts("172.31.0.4\n172.31.0.5\n", "hosts_address", interop::HostFormat::kPsPytorch)), ElementsAre("172.31.0.4", "172.31.0.5"));
}

TEST(HostImport, SshConfigIsRecognised) {
  EXPECT_EQ(interop::guessHostFormat("# mine\nHost gpu1 gpu2\n  HostName 10.0.0.1\n"), interop::HostFormat::kSshConfig);
  EXPECT_EQ(interop::guessHostFormat("Include ~/.ssh/lab\n"), interop::HostFormat::kSshConfig);
}

TEST(HostImport, AliasesAreThoseOfTheUsersOwnConfiguration) {
  const std::filesystem::path folder = ownFolder();
  const std::string own = folder / "config", other = folder / "other", text = "Host gpu1 gpu2\n  HostName 10.0.0.1\nHost *\n";
  for (const std::string& path : {own, other}) std::ofstream(path) << text;
  const std::string before = ssh::sshConfigPath();
  ::setenv("PACELINE_SSH_CONFIG", own.c_str(), 1);
  for (const interop::HostFormat format : {interop::HostFormat::kAuto, interop::HostFormat::kSshConfig}) {
    EXPECT_THAT(addresses(interop::readHosts(text, own, format)), ElementsAre("gpu1", "gpu2"));
    EXPECT_THAT(interop::readHosts(text, other, format).problems,
                ElementsAre(other + ": only aliases of " + own + " can be used; Include this file there, or name it in PACELINE_SSH_CONFIG"));
  }
  ::setenv("PACELINE_SSH_CONFIG", before.c_str(), 1);
}

TEST(HostImport, EveryBadLineIsToldWithItsPlaceAndNothingIsImported) {
  const interop::HostImport import = interop::readHosts("good\nba/d\n10.0.0.999\nalso good\n-oProxyCommand=x\n", "lab.txt", interop::HostFormat::kList);
  EXPECT_THAT(import.hosts, IsEmpty());
  EXPECT_THAT(import.problems, ElementsAre("lab.txt:2: \"ba/d\" is no host name or IP address", "lab.txt:3: \"10.0.0.999\" is no IP address",
                                           "lab.txt:4: one host a line expected, got 2 words", "lab.txt:5: \"-oProxyCommand=x\" is no host name or IP address"));
}

TEST(HostImport, EachMistakeHasItsSentence) {
  EXPECT_EQ(problemOf("a slots=x\n"), "f:1: slots must be 1 to 100000, got \"x\"");
  EXPECT_EQ(problemOf("a slots=0\n"), "f:1: slots must be 1 to 100000, got \"0\"");
  EXPECT_EQ(problemOf("a slots\n"), "f:1: slots must be 1 to 100000, got \"\"");
  EXPECT_EQ(problemOf("a slots=1 cores=3\n"), "f:1: \"cores=3\" is not slots=N or max_slots=N");
  EXPECT_EQ(problemOf("a:many\n"), "f:1: \"a:many\": the number behind the colon must be 1 to 100000");
  EXPECT_EQ(problemOf("a:2\n", interop::HostFormat::kList), "f:1: \"a:2\": a colon and a number are for MPI hostfiles only, where slots= is not given too");
  EXPECT_EQ(problemOf("node[3-1]\n"), "f:1: range \"3-1\" goes down");
  EXPECT_EQ(problemOf("node[1-x]\n"), "f:1: range \"1-x\" is no number or pair of numbers");
  EXPECT_EQ(problemOf("node[1-99999]\n"), "f:1: range \"1-99999\" makes more than 4096 hosts");
  EXPECT_EQ(problemOf("node[1\n"), "f:1: \"node[1\" has unbalanced brackets");
  EXPECT_EQ(problemOf("a,,b\n"), "f:1: \"a,,b\" has an empty name between commas");
  EXPECT_EQ(problemOf("10.0.0.1 a b\n", interop::HostFormat::kPsPytorch), "f:1: an address and perhaps an alias expected, got 3 words");
  EXPECT_EQ(problemOf("a b\n", interop::HostFormat::kPsPytorch), "f:1: \"a\" is no IP address");
  EXPECT_EQ(problemOf("# nothing\n"), "f: no host in it");
  EXPECT_EQ(problemOf(R"({"hosts": [{"name": "a"}]})"), "f: /hosts/0/addr: is required");
  EXPECT_EQ(problemOf(R"({"hosts": [{"name": "a", "addr": "x y"}]})"), "f: /hosts/0/addr: \"x y\" is no host name or IP address");
}

TEST(HostImport, RandomBytesGiveHostsOrProblemsNeverBoth) {
  Rng rng = Rng::stream(11, "host import");
  const std::string alphabet = "ab01.:[]-,=@ \t\n#{}\"slots/\x7f\x80\xff";
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    const int length = static_cast<int>(rng.below(60));
    for (int i = 0; i < length; ++i)
      text += round % 2 == 0 ? static_cast<char>(rng.below(256)) : alphabet[rng.below(alphabet.size())];
    for (const interop::HostFormat format : {interop::HostFormat::kAuto, interop::HostFormat::kList, interop::HostFormat::kMpi, interop::HostFormat::kEcl, interop::HostFormat::kMxnet, interop::HostFormat::kPsPytorch}) {
      const interop::HostImport import = interop::readHosts(text, "f", format);
      ASSERT_NE(import.hosts.empty(), import.problems.empty()) << text;
      for (const interop::ImportedHost& host : import.hosts) {
        ASSERT_EQ(interop::addressProblem(host.address), "") << text;
        ASSERT_GE(host.slots, 1);
      }
    }
  }
}

TEST(HostImport, WhatIsWrittenIsReadBack) {
  const interop::HostImport import = interop::readHosts("a slots=3\nb slots=1\n", "f");
  std::vector<hosts::HostEntry> entries;
  for (const interop::ImportedHost& host : import.hosts) entries.emplace_back().address = host.address;
  EXPECT_EQ(interop::readHosts(interop::hostListText(entries, slots(import)), "f").hosts, import.hosts);
  EXPECT_EQ(interop::hostListText(entries), "a\nb\n");
}

}  // namespace
}  // namespace paceline::tests
