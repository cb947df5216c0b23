#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/supervise/run.h"
#include "engine/core/base/secret.h"
#include "engine/core/record/control.h"

namespace paceline::supervise {
namespace {

std::string signalText(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return strCat("signal ", signal, name == nullptr ? "" : strCat(" (SIG", name, ")"));
}

}  // namespace

Node::Node(std::string id, Program program, std::shared_ptr<spool::Spool> spool, double silentSeconds)
    : id_(std::move(id)), program_(std::move(program)), spool_(std::move(spool)), silence_(silentSeconds) {}

Node::~Node() {
  if (alive() && pid_ > 0) ::kill(-pid_, SIGKILL);
}

ProgramEnds Node::open() {
  Pipe in, out, err;
  in_ = std::move(in.write), out_ = std::move(out.read), err_ = std::move(err.read);
  setNonBlocking(in_), setNonBlocking(out_), setNonBlocking(err_);
  begun_ = true;
  return {.in = std::move(in.read), .out = std::move(out.write), .err = std::move(err.write), .journal = program_.journal};
}

void Node::start(const ProgramEnds& ends, contain::Containment& containment) {
  if (program_.command.empty()) throw Error(Errc::kHost, strCat("node ", id(), " has no command"));
  try {
    forked(startProgram(program_, ends, containment));
  } catch (const Error& error) {
    throw Error(error.code(), strCat("node ", id(), ": ", error.what()));
  }
}

void Node::forked(pid_t pid) {
  pid_ = pid;
  countMemoryKills();
  countMemoryKills();
}

void Node::cannotStart(const std::string& why) {
  failed_ = true;
  spool_->append(spool::noticeOf("failed", why, "error"), spool::SpoolWeight::kVital);
}

void Node::countMemoryKills() {
  if (!alive()) return;
  memoryKills_[0] = memoryKills_[1];
  memoryKills_[1] = contain::outOfMemoryKills();
}

void Node::kill(int signal) {
  if (!alive()) return;
  if (pid_ == 0) {  // what it was to be forked from ends, too
    asked_ = true;
    return;
  }
  siginfo_t dead{};  // it may have ended by itself and not be waited for yet: that is the reason then
  const bool isChild = ::waitid(P_PID, static_cast<id_t>(pid_), &dead, WEXITED | WNOHANG | WNOWAIT) == 0;  // else forked by another process
  asked_ = asked_ || !(isChild ? dead.si_pid != 0 : contain::isZombie(pid_));
  ::kill(-pid_, signal);
}

void Node::ended(int waitStatus) {
  waitStatus_ = waitStatus;
  readAgainAt_ = 0;
  drainUntil_ = steadySeconds() + 2;  // whoever else holds its pipes gets this long
  in_.close();
  input_.clear();
}

void Node::mayReturn(int times) {
  restarts_ = times;
  if (times > 0) journal_ = Fd(::memfd_create("paceline-journal", MFD_CLOEXEC));
  if (times > 0 && !journal_) throw Error(Errc::kHost, strCat("node ", id(), ": cannot make memory for its journal: ", std::strerror(errno)));
  program_.journal = journal_.get();
}

// What it said last is read before the next process says anything.
bool Node::returns(int waitStatus, contain::Containment& containment) {
  const bool cutOff = WIFEXITED(waitStatus) && WEXITSTATUS(waitStatus) == kCutOffCode;
  if ((!WIFSIGNALED(waitStatus) && !cutOff) || restarts_ <= 0 || asked_) return false;
  constexpr int kReads = 16;  // more than pipes hold
  for (int i = 0; i < kReads; ++i) {
    if (out_) readEvents();
    if (err_) read(err_, errLines_, &Node::takeError);
  }
  if (!started_) return false;
  NoticeRecord told = exitNotice(waitStatus);
  --restarts_;
  input_.clear();
  try {
    start(open(), containment);
  } catch (const Error& error) {
    spool_->append(spool::noticeOf("log", strCat("cannot be started again: ", error.what()), "error"));
    return false;
  }
  if (std::exchange(endedSilent_, false)) spool_->append(spool::noticeOf("note", "was silent, and is started again", "info", "heard"), spool::SpoolWeight::kVital);
  readAgainAt_ = 0;
  silence_ = Silence(silence_.endSeconds());
  outLines_ = LineSplitter(kMaxEventLine), errLines_ = LineSplitter(kMaxErrorLine);
  spool_->append(spool::noticeOf("log", strCat(told.text, "; its host starts it again, ", restarts_, restarts_ == 1 ? " more time" : " more times", " at most"), "warn", "restarted"), spool::SpoolWeight::kVital);
  return true;
}

void Node::watch(Watches& watches) {
  if (readAgainAt_ <= steadySeconds()) readAgainAt_ = 0;
  if (out_ && readAgainAt_ == 0) watches.push_back({out_.get(), POLLIN, [this](short) { readEvents(); }});
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
      if (input_.empty()) wipe(input_);  // keys were in it
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
  const bool open = readLines(from, lines);
  while (const auto line = lines.next()) (this->*take)(*line);
  if (open) return;
  if (const auto line = lines.rest()) (this->*take)(*line);
  from.close();
}

void Node::readEvents() {
  said_ = 0;
  read(out_, outLines_, &Node::takeEvent);
  const double now = steadySeconds(), pause = pace_.pause(said_, now);
  readAgainAt_ = out_ && pause > 0 ? now + pause : 0;
}

void Node::takeEvent(const LineSplitter::Line& line) {
  said_ += line.text.size() + 1;
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
      if (!alive() || pid_ == 0) return;
      endedSilent_ = true;
      ::kill(-pid_, SIGKILL);
  }
}

bool Node::settle(double now) {
  if (!waitStatus_ || settled_ || ((out_ || err_) && now < drainUntil_)) return false;
  out_.close();
  err_.close();
  const NoticeRecord exit = exitNotice(*waitStatus_);
  if (exit.reason != "ended" && exit.reason != "asked") failed_ = true;
  spool_->tellDropped();
  spool_->append(exit, spool::SpoolWeight::kVital);
  spool_->closeWriter();
  settled_ = true;
  return true;
}

NoticeRecord Node::exitNotice(int status) const {
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    if (code == 0) return spool::noticeOf("exit", "ended", "info", "ended");
    if (code == kCutOffCode) return spool::noticeOf("exit", "was cut off from the others", "error", "cut_off", code);
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
