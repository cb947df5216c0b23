// Starting and ending a node's process. What it says is read in node.cpp.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "agent/supervisor/supervise/node.h"
#include "agent/supervisor/contain/processes.h"
#include "engine/core/base/error.h"

namespace paceline::supervise {
namespace {

std::pair<Fd, Fd> pipeEnds() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(Errc::kHost, strCat("cannot make a pipe: ", std::strerror(errno)));
  return {Fd(ends[0]), Fd(ends[1])};
}

void setNonBlocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

}  // namespace

Node::Node(NodeCommand command, std::string tag, std::shared_ptr<spool::Spool> spool)
    : command_(std::move(command)), tag_(std::move(tag)), spool_(std::move(spool)) {}

Node::~Node() {
  if (alive()) ::kill(-pid_, SIGKILL);
}

void Node::start(const std::string& folder, contain::Containment& containment) {
  if (command_.command.empty()) throw Error(Errc::kHost, strCat("node ", id(), " has no command"));
  const Fd report = openPipesAndFork(folder, containment);
  int problem = 0;
  ssize_t got;
  do got = ::read(report.get(), &problem, sizeof problem);
  while (got < 0 && errno == EINTR);
  countMemoryKills();
  countMemoryKills();
  if (got == sizeof problem)  // the child is reaped by the supervisor like any other
    throw Error(Errc::kHost, strCat("node ", id(), ": cannot start ", command_.command[0], ": ", std::strerror(problem)));
}

void Node::countMemoryKills() {
  if (!alive()) return;
  memoryKills_[0] = memoryKills_[1];
  memoryKills_[1] = contain::outOfMemoryKills();
}

Fd Node::openPipesAndFork(const std::string& folder, contain::Containment& containment) {
  auto [inRead, inWrite] = pipeEnds();
  auto [outRead, outWrite] = pipeEnds();
  auto [errRead, errWrite] = pipeEnds();
  auto [reportRead, reportWrite] = pipeEnds();
  const pid_t self = ::getpid();
  pid_t child = 0;
  try {
    child = containment.start([&] { becomeProgram(folder, self, inRead.get(), outWrite.get(), errWrite.get(), reportWrite.get()); });
  } catch (const Error& error) {
    throw Error(error.code(), strCat("node ", id(), ": ", error.what()));
  }
  ::setpgid(child, child);  // also done by the child: whoever comes first
  pid_ = child;
  in_ = std::move(inWrite), out_ = std::move(outRead), err_ = std::move(errRead);
  setNonBlocking(in_), setNonBlocking(out_), setNonBlocking(err_);
  return std::move(reportRead);
}

void Node::becomeProgram(const std::string& folder, pid_t supervisor, int in, int out, int err, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the supervisor has one thread, so this fires only when it is gone
  const pid_t parent = ::getppid();  // 0: outside this PID namespace, whose init watches the supervisor for all in it
  if (parent != supervisor && parent != 0) ::_exit(127);
  ::dup2(in, 0), ::dup2(out, 1), ::dup2(err, 2);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  for (const auto& [name, value] : command_.env) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv(kNodeVariable, tag_.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& argument : command_.command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  if (folder.empty() || ::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  const int problem = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &problem, sizeof problem);
  ::_exit(127);
}

void Node::kill(int signal) {
  if (!alive()) return;
  asked_ = true;
  ::kill(-pid_, signal);
}

void Node::ended(int waitStatus) {
  waitStatus_ = waitStatus;
  drainUntil_ = steadySeconds() + 2;  // whoever else holds its pipes gets this long
  in_.close();
  input_.clear();
}

}  // namespace paceline::supervise
