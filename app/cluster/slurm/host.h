// A node of a Slurm cluster as a host: a batch job holds the node and is the supervisor there, commands are steps of that job (srun) with
// pipes. One thread per host, as any. The job ends by itself when its supervisor was idle for a while. See README.md beside.
#pragma once

#include <memory>
#include <string>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/credential_prompt.h"

namespace paceline::slurm {

// `login` has sbatch, squeue, srun and scancel: this computer, or one behind SSH. Waits for the job to run (CredentialPrompts::mayWait).
// A job that ends under a command is told by that command's readLine and wait: Error{kHost} "cluster: job 12 was cancelled".
std::unique_ptr<hosts::Host> slurmHost(const hosts::HostEntry& entry, std::unique_ptr<hosts::Host> login, hosts::CredentialPrompts& prompts);

// Gives the node back: cancels the job. false: not a Slurm host, or there was no job any more.
bool endSlurmJob(hosts::Host& host);

// IP of the job's node as Slurm knows it: where its nodes listen. "" when it cannot be told.
std::string slurmDataAddress(hosts::Host& host);

}  // namespace paceline::slurm
