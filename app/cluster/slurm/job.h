// The batch job that keeps a node for a host of kind "slurm": found, submitted, waited for, ended, through the commands of a login host.
// Used by the thread that uses the login host. Throws Error{kHost} with one sentence that names host and job.
#pragma once

#include <string>
#include <vector>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/hosts/credential_prompt.h"

namespace paceline::slurm {

struct SlurmJob {
  std::string id;      // "12"
  std::string state;   // as squeue says: "PENDING", "RUNNING", "CANCELLED"; "": Slurm does not know it any more
  std::string reason;  // "Resources", "None"
  std::string node;
};

// "job 12 is pending: Resources (waits for nodes to become free)", "job 12 was cancelled", "job 12 reached its time limit". Pure.
std::string jobText(const SlurmJob& job);
bool jobWaits(const SlurmJob& job);  // pending or being set up
bool jobRuns(const SlurmJob& job);

std::string slurmJobName(const hosts::HostEntry& entry);  // "paceline-NAME"
SlurmJob jobNow(hosts::Host& login, const std::string& id);
SlurmJob jobWhenEnded(hosts::Host& login, const std::string& id);  // as jobNow; of a job that is just ending, what became of it

// The job of this name that waits or runs, else a new one; returns when it runs. Why it waits is told every few seconds; who gives up cancels it.
// `folder` is the supervisor's on the node.
SlurmJob runningJob(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder, hosts::CredentialPrompts& prompts);

// Cancels what waits or runs under the host's name; false: there was none.
bool cancelJobs(const hosts::HostEntry& entry, hosts::Host& login);

// What a short command said, to its end. Throws Error{kHost} with its last line when its exit code is not 0.
std::string said(hosts::Host& host, const std::vector<std::string>& command, const std::string& input = "");

// Throws Error{kUsage} for an option that would not reach sbatch as one.
void checkSlurmOptions(const hosts::HostEntry& entry);

}  // namespace paceline::slurm
