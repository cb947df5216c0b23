#include "app/cluster/slurm/job.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::slurm {
namespace {

constexpr double kAnswerSeconds = 60;
constexpr double kCompletingSeconds = 60;  // Slurm kills what is left of a job after KillWait, 30 s by default
constexpr const char* kFormat = "%i|%T|%r|%N|%P|%S";

// Every script of ours on a node begins so: `folder` is its supervisor's. Until when Slurm gives the node is told to the supervisor, which tells its runs.
const std::string kNodeBegins = R"sh(umask 077
mkdir -p "$folder" && cd "$folder" || exit 1
exec 2>>"$folder/job.log"
PACELINE_AGENT_DIR=$folder
export PACELINE_AGENT_DIR
PACELINE_HOST_ENDS=$(date -d "$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%e 2>/dev/null)" +%s 2>/dev/null) && export PACELINE_HOST_ENDS
)sh";

// Holds the node. The programs may have to be sent first, as steps of this job: the desktop then says where the agent is. What the
// desktop does not use within half an hour is given back.
const std::string kScript = kNodeBegins + R"sh(waited=0
until [ -s "program.$SLURM_JOB_ID" ]; do
  [ "$waited" -lt 9000 ] || exit 0
  waited=$((waited + 1))
  sleep 0.2
done
IFS= read -r program <"program.$SLURM_JOB_ID"
"$program" supervise >"ready.$SLURM_JOB_ID"
code=$?
rm -f "program.$SLURM_JOB_ID" "ready.$SLURM_JOB_ID"
exit "$code"
)sh";

// The same on each node of a job of several, whose supervisor may end and be wanted again while others serve.
const std::string kEachOfSeveral = "folder=$1$SLURM_NODEID\n" + kNodeBegins + R"sh(used=
while :; do
  waited=0
  until [ -s "program.$SLURM_JOB_ID" ]; do
    [ -n "$used" ] || [ "$waited" -lt 9000 ] || exit 0
    waited=$((waited + 1))
    sleep 0.2
  done
  used=1
  IFS= read -r program <"program.$SLURM_JOB_ID"
  echo serving
  "$program" supervise >"ready.$SLURM_JOB_ID"
  rm -f "program.$SLURM_JOB_ID" "ready.$SLURM_JOB_ID"
  echo idle
done
)sh";

// Such a job lasts until none of its supervisors has anything to do, after the first of them had. `prefix`, `nodes` and `node`, the script above, are set before it.
constexpr const char* kSeveral = R"sh(words=$(mktemp -u) && mkfifo "$words" || exit 1
srun --nodes="$nodes" --ntasks="$nodes" --ntasks-per-node=1 --overlap --mpi=none --cpu-bind=none --kill-on-bad-exit=0 --wait=0 --quiet sh -c "$node" sh "$prefix" </dev/null >"$words" &
exec 3<"$words"
rm -f "$words"
serving=0
while read -r word <&3; do
  case $word in
    serving) serving=$((serving + 1)) ;;
    idle) serving=$((serving - 1)); [ "$serving" -gt 0 ] || break ;;
  esac
done
kill "$!" 2>/dev/null
exit 0
)sh";

// Says what state a job is in, until it runs or has ended (while it is "completing", Slurm does not say why), and which place it has among those that wait for its partition: asked less often the longer it takes.
constexpr const char* kWatch = R"sh(pause=1
while state=$(squeue --noheader --states=all --jobs="$1" --format="$2" 2>/dev/null) && [ -n "$state" ]; do
  place=
  case $state in *'|PENDING|'*)
    partition=$(squeue --noheader --jobs="$1" --format=%P 2>/dev/null)
    place=$(squeue --noheader --states=PENDING --partition="$partition" --sort=-p,i --format=%i 2>/dev/null | grep -n -x "$1" | cut -d: -f1) ;;
  esac
  printf '%s|%s\n' "$state" "$place"
  case $state in *'|PENDING|'* | *'|CONFIGURING|'* | *'|COMPLETING|'*) ;; *) exit 0 ;; esac
  sleep "$pause"
  [ "$pause" -ge 5 ] || pause=$((pause + 1))
done
)sh";

std::string jobName(const hosts::HostEntry& entry) { return "paceline-" + (entry.job.empty() ? entry.name : entry.job); }

SlurmJob jobFrom(const std::string& line) {
  SlurmJob job;
  std::istringstream parts(line);
  std::string place;
  for (std::string* part : {&job.id, &job.state, &job.reason, &job.node, &job.partition, &job.begins, &place}) std::getline(parts, *part, '|');
  job.place = std::atoi(place.c_str());
  return job;
}

bool jobWaits(const SlurmJob& job) { return job.state == "PENDING" || job.state == "CONFIGURING"; }

hosts::CommandResult answerOf(hosts::Host& host, const std::vector<std::string>& command, const std::string& input = "") {
  hosts::CommandResult result = hosts::runOn(host, command, {.input = input.empty() ? nullptr : &input, .silenceSeconds = kAnswerSeconds});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat(host.name(), ": ", command[0], " failed: ", quotable(result.said(), 300)));
  return result;
}

std::string scriptOf(const hosts::HostEntry& entry, const std::string& folder) {
  if (entry.job.empty()) return strCat("#!/bin/sh\nfolder=", hosts::shellQuote(folder), "\n", kScript);
  return strCat("#!/bin/sh\nnodes=", entry.jobNodes, "\nprefix=", hosts::shellQuote(folder.substr(0, folder.size() - std::to_string(entry.jobNode).size())), "\nnode=", hosts::shellQuote(kEachOfSeveral), "\n", kSeveral);
}

// Two desktops that submit at the same time agree on the older job; within one, its hosts take turns.
SlurmJob submitted(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder) {
  std::vector<std::string> command = {"sbatch", "--parsable", strCat("--ntasks=", entry.jobNodes), "--output=/dev/null"};
  command.insert(command.end(), entry.slurm.begin(), entry.slurm.end());
  command.insert(command.end(), {strCat("--nodes=", entry.jobNodes), "--ntasks-per-node=1", "--no-requeue", strCat("--job-name=", jobName(entry))});
  const std::string answer = said(login, command, scriptOf(entry, folder));
  const std::string id = answer.substr(0, answer.find_first_not_of("0123456789"));
  if (id.empty()) throw Error(Errc::kHost, strCat(entry.name, ": sbatch answered \"", quotable(answer), "\", which is no job"));
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  if (!jobs.empty() && jobs.front().id != id) {
    said(login, {"scancel", id});
    return jobs.front();
  }
  return SlurmJob{.id = id, .state = "PENDING", .reason = "None", .node = ""};
}

SlurmJob foundOrSubmitted(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder) {
  static std::mutex mutex;  // one looks and submits at a time
  const std::lock_guard lock(mutex);
  const std::vector<SlurmJob> jobs = jobsOf(entry, login);
  return jobs.empty() ? submitted(entry, login, folder) : jobs.front();
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

// ", number 3 of those that wait for main, expected to begin at 2026-11-27 21:40": as far as Slurm knows.
std::string queueText(const SlurmJob& job) {
  std::string text;
  if (job.place > 0 && !job.reason.starts_with("JobHeld")) text = strCat(", number ", job.place, " of those that wait for ", job.partition);
  if (job.begins.size() == 19 && job.begins[10] == 'T') text += strCat(", expected to begin at ", job.begins.substr(0, 10), " ", job.begins.substr(11, 5));
  return text;
}

}  // namespace

std::vector<SlurmJob> jobsOf(const hosts::HostEntry& entry, hosts::Host& login) {
  std::vector<SlurmJob> jobs;
  for (const std::string& line : answerOf(login, {"squeue", "--noheader", "--me", strCat("--name=", jobName(entry)), strCat("--format=", kFormat)}).lines)
    if (const SlurmJob job = jobFrom(line); jobWaits(job) || jobRuns(job)) jobs.push_back(job);
  std::ranges::sort(jobs, {}, [](const SlurmJob& job) { return std::atoll(job.id.c_str()); });
  return jobs;
}

SlurmJob runningJob(const hosts::HostEntry& entry, hosts::Host& login, const std::string& folder, hosts::CredentialPrompts& prompts) {
  checkSlurmOptions(entry);
  SlurmJob job = foundOrSubmitted(entry, login, folder);
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

bool jobRuns(const SlurmJob& job) { return job.state == "RUNNING"; }

std::string jobText(const SlurmJob& job) {
  const std::string name = strCat("job ", job.id);
  const bool saysWhy = !job.reason.empty() && job.reason != "None";
  if (job.state == "PENDING") return strCat(name, " is pending: ", reasonText(job.reason), queueText(job));
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

std::vector<hosts::HostEntry> nodesOfJob(const hosts::HostEntry& entry, int nodes) {
  std::vector<hosts::HostEntry> all;
  for (int i = 0; i < nodes; ++i) {
    hosts::HostEntry& each = all.emplace_back(entry);
    each.name += std::to_string(i), each.job = entry.name, each.jobNodes = nodes, each.jobNode = i;
  }
  return all;
}

void checkSlurmOptions(const hosts::HostEntry& entry) {
  for (const std::string& option : entry.slurm)
    if (!option.starts_with('-') || option == "-" || option == "--")
      throw Error(Errc::kUsage, strCat("host \"", entry.name, "\": slurm option \"", quotable(option), "\" must begin with '-' and hold its value, as --partition=gpu"));
}

std::string nodeScript(const std::string& folder) { return strCat("folder=", hosts::shellQuote(folder), "\n", kScript); }

}  // namespace paceline::slurm
