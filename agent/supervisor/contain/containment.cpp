#include "agent/supervisor/contain/containment.h"

#include <linux/close_range.h>
#include <optional>
#include <signal.h>
#include <sys/prctl.h>

#include "agent/supervisor/contain/processes.h"
#include "agent/supervisor/fd.h"
#include "engine/core/base/user_folders.h"

namespace paceline::contain {
namespace {

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

}  // namespace

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
  if (kind == ContainmentKind::kCgroup) return makeCgroup(name);
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

}  // namespace paceline::contain
