// One control group for the nodes of a run, below this process's own: version 2 with cgroup.kill (Linux 5.14) or its freezer, or
// version 1's freezer. Processes cannot leave it without the rights that made it.
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/contain/processes.h"
#include "agent/supervisor/fd.h"

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

// This process's group in such a hierarchy: "0::/path" or "6:freezer:/path".
std::string ownGroup(const Mount& mount) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (mount.second ? !controllers.empty() : controllers.find("freezer") == std::string::npos) continue;
    std::string path = line.substr(second + 1);
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

}  // namespace

std::unique_ptr<Containment> makeCgroup(const std::string& name) { return std::make_unique<Cgroup>(name); }

void killCgroup(const std::string& folder) {
  if (folder.find("/paceline-") == std::string::npos || folder.find("..") != std::string::npos) return;
  killIn(folder);
  ::rmdir(folder.c_str());  // fails while they end: an empty group stays, which costs nothing
}

}  // namespace paceline::contain
