#include "app/cluster/slurm/host.h"

#include <algorithm>
#include <cstdlib>

#include "app/cluster/slurm/job.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"

namespace paceline::slurm {
namespace {

// Which folder the supervisor has: in the cache, so that on a shared home a later job still has the records of one that was ended.
constexpr const char* kFolder = R"sh(printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/paceline/slurm-$1")sh";

// Tells the waiting job where the agent is and waits until the supervisor serves: folder, agent.
constexpr const char* kServe = R"sh(cd "$1" || exit 1
if ! [ -e "program.$SLURM_JOB_ID" ]; then
  printf '%s\n' "$2" >"program.$SLURM_JOB_ID.$$" && mv "program.$SLURM_JOB_ID.$$" "program.$SLURM_JOB_ID" || exit 1
fi
waited=0
until [ -s "ready.$SLURM_JOB_ID" ]; do
  [ "$waited" -lt 300 ] || { echo "the job's supervisor did not start; see $1/job.log" >&2; exit 1; }
  waited=$((waited + 1))
  sleep 0.1
done
)sh";

// The job's script may not have begun when its first step does.
constexpr const char* kPrepare = R"sh(umask 077; mkdir -p "$1")sh";

// The names of a job's nodes, in the order in which Slurm numbers them.
constexpr const char* kHostNames = R"sh(scontrol show hostnames "$1")sh";

// In an allocation that somebody else made, what keeps a node is a step of it that outlives this command: job, node, script.
constexpr const char* kKeep = R"sh(srun --jobid="$1" --overlap --nodelist="$2" --nodes=1 --ntasks=1 --mpi=none --cpu-bind=none --quiet sh -c "$3" </dev/null >/dev/null 2>&1 &
)sh";
constexpr const char* kIsKept = R"sh([ -s "$1/ready.$SLURM_JOB_ID" ])sh";

constexpr const char* kAddress = R"sh(address=$(scontrol --oneliner show node "$SLURMD_NODENAME" | sed -n 's/.* NodeAddr=\([^ ]*\).*/\1/p')
getent ahosts "${address:-$SLURMD_NODENAME}" | sed -n '1s/ .*//p'
)sh";

// A step of the job. When srun ends because the job did, the job's end is what is told.
class SlurmStep final : public hosts::Process {
 public:
  // `lasting`: a command that ends only when something is wrong, whatever its exit code says.
  SlurmStep(std::unique_ptr<hosts::Process> srun, hosts::Host& login, std::string job, bool lasting) : srun_(std::move(srun)), login_(login), job_(std::move(job)), lasting_(lasting) {}

  std::optional<std::string> readLine(double timeoutSeconds) override {
    auto line = srun_->readLine(timeoutSeconds);
    if (!line && srun_->ended()) takeEnd();
    return line;
  }
  bool ended() const override { return srun_->ended(); }
  void write(std::string_view bytes) override {
    try {
      srun_->write(bytes);
    } catch (const Error&) {
      takeEnd();
      throw;
    }
  }
  void closeInput() override { srun_->closeInput(); }
  hosts::ProcessEnd wait() override {
    takeEnd();
    return *end_;
  }

 private:
  void takeEnd() {
    if (!end_) end_ = srun_->wait();
    if (end_->code == 0 && !lasting_) return;
    if (!job_.empty()) {
      const SlurmJob job = jobWhenEnded(login_, job_);
      if (jobRuns(job)) return;
      lost_ = strCat(login_.name(), ": ", jobText(job));
      job_.clear();
    }
    if (!lost_.empty()) throw Error(Errc::kHost, lost_);
  }

  std::unique_ptr<hosts::Process> srun_;
  hosts::Host& login_;
  std::string job_, lost_;  // job_ "": it is known what became of it
  bool lasting_;
  std::optional<hosts::ProcessEnd> end_;
};

class SlurmHost final : public hosts::Host {
 public:
  SlurmHost(const hosts::HostEntry& entry, std::unique_ptr<hosts::Host> login, hosts::CredentialPrompts& prompts) : entry_(entry), login_(std::move(login)), allocation_(allocationOf(entry)) {
    const std::string own = entry.job.empty() ? entry.name : strCat(entry.job, entry.jobNode);
    const auto given = entry.env.find("PACELINE_AGENT_DIR");
    folder_ = given == entry.env.end() ? said(*login_, {"sh", "-c", kFolder, "sh", own}) : entry.job.empty() ? given->second : strCat(given->second, "-", entry.jobNode);
    takeJob(prompts);
  }

  std::string name() const override { return login_->name(); }

  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    const std::string& program = command.at(0);
    const bool supervisor = command.size() > 1 && (command[1] == "attach" || command[1] == "up") && program.substr(program.rfind('/') + 1) == "paceline-agent";
    if (supervisor) serve(program);
    std::vector<std::string> words = {"srun", strCat("--jobid=", job_), "--overlap", strCat("--nodelist=", node_), "--nodes=1", "--ntasks=1", "--mpi=none", "--cpu-bind=none", "--quiet",
                                      "--chdir=/", "env", strCat("PACELINE_AGENT_DIR=", folder_)};
    words.insert(words.end(), command.begin(), command.end());
    return std::make_unique<SlurmStep>(login_->start(words), *login_, job_, supervisor && command[1] == "attach");
  }

  bool cancel() {
    if (!allocation_.empty()) return false;  // whoever made it ends it
    const std::vector<SlurmJob> jobs = jobsOf(entry_, *login_);
    for (const SlurmJob& job : jobs) said(*login_, {"scancel", job.id});
    return !jobs.empty();
  }

 private:
  // Of `salloc` or `sbatch` around us, or around who submitted: it is used, and no job of our own is.
  static std::string allocationOf(const hosts::HostEntry& entry) {
    if (!entry.address.empty()) return "";
    const auto given = entry.env.find("SLURM_JOB_ID");
    return given != entry.env.end() ? given->second : environment("SLURM_JOB_ID");
  }

  void serve(const std::string& program) {
    if (!allocation_.empty() && hosts::runOn(*this, {"sh", "-c", kIsKept, "sh", folder_}).end.code != 0) said(*login_, {"sh", "-c", kKeep, "sh", job_, node_, nodeScript(folder_)});
    said(*this, {"sh", "-c", kServe, "sh", folder_, program});
  }

  // A job that was found may just end because its supervisor is idle: then the next one is taken.
  void takeJob(hosts::CredentialPrompts& prompts) {
    for (bool again = allocation_.empty();; again = false) {
      const SlurmJob job = allocation_.empty() ? runningJob(entry_, *login_, folder_, prompts) : jobNow(*login_, allocation_);
      if (!jobRuns(job)) throw Error(Errc::kHost, strCat(entry_.name, ": ", jobText(job)));
      job_ = job.id;
      try {
        takeNode(job);
        said(*this, {"sh", "-c", kPrepare, "sh", folder_});
        return;
      } catch (const Error&) {
        if (!again || jobRuns(jobNow(*login_, job_))) throw;
      }
    }
  }

  void takeNode(const SlurmJob& job) {
    const std::vector<std::string> nodes = hosts::runOn(*login_, {"sh", "-c", kHostNames, "sh", job.node}).lines;
    const auto place = static_cast<std::size_t>(entry_.jobNode);
    if (place >= nodes.size()) throw Error(Errc::kHost, strCat(entry_.name, ": is node ", place, " of job ", job.id, ", which has ", nodes.size(), ": ", quotable(job.node, 200)));
    node_ = nodes[place];
  }

  const hosts::HostEntry entry_;
  std::unique_ptr<hosts::Host> login_;
  const std::string allocation_;  // a job that is not ours; "": we have one of our own
  std::string folder_, job_, node_;
};

}  // namespace

std::unique_ptr<hosts::Host> slurmHost(const hosts::HostEntry& entry, std::unique_ptr<hosts::Host> login, hosts::CredentialPrompts& prompts) {
  return std::make_unique<SlurmHost>(entry, std::move(login), prompts);
}

bool endSlurmJob(hosts::Host& host) {
  auto* slurm = dynamic_cast<SlurmHost*>(&host);
  return slurm != nullptr && slurm->cancel();
}

std::string slurmDataAddress(hosts::Host& host) {
  try {
    return said(host, {"sh", "-c", kAddress});
  } catch (const Error&) {
    return "";
  }
}

}  // namespace paceline::slurm
