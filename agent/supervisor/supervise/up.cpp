#include "agent/supervisor/supervise/up.h"

#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "agent/supervisor/contain/containment.h"
#include "agent/supervisor/supervise/supervisor.h"
#include "engine/core/base/user_folders.h"

namespace paceline {
namespace {

std::string hostLabel() {  // up to the first dot, as a socket's path must be short
  utsname name{};
  ::uname(&name);
  const std::string full = name.nodename, label = full.substr(0, full.find('.'));
  return label.empty() || label.find('/') != std::string::npos ? "host" : label;
}

std::string chosenFolder() {
  if (const std::string own = environment("PACELINE_AGENT_DIR"); !own.empty()) return std::filesystem::absolute(own).string();
  const std::string host = hostLabel();
  if (const std::string cache = environment("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/paceline/agent/" + host;
  const std::string home = environment("HOME");
  if (home.empty()) throw Error(Errc::kHost, "neither PACELINE_AGENT_DIR, XDG_CACHE_HOME nor HOME is set");
  return home + "/.cache/paceline/agent/" + host;
}

void makePrivate(const std::string& folder) {
  std::error_code error;
  const auto parent = std::filesystem::path(folder).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(Errc::kHost, strCat("cannot make the agent's folder ", folder, ": ", std::strerror(errno)));
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw Error(Errc::kHost, strCat("the agent's folder ", folder, " is not a folder"));
  if (status.st_uid != ::geteuid())
    throw Error(Errc::kHost, strCat("the agent's folder ", folder, " belongs to user ", status.st_uid, ", not to ", ::geteuid()));
  if ((status.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
    throw Error(Errc::kHost, strCat("cannot make the agent's folder ", folder, " private: ", std::strerror(errno)));
}

}  // namespace

sockaddr_un AgentPaths::socketAddress() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.c_str(), socket.size() + 1);  // agentPaths() checked that it fits
  return address;
}

AgentPaths agentPaths() {
  const std::string folder = chosenFolder();
  AgentPaths paths{.folder = folder,
                   .socket = folder + "/agent.sock",
                   .pidFile = folder + "/agent.pid",
                   .lockFile = folder + "/agent.lock",
                   .upLock = folder + "/up.lock",
                   .logFile = folder + "/agent.log",
                   .runs = folder + "/runs",
                   .checkpoints = folder + "/checkpoints"};
  constexpr std::size_t kLimit = sizeof(sockaddr_un::sun_path) - 1;
  if (paths.socket.size() > kLimit)
    throw Error(Errc::kHost, strCat("the socket's path ", paths.socket, " has ", paths.socket.size(), " bytes, more than the ", kLimit,
                                    " a Unix socket can have; set PACELINE_AGENT_DIR to a shorter folder"));
  makePrivate(folder);
  makePrivate(paths.runs);
  return paths;
}

}  // namespace paceline

namespace paceline::supervise {
namespace {

constexpr int kStartTimeoutMs = 30'000;
constexpr int kLookAgainMs = 500;  // for a supervisor that is another's, while ours does not start
constexpr int kGreetingTimeoutMs = 10'000;
constexpr int kReplyTimeoutMs = 60'000;
constexpr int kLastWordsTimeoutMs = 15'000;

bool isReadable(const Fd& fd, int timeoutMs) {
  pollfd polled{fd.get(), POLLIN, 0};
  return ::poll(&polled, 1, timeoutMs) > 0;
}

struct Line {
  std::string text;  // without its newline; "": it did not come whole
  int problem = 0;   // errno, ETIMEDOUT when nothing came in time; 0: what was read from has ended
};

Line readLine(const Fd& fd, int timeoutMs) {
  std::string line;
  pollfd polled{fd.get(), POLLIN, 0};
  for (char c;;) {
    const int ready = ::poll(&polled, 1, timeoutMs);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return {.text = "", .problem = ETIMEDOUT};
    const ssize_t got = ready < 0 ? -1 : ::read(fd.get(), &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {.text = "", .problem = got < 0 ? errno : 0};
    if (c == '\n') return {.text = std::move(line)};
    line += c;
  }
}

[[noreturn]] void refuse(const std::string& what, int problem) {
  throw Error(Errc::kHost, problem == 0 ? what : strCat(what, ": ", std::strerror(problem)));
}

double idleSeconds() {  // $PACELINE_AGENT_IDLE_S, else 60
  const char* given = std::getenv("PACELINE_AGENT_IDLE_S");
  char* end = nullptr;
  const double value = given == nullptr ? -1 : std::strtod(given, &end);
  return end == given || value < 0 ? 60 : value;
}

// The background child: its own session, nobody's child, nothing inherited but the pipe that says "ready" or what went wrong.
[[noreturn]] void becomeSupervisor(const AgentPaths& paths, int report) {
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  const int null = ::open("/dev/null", O_RDWR);
  const int log = ::open(paths.logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(null, 0), ::dup2(log < 0 ? null : log, 1), ::dup2(log < 0 ? null : log, 2);
  if (report != 3) ::dup2(report, 3);
  ::close_range(4, ~0U, 0);
  ::fcntl(3, F_SETFD, FD_CLOEXEC);
  [[maybe_unused]] const int moved = ::chdir("/");
  const auto tell = [](const std::string& line) {
    writeAll(3, line + "\n");
    ::close(3);
  };
  try {
    ::_exit(contain::guarded([&] { return superviseHere(paths, tell); }));
  } catch (const std::exception& error) {
    std::cerr << "paceline-agent: " << error.what() << std::endl;
    ::_exit(1);
  }
}

// Another that is served meanwhile? Ours would have said "ready" before it greets; it only waits for the lock of that one.
bool isOthersTurn(const AgentPaths& paths, const Fd& report) {
  try {
    return connectToRunning(paths) && !isReadable(report, 0);
  } catch (const Error&) {  // it may still come
    return false;
  }
}

// Returns when one serves: this one, or another.
void startSupervisor(const AgentPaths& paths) {
  Pipe report;
  const pid_t child = forked();
  if (child == 0) becomeSupervisor(paths, report.write.get());
  report.write.close();
  waitedFor(child);
  bool others = false;
  for (const double until = steadySeconds() + kStartTimeoutMs / 1e3; !others && !isReadable(report.read, kLookAgainMs) && steadySeconds() < until;)
    others = isOthersTurn(paths, report.read);
  const std::string said = others ? "" : readLine(report.read, 0).text;
  if (said == "ready") return;
  ::kill(-child, SIGKILL);  // its session's first group
  if (others) return;
  throw Error(Errc::kHost, !said.empty() ? strCat("the supervisor did not start: ", said) : strCat("the supervisor did not start; see ", paths.logFile));
}

// One direction of the bridge. The bytes wait here while the other side does not take them.
struct Lane {
  int from, to;
  char bytes[64 << 10];
  std::size_t begin = 0, end = 0;
  bool open = true;

  short wants(bool reading) const { return static_cast<short>(reading ? (open && begin == end ? POLLIN : 0) : (begin < end ? POLLOUT : 0)); }
  void read() {
    const ssize_t got = ::read(from, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    open = got > 0;
    begin = 0;
    end = got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  bool write() {  // false: nobody takes it
    const ssize_t written = ::write(to, bytes + begin, std::min<std::size_t>(end - begin, 4096));
    if (written < 0) return errno == EINTR || errno == EAGAIN;
    begin += static_cast<std::size_t>(written);
    return true;
  }
};

}  // namespace

int superviseHere(const AgentPaths& paths, const std::function<void(const std::string&)>& tell) {
  bool ready = false;
  try {
    Supervisor supervisor(paths, idleSeconds());
    ready = true;
    tell("ready");
    supervisor.run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "paceline-agent: " << error.what() << std::endl;
    if (!ready) tell(error.what());
    return 1;
  }
}

std::optional<Connection> connectToRunning(const AgentPaths& paths) {
  Connection connection{Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), ""};
  const std::string where = strCat("the supervisor at ", paths.socket);
  if (!connection.socket) refuse(strCat("cannot reach ", where), errno);
  const sockaddr_un address = paths.socketAddress();
  int code = 0;
  do code = ::connect(connection.socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  while (code != 0 && errno == EINTR);
  if (code != 0 && (errno == ENOENT || errno == ECONNREFUSED)) return std::nullopt;
  if (code != 0) refuse(strCat("cannot reach ", where), errno);
  Line line = readLine(connection.socket, kGreetingTimeoutMs);
  if (line.problem != 0) refuse(strCat(where, " does not answer"), line.problem);
  if (line.text.empty()) return std::nullopt;  // it is ending
  connection.greeting = std::move(line.text);
  return connection;
}

Connection connectOrStart(const AgentPaths& paths) {
  if (auto connection = connectToRunning(paths)) return std::move(*connection);
  Fd lock(::open(paths.upLock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) throw Error(Errc::kHost, strCat("cannot open ", paths.upLock, ": ", std::strerror(errno)));
  while (::flock(lock.get(), LOCK_EX) != 0)
    if (errno != EINTR) throw Error(Errc::kHost, strCat("cannot lock ", paths.upLock, ": ", std::strerror(errno)));
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (auto connection = connectToRunning(paths)) return std::move(*connection);  // somebody else was first
    startSupervisor(paths);
  }
  throw Error(Errc::kHost, strCat("no supervisor stays at ", paths.socket, "; see ", paths.logFile));
}

std::string ask(const Connection& connection, const std::string& request) {
  Line reply = writeAll(connection.socket.get(), request + "\n") ? readLine(connection.socket, kReplyTimeoutMs) : Line{.text = "", .problem = errno};
  if (reply.text.empty()) refuse(reply.problem != 0 ? "the supervisor did not answer" : "the supervisor closed the connection without an answer", reply.problem);
  return std::move(reply.text);
}

void bridge(const Connection& connection) {
  if (!writeAll(STDOUT_FILENO, connection.greeting + "\n")) return;
  Lane up{.from = STDIN_FILENO, .to = connection.socket.get(), .bytes = {}};
  Lane down{.from = connection.socket.get(), .to = STDOUT_FILENO, .bytes = {}};
  bool gone = false;
  while (down.open || down.begin < down.end) {
    if (!up.open && up.begin == up.end) ::shutdown(up.to, SHUT_WR);  // no more requests: the supervisor answers what it has and closes
    pollfd polled[] = {{up.from, up.wants(true), 0}, {up.to, up.wants(false), 0}, {down.from, down.wants(true), 0}, {down.to, down.wants(false), 0}};
    for (pollfd& entry : polled)
      if (entry.events == 0 && (gone || &entry != &polled[2])) entry.fd = -1;  // that the supervisor goes is seen while nobody takes its words
    const int ready = ::poll(polled, 4, gone ? kLastWordsTimeoutMs : -1);
    if (ready == 0 || (ready < 0 && errno != EINTR)) return;
    gone = gone || (polled[2].revents & POLLHUP) != 0;
    if (polled[0].revents != 0) up.read();
    if (polled[1].revents != 0 && !up.write()) return;
    if (polled[2].events != 0 && polled[2].revents != 0) down.read();
    if (polled[3].revents != 0 && !down.write()) return;
  }
}

}  // namespace paceline::supervise
