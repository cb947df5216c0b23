#include "agent/supervisor/contain/guard.h"

#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/supervisor/contain/processes.h"
#include "engine/core/base/error.h"

namespace paceline::contain {
namespace {

// Whatever a killed process had started becomes our child (we are its sub-reaper): so this ends only when nobody is left.
void killEverythingBelow() {
  for (;;) {
    for (const pid_t pid : descendantsOf(::getpid())) ::kill(pid, SIGKILL);
    if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

}  // namespace

int guarded(const std::function<int()>& program) {
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t child = ::fork();
  if (child < 0) throw Error(Errc::kHost, strCat("cannot fork: ", std::strerror(errno)));
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
