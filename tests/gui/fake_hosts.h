// Hosts for tests of the window, without a network: a book in memory, facts as a check would keep them, and answers that a test decides.
#pragma once

#include <memory>
#include <mutex>

#include "app/models/clusters/hosts_model.h"
#include "engine/core/base/error.h"

namespace paceline::tests {

struct FakeHosts {
  std::mutex mutex;  // guards all below: services are called on background threads
  hosts::HostRegistry book;
  std::map<std::string, hosts::HostFacts> facts;
  std::vector<check::LinkMeasure> links;
  std::map<std::string, std::vector<check::CheckLine>> answers;  // what a check of a host tells, line by line
  std::vector<deploy::DeployProgress> sending;
  std::string deployError, saveError;
  deploy::HostDisk disk;
  clusters::ImportedHosts imported;
  std::vector<std::string> called;  // "check gpu1", "deploy gpu1", ...

  void add(const std::string& name, const std::string& address = "10.0.0.1");
  void measured(const std::string& name, int cpus, int gpus, double speed);  // with good lines
  bool wasCalled(const std::string& call);
};

std::shared_ptr<FakeHosts> fakeHosts();
clusters::HostServices servicesOf(const std::shared_ptr<FakeHosts>& fake);

check::CheckLine checkLine(const std::string& id, check::CheckState state, const std::string& found = "", const std::string& advice = "");

}  // namespace paceline::tests
