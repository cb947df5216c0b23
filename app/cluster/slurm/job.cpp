#include "app/cluster/slurm/job.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>

#include "app/cluster/hosts/command.h"
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
  std::string* parts[] = {&job.id, &job.state, &job.reason, &job.node};
  std::size_t begin = 0;
  for (std::string* part : parts) {
    const std::size_t bar = std::min(line.find('|', begin), line.size());
    *part = line.substr(begin, bar - begin);
    begin = std::min(bar + 1, line.size());
  }
  return job;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

long long numberOf(const std::string& id) {
  long long number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number);
  return number;
}

// Oldest first.
std::vector<SlurmJob> jobsOf(const hosts::HostEntry& entry, hosts::Host& login) {
  std::vector<SlurmJob> jobs;
  const std::string format = strCat("--format=", kFormat), name = strCat("--name=", slurmJobName(entry));
  for (const std::string& line : linesOf(said(login, {"squeue", "--noheader", "--me", name, format}))) {
    SlurmJob job = jobFrom(line);
    if (jobWaits(job) || jobRuns(job)) jobs.push_back(std::move(job));
  }
  std::sort(jobs.begin(), jobs.end(), [](const SlurmJob& a, const SlurmJob& b) { return numberOf(a.id) < numberOf(b.id); });
  return jobs;
}

void cancel(hosts::Host& login, const std::string& id) { said(login, {"scancel", id}); }

// Two desktops that submit at the same time agree on the older job.
SlurmJob submitted(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder) {
  std::vector<std::string> command = {"sbatch", "--parsable", "--ntasks=1", "--output=/dev/null"};
  command.insert(command.end(), entry.slurm.begin(), entry.slurm.end());
  command.insert(command.end(), {"--nodes=1", "--no-requeue", strCat("--job-name=", slurmJobName(entry))});
  const std::string script = strCat("#!/bin/sh\nfolder=", hosts::shellQuote(folder), "\n", kScript);
  const std::string answer = said(login, command, script);
  const std::string id = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (id.empty()) throw Error(Errc::kHost, strCat(entry.name, ": sbatch answered \"", quotable(answer), "\", which is no job"));
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  if (!jobs.empty() && jobs.front().id != id) {
    cancel(login, id);
    return jobs.front();
  }
  return SlurmJob{.id = id, .state = "PENDING", .reason = "None", .node = ""};
}

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

bool jobWaits(const SlurmJob& job) { return job.state == "PENDING" || job.state == "CONFIGURING"; }
bool jobRuns(const SlurmJob& job) { return job.state == "RUNNING"; }

std::string slurmJobName(const hosts::HostEntry& entry) { return strCat("paceline-", entry.name); }

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

std::string said(hosts::Host& host, const std::vector<std::string>& command, const std::string& input) {
  const hosts::CommandResult result = hosts::runOn(host, command, {.input = input.empty() ? nullptr : &input, .silenceSeconds = kAnswerSeconds});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat(host.name(), ": ", command[0], " failed: ", quotable(result.said(), 300)));
  std::string text;
  for (const std::string& line : result.lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

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
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(kCompletingSeconds);
  while (!watch->ended() && std::chrono::steady_clock::now() < deadline)
    if (const auto line = watch->readLine(1)) job = jobFrom(*line);
  return job;
}

SlurmJob runningJob(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder, hosts::CredentialPrompts& prompts) {
  checkSlurmOptions(entry);
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  SlurmJob job = jobs.empty() ? submitted(entry, login, folder) : jobs.front();
  const auto giveUp = [&] {
    cancel(login, job.id);
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

bool cancelJobs(const hosts::HostEntry& entry, hosts::Host& login) {
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  for (const SlurmJob& job : jobs) cancel(login, job.id);
  return !jobs.empty();
}

void checkSlurmOptions(const hosts::HostEntry& entry) {
  for (const std::string& option : entry.slurm)
    if (!option.starts_with('-') || option == "-" || option == "--")
      throw Error(Errc::kUsage, strCat("host \"", entry.name, "\": slurm option \"", quotable(option), "\" must begin with '-' and hold its value, as --partition=gpu"));
}

}  // namespace paceline::slurm
