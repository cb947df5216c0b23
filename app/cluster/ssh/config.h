// The settings of ~/.ssh/config for a host: through `ssh -G` where OpenSSH's client is installed, else through a reader of our own.
// Any thread. $PACELINE_SSH_CONFIG names another file than ~/.ssh/config.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/ssh/target.h"

namespace paceline::ssh {

// The entry's own fields win over the config's. Throws SshError{kReach} when the config cannot be used: what ssh says of it.
ResolvedAlias resolveAlias(const hosts::HostEntry& entry);

// Names of `Host` lines without wildcards, in order, each once; follows Include. No file: none.
std::vector<std::string> sshAliases(const std::string& path = "");

std::string sshConfigPath();

}  // namespace paceline::ssh
