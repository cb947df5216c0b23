#include "app/cluster/slurm/host.h"

#include <algorithm>
#include <cstdlib>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::slurm {
namespace {

constexpr double kAnswerSeconds = 60;
constexpr double kCompletingSeconds = 60;  // Slurm kills what is left of a job after KillWait, 30 s by default
constexpr const char* kFormat = "%i|%T|%r|%N";

// Holds the node. The programs may have to be sent first, as steps of this job: the desktop then says where the agent is. What the
// desktop does not use within half an hour is given back.
constexpr const char* kScript = R"sh(umask 077
mkdir -p "$folder" && cd "$folder" || exit 1
exec 2>>"$folder/job.log"
waited=0
until [ -s "program.$SLURM_JOB_ID" ]; do
  [ "$waited" -lt 9000 ] || exit 0
  waited=$((waited + 1))
  sleep 0.2
done
IFS= read -r program <"program.$SLURM_JOB_ID"
PACELINE_AGENT_DIR=$folder
export PACELINE_AGENT_DIR
"$program" supervise >"ready.$SLURM_JOB_ID"
code=$?
rm -f "program.$SLURM_JOB_ID" "ready.$SLURM_JOB_ID"
exit "$code"
)sh";

// Says what state a job is in, until it runs or has ended (while it is "completing", Slurm does not say why): asked less often the longer it takes.
constexpr const char* kWatch = R"sh(pause=1
while state=$(squeue --noheader --states=all --jobs="$1" --format="$2" 2>/dev/null) && [ -n "$state" ]; do
  printf '%s\n' "$state"
  case $state in *'|PENDING|'* | *'|CONFIGURING|'* | *'|COMPLETING|'*) ;; *) exit 0 ;; esac
  sleep "$pause"
  [ "$pause" -ge 5 ] || pause=$((pause + 1))
done
)sh";

SlurmJob jobFrom(const std::string& line) {
  SlurmJob job;
  std::istringstream parts(line);
  for (std::string* part : {&job.id, &job.state, &job.reason, &job.node}) std::getline(parts, *part, '|');
  return job;
}

bool jobWaits(const SlurmJob& job) { return job.state == "PENDING" || job.state == "CONFIGURING"; }

hosts::CommandResult answerOf(hosts::Host& host, const std::vector<std::string>& command, const std::string& input = "") {
  hosts::CommandResult result = hosts::runOn(host, command, {.input = input.empty() ? nullptr : &input, .silenceSeconds = kAnswerSeconds});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat(host.name(), ": ", command[0], " failed: ", quotable(result.said(), 300)));
  return result;
}

// Those of the host's name that wait or run, the oldest first.
std::vector<SlurmJob> jobsOf(const hosts::HostEntry& entry, hosts::Host& login) {
  std::vector<SlurmJob> jobs;
  for (const std::string& line : answerOf(login, {"squeue", "--noheader", "--me", strCat("--name=paceline-", entry.name), strCat("--format=", kFormat)}).lines)
    if (const SlurmJob job = jobFrom(line); jobWaits(job) || jobRuns(job)) jobs.push_back(job);
  std::ranges::sort(jobs, {}, [](const SlurmJob& job) { return std::atoll(job.id.c_str()); });
  return jobs;
}

// Two desktops that submit at the same time agree on the older job.
SlurmJob submitted(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder) {
  std::vector<std::string> command = {"sbatch", "--parsable", "--ntasks=1", "--output=/dev/null"};
  command.insert(command.end(), entry.slurm.begin(), entry.slurm.end());
  command.insert(command.end(), {"--nodes=1", "--no-requeue", strCat("--job-name=paceline-", entry.name)});
  const std::string script = strCat("#!/bin/sh\nfolder=", hosts::shellQuote(folder), "\n", kScript);
  const std::string answer = said(login, command, script);
  const std::string id = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (id.empty()) throw Error(Errc::kHost, strCat(entry.name, ": sbatch answered \"", quotable(answer), "\", which is no job"));
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  if (!jobs.empty() && jobs.front().id != id) {
    said(login, {"scancel", id});
    return jobs.front();
  }
  return SlurmJob{.id = id, .state = "PENDING", .reason = "None", .node = ""};
}

// The job of this name that waits or runs, else a new one; returns when it runs. Why it waits is told every few seconds; who gives up cancels it.
// `folder` is the supervisor's on the node.
SlurmJob runningJob(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder, hosts::CredentialPrompts& prompts) {
  checkSlurmOptions(entry);
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  SlurmJob job = jobs.empty() ? submitted(entry, login, folder) : jobs.front();
  const auto giveUp = [&] {
    said(login, {"scancel", job.id});
    throw Error(Errc::kStopped, strCat(entry.name, ": nobody waits for job ", job.id, " any more, so it was cancelled (", jobText(job), ")"));
  };
  if (jobWaits(job)) {
    const auto watch = login.start({"sh", "-c", kWatch, "sh", job.id, kFormat});
    watch->closeInput();
    while (!watch->ended()) {
      if (const auto line = watch->readLine(1)) job = jobFrom(*line);
      if (jobWaits(job) && !prompts.mayWait(entry.name, jobText(job))) giveUp();
    }
    job = jobNow(login, job.id);
  }
  if (jobRuns(job)) return job;
  throw Error(Errc::kHost, strCat(entry.name, ": ", jobText(job)));
}

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

  bool cancel() {
    const std::vector<SlurmJob> jobs = jobsOf(entry_, *login_);
    for (const SlurmJob& job : jobs) said(*login_, {"scancel", job.id});
    return !jobs.empty();
  }

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

// What the reasons of a waiting job mean to somebody who wants to run.
std::string reasonText(const std::string& reason) {
  static const std::map<std::string, std::string> kMeanings = {
      {"None", "just submitted"},
      {"Resources", "waits for nodes to become free"},
      {"Priority", "jobs with a higher priority come first"},
      {"JobHeldUser", "held by the user; scontrol release lets it go"},
      {"JobHeldAdmin", "held by an administrator"},
      {"ReqNodeNotAvail", "the nodes it asks for are down or reserved"},
      {"PartitionDown", "its partition is down"},
      {"PartitionTimeLimit", "asks for more time than its partition gives"},
      {"PartitionNodeLimit", "asks for more nodes or CPUs than its partition has"},
      {"BeginTime", "its begin time has not come"},
      {"Dependency", "waits for another job"},
      {"Licenses", "waits for a licence"}};
  const auto meaning = kMeanings.find(reason.substr(0, reason.find(',')));
  return meaning == kMeanings.end() ? reason : strCat(reason, " (", meaning->second, ")");
}

}  // namespace

bool jobRuns(const SlurmJob& job) { return job.state == "RUNNING"; }

std::string jobText(const SlurmJob& job) {
  const std::string name = strCat("job ", job.id);
  const bool saysWhy = !job.reason.empty() && job.reason != "None";
  if (job.state == "PENDING") return strCat(name, " is pending: ", reasonText(job.reason));
  if (job.state == "CONFIGURING") return strCat(name, " is being set up: its nodes are booting");
  if (job.state == "RUNNING") return strCat(name, " runs on ", job.node);
  if (job.state == "CANCELLED") return strCat(name, " was cancelled");
  if (job.state == "TIMEOUT" || job.state == "DEADLINE") return strCat(name, " reached its time limit");
  if (job.state == "NODE_FAIL" || job.state == "BOOT_FAIL") return strCat(name, " was lost: node ", job.node, " failed");
  if (job.state == "OUT_OF_MEMORY") return strCat(name, " was ended: it used more memory than it had asked for");
  if (job.state == "PREEMPTED") return strCat(name, " had to make room for a job with a higher priority");
  if (job.state == "FAILED") return strCat(name, " failed", saysWhy ? strCat(": ", job.reason) : "", "; see job.log in the supervisor's folder on ", job.node.empty() ? "its node" : job.node);
  if (job.state == "COMPLETING") return strCat(name, " is being ended");
  if (job.state == "COMPLETED") return strCat(name, " has ended: its supervisor had nothing to do any more");
  if (job.state.empty()) return strCat(name, " is gone: Slurm does not know it any more");
  return strCat(name, " is ", job.state, saysWhy ? strCat(": ", job.reason) : "");
}

std::string said(hosts::Host& host, const std::vector<std::string>& command, const std::string& input) { return answerOf(host, command, input).text(); }

SlurmJob jobNow(hosts::Host& login, const std::string& id) {
  const SlurmJob unknown{.id = id, .state = "", .reason = "", .node = ""};
  try {
    const std::string line = said(login, {"squeue", "--noheader", "--states=all", strCat("--jobs=", id), strCat("--format=", kFormat)});
    return line.empty() ? unknown : jobFrom(line);
  } catch (const Error& error) {  // squeue refuses a number it has forgotten
    if (std::string(error.what()).find("Invalid job id") == std::string::npos) throw;
    return unknown;
  }
}

SlurmJob jobWhenEnded(hosts::Host& login, const std::string& id) {
  SlurmJob job = jobNow(login, id);
  if (job.state != "COMPLETING") return job;
  const auto watch = login.start({"sh", "-c", kWatch, "sh", id, kFormat});
  watch->closeInput();
  const double deadline = steadySeconds() + kCompletingSeconds;
  while (!watch->ended() && steadySeconds() < deadline)
    if (const auto line = watch->readLine(1)) job = jobFrom(*line);
  return job;
}

void checkSlurmOptions(const hosts::HostEntry& entry) {
  for (const std::string& option : entry.slurm)
    if (!option.starts_with('-') || option == "-" || option == "--")
      throw Error(Errc::kUsage, strCat("host \"", entry.name, "\": slurm option \"", quotable(option), "\" must begin with '-' and hold its value, as --partition=gpu"));
}

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
