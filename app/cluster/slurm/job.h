// The jobs behind Slurm hosts. Private to slurm and its tests.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/slurm/host.h"

namespace paceline::slurm {

// Those of the host's name that wait or run, the oldest first.
std::vector<SlurmJob> jobsOf(const hosts::HostEntry& entry, hosts::Host& login);

// The job of this host that waits or runs, else a new one; returns when it runs. Why it waits is told every few seconds, however long; who gives up cancels it.
// `folder` is the supervisor's on the node.
SlurmJob runningJob(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder, hosts::CredentialPrompts& prompts);

// What keeps a node of an allocation that is not ours: waits for the agent's place, supervises, ends.
std::string nodeScript(const std::string& folder);

}  // namespace paceline::slurm
