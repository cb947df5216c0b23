// From a name to a host that can be used: this computer, SSH (with its jumps), or a scheduler.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/cluster/deploy/deployment.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/credential_prompt.h"
#include "app/cluster/hosts/ready_host.h"

namespace paceline::hosts {

// Connects. Throws Error{kHost} with one sentence that names the host.
std::unique_ptr<Host> openHost(const HostRegistry& book, const std::string& name, CredentialPrompts& prompts);

// What runs use: connects and deploys. `prompts` must outlive it.
HostOpener bookOpener(HostRegistry book, CredentialPrompts& prompts,
                      std::function<void(const std::string& host, const deploy::DeployProgress&)> onProgress = {});

}  // namespace paceline::hosts
