#include "app/cli/beside.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/core/base/error.h"

extern char** environ;

namespace paceline::cli {
namespace {

std::string folder() {
  const char* given = std::getenv("PACELINE_BIN");
  if (given != nullptr && *given != '\0') return given;
  std::error_code code;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
  return code ? "." : self.parent_path().string();
}

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string lastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

struct Child {
  pid_t pid = -1;
  int output = -1;  // its stdout and stderr
};

Child spawn(const std::string& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(Errc::kHost, strCat("cannot start ", program, ": ", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  Child child{.pid = -1, .output = ends[0]};
  const int code = ::posix_spawn(&child.pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (code == 0) return child;
  ::close(ends[0]);
  throw Error(Errc::kHost, strCat("cannot start ", program, ": ", std::strerror(code)));
}

}  // namespace

std::string workbenchPath() {
  const std::string path = folder() + "/paceline-workbench";
  if (::access(path.c_str(), X_OK) == 0) return path;
  throw Error(Errc::kHost, strCat("paceline-workbench is not in ", folder(),
                                  ": it was built without PACELINE_GUI; csv and json figures need no window"));
}

void runWorkbench(const std::vector<std::string>& arguments) {
  const std::string program = workbenchPath();
  if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
  const Child child = spawn(program, arguments);
  std::string said;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto n = ::read(child.output, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    said.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(child.output);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFSIGNALED(status) ? strCat("signal ", WTERMSIG(status)) : strCat("exit code ", WEXITSTATUS(status));
  throw Error(Errc::kHost, strCat("paceline-workbench ", arguments.empty() ? "" : arguments.front(), " ended with ", how,
                                  said.empty() ? "" : ": ", lastLine(said)));
}

}  // namespace paceline::cli
