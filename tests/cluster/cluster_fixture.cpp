#include "tests/cluster/cluster_fixture.h"

#include <sched.h>
#include <sys/mount.h>

#include <fstream>
#include <numeric>

#include "app/cluster/run/agent_client.h"
#include "engine/core/spec/catalog.h"

namespace paceline::tests {

ClusterTest::ClusterTest() {
  const std::filesystem::path bin = folder_ / "bin";
  std::filesystem::create_directories(bin);
  std::filesystem::create_symlink(std::string(PACELINE_BIN_DIR) + "/paceline-agent", bin / "paceline-agent");
  std::filesystem::create_symlink(fakeNode(), bin / "paceline-worker");
  std::filesystem::create_symlink(fakeNode(), bin / "paceline-server");
  Catalog catalog;
  catalog.version = "0.1.0";
  catalog.torch = "9.9";
  ModelEntry model;
  model.id = "logistic";
  model.title = "Logistic regression";
  model.parameterCount = 7850;
  catalog.models.push_back(model);
  ::setenv("FAKE_CATALOG", toJsonText(catalog).c_str(), 1);
  ::setenv("PACELINE_BIN", bin.c_str(), 1);
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
}

RunSpec ClusterTest::spec(std::int64_t rounds, const std::string& habits) {
  Json document = {{"paceline", 1},
                   {"name", "a test"},
                   {"notes", habits},
                   {"algorithm", {{"id", "ssgd"}}},
                   {"model", {{"id", "logistic"}}},
                   {"dataset", {{"id", "synthetic"}}},
                   {"nodes", {{{"id", "w0"}}, {{"id", "s0"}, {"role", "server"}}, {{"id", "w1"}, {"threads", 2}}}},
                   {"stop", {{"rounds", rounds}}}};
  ParsedSpec parsed = parseRunSpec(document.dump());
  for (const Finding& finding : parsed.findings) ADD_FAILURE() << finding.pointer << " " << finding.message;
  return parsed.spec;
}

std::vector<std::int64_t> ClusterTest::roundsOf(const std::string& run, const std::string& node) const {
  std::vector<std::int64_t> rounds;
  for (const store::RoundRow& row : store::StoreReader(storePath()).rounds(run))
    if (row.node == node) rounds.push_back(row.record.round);
  return rounds;
}

void ClusterTest::expectAllRoundsOnce(const std::string& run, std::int64_t rounds) const {
  std::vector<std::int64_t> expected(static_cast<std::size_t>(rounds));
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(roundsOf(run, "w0"), expected);
  EXPECT_EQ(roundsOf(run, "w1"), expected);
}

store::RunRow ClusterTest::row(const std::string& run) const { return store::StoreReader(storePath()).find(run).value(); }

void ClusterTest::expectNothingLeft() const {
  const auto host = hosts::localHost();
  run::AgentClient agent(*host, hosts::localInstallation());
  EXPECT_TRUE(agent.list().empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "agent" / "runs"));
}

std::string smallDisk(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return "";
  ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m") == 0 ? folder.string() : "";
}

void fillDisk(const std::string& folder) {
  std::ofstream file(folder + "/filler", std::ios::binary);
  while (file) file << std::string(4096, 'x') << std::flush;
}

void makeRoom(const std::string& folder) {
  EXPECT_EQ(::mount("none", folder.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  std::filesystem::remove(folder + "/filler");
}

}  // namespace paceline::tests
