#include "agent/supervisor/captured.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include "agent/supervisor/fd.h"

extern char** environ;

namespace paceline {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;

struct Pipe {
  Fd read, write;
  Pipe() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) == 0) read = Fd(ends[0]), write = Fd(ends[1]);
  }
};

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (const std::string_view text = *entry; !added.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  for (const auto& [name, value] : added) all.push_back(name + '=' + value);
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

int spawn(pid_t& pid, std::vector<std::string> command, const std::map<std::string, std::string>& env, const Fd& out, const Fd& err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.get(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, err.get(), 2);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
  std::vector<std::string> variables = environmentWith(env);
  const int problem = ::posix_spawn(&pid, command[0].c_str(), &actions, nullptr, pointersTo(command).data(), pointersTo(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  return problem;
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
  pid_t pid = -1;
  if (const int problem = spawn(pid, command, env, out.write, err.write); problem != 0) return {.code = 127, .output = "", .errors = std::strerror(problem)};
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
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace paceline
