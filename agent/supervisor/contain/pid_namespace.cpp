// One PID namespace for the nodes of a run. Its init is ours, does nothing and cannot be ended from inside; when it dies, the kernel
// kills everything in the namespace, however it was daemonised. Nodes join by a helper that makes them with CLONE_PARENT: so they are
// children of the supervisor, which signals and reaps them by their outer pids as without a namespace. One namespace for all nodes of the
// run and not one for each: CUDA IPC and NCCL between the ranks of a host want to see different pids in one namespace.
// As root the namespace is made directly (a user namespace would take away capabilities); others make it inside a user namespace in which
// they are who they were.
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/fd.h"

namespace paceline::contain {
namespace {

struct Report {  // of the helper
  pid_t pid = -1;
  int problem = 0;  // errno
};

// Like fork(), but the child's parent is this process's parent.
pid_t forkSibling() { return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }

// Numbers inside go on from the init's number outside, so that files named after a pid in /tmp and /dev/shm seldom meet those of others.
void continueOuterNumbers() {
  char own[32] = "";  // /proc is the outer one
  if (::readlink("/proc/self", own, sizeof own - 1) > 0) writeTo("/proc/sys/kernel/ns_last_pid", own);
}

[[noreturn]] void beInit(int life) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "paceline-init");
  ::setsid();
  ::signal(SIGCHLD, SIG_IGN);  // the kernel reaps what it adopts
  continueOuterNumbers();
  ::dup2(life, 0);
  if (::syscall(SYS_close_range, 1U, ~0U, 0U) != 0)
    for (int fd = 1; fd < 4096; ++fd) ::close(fd);
  [[maybe_unused]] const int moved = ::chdir("/");
  for (char byte;;) {
    const ssize_t got = ::read(0, &byte, 1);
    if (got == 0 || (got < 0 && errno != EINTR)) ::_exit(0);  // the supervisor is gone: everything here ends with this process
  }
}

bool enterNewUserNamespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  return ::unshare(CLONE_NEWUSER) == 0 && writeTo("/proc/self/setgroups", "deny") &&
         writeTo("/proc/self/uid_map", strCat(user, " ", user, " 1")) && writeTo("/proc/self/gid_map", strCat(group, " ", group, " 1"));
}

class PidNamespace : public Containment {
 public:
  PidNamespace() {
    init_ = throughHelper([this] { return !ownUser_ || enterNewUserNamespace() ? ::unshare(CLONE_NEWPID) == 0 : false; },
                          [&] { beInit(life_.read.get()); });
    life_.read.close();
    if (ownUser_) user_ = Fd(::open(strCat("/proc/", init_, "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
    pids_ = Fd(::open(strCat("/proc/", init_, "/ns/pid").c_str(), O_RDONLY | O_CLOEXEC));
    if (pids_ && (user_ || !ownUser_)) return;
    const int problem = errno;
    killAll();
    fail(problem);
  }
  ~PidNamespace() override { killAll(); }

  pid_t start(const std::function<void()>& program) override {
    return throughHelper([this] { return (!ownUser_ || ::setns(user_.get(), CLONE_NEWUSER) == 0) && ::setns(pids_.get(), CLONE_NEWPID) == 0; }, program);
  }
  void killAll() override {
    if (init_ > 0) ::kill(init_, SIGKILL);  // not yet reaped, so the number is its own
  }
  bool empty() override { return init_ == 0; }  // it can be reaped only when it is the last in its namespace
  bool reaped(pid_t pid) override {
    if (pid != init_) return false;
    init_ = 0;
    return true;
  }

 private:
  [[noreturn]] static void fail(int problem) { throw Error(Errc::kHost, strCat("cannot use a PID namespace: ", std::strerror(problem))); }

  // A helper process prepares itself, makes a sibling (our child) that runs `program`, says its number and ends.
  template <typename Prepare>
  pid_t throughHelper(Prepare prepare, const std::function<void()>& program) {
    const Pipe told;
    const pid_t helper = forked();
    if (helper == 0) {
      Report report;
      if (prepare()) report.pid = forkSibling();
      if (report.pid == 0) program();
      report.problem = errno;
      ::_exit(::write(told.write.get(), &report, sizeof report) == sizeof report ? 0 : 1);
    }
    Report report;
    waitedFor(helper);
    ::fcntl(told.read.get(), F_SETFL, O_NONBLOCK);  // the sibling, too, holds the pipe's other end until it runs a program
    if (::read(told.read.get(), &report, sizeof report) != sizeof report) fail(ECHILD);
    if (report.pid < 0) fail(report.problem);
    return report.pid;
  }

  bool ownUser_ = ::geteuid() != 0;
  pid_t init_ = 0;
  Pipe life_;  // init reads from it until we are gone
  Fd user_, pids_;
};

}  // namespace

std::unique_ptr<Containment> makePidNamespace() { return std::make_unique<PidNamespace>(); }

}  // namespace paceline::contain
