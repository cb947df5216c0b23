#include "agent/supervisor/supervise/program.h"

#include <signal.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/forks.h"

namespace paceline::supervise {
namespace {

[[noreturn]] void become(const Program& program, const ProgramEnds& ends, pid_t supervisor, const Fd& report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the supervisor has one thread, so this fires only when it is gone
  const pid_t parent = ::getppid();  // 0: outside this PID namespace, whose init watches the supervisor for all in it
  if (parent != supervisor && parent != 0) ::_exit(127);
  ::dup2(ends.in.get(), 0), ::dup2(ends.out.get(), 1), ::dup2(ends.err.get(), 2);
  if (program.journal >= 0) {
    constexpr int kJournal = 3;
    if (program.journal == kJournal) ::fcntl(kJournal, F_SETFD, 0);
    else ::dup2(program.journal, kJournal);
    ::setenv(kJournalVariable, "3", 1);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  for (const auto& [name, value] : program.env) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv(kNodeVariable, program.mark.c_str(), 1);
  ::setenv(kBeatVariable, strCat(program.beatSeconds).c_str(), 1);
  ::setenv(kDatesVariable, std::to_string(recordDates().unixAtBoot()).c_str(), 1);
  if (program.folder.empty() || ::chdir(program.folder.c_str()) == 0) execute(program.command);
  const int problem = errno;
  [[maybe_unused]] const ssize_t written = ::write(report.get(), &problem, sizeof problem);
  ::_exit(127);
}

}  // namespace

pid_t startProgram(const Program& program, const ProgramEnds& ends, contain::Containment& containment) {
  PACELINE_CHECK(!program.command.empty(), "a program without a command");
  Pipe report;
  const pid_t self = ::getpid();
  const pid_t child = containment.start([&] { become(program, ends, self, report.write); });
  ::setpgid(child, child);  // also done by the child: whoever comes first
  report.write.close();
  if (const int problem = reportedProblem(report.read))  // the child is reaped by the supervisor like any other
    throw Error(Errc::kHost, strCat("cannot start ", program.command[0], ": ", std::strerror(problem)));
  return child;
}

void setNonBlocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

bool readLines(const Fd& fd, LineSplitter& lines) {
  char buffer[64 << 10];
  for (int turn = 0; turn < 4; ++turn) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got > 0) {
      lines.feed({buffer, static_cast<std::size_t>(got)});
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
  return true;
}

std::string printable(std::string text, std::size_t limit) {
  if (text.size() > limit) text.resize(limit);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  return text;
}

}  // namespace paceline::supervise
