#include "agent/supervisor/fd.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace paceline {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;

[[noreturn]] void become(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, const Pipe& out, const Pipe& err) {
  ::dup2(::open("/dev/null", O_RDONLY), 0), ::dup2(out.write.get(), 1), ::dup2(err.write.get(), 2);
  for (const auto& [name, value] : env) ::setenv(name.c_str(), value.c_str(), 1);
  if (::chdir("/") == 0) execute(command);
  writeAll(2, std::strerror(errno));
  ::_exit(127);
}

void take(Fd& from, std::string& into) {
  char chunk[64 << 10];
  const ssize_t got = ::read(from.get(), chunk, sizeof chunk);
  if (got > 0 && into.size() < kMaxOutput) into.append(chunk, static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR)) from.close();
}

}  // namespace

Captured captured(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, double seconds) {
  using Clock = std::chrono::steady_clock;
  Captured result;
  Pipe out, err;
  const pid_t pid = forked();
  if (pid == 0) become(command, env, out, err);
  out.write.close(), err.write.close();
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (out.read || err.read) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd polled[] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
    if (left <= 0 || ::poll(polled, 2, static_cast<int>(std::min<long long>(left, 1 << 30))) == 0) {
      ::kill(pid, SIGKILL);
      break;
    }
    if (polled[0].revents != 0) take(out.read, result.output);
    if (polled[1].revents != 0) take(err.read, result.errors);
  }
  const int status = waitedFor(pid);
  result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace paceline
