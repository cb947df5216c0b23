// Runs with a private supervisor, store and programs: paceline-worker and paceline-server are the fake node of tests/agent.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cluster/run/run_session.h"
#include "storage/store/store.h"
#include "tests/agent/agent_fixture.h"

namespace paceline::tests {

class ClusterTest : public AgentTest {
 protected:
  ClusterTest();

  // Two workers and a server; what the fake nodes do is in the notes: "w1=die_at:5;w0=lose_at:6".
  static RunSpec spec(std::int64_t rounds, const std::string& habits = "");
  std::string storePath() const { return (folder_ / "store" / "paceline.db").string(); }
  std::vector<std::int64_t> roundsOf(const std::string& run, const std::string& node) const;
  void expectAllRoundsOnce(const std::string& run, std::int64_t rounds) const;
  store::RunRow row(const std::string& run) const;
  void expectNothingLeft() const;  // no run is active, no spool is kept
};

// A small file system of its own, when this user may make one: for stores that run full. "": not possible here.
std::string smallDisk(const std::filesystem::path& folder);
void fillDisk(const std::string& folder);
void makeRoom(const std::string& folder);  // on a disk that was filled: some 60 MB

}  // namespace paceline::tests
