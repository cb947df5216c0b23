#include "agent/supervisor/supervise/node.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>

#include "agent/supervisor/supervise/notice.h"
#include "agent/supervisor/contain/processes.h"
#include "engine/core/base/error.h"

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

}  // namespace

void Node::watch(Watches& watches) {
  if (out_) watches.push_back({out_.get(), POLLIN, [this](short) { readOutput(); }});
  if (err_) watches.push_back({err_.get(), POLLIN, [this](short) { readErrors(); }});
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

void Node::readOutput() {
  const bool open = drain(out_, outLines_);
  while (const auto line = outLines_.next()) takeEvent(*line);
  if (open) return;
  if (const auto line = outLines_.rest()) takeEvent(*line);
  out_.close();
}

void Node::readErrors() {
  const bool open = drain(err_, errLines_);
  while (const auto line = errLines_.next()) takeError(*line);
  if (open) return;
  if (const auto line = errLines_.rest()) takeError(*line);
  err_.close();
}

void Node::takeEvent(const LineSplitter::Line& line) {
  if (line.text.empty()) return;
  std::string problem;
  try {
    const Event event = line.cut ? throw Error(Errc::kFormat, strCat("a line of more than ", kMaxEventLine, " bytes")) : parseEvent(line.text);
    const NoticeRecord* notice = std::get_if<NoticeRecord>(&event);
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
  record(logOf(strCat("stdout: ", printable(problem, 500)), "warn"));
}

void Node::takeError(const LineSplitter::Line& line) {
  if (line.text.empty()) return;
  record(logOf(printable(line.text, kMaxErrorLine) + (line.cut ? " ..." : ""), "warn"));
}

void Node::record(const NoticeRecord& notice) { spool_->append(toLine(Event(notice))); }

void Node::write(const NoticeRecord& notice) {
  spool_->append(toLine(Event(notice)), spool::SpoolWeight::kVital);
}

bool Node::settle(double now) {
  if (!waitStatus_ || settled_ || ((out_ || err_) && now < drainUntil_)) return false;
  out_.close();
  err_.close();
  const NoticeRecord exit = exitNotice();
  if (exit.reason != "ended" && exit.reason != "asked") failed_ = true;
  spool_->tellDropped();
  write(exit);
  spool_->closeWriter();
  settled_ = true;
  return true;
}

NoticeRecord Node::exitNotice() const {
  const int status = *waitStatus_;
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    if (code == 0) return noticeOf("exit", "ended", "info", "ended");
    return noticeOf("exit", strCat("ended with exit code ", code), "error", "exit_code", code);
  }
  const int signal = WTERMSIG(status);
  NoticeRecord exit = noticeOf("exit", strCat("killed by ", signalText(signal)), "error", "killed", signal);
  if (asked_ && (signal == SIGTERM || signal == SIGKILL)) {
    exit.level = "warn";
    exit.reason = "asked";
    exit.text += " because it did not end when asked";
  } else if (signal == SIGKILL && memoryKills_[0] >= 0 && contain::outOfMemoryKills() > memoryKills_[0]) {
    exit.reason = exit.text = "out of memory";
  }
  return exit;
}

}  // namespace paceline::supervise
