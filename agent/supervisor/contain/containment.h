// What holds the processes of one run on this host together, so that ending the run leaves none of them, whatever they did to hide.
// The best that the host offers is found by trying: a PID namespace (the kernel ends everything in it with its init), a cgroup, or only
// the supervisor's being the sub-reaper of all that its nodes leave. Owned by a Run; used by the supervisor's only thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace paceline::contain {

enum class ContainmentKind { kPidNamespace, kCgroup, kSubreaper };

std::string nameOf(ContainmentKind kind);  // "pid namespace", "cgroup", "child sub-reaper"
bool works(ContainmentKind kind);          // starts and ends a process in one, in some milliseconds
// The best that works, or what $PACELINE_CONTAINMENT (pidns, cgroup, subreaper) says; throws Error{kHost} when that does not work here.
ContainmentKind bestContainment();
std::string containmentOf();  // its name, for probes; never throws

class Containment {
 public:
  virtual ~Containment() = default;  // asks the kernel to end what is left, does not wait for it

  // A child of this process inside; `program` runs in it and must not return. Throws Error{kHost}.
  virtual pid_t start(const std::function<void()>& program) = 0;
  virtual void killAll() = 0;                // SIGKILL for everything in it
  virtual bool empty() = 0;                  // as far as it knows; what it made itself is gone, too
  virtual bool reaped(pid_t) { return false; }  // a child has been waited for; true: it was the containment's own, no node's
  virtual std::string cgroup() const { return ""; }   // its folder, for whoever cleans up after this process
};

// `name` is part of a cgroup's name: letters, digits, - and _.
std::unique_ptr<Containment> makeContainment(ContainmentKind kind, const std::string& name);

std::unique_ptr<Containment> makePidNamespace();                      // pid_namespace.cpp
void killCgroup(const std::string& folder);                           // left by a dead supervisor: ends what is in it and removes it

// A process that outlives the supervisor, however that ends, and then kills every process that it or its nodes have left.
// Forks: `program` runs in the child, whose exit code is returned here when nothing below this process is left. Signals that ask this
// process to end (SIGTERM, SIGINT, SIGHUP) are passed on. The caller has one thread and no other children. Throws Error{kHost}.
int guarded(const std::function<int()>& program);

// Processes as /proc shows them. Never throws; an unreadable one counts as absent.
std::int64_t startTimeOf(pid_t pid);  // clock ticks since boot: with the pid it names a process for ever; 0: no such process
bool isZombie(pid_t pid);  // has ended and not been waited for
int waitStatusOf(pid_t zombie);  // as waitpid() would tell it; of processes of this user, because the kernel shows others a 0
std::vector<pid_t> descendantsOf(pid_t ancestor);  // children, their children ..., without the ancestor
std::vector<pid_t> processesOfUser();              // of the effective user
std::string environmentValue(pid_t pid, const std::string& name);  // as it was when the program started; "": none, or a zombie
// SIGKILL for every descendant of this process in whose environment the variable has one of these values; how many there were.
int killDescendants(const std::string& variable, const std::set<std::string>& values);
// SIGKILL for every process of the effective user that `meant` names, and for those that they start meanwhile.
void killProcessesOfUser(const std::function<bool(pid_t)>& meant);
// The control groups of this process: controllers ("" is version 2, else "cpu,cpuacct") and path. `root`: "" or a folder with proc/ of a test.
std::vector<std::pair<std::string, std::string>> ownCgroups(const std::string& root = "");
bool writeTo(const std::string& path, const std::string& text);  // to a file of /proc or /sys: with one write; false: errno says why
std::int64_t outOfMemoryKills();  // so far, in this process's memory cgroup or, where that does not count, on this host; -1: not known

}  // namespace paceline::contain
