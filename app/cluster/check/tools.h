// The dependencies of checkHost: hosts, clocks, catalogue. Tests put in their own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "app/cluster/check/judge.h"

namespace paceline::check {

struct CheckTools {
  std::function<std::unique_ptr<hosts::Host>()> open;           // throws Error, SshError
  std::function<std::string(hosts::Host&)> putAgent;            // its path there; throws Error
  std::function<CheckNeeds()> needs;                     // of our programs; throws Error when they are not there
  std::function<void(CheckNeeds&)> addBundle;            // sets bundleBytes or bundleProblem: takes a while, asked for only when one is needed
  std::function<double()> localSpeed;                    // of this computer, GFLOP/s; 0: cannot be measured. Not asked for "local"
  double computeSeconds = 2;
};

CheckTools checkTools(const hosts::HostRegistry& book, const std::string& name, hosts::CredentialPrompts& prompts);

std::vector<CheckLine> checkHostWith(const CheckTools& tools, const hosts::HostEntry& entry, const std::function<void(const CheckLine&)>& onLine,
                                     std::stop_token stop, const std::string& only);

}  // namespace paceline::check
