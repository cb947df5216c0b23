#include "app/cluster/recorder/start.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/recorder/service.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/base/clock.h"

namespace paceline::recorder {
namespace {

constexpr int kMostStarts = 5;        // of recorders that are then not found
constexpr int kKilledExit = 76;       // of `paceline recorder`: somebody killed it before it was ready
constexpr int kLockPollMs = 50;
constexpr char kReady = 'r';
constexpr std::string_view kName = "paceline: ";  // before what it says

std::string readAll(int fd) {
  std::string text;
  char chunk[1024];
  for (;;) {
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk, static_cast<std::size_t>(got));
  }
}

// `paceline recorder` leaves a recorder in the background and ends; what it says comes through its standard error.
hosts::ProcessEnd startProgram(const std::string& program, const std::string& storePath) {
  try {
    return hosts::LocalProcess({program, "recorder", "--store", storePath}).wait();
  } catch (const Error& error) {
    throw Error(Errc::kHost, strCat("the recorder cannot be started: ", error.what()));
  }
}

double idleSeconds() {
  const std::string given = environment("PACELINE_RECORDER_IDLE_S");
  char* end = nullptr;
  const double value = std::strtod(given.c_str(), &end);
  return end == given.c_str() || value < 0 ? kIdleSeconds : value;
}

// SIGTERM, SIGINT and SIGHUP end it in order: runs go on at their hosts. They are blocked in every thread and waited for in one.
class Signals {
 public:
  Signals() {
    ::signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&set_, signal);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    thread_ = std::jthread([this] {
      int signal = 0;
      ::sigwait(&set_, &signal);
      source_.request_stop();
    });
  }
  ~Signals() { ::pthread_kill(thread_.native_handle(), SIGUSR1); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t set_{};
  std::stop_source source_;
  std::jthread thread_;
};

void serveHere(const std::string& storePath, const std::function<void()>& ready) {
  const Signals signals;
  Service service({.storePath = storePath, .idleSeconds = idleSeconds()});
  ready();
  service.run(signals.token());
}

// The background process: a child of nobody, with no file of whoever started it. Its last words go to a file beside its socket.
void detach(const std::string& storePath) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int log = ::open(strCat(runtimeFolder(), "/", socketName(storePath), ".log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(null, 0), ::dup2(log < 0 ? null : log, 1), ::dup2(log < 0 ? null : log, 2);
  if (null > 2) ::close(null);
  if (log > 2) ::close(log);
  [[maybe_unused]] const int moved = ::chdir("/");
}

}  // namespace

Fd reach(const std::string& storePath, const std::string& program, double lockedSeconds) {
  const std::string starts = program.empty() ? hosts::localInstallation().program("paceline") : program;
  const double until = steadySeconds() + lockedSeconds;
  for (int started = 0; started < kMostStarts;) {
    if (auto socket = connectTo(storePath)) return std::move(*socket);
    const hosts::ProcessEnd end = startProgram(starts, storePath);
    const std::string said = trimmedEnd(end.errors.starts_with(kName) ? end.errors.substr(kName.size()) : end.errors);
    if (end.code == 0 || end.code == kKilledExit) ++started;
    else if (end.code != kLockedExit) throw Error(Errc::kStore, said.empty() ? strCat("the recorder ended with exit code ", end.code) : said);
    else if (steadySeconds() > until) throw Error(Errc::kLocked, said);
    else ::poll(nullptr, 0, kLockPollMs);  // it is just beginning, or just leaving
  }
  throw Error(Errc::kHost, strCat("the recorder of ", storePath, " cannot be reached in ", runtimeFolder()));
}

int serve(const std::string& givenPath, bool foreground) {
  const std::string storePath = std::filesystem::absolute(givenPath).string();
  if (foreground) {
    serveHere(storePath, [] {});
    return 0;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(Errc::kHost, strCat("a pipe cannot be made: ", std::strerror(errno)));
  Fd read(ends[0]), write(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw Error(Errc::kHost, strCat("cannot fork: ", std::strerror(errno)));
  if (child > 0) {
    write.close();
    const std::string said = readAll(read.get());
    if (said == std::string(1, kReady)) return 0;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    std::cerr << (said.empty() ? "paceline: the recorder ended before it was ready\n" : said);
    if (WIFSIGNALED(status)) return kKilledExit;
    return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
  }
  ::setsid();
  read.close();
  ::close_range(3, static_cast<unsigned>(write.get()) - 1, 0);
  ::close_range(static_cast<unsigned>(write.get()) + 1, ~0U, 0);
  const auto lastWords = [&write](const std::string& words) { [[maybe_unused]] const auto written = ::write(write.get(), words.data(), words.size()); };
  try {
    detach(storePath);
    serveHere(storePath, [&] {
      lastWords(std::string(1, kReady));
      write.close();
    });
    ::_exit(0);
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    const std::string words = strCat("paceline: ", error.what(), "\n");
    if (write) lastWords(words);
    std::cerr << words;
    ::_exit(known != nullptr && known->code() == Errc::kLocked ? kLockedExit : 1);
  }
}

}  // namespace paceline::recorder
