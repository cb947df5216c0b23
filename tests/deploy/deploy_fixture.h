// Deployment to "gpu1": this computer under another name, with a cache folder of its own. Worker and server are the fake node.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/cluster/deployment.h"
#include "engine/core/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline {

class DeployTest : public ClusterTest {
 protected:
  std::unique_ptr<Host> gpu1(const std::map<std::string, std::string>& env = {}) const;  // `env` on top
  std::filesystem::path cache() const { return folder_ / "gpu1" / "paceline"; }
  std::filesystem::path put(const std::string& name, const std::string& content, bool executable = false) const;  // below folder_
  // The programs named here are found first on the host: {"uname", "#!/bin/sh\n..."}.
  std::map<std::string, std::string> withTools(const std::map<std::string, std::string>& tools) const;
};

std::string contentOf(const std::filesystem::path& path);
std::string failureOf(const std::function<void()>& act, Errc code);  // its message; fails the test when there is none or another code

}  // namespace paceline
