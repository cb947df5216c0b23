#include "agent/supervisor/contain/containment.h"

#include <dirent.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "agent/supervisor/fd.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/user_folders.h"

namespace paceline::contain {
namespace {

struct Mount {
  std::string root, folder;
  bool second = false;  // version 2
};

// Where version 2 and version 1's freezer are mounted, in this order. "36 35 98:0 /root /mount/point options - cgroup2 source options"
std::vector<Mount> mounts() {
  std::vector<Mount> found;
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream first(line.substr(0, dash)), second(line.substr(dash + 3));
    std::string skipped, type, source, options;
    Mount mount;
    first >> skipped >> skipped >> skipped >> mount.root >> mount.folder;
    second >> type >> source >> options;
    mount.second = type == "cgroup2";
    if (mount.second || (type == "cgroup" && options.find("freezer") != std::string::npos)) found.push_back(mount);
  }
  std::stable_sort(found.begin(), found.end(), [](const Mount& a, const Mount& b) { return a.second > b.second; });
  return found;
}

// The folder of this process's group in such a hierarchy.
std::string ownGroup(const Mount& mount) {
  for (auto& [controllers, path] : ownCgroups()) {
    if (mount.second ? !controllers.empty() : controllers.find("freezer") == std::string::npos) continue;
    if (mount.root != "/" && path.starts_with(mount.root)) path.erase(0, mount.root.size());
    const std::string folder = path == "/" ? mount.folder : mount.folder + path;
    return ::access(folder.c_str(), F_OK) == 0 ? folder : mount.folder;  // in a container the path may be that of the host
  }
  return mount.folder;
}

std::vector<pid_t> processesIn(const std::string& folder) {
  std::vector<pid_t> pids;
  std::ifstream file(folder + "/cgroup.procs");
  for (pid_t pid; file >> pid;)
    if (pid > 0) pids.push_back(pid);
  return pids;
}

void killIn(const std::string& folder) {
  if (writeTo(folder + "/cgroup.kill", "1")) return;
  const bool second = ::access((folder + "/cgroup.freeze").c_str(), F_OK) == 0;
  const auto freeze = [&](bool on) {
    return second ? writeTo(folder + "/cgroup.freeze", on ? "1" : "0") : writeTo(folder + "/freezer.state", on ? "FROZEN" : "THAWED");
  };
  freeze(true);  // so that nobody forks away
  for (const pid_t pid : processesIn(folder)) ::kill(pid, SIGKILL);
  freeze(false);
}

// One control group for the nodes of a run, below this process's own: version 2 with cgroup.kill (Linux 5.14) or its freezer, or
// version 1's freezer. Processes cannot leave it without the rights that made it.
class Cgroup : public Containment {
 public:
  explicit Cgroup(const std::string& name) {
    int problem = ENOENT;
    for (const Mount& mount : mounts()) {
      folder_ = strCat(ownGroup(mount), "/paceline-", name, "-", ::getpid());
      if (::mkdir(folder_.c_str(), 0755) == 0) return;
      problem = errno;
    }
    throw Error(Errc::kHost, strCat("cannot make a cgroup ", folder_, ": ", std::strerror(problem)));
  }
  ~Cgroup() override {
    if (!empty()) killAll();
    ::rmdir(folder_.c_str());
  }

  pid_t start(const std::function<void()>& program) override {
    const Pipe report;
    const pid_t child = forked();
    if (child == 0) {
      const int problem = writeTo(folder_ + "/cgroup.procs", "0") ? 0 : errno;
      if (::write(report.write.get(), &problem, sizeof problem) == sizeof problem && problem == 0) program();
      ::_exit(127);
    }
    if (const int problem = reportedProblem(report.read)) throw Error(Errc::kHost, strCat("cannot enter the cgroup ", folder_, ": ", std::strerror(problem)));
    return child;
  }
  void killAll() override { killIn(folder_); }
  bool empty() override { return removed_ || (removed_ = processesIn(folder_).empty() && (::rmdir(folder_.c_str()) == 0 || errno == ENOENT)); }
  std::string cgroup() const override { return folder_; }

 private:
  std::string folder_;
  bool removed_ = false;
};

constexpr ContainmentKind kBestFirst[] = {ContainmentKind::kPidNamespace, ContainmentKind::kCgroup, ContainmentKind::kSubreaper};
constexpr const char* kNames[] = {"pid namespace", "cgroup", "child sub-reaper"};
constexpr const char* kWords[] = {"pidns", "cgroup", "subreaper"};  // of $PACELINE_CONTAINMENT
constexpr int kProbeCode = 42;

// Nothing of its own: what a node leaves is adopted by the supervisor and found there by its mark.
class Subreaper : public Containment {
 public:
  pid_t start(const std::function<void()>& program) override {
    const pid_t child = forked();
    if (child == 0) program();
    return child;
  }
  void killAll() override {}
  bool empty() override { return true; }
};

// In a process of its own, so that every child there is one of the trial.
[[noreturn]] void tryOut(ContainmentKind kind) {
  try {
    const auto containment = makeContainment(kind, "trial");
    const pid_t child = containment->start([] { ::_exit(kProbeCode); });
    const int status = waitedFor(child);
    const bool ran = WIFEXITED(status) && WEXITSTATUS(status) == kProbeCode;
    containment->killAll();
    for (pid_t pid; (pid = ::waitpid(-1, nullptr, 0)) > 0;) containment->reaped(pid);
    ::_exit(ran && containment->empty() ? 0 : 1);
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

std::optional<ContainmentKind> asked() {
  const std::string name = environment("PACELINE_CONTAINMENT");
  if (name.empty()) return std::nullopt;
  for (const ContainmentKind kind : kBestFirst)
    if (name == kWords[static_cast<std::size_t>(kind)]) return kind;
  throw Error(Errc::kHost, strCat("PACELINE_CONTAINMENT \"", name, "\" is not known; have pidns, cgroup, subreaper"));
}

// Whatever a killed process had started becomes our child (we are its sub-reaper): so this ends only when nobody is left.
void killEverythingBelow() {
  for (;;) {
    for (const pid_t pid : descendantsOf(::getpid())) ::kill(pid, SIGKILL);
    if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

std::string textIn(const std::string& path) { return fileText(path).value_or(""); }

struct Stat {
  std::string state;
  pid_t parent = 0;
  std::int64_t start = 0;
  int waitStatus = 0;
};

// /proc/PID/stat: the name in parentheses may hold anything, so fields count from the last ')'.
Stat statOf(pid_t pid) {
  const std::string text = textIn("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) return {};
  std::istringstream fields(text.substr(close + 1));
  std::string skipped;
  Stat stat;
  fields >> stat.state >> stat.parent;
  for (int field = 5; field < 22; ++field) fields >> skipped;
  fields >> stat.start;
  for (int field = 23; field < 52; ++field) fields >> skipped;
  fields >> stat.waitStatus;
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

void killCgroup(const std::string& folder) {
  if (folder.find("/paceline-") == std::string::npos || folder.find("..") != std::string::npos) return;
  killIn(folder);
  ::rmdir(folder.c_str());  // fails while they end: an empty group stays, which costs nothing
}

std::string nameOf(ContainmentKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

bool works(ContainmentKind kind) {
  if (kind == ContainmentKind::kSubreaper) return true;
  const pid_t trial = ::fork();
  if (trial < 0) return false;
  if (trial == 0) tryOut(kind);
  const int status = waitedFor(trial);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

ContainmentKind bestContainment() {
  if (const auto kind = asked()) {
    if (!works(*kind)) throw Error(Errc::kHost, strCat("PACELINE_CONTAINMENT: a ", nameOf(*kind), " cannot be made here"));
    return *kind;
  }
  for (const ContainmentKind kind : kBestFirst)
    if (works(kind)) return kind;
  return ContainmentKind::kSubreaper;
}

std::string containmentOf() {
  try {
    return nameOf(bestContainment());
  } catch (const Error& error) {
    return error.what();
  }
}

std::unique_ptr<Containment> makeContainment(ContainmentKind kind, const std::string& name) {
  if (kind == ContainmentKind::kPidNamespace) return makePidNamespace();
  if (kind == ContainmentKind::kCgroup) return std::make_unique<Cgroup>(name);
  return std::make_unique<Subreaper>();
}

int guarded(const std::function<int()>& program) {
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t child = forked();
  if (child == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::_exit(program());
  }
  ::prctl(PR_SET_NAME, "paceline-guard");
  ::close_range(3, ~0U, 0);  // it holds nothing open that somebody may wait to see closed
  for (;;) {
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal > 0 && signal != SIGCHLD) ::kill(child, signal);
    int status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;)
      if (pid == child) {
        killEverythingBelow();
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
  }
}

bool writeTo(const std::string& path, const std::string& text) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::int64_t startTimeOf(pid_t pid) { return statOf(pid).start; }
bool isZombie(pid_t pid) { return statOf(pid).state == "Z"; }
int waitStatusOf(pid_t zombie) { return statOf(zombie).waitStatus; }

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

std::vector<std::pair<std::string, std::string>> ownCgroups(const std::string& root) {
  std::vector<std::pair<std::string, std::string>> found;
  std::ifstream file(root + "/proc/self/cgroup");  // "0::/path" or "4:cpu,cpuacct:/path"
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second != std::string::npos) found.emplace_back(line.substr(first + 1, second - first - 1), line.substr(second + 1));
  }
  return found;
}

std::int64_t outOfMemoryKills() {
  for (const auto& [controllers, path] : ownCgroups()) {
    if (!controllers.empty() && controllers != "memory") continue;
    const bool second = controllers.empty();
    const std::int64_t kills = counterIn(second ? "/sys/fs/cgroup" + path + "/memory.events" : "/sys/fs/cgroup/memory" + path + "/memory.oom_control", "oom_kill");
    if (kills >= 0) return kills;
  }
  return counterIn("/proc/vmstat", "oom_kill");
}

}  // namespace paceline::contain
