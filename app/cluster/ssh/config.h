// The settings of ~/.ssh/config for a host: through `ssh -G` where OpenSSH's client is installed, else through a reader of our own.
// Any thread. $PACELINE_SSH_CONFIG names another file than ~/.ssh/config.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/ssh/target.h"

namespace paceline::ssh {

// The entry's own fields win over the config's. Throws SshError{kReach} when the config cannot be used: what ssh says of it.
ResolvedAlias resolveAlias(const hosts::HostEntry& entry);

// Names of `Host` lines without wildcards, in order, each once; follows Include. No file: none.
std::vector<std::string> sshAliases(const std::string& path = "");

std::string sshConfigPath();

// A reader of ssh_config's grammar: Host blocks with wildcards and negation, Include with globs, first value wins. For the list of aliases, and for
// computers without OpenSSH's client. Pure but for the files.
using SshSettings = std::vector<std::pair<std::string, std::string>>;  // keyword in lower case, value; in order

// What holds for `alias`. "match" stands for each Match block that is more than `Match all`: those are not read.
SshSettings readSshConfig(const std::string& file, const std::string& alias);

std::vector<std::string> hostNamesIn(const std::string& file);  // of Host lines, without wildcards, each once

}  // namespace paceline::ssh
