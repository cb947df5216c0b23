// A Slurm of one node, this machine: munged, slurmctld and slurmd in the foreground in a private folder, as root, ended with the test.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/local_process.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {

// "" or the reason for which none can run here: GTEST_SKIP() << noSlurm();
std::string noSlurm();

class TestSlurm {
 public:
  TestSlurm();  // returns when the node is idle
  ~TestSlurm();
  TestSlurm(const TestSlurm&) = delete;
  TestSlurm& operator=(const TestSlurm&) = delete;

  hosts::HostEntry entry() const;  // "cluster", through this computer; its supervisor ends one second after it was last used
  std::string jobs() const;  // squeue's lines of all jobs that have not ended
  std::string node() const { return node_; }

 private:
  std::string configuration() const;

  std::filesystem::path folder_;
  std::string node_;
  std::unique_ptr<hosts::LocalProcess> munged_, controller_, daemon_;
};

}  // namespace paceline::tests
