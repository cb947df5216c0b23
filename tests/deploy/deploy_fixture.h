// Deployment to "gpu1": this computer under another name, with a cache folder of its own. Worker and server are the fake node, the worker
// with other bytes at its end.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/cluster/deploy/deployment.h"
#include "tests/cluster/cluster_fixture.h"
#include "tests/deploy/deploy_support.h"

namespace paceline::tests {

class DeployTest : public ClusterTest {
 protected:
  DeployTest();
  std::unique_ptr<hosts::Host> gpu1(const std::map<std::string, std::string>& env = {}) const;  // `env` on top
  std::filesystem::path cache() const { return folder_ / "gpu1" / "paceline"; }
  std::filesystem::path put(const std::string& name, const std::string& content, bool executable = false) const;  // below folder_
  // The programs named here are found first on the host: {"uname", "#!/bin/sh\n..."}.
  std::map<std::string, std::string> withTools(const std::map<std::string, std::string>& tools) const;
};

}  // namespace paceline::tests
