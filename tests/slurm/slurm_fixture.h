// A Slurm on this machine, of one node or several that share it: munged, slurmctld and slurmd in the foreground in a private folder, as root, ended with the test.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/local_process.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {

// "" or the reason for which none can run here: GTEST_SKIP() << noSlurm();
std::string noSlurm();

class TestSlurm {
 public:
  explicit TestSlurm(int nodes = 1);  // returns when all nodes are idle
  ~TestSlurm();
  TestSlurm(const TestSlurm&) = delete;
  TestSlurm& operator=(const TestSlurm&) = delete;

  hosts::HostEntry entry() const;  // "cluster", through this computer; its supervisor ends one second after it was last used
  std::string jobs() const;  // squeue's lines of all jobs that have not ended
  std::string node() const { return node_; }
  hosts::HostEntry entry(int node, int nodes) const;  // of one job of so many: "cluster0" and on

 private:
  std::string configuration() const;

  std::filesystem::path folder_;
  std::string node_;
  int nodes_;
  std::unique_ptr<hosts::LocalProcess> munged_, controller_;
  std::vector<std::unique_ptr<hosts::LocalProcess>> daemons_;
};

}  // namespace paceline::tests
