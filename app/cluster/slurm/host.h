// A node of a Slurm cluster as a host: a batch job holds the node and is the supervisor there, commands are steps of that job (srun) with
// pipes. Several hosts may be the nodes of one job: they start together or wait together. In an allocation that is there already (SLURM_JOB_ID) the hosts are its nodes. One thread per host, as any. The job ends by itself when its supervisor was idle for a while. See app/cluster/README.md.
#pragma once

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"

namespace paceline::slurm {

// `login` has sbatch, squeue, srun and scancel: this computer, or one behind SSH. Waits for the job to run (CredentialPrompts::mayWait).
// A job that ends under a command is told by that command's readLine and wait: Error{kHost} "cluster: job 12 was cancelled".
std::unique_ptr<hosts::Host> slurmHost(const hosts::HostEntry& entry, std::unique_ptr<hosts::Host> login, hosts::CredentialPrompts& prompts);

// Gives the node back: cancels the job. false: not a Slurm host, or there was no job any more.
bool endSlurmJob(hosts::Host& host);

// IP of the job's node as Slurm knows it: where its nodes listen. "" when it cannot be told.
std::string slurmDataAddress(hosts::Host& host);

// The batch job that keeps a node, through the commands of a login host. Throw Error{kHost} with one sentence that names host and job.
struct SlurmJob {
  std::string id;      // "12"
  std::string state;   // as squeue says: "PENDING", "RUNNING", "CANCELLED"; "": Slurm does not know it any more
  std::string reason;  // "Resources", "None"
  std::string node;    // or several: "n[1-4]"
  std::string partition = {}, begins = {};  // begins: when Slurm expects it to, "2026-11-27T21:40:00"
  int place = 0;       // among those that wait for its partition, from 1; 0: not known
};

// "job 12 is pending: Resources (waits for nodes to become free)", "job 12 was cancelled", "job 12 reached its time limit". Pure.
std::string jobText(const SlurmJob& job);
bool jobRuns(const SlurmJob& job);

SlurmJob jobNow(hosts::Host& login, const std::string& id);
SlurmJob jobWhenEnded(hosts::Host& login, const std::string& id);  // as jobNow; of a job that is just ending, what became of it

// What a short command said, to its end. Throws Error{kHost} with its last line when its exit code is not 0.
std::string said(hosts::Host& host, const std::vector<std::string>& command, const std::string& input = "");

// The nodes of one job as hosts: NAME0 and on.
std::vector<hosts::HostEntry> nodesOfJob(const hosts::HostEntry& entry, int nodes);

// Throws Error{kUsage} for an option that would not reach sbatch as one.
void checkSlurmOptions(const hosts::HostEntry& entry);

}  // namespace paceline::slurm
