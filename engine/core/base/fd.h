// File descriptors that close themselves, pipes and child processes. Any thread; what forks: programs with one thread.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/base/error.h"

namespace paceline {

class Fd {  // moves, never copies; -1: none
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

// Both ends; neither survives an exec. Throws Error{kHost}.
struct Pipe {
  Fd read, write;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(Errc::kHost, strCat("cannot make a pipe: ", std::strerror(errno)));
    read = Fd(ends[0]), write = Fd(ends[1]);
  }
};

// Through `write(rest)`, which is like ::write(), until all is taken. false: errno says why it is not.
template <class Write>
bool writeAll(std::string_view bytes, const Write& write) {
  while (!bytes.empty()) {
    const ssize_t written = write(bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}
inline bool writeAll(int fd, std::string_view bytes) {
  return writeAll(bytes, [fd](std::string_view rest) { return ::write(fd, rest.data(), rest.size()); });
}

inline pid_t forked() {  // as fork(); throws Error{kHost}
  const pid_t child = ::fork();
  if (child < 0) throw Error(Errc::kHost, strCat("cannot fork: ", std::strerror(errno)));
  return child;
}

inline int waitedFor(pid_t child) {  // its wait status; -1, which is neither an exit nor a signal: not a child of ours
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

// Becomes another program, found through PATH; returns only when that fails, with errno.
inline void execute(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
}

// What a child said about its start, through a pipe that closes when it becomes another program: an errno, 0: nothing.
inline int reportedProblem(const Fd& report) {
  int problem = 0;
  ssize_t got;
  do got = ::read(report.get(), &problem, sizeof problem);
  while (got < 0 && errno == EINTR);
  return got == sizeof problem ? problem : 0;
}

}  // namespace paceline
