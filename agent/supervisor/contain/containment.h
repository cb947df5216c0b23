// What holds the processes of one run on this host together, so that ending the run leaves none of them, whatever they did to hide.
// The best that the host offers is found by trying: a PID namespace (the kernel ends everything in it with its init), a cgroup, or only
// the supervisor's being the sub-reaper of all that its nodes leave. Owned by a Run; used by the supervisor's only thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>

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
  virtual bool isInit(pid_t) const { return false; }  // a process of its own: told by reaped() when it has been waited for
  virtual void reaped(pid_t) {}
  virtual std::string cgroup() const { return ""; }   // its folder, for whoever cleans up after this process
};

// `name` is part of a cgroup's name: letters, digits, - and _.
std::unique_ptr<Containment> makeContainment(ContainmentKind kind, const std::string& name);

std::unique_ptr<Containment> makePidNamespace();                      // pid_namespace.cpp
std::unique_ptr<Containment> makeCgroup(const std::string& name);     // cgroup.cpp
void killCgroup(const std::string& folder);                           // left by a dead supervisor: ends what is in it and removes it

// A process that outlives the supervisor, however that ends, and then kills every process that it or its nodes have left.
// Forks: `program` runs in the child, whose exit code is returned here when nothing below this process is left. Signals that ask this
// process to end (SIGTERM, SIGINT, SIGHUP) are passed on. The caller has one thread and no other children. Throws Error{kHost}.
int guarded(const std::function<int()>& program);

}  // namespace paceline::contain
