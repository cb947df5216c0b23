#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/supervise/run.h"
#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"

namespace paceline::supervise {
namespace {

// Reads what is there, at most 256 KiB so that one loud node does not keep the others waiting. false: the stream has ended.
bool drain(const Fd& fd, LineSplitter& lines) {
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

std::string signalText(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return strCat("signal ", signal, name == nullptr ? "" : strCat(" (SIG", name, ")"));
}

void setNonBlocking(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

}  // namespace

Node::Node(NodeCommand command, std::string tag, std::shared_ptr<spool::Spool> spool, double silentSeconds)
    : command_(std::move(command)), tag_(std::move(tag)), spool_(std::move(spool)), silence_(silentSeconds) {}

Node::~Node() {
  if (alive()) ::kill(-pid_, SIGKILL);
}

void Node::start(const std::string& folder, contain::Containment& containment) {
  if (command_.command.empty()) throw Error(Errc::kHost, strCat("node ", id(), " has no command"));
  const Fd report = openPipesAndFork(folder, containment);
  const int problem = reportedProblem(report);
  countMemoryKills();
  countMemoryKills();
  if (problem != 0)  // the child is reaped by the supervisor like any other
    throw Error(Errc::kHost, strCat("node ", id(), ": cannot start ", command_.command[0], ": ", std::strerror(problem)));
}

void Node::countMemoryKills() {
  if (!alive()) return;
  memoryKills_[0] = memoryKills_[1];
  memoryKills_[1] = contain::outOfMemoryKills();
}

Fd Node::openPipesAndFork(const std::string& folder, contain::Containment& containment) {
  Pipe in, out, err, report;
  const pid_t self = ::getpid();
  pid_t child = 0;
  try {
    child = containment.start([&] { becomeProgram(folder, self, in.read.get(), out.write.get(), err.write.get(), report.write.get()); });
  } catch (const Error& error) {
    throw Error(error.code(), strCat("node ", id(), ": ", error.what()));
  }
  ::setpgid(child, child);  // also done by the child: whoever comes first
  pid_ = child;
  in_ = std::move(in.write), out_ = std::move(out.read), err_ = std::move(err.read);
  setNonBlocking(in_), setNonBlocking(out_), setNonBlocking(err_);
  return std::move(report.read);
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
  ::setenv(kBeatVariable, strCat(Silence::beatSeconds(silence_.endSeconds())).c_str(), 1);
  ::setenv(kDatesVariable, std::to_string(recordDates().unixAtBoot()).c_str(), 1);
  if (folder.empty() || ::chdir(folder.c_str()) == 0) execute(command_.command);
  const int problem = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &problem, sizeof problem);
  ::_exit(127);
}

void Node::kill(int signal) {
  if (!alive()) return;
  siginfo_t dead{};  // it may have ended by itself and not be waited for yet: that is the reason then
  asked_ = asked_ || ::waitid(P_PID, static_cast<id_t>(pid_), &dead, WEXITED | WNOHANG | WNOWAIT) != 0 || dead.si_pid == 0;
  ::kill(-pid_, signal);
}

void Node::ended(int waitStatus) {
  waitStatus_ = waitStatus;
  drainUntil_ = steadySeconds() + 2;  // whoever else holds its pipes gets this long
  in_.close();
  input_.clear();
}

void Node::watch(Watches& watches) {
  if (out_) watches.push_back({out_.get(), POLLIN, [this](short) { read(out_, outLines_, &Node::takeEvent); }});
  if (err_) watches.push_back({err_.get(), POLLIN, [this](short) { read(err_, errLines_, &Node::takeError); }});
  if (in_ && !input_.empty()) watches.push_back({in_.get(), POLLOUT, [this](short) { flushInput(); }});
}

bool Node::send(const std::string& line) {
  if (input_.size() + line.size() > kMaxQueuedInput) return false;
  if (!in_ || closeInputWhenFlushed_) return true;  // it is ending: its exit event says so
  input_.append(line).append("\n");
  flushInput();
  return true;
}

void Node::closeInput() {
  closeInputWhenFlushed_ = true;
  flushInput();
}

void Node::flushInput() {
  while (in_ && !input_.empty()) {
    const ssize_t written = ::write(in_.get(), input_.data(), input_.size());
    if (written > 0) {
      input_.erase(0, static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {  // it closed its stdin
      input_.clear();
      in_.close();
    }
  }
  if (closeInputWhenFlushed_) in_.close();
}

void Node::read(Fd& from, LineSplitter& lines, void (Node::*take)(const LineSplitter::Line&)) {
  const bool open = drain(from, lines);
  while (const auto line = lines.next()) (this->*take)(*line);
  if (open) return;
  if (const auto line = lines.rest()) (this->*take)(*line);
  from.close();
}

void Node::takeEvent(const LineSplitter::Line& line) {
  if (line.text.empty()) return;
  std::string problem;
  try {
    const Event event = line.cut ? throw Error(Errc::kFormat, strCat("a line of more than ", kMaxEventLine, " bytes")) : parseEvent(line.text);
    const NoticeRecord* notice = std::get_if<NoticeRecord>(&event);
    silence_.event();
    if (notice != nullptr && notice->kind == "beat") return silence_.beat();
    if (notice != nullptr && notice->kind == "exit") throw Error(Errc::kFormat, "a node cannot say \"exit\" itself");
    if (notice != nullptr && notice->kind == "failed") failed_ = true;
    if (notice != nullptr && notice->kind == "started") started_ = true;
    if (notice != nullptr && notice->kind == "note" && notice->reason == "tolerates_loss") toleratesLoss_ = true;
    if (notice == nullptr) started_ = true;
    spool_->append(line.text, notice != nullptr && notice->kind != "log" ? spool::SpoolWeight::kVital : spool::SpoolWeight::kRecord);
    return;
  } catch (const Error& error) {
    problem = error.what();
  }
  spool_->append(spool::noticeOf("log", strCat("stdout: ", printable(problem, 500)), "warn"));
}

void Node::takeError(const LineSplitter::Line& line) {
  if (line.text.empty()) return;
  silence_.event();
  spool_->append(spool::noticeOf("log", printable(line.text, kMaxErrorLine) + (line.cut ? " ..." : ""), "warn"));
}

void Node::watchLife(double now) {
  if (!running()) return;
  const auto tell = [this](const std::string& text, const char* level, const char* reason) {
    spool_->append(spool::noticeOf("note", text, level, reason), spool::SpoolWeight::kVital);
  };
  const double end = silence_.endSeconds(), after = silence_.silentAfter(), shown = after < 10 ? std::round(after * 100) / 100 : std::round(after);
  switch (silence_.pass(now)) {
    case Silence::Turn::kNone: return;
    case Silence::Turn::kSilent:
      return tell(strCat("no sign of life for more than ", shown, " s", end > 0 ? strCat("; its host ends it after ", end, " s (node_silent_s)") : ""), "warn", "silent");
    case Silence::Turn::kHeard: return tell(strCat("shows life again after ", std::lround(silence_.lastGap()), " s"), "info", "heard");
    case Silence::Turn::kOver:
      if (!alive()) return;
      endedSilent_ = true;
      ::kill(-pid_, SIGKILL);
  }
}

bool Node::settle(double now) {
  if (!waitStatus_ || settled_ || ((out_ || err_) && now < drainUntil_)) return false;
  out_.close();
  err_.close();
  const NoticeRecord exit = exitNotice();
  if (exit.reason != "ended" && exit.reason != "asked") failed_ = true;
  spool_->tellDropped();
  spool_->append(exit, spool::SpoolWeight::kVital);
  spool_->closeWriter();
  settled_ = true;
  return true;
}

NoticeRecord Node::exitNotice() const {
  const int status = *waitStatus_;
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    if (code == 0) return spool::noticeOf("exit", "ended", "info", "ended");
    return spool::noticeOf("exit", strCat("ended with exit code ", code), "error", "exit_code", code);
  }
  const int signal = WTERMSIG(status);
  NoticeRecord exit = spool::noticeOf("exit", strCat("killed by ", signalText(signal)), "error", "killed", signal);
  if (endedSilent_ && signal == SIGKILL) {
    exit.reason = "silent";
    exit.text = strCat("killed after ", silence_.endSeconds(), " s without a sign of life (node_silent_s)");
  } else if (asked_ && (signal == SIGTERM || signal == SIGKILL)) {
    exit.level = "warn";
    exit.reason = "asked";
    exit.text += " because it did not end when asked";
  } else if (signal == SIGKILL && memoryKills_[0] >= 0 && contain::outOfMemoryKills() > memoryKills_[0]) {
    exit.reason = exit.text = "out of memory";
  }
  return exit;
}

}  // namespace paceline::supervise
