#include "app/cluster/hosts/local_process.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/user_folders.h"

extern char** environ;

namespace paceline::hosts {

namespace {

void closeFd(int& fd) {
  if (fd >= 0) ::close(std::exchange(fd, -1));
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view assignment = *entry;
    if (!added.contains(std::string(assignment.substr(0, assignment.find('='))))) all.emplace_back(assignment);
  }
  return all;
}

// posix_spawn's two argument objects, with default signals and a group of its own: Ctrl-C is for the program that asked, not for its tools.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

// Its stdin is a socket, because writing to a socket whose reader is gone need not raise SIGPIPE.
LocalProcess::LocalProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, std::string host, const std::string& folder)
    : host_(std::move(host)), program_(command.at(0)), output_(strCat(host_, ": ", program_)) {
  int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
  const bool made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) == 0 && ::pipe2(output, O_CLOEXEC) == 0 &&
                    ::pipe2(errors, O_CLOEXEC) == 0;
  int problem = made ? 0 : errno;
  if (made) {
    SpawnSettings settings;
    ::posix_spawn_file_actions_adddup2(&settings.actions, input[1], 0);
    ::posix_spawn_file_actions_adddup2(&settings.actions, output[1], 1);
    ::posix_spawn_file_actions_adddup2(&settings.actions, errors[1], 2);
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&settings.actions, folder.c_str());
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<std::string> assignments = environmentWith(env);
    std::vector<char*> variables;
    for (std::string& assignment : assignments) variables.push_back(assignment.data());
    variables.push_back(nullptr);
    problem = ::posix_spawnp(&pid_, program_.c_str(), &settings.actions, &settings.attributes, arguments.data(), variables.data());
  }
  closeFd(input[1]), closeFd(output[1]), closeFd(errors[1]);
  in_ = input[0], out_ = output[0], err_ = errors[0];
  if (problem == 0) return;
  closeFd(in_), closeFd(out_), closeFd(err_);
  throw Error(Errc::kHost, strCat(host_, ": cannot start ", program_, ": ", std::strerror(problem)));
}

LocalProcess::~LocalProcess() {
  closeFd(in_), closeFd(out_), closeFd(err_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void LocalProcess::readFrom(int& fd) {
  char chunk[64 << 10];
  const ssize_t got = ::read(fd, chunk, sizeof chunk);
  const std::string_view bytes(chunk, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (&fd == &out_) output_.takeOut(bytes);
  else output_.takeErrors(bytes);
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) closeFd(fd);
}

// Waits once for output, errors or, on demand, room in the input; takes what is there.
void LocalProcess::pump(int timeoutMs, bool untilWritable) {
  pollfd polled[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {untilWritable ? in_ : -1, POLLOUT, 0}};
  if (::poll(polled, 3, timeoutMs) < 0) return;
  if (polled[0].revents != 0) readFrom(out_);
  if (polled[1].revents != 0) readFrom(err_);
}

std::optional<std::string> LocalProcess::readLine(double timeoutSeconds) {
  const double deadline = steadySeconds() + timeoutSeconds;
  for (;;) {
    if (auto line = output_.line(out_ < 0)) return line;
    const double left = deadline - steadySeconds();
    if (out_ < 0 || left < 0) return std::nullopt;
    pump(static_cast<int>(std::min(std::ceil(left * 1000), 3.6e6)), false);
  }
}

void LocalProcess::write(std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = in_ < 0 ? -1 : ::send(in_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (in_ >= 0 && (errno == EAGAIN || errno == EINTR)) {
      pump(-1, true);  // it may itself wait for us to read
    } else {
      throw Error(Errc::kHost, strCat(host_, ": ", program_, " does not take input any more"));
    }
  }
}

void LocalProcess::closeInput() { closeFd(in_); }

ProcessEnd LocalProcess::wait() {
  closeInput();
  while (out_ >= 0) {
    pump(-1, false);
    output_.dropLines();
  }
  if (pid_ >= 0) {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  for (pollfd polled{err_, POLLIN, 0}; err_ >= 0 && ::poll(&polled, 1, 0) > 0;) readFrom(err_);
  return {.code = status_, .errors = output_.errors()};
}

namespace {

class LocalHost final : public Host {
 public:
  LocalHost(std::string name, std::map<std::string, std::string> env) : name_(std::move(name)), env_(std::move(env)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Process> start(const std::vector<std::string>& command) override { return std::make_unique<LocalProcess>(command, env_, name_); }

 private:
  std::string name_;
  std::map<std::string, std::string> env_;
};

}  // namespace

std::unique_ptr<Host> localHost(const std::string& name, const std::map<std::string, std::string>& env) {
  return std::make_unique<LocalHost>(name, env);
}

Installation localInstallation() {
  const std::string given = environment("PACELINE_BIN");
  std::error_code error;
  const std::filesystem::path folder =
      !given.empty() ? std::filesystem::path(given) : std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {.folder = folder.string(), .env = {}};
}

std::string localProgram(const std::string& name) {
  const Installation here = localInstallation();
  if (::access(here.program(name).c_str(), X_OK) != 0)
    throw Error(Errc::kHost, strCat("local: ", name, " is not in ", here.folder, "; set PACELINE_BIN to the folder that has it"));
  return here.program(name);
}

}  // namespace paceline::hosts
