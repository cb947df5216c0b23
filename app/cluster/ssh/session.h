// One SSH connection, perhaps through jump hosts, and the commands on it. Only this room knows libssh. One thread per session.
// Connecting throws SshError (config.h), an Error{kHost} with one sentence: `gpu1: the key of 10.0.0.5:22 has changed; ...`.
#pragma once

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"

namespace paceline::ssh {

struct SshTimeouts {
  double connectSeconds = 10, authenticateSeconds = 30, keepAliveSeconds = 5;
  int keepAliveMisses = 3;  // then the connection counts as lost
};

// `hops`: jump hosts from the nearest on, the host itself last.
std::unique_ptr<hosts::Host> sshHost(const std::vector<hosts::HostEntry>& hops, hosts::CredentialPrompts& prompts, const SshTimeouts& timeouts = {});

}  // namespace paceline::ssh
