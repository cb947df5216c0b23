#include "app/cluster/recorder/reach.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstring>
#include <filesystem>
#include <iostream>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/recorder/service.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/user_folders.h"

namespace paceline::recorder {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what, const std::string& path) {
  throw Error(Errc::kHost, strCat("the recorder's ", what, " ", path, ": ", std::strerror(errno)));
}

// A folder that only this user can look into.
bool isPrivate(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid() && (found.st_mode & 077) == 0;
}

// The recorder's folder first; behind it where one is that was started without, or before, the runtime folder.
std::vector<std::string> folders() {
  std::vector<std::string> found;
  const std::string given = environment("XDG_RUNTIME_DIR"), parent = given.empty() ? strCat("/run/user/", ::getuid()) : given;
  if (isPrivate(parent)) found.push_back(parent + "/paceline");
  found.push_back(userCacheFolder() + "/paceline/run");
  return found;
}

// A socket's address holds 107 bytes: it is named below an open folder, whatever that one's path is.
struct Address {
  Fd folder;
  sockaddr_un value{};

  Address(const std::string& path, const std::string& name) : folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder) refuse("folder", path);
    value.sun_family = AF_UNIX;
    std::strncpy(value.sun_path, strCat("/proc/self/fd/", folder.get(), "/", name).c_str(), sizeof value.sun_path - 1);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
};

bool isOurs(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

Fd newSocket() {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) refuse("socket", "cannot be made");
  return socket;
}

// ---- starting a recorder, and being one
constexpr int kMostStarts = 5;        // of recorders that are then not found
constexpr int kKilledExit = 76;       // of `paceline recorder`: somebody killed it before it was ready
constexpr int kLockPollMs = 50;
constexpr double kAcceptPauseSeconds = 0.5;
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

std::string runtimeFolder() {
  const std::string folder = folders().front();
  std::error_code ignored;
  fs::create_directories(fs::path(folder).parent_path(), ignored);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) refuse("folder", folder);
  if (!isPrivate(folder)) throw Error(Errc::kHost, strCat("the recorder's folder ", folder, " must be yours and have mode 0700"));
  return folder;
}

std::string socketName(const std::string& storePath) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(storePath, ignored);
  return sha256Hex(ignored ? storePath : real.string()).substr(0, 24) + ".sock";
}

std::optional<Fd> connectTo(const std::string& storePath) {
  for (const std::string& folder : folders()) {
    if (!isPrivate(folder)) continue;
    const Address address(folder, socketName(storePath));
    Fd socket = newSocket();
    if (::connect(socket.get(), address.get(), sizeof address.value) == 0 && isOurs(socket.get())) return socket;
  }
  return std::nullopt;
}

Listener::Listener(const std::string& storePath) : name_(socketName(storePath)) { bind(); }

Listener::~Listener() {
  struct stat found {};
  if (::stat(path_.c_str(), &found) == 0 && found.st_ino == inode_) ::unlink(path_.c_str());
}

void Listener::bind() {
  const std::string folder = runtimeFolder();
  path_ = strCat(folder, "/", name_);
  const Address address(folder, name_);
  Fd socket = newSocket();
  ::unlink(path_.c_str());
  struct stat made {};
  if (::bind(socket.get(), address.get(), sizeof address.value) != 0 || ::chmod(path_.c_str(), 0600) != 0 || ::listen(socket.get(), 64) != 0 ||
      ::stat(path_.c_str(), &made) != 0)
    refuse("socket", path_);
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  inode_ = made.st_ino;
  socket_ = std::move(socket);
}

int Listener::fd() const { return steadySeconds() < acceptAt_ ? -1 : socket_.get(); }

std::optional<Fd> Listener::accept() {
  Fd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
    acceptAt_ = steadySeconds() + kAcceptPauseSeconds;  // who waits stays in the queue, which would wake us at once again
  if (!socket || !isOurs(socket.get())) return std::nullopt;
  return socket;
}

void Listener::bindAgainWhenGone() {
  struct stat found {};
  try {
    if (path_ == strCat(runtimeFolder(), "/", name_) && ::stat(path_.c_str(), &found) == 0 && found.st_ino == inode_) return;
    bind();
  } catch (const Error&) {  // the folder may be there again the next time
  }
}

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
  Pipe words;  // from the background
  Fd& write = words.write;
  if (const pid_t child = forked(); child > 0) {
    write.close();
    const std::string said = readAll(words.read.get());
    if (said == std::string(1, kReady)) return 0;
    const int status = waitedFor(child);
    std::cerr << (said.empty() ? "paceline: the recorder ended before it was ready\n" : said);
    if (WIFSIGNALED(status)) return kKilledExit;
    return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1;
  }
  ::setsid();
  words.read.close();
  ::close_range(3, static_cast<unsigned>(write.get()) - 1, 0);
  ::close_range(static_cast<unsigned>(write.get()) + 1, ~0U, 0);
  const auto lastWords = [&write](const std::string& text) { writeAll(write.get(), text); };
  try {
    detach(storePath);
    serveHere(storePath, [&] {
      lastWords(std::string(1, kReady));
      write.close();
    });
    ::_exit(0);
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    const std::string text = strCat("paceline: ", error.what(), "\n");
    if (write) lastWords(text);
    std::cerr << text;
    ::_exit(known != nullptr && known->code() == Errc::kLocked ? kLockedExit : 1);
  }
}

}  // namespace paceline::recorder
