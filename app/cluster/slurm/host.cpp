#include "app/cluster/slurm/host.h"

#include "app/cluster/slurm/job.h"
#include "engine/core/base/error.h"

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
  SlurmHost(const hosts::HostEntry& entry, std::unique_ptr<hosts::Host> login, hosts::CredentialPrompts& prompts) : entry_(entry), login_(std::move(login)) {
    const auto given = entry.env.find("PACELINE_AGENT_DIR");
    folder_ = given != entry.env.end() ? given->second : said(*login_, {"sh", "-c", kFolder, "sh", entry.name});
    takeJob(prompts);
  }

  std::string name() const override { return login_->name(); }

  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    const std::string& program = command.at(0);
    const bool supervisor = command.size() > 1 && (command[1] == "attach" || command[1] == "up") && program.substr(program.rfind('/') + 1) == "paceline-agent";
    if (supervisor) said(*this, {"sh", "-c", kServe, "sh", folder_, program});
    std::vector<std::string> words = {"srun", strCat("--jobid=", job_), "--overlap", "--nodes=1", "--ntasks=1", "--mpi=none", "--cpu-bind=none", "--quiet",
                                      "--chdir=/", "env", strCat("PACELINE_AGENT_DIR=", folder_)};
    words.insert(words.end(), command.begin(), command.end());
    return std::make_unique<SlurmStep>(login_->start(words), *login_, job_, supervisor && command[1] == "attach");
  }

  bool cancel() { return cancelJobs(entry_, *login_); }

 private:
  // A job that was found may just end because its supervisor is idle: then the next one is taken.
  void takeJob(hosts::CredentialPrompts& prompts) {
    for (bool again = true;; again = false) {
      job_ = runningJob(entry_, *login_, folder_, prompts).id;
      try {
        said(*this, {"sh", "-c", kPrepare, "sh", folder_});
        return;
      } catch (const Error&) {
        if (!again || jobRuns(jobNow(*login_, job_))) throw;
      }
    }
  }

  const hosts::HostEntry entry_;
  std::unique_ptr<hosts::Host> login_;
  std::string folder_, job_;
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
