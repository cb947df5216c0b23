#include "agent/supervisor/contain/processes.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "agent/supervisor/fd.h"
#include "engine/core/base/file_text.h"

namespace paceline::contain {
namespace {

std::string textIn(const std::string& path) { return fileText(path).value_or(""); }

struct Stat {
  pid_t parent = 0;
  std::int64_t start = 0;
};

// /proc/PID/stat: the name in parentheses may hold anything, so fields count from the last ')'.
Stat statOf(pid_t pid) {
  const std::string text = textIn("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) return {};
  std::istringstream fields(text.substr(close + 1));
  std::string state, skipped;
  Stat stat;
  fields >> state >> stat.parent;
  for (int field = 5; field < 22; ++field) fields >> skipped;
  fields >> stat.start;
  return stat;
}

std::vector<pid_t> allProcesses() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), &::closedir);
  if (!folder) return pids;
  while (const dirent* entry = ::readdir(folder.get()))
    if (const int pid = std::atoi(entry->d_name); pid > 0) pids.push_back(pid);
  return pids;
}

std::int64_t counterIn(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string key;
  std::int64_t value = 0;
  while (file >> key >> value)
    if (key == name) return value;
  return -1;
}

}  // namespace

bool writeTo(const std::string& path, const std::string& text) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::int64_t startTimeOf(pid_t pid) { return statOf(pid).start; }

std::vector<pid_t> descendantsOf(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  for (const pid_t pid : allProcesses()) children.emplace(statOf(pid).parent, pid);
  std::vector<pid_t> found{ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

std::vector<pid_t> processesOfUser() {
  std::vector<pid_t> found;
  for (const pid_t pid : allProcesses()) {
    struct stat status{};
    if (::stat(("/proc/" + std::to_string(pid)).c_str(), &status) == 0 && status.st_uid == ::geteuid()) found.push_back(pid);
  }
  return found;
}

std::string environmentValue(pid_t pid, const std::string& name) {
  const std::string all = '\0' + textIn("/proc/" + std::to_string(pid) + "/environ") + '\0';
  const std::size_t found = all.find('\0' + name + "=");
  if (found == std::string::npos) return "";
  const std::size_t begin = found + name.size() + 2;
  return all.substr(begin, all.find('\0', begin) - begin);
}

int killDescendants(const std::string& variable, const std::set<std::string>& values) {
  if (values.empty()) return 0;
  int found = 0;
  for (const pid_t pid : descendantsOf(::getpid()))
    if (values.contains(environmentValue(pid, variable))) {
      ::kill(pid, SIGKILL);
      found++;
    }
  return found;
}

// A process that dies of something else while we look may just have started one that the list lacks: so only two looks in a row that
// find nobody new end this. Who has been killed starts nobody, so it ends.
void killProcessesOfUser(const std::function<bool(pid_t)>& meant) {
  std::set<std::pair<pid_t, std::int64_t>> killed;
  for (int quiet = 0; quiet < 2; ++quiet)
    for (const pid_t pid : processesOfUser()) {
      const std::int64_t start = startTimeOf(pid);
      if (killed.contains({pid, start}) || !meant(pid)) continue;
      ::kill(pid, SIGKILL);
      killed.emplace(pid, start);
      quiet = -1;
    }
}

std::int64_t outOfMemoryKills() {
  std::ifstream groups("/proc/self/cgroup");  // "0::/path" is version 2, "4:memory:/path" version 1
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty()) {
      const std::int64_t kills = counterIn("/sys/fs/cgroup" + path + "/memory.events", "oom_kill");
      if (kills >= 0) return kills;
    } else if (controllers == "memory") {
      const std::int64_t kills = counterIn("/sys/fs/cgroup/memory" + path + "/memory.oom_control", "oom_kill");
      if (kills >= 0) return kills;
    }
  }
  return counterIn("/proc/vmstat", "oom_kill");
}

}  // namespace paceline::contain
