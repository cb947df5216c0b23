#include "app/cluster/hosts/local_process.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/core/base/clock.h"
#include "engine/core/base/cpu.h"
#include "engine/core/base/user_folders.h"

extern char** environ;

namespace paceline::hosts {
namespace {

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (const auto& [name, value] : added) all.push_back(name + "=" + value);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view assignment = *entry;
    if (!added.contains(std::string(assignment.substr(0, assignment.find('='))))) all.emplace_back(assignment);
  }
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {  // as exec takes them
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
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

// Its stdin is a socket, because writing to a socket whose reader is gone need not raise SIGPIPE.
LocalProcess::LocalProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& env, std::string host, const std::string& folder)
    : host_(std::move(host)), program_(command.at(0)), output_(strCat(host_, ": ", program_)) {
  int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
  const bool made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) == 0 && ::pipe2(output, O_CLOEXEC) == 0 &&
                    ::pipe2(errors, O_CLOEXEC) == 0;
  int problem = made ? 0 : errno;
  in_ = Fd(input[0]), out_ = Fd(output[0]), err_ = Fd(errors[0]);
  const Fd theirs[] = {Fd(input[1]), Fd(output[1]), Fd(errors[1])};
  if (made) {
    SpawnSettings settings;
    for (int stream = 0; stream < 3; ++stream) ::posix_spawn_file_actions_adddup2(&settings.actions, theirs[stream].get(), stream);
    if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&settings.actions, folder.c_str());
    std::vector<std::string> words = command, assignments = environmentWith(env);
    problem = ::posix_spawnp(&pid_, program_.c_str(), &settings.actions, &settings.attributes, pointersTo(words).data(), pointersTo(assignments).data());
  }
  if (problem != 0) throw Error(Errc::kHost, strCat(host_, ": cannot start ", program_, ": ", std::strerror(problem)));
}

LocalProcess::~LocalProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void LocalProcess::readFrom(Fd& stream) {
  char chunk[64 << 10];
  const ssize_t got = ::read(stream.get(), chunk, sizeof chunk);
  const std::string_view bytes(chunk, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (&stream == &out_) output_.takeOut(bytes);
  else output_.takeErrors(bytes);
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) stream.close();
}

// Waits once for output, errors or, on demand, room in the input; takes what is there.
void LocalProcess::pump(int timeoutMs, bool untilWritable) {
  pollfd polled[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}, {untilWritable ? in_.get() : -1, POLLOUT, 0}};
  if (::poll(polled, 3, timeoutMs) < 0) return;
  if (polled[0].revents != 0) readFrom(out_);
  if (polled[1].revents != 0) readFrom(err_);
}

std::optional<std::string> LocalProcess::readLine(double timeoutSeconds) {
  const double deadline = steadySeconds() + timeoutSeconds;
  for (;;) {
    if (auto line = output_.line(!out_)) return line;
    const double left = deadline - steadySeconds();
    if (!out_ || left < 0) return std::nullopt;
    pump(static_cast<int>(std::min(std::ceil(left * 1000), 3.6e6)), false);
  }
}

void LocalProcess::write(std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = !in_ ? -1 : ::send(in_.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (in_ && (errno == EAGAIN || errno == EINTR)) {
      pump(-1, true);  // it may itself wait for us to read
    } else {
      throw Error(Errc::kHost, strCat(host_, ": ", program_, " does not take input any more", in_ ? strCat(": ", std::strerror(errno)) : ""));
    }
  }
}

void LocalProcess::closeInput() { in_.close(); }

ProcessEnd LocalProcess::wait() {
  closeInput();
  while (out_) {
    pump(-1, false);
    output_.dropLines();
  }
  if (pid_ >= 0) {
    const Fd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));  // none before Linux 5.3
    for (pollfd polled[] = {{err_.get(), POLLIN, 0}, {ended.get(), POLLIN, 0}}; ended && polled[1].revents == 0; polled[0].fd = err_.get()) {
      ::poll(polled, 2, -1);
      if (polled[0].revents != 0) readFrom(err_);  // who has closed its stdout may still say more on stderr than a pipe holds
    }
    const int status = waitedFor(std::exchange(pid_, -1));
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  for (pollfd polled{err_.get(), POLLIN, 0}; err_ && ::poll(&polled, 1, 0) > 0;) readFrom(err_);
  return {.code = status_, .errors = output_.errors()};
}

std::unique_ptr<Host> localHost(const std::string& name, const std::map<std::string, std::string>& env) {
  return std::make_unique<LocalHost>(name, env);
}

Installation localInstallation() {
  const std::string given = environment("PACELINE_BIN");
  std::error_code error;
  const std::filesystem::path folder =
      !given.empty() ? std::filesystem::path(given) : std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {.folder = folder.string(), .env = {}, .aes = hasAesInstructions()};
}

std::string localProgram(const std::string& name) {
  const Installation here = localInstallation();
  if (::access(here.program(name).c_str(), X_OK) != 0)
    throw Error(Errc::kHost, strCat("local: ", name, " is not in ", here.folder, "; set PACELINE_BIN to the folder that has it"));
  return here.program(name);
}

}  // namespace paceline::hosts
