#include "agent/supervisor/probe/probe.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/supervise/up.h"
#include "engine/core/base/clock.h"
#include "agent/supervisor/fd.h"
#include "engine/core/json/json_text.h"

namespace paceline::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxAnswer = 1 << 20;
constexpr int kThrown = 1, kAnswered = 0;

struct Asked {
  const ProbePart* part;
  Fd pipe;
  pid_t pid = -1;
  Clock::time_point deadline;
  std::string text;
  PartAnswer answer;
};

[[noreturn]] void beChild(const ProbePart& part, int answer) {
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
  int code = kAnswered;
  std::string text;
  try {
    text = part.answer();
  } catch (const std::exception& error) {
    text = error.what();
    code = kThrown;
  }
  writeAll(answer, std::string_view(text).substr(0, kMaxAnswer));
  ::_exit(code);
}

Asked ask(const ProbePart& part) {
  const auto time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(part.seconds));
  Asked asked{.part = &part, .pipe = {}, .deadline = Clock::now() + time, .text = {}, .answer = {}};
  try {
    Pipe pipe;
    asked.pid = forked();
    if (asked.pid == 0) beChild(part, pipe.write.get());
    ::setpgid(asked.pid, asked.pid);  // by both, so that neither has to wait for the other
    asked.pipe = std::move(pipe.read);
  } catch (const Error& error) {
    asked.answer.problem = error.what();
  }
  return asked;
}

void finish(Asked& asked) {  // its pipe is closed: it has ended, or is about to
  asked.pipe.close();
  const int status = waitedFor(asked.pid);
  ::kill(-asked.pid, SIGKILL);  // what it may have left
  if (WIFSIGNALED(status))
    asked.answer.problem = strCat("killed by signal ", WTERMSIG(status));
  else if (WEXITSTATUS(status) != kAnswered)
    asked.answer.problem = asked.text.empty() ? strCat("ended with code ", WEXITSTATUS(status)) : asked.text;
  else
    asked.answer.text = asked.text;
}

void giveUp(Asked& asked) {
  asked.answer.problem = strCat("no answer within ", asked.part->seconds, " s");
  asked.pipe.close();
  ::kill(-asked.pid, SIGKILL);
  ::kill(asked.pid, SIGKILL);
  ::waitpid(asked.pid, nullptr, WNOHANG);
}

void readFrom(Asked& asked) {
  char buffer[16 << 10];
  const ssize_t got = ::read(asked.pipe.get(), buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return finish(asked);
  if (asked.text.size() < kMaxAnswer) asked.text.append(buffer, static_cast<std::size_t>(got));
}

}  // namespace

std::map<std::string, PartAnswer> askParts(const std::vector<ProbePart>& parts) {
  std::vector<Asked> all;
  for (const ProbePart& part : parts) all.push_back(ask(part));
  while (true) {
    std::vector<pollfd> waiting;
    std::vector<Asked*> owners;
    double wait = 1e9;
    const auto now = Clock::now();
    for (Asked& asked : all) {
      if (asked.pipe && asked.deadline <= now) giveUp(asked);
      if (!asked.pipe) continue;
      waiting.push_back({asked.pipe.get(), POLLIN, 0});
      owners.push_back(&asked);
      wait = std::min(wait, std::chrono::duration<double, std::milli>(asked.deadline - now).count());
    }
    if (waiting.empty()) break;
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::ceil(wait)));
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) readFrom(*owners[i]);
  }
  std::map<std::string, PartAnswer> answers;
  for (Asked& asked : all) answers[asked.part->name] = std::move(asked.answer);
  return answers;
}

namespace {

constexpr double kPartSeconds = 5, kDriverSeconds = 10;  // a driver without persistence takes seconds to wake its GPUs

Json orNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string osName() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("PRETTY_NAME=")) {
      const std::string value = line.substr(12);
      return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
    }
  return "Linux";
}

Json system() {
  utsname name{};
  ::uname(&name);
  const HostLoad load = HostLoadMeter().measure();
  return {{"hostname", name.nodename}, {"os", osName()}, {"kernel", name.release}, {"arch", name.machine},
          {"memory_total_bytes", load.memoryTotalBytes},
          {"memory_free_bytes", load.memoryTotalBytes - load.memoryUsedBytes}};
}

Json cpu() {
  const CpuFacts facts = cpuFacts();
  return {{"cpus", facts.allowed}, {"cpus_installed", facts.installed}, {"cpus_usable", facts.usable},
          {"cpu_quota", facts.quota > 0 ? Json(facts.quota) : Json()}, {"cpu_model", facts.model}, {"cpu_flags", facts.flags},
          {"memory_limit_bytes", facts.memoryLimitBytes > 0 ? Json(facts.memoryLimitBytes) : Json()}};
}

Json libraries() {
  const LibraryFacts facts = libraryFacts();
  return {{"libc", facts.libc}, {"libc_file", orNull(facts.libcFile)},
          {"glibcxx", orNull(facts.glibcxx)}, {"cxxabi", orNull(facts.cxxabi)}, {"libstdcxx_file", orNull(facts.libstdcxxFile)},
          {"torch_library", orNull(facts.torchFile)}, {"torch_version", orNull(facts.torch)}};
}

Json cacheDisk() {
  const std::string folder = defaultCacheFolder();
  if (folder.empty()) throw Error(Errc::kHost, "neither XDG_CACHE_HOME nor HOME is set");
  const DiskFacts disk = diskFacts(folder);
  return {{"cache_folder", folder}, {"cache_free_bytes", disk.usable()}, {"cache_total_bytes", disk.totalBytes},
          {"cache_quota_free_bytes", disk.quotaFreeBytes ? Json(*disk.quotaFreeBytes) : Json()}};
}

Json agentDisk() {
  const std::string folder = agentPaths().folder;
  return {{"agent_folder", folder}, {"disk_free_bytes", diskFacts(folder).usable()}};
}

Json linkSpeed(const std::string& interface) {  // Mbit/s; -1 or an error where the kernel does not know
  std::ifstream file("/sys/class/net/" + interface + "/speed");
  long long mbps = 0;
  return file >> mbps && mbps > 0 ? Json(mbps) : Json();
}

Json interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) throw Error(Errc::kHost, strCat("getifaddrs: ", std::strerror(errno)));
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(first, &::freeifaddrs);
  std::map<std::string, Json> byName;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    Json& found = byName[entry->ifa_name];
    if (found.is_null())
      found = {{"name", entry->ifa_name}, {"up", (entry->ifa_flags & IFF_UP) != 0}, {"loopback", (entry->ifa_flags & IFF_LOOPBACK) != 0},
               {"mbps", linkSpeed(entry->ifa_name)}, {"addresses", Json::array()}};
    char text[INET6_ADDRSTRLEN] = "";
    const int family = entry->ifa_addr == nullptr ? AF_UNSPEC : entry->ifa_addr->sa_family;
    if (family == AF_INET) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
    if (family == AF_INET6) ::inet_ntop(family, &reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_addr, text, sizeof text);
    if (*text != '\0') found["addresses"].push_back(text);
  }
  Json all = Json::array();
  for (auto& [name, found] : byName) all.push_back(std::move(found));
  return {{"interfaces", all}};
}

Json supervisor() {  // none is started for it
  const auto connection = supervise::connectToRunning(agentPaths());
  const Json hello = jsonOrNull(connection ? connection->greeting : "");
  return {{"supervisor", hello.is_object() && hello.contains("hello") ? hello["hello"] : Json()}};
}

ProbePart partOf(const char* name, Json (*find)()) { return {name, kPartSeconds, [find] { return dumped(find()); }}; }

Json containment() { return {{"containment", contain::containmentOf()}}; }

std::vector<ProbePart> parts() {
  return {partOf("system", system), partOf("cpu", cpu), partOf("libraries", libraries), partOf("cache", cacheDisk), partOf("agent", agentDisk),
          partOf("interfaces", interfaces), partOf("supervisor", supervisor), partOf("containment", containment), {"nvml", kDriverSeconds, gpusFromNvml}};
}

Json parsed(const PartAnswer& answer) {
  Json json = jsonOrNull(answer.text);
  return json.is_object() ? json : Json::object();
}

Json gpusOf(const PartAnswer& nvml, Json& problems) {
  const std::vector<ProbePart> others{{"nvidia-smi", kDriverSeconds, gpusFromNvidiaSmi}, {"proc", kPartSeconds, [] { return gpusFromProc(); }}};
  if (nvml.problem.empty()) return parsed(nvml);
  std::map<std::string, PartAnswer> answers = askParts(others);
  for (const char* way : {"nvidia-smi", "proc"})
    if (answers[way].problem.empty()) {
      Json found = parsed(answers[way]);
      if (found.contains("gpus") && !found["gpus"].empty())  // there are GPUs: why NVML did not say so matters
        problems.push_back("nvml: " + nvml.problem);
      return found;
    }
  problems.push_back("gpus: " + answers["proc"].problem);
  return Json::object();
}

}  // namespace

int activeRuns() {
  const Json hello = parsed(askParts({partOf("supervisor", supervisor)})["supervisor"]).value("supervisor", Json());
  const Json runs = hello.is_object() ? hello.value("active_runs", Json()) : Json();
  return runs.is_number_integer() ? runs.get<int>() : 0;
}

std::string probeJson() {
  Json json = {{"paceline", PACELINE_VERSION}}, problems = Json::array();
  std::map<std::string, PartAnswer> answers = askParts(parts());
  const Json gpus = gpusOf(answers["nvml"], problems);
  answers.erase("nvml");
  for (const auto& [name, answer] : answers) {
    json.update(parsed(answer));
    if (!answer.problem.empty()) problems.push_back(name + ": " + answer.problem);
  }
  json["gpus"] = gpus.value("gpus", Json::array());
  json["gpu_source"] = gpus.value("source", "none");
  json["gpu_driver"] = gpus.value("driver", "");
  json["problems"] = problems;
  json["clock"] = {{"unix_s", unixNow()}, {"monotonic_s", steadySeconds()}};
  return dumped(json);
}

}  // namespace paceline::probe
