#include "agent/supervisor/supervise/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <utility>

#include "agent/supervisor/contain/containment.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/open_files.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/record/control.h"
#include "engine/core/record/dates.h"
#include "engine/core/record/forks.h"

namespace paceline::supervise {
namespace {

constexpr double kFirstClientSeconds = 10;  // for who started it, however busy this host is
constexpr double kSignalGraceSeconds = 2;
constexpr std::size_t kMaxClients = 256;
constexpr double kFolderCheckSeconds = 5;
constexpr double kAcceptPauseSeconds = 0.5;

bool any(const std::map<std::string, std::unique_ptr<Run>>& runs, bool (Run::*is)() const) {
  return std::ranges::any_of(runs, [is](const auto& entry) { return (*entry.second.*is)(); });
}

[[noreturn]] void fail(const std::string& what) { throw Error(Errc::kHost, strCat(what, ": ", std::strerror(errno))); }

}  // namespace

Supervisor::Supervisor(AgentPaths paths, double idleSeconds)
    : paths_(std::move(paths)), idleSeconds_(idleSeconds), idleSince_(steadySeconds() + kFirstClientSeconds) {
  allowManyFiles();
  takeLock();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  containment_ = contain::bestContainment();
  watchSignals();
  killLeftovers();
  makeNodesFolder();
  loadRuns();
  listen();
}

Supervisor::~Supervisor() {
  listener_.close();
  std::error_code ignored;
  if (!nodesFolder_.empty()) std::filesystem::remove_all(nodesFolder_, ignored);
  if (!ownsFolder()) return;
  ::unlink(paths_.socket.c_str());  // before the lock goes: the next one makes its own
  ::unlink(paths_.pidFile.c_str());
}

void Supervisor::takeLock() {
  lock_ = Fd(::open(paths_.lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) fail(strCat("cannot open ", paths_.lockFile));
  while (::flock(lock_.get(), LOCK_EX) != 0)
    if (errno != EINTR) fail(strCat("cannot lock ", paths_.lockFile));
  try {
    replaceFile(paths_.pidFile, strCat(::getpid(), " ", contain::startTimeOf(::getpid()), "\n"), 0600);
  } catch (const Error& error) {  // it is for people, and an old one does not have our start time
    std::cerr << "paceline-agent: " << error.what() << std::endl;
  }
}

void Supervisor::watchSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  signals_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_) fail("cannot watch signals");
}

// Nodes die with their supervisor (PDEATHSIG); what they had started themselves may have stayed.
void Supervisor::killLeftovers() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(paths_.runs, ignored)) {
    try {
      const spool::RunFolder folder = spool::RunFolder::read(entry.path().string());
      if (!folder.cgroup.empty()) contain::killCgroup(folder.cgroup);
    } catch (const Error&) {  // loadRuns tells
    }
  }
  const std::string place = strCat("@", paths_.runs);
  contain::killProcessesOfUser([&](pid_t pid) { return contain::environmentValue(pid, kNodeVariable).ends_with(place); });
}

// A node that is killed leaves its folder, and a supervisor that is killed leaves this one: the next supervisor that makes it here removes both. Not
// below our own folder, because the path of a socket may have 107 bytes only. Where it goes with the user's last session, the next launch makes another.
void Supervisor::makeNodesFolder() {
  if (!nodesFolder_.empty() && isOwnFolder(nodesFolder_)) return;
  nodesFolder_ = strCat(userRuntimeFolder(), "/paceline-nodes-", ::getuid(), "-", sha256Hex(paths_.folder).substr(0, 12));
  std::error_code ignored;
  std::filesystem::remove_all(nodesFolder_, ignored);
  if (::mkdir(nodesFolder_.c_str(), 0700) != 0) nodesFolder_.clear();
  ::setenv(kNodesFolderVariable, nodesFolder_.c_str(), 1);
}

// Somebody may have deleted the folder, and another supervisor may serve a new one of the same name.
bool Supervisor::ownsFolder() const {
  struct stat held{}, there{};
  return ::fstat(lock_.get(), &held) == 0 && ::stat(paths_.lockFile.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
         held.st_dev == there.st_dev;
}

void Supervisor::loadRuns() {
  for (const auto& entry : std::filesystem::directory_iterator(paths_.runs)) {
    try {
      auto run = std::make_unique<Run>(spool::RunFolder::read(entry.path().string()));
      runs_.emplace(run->name(), std::move(run));
    } catch (const Error& error) {
      std::cerr << "paceline-agent: left alone: " << error.what() << std::endl;
    }
  }
}

void Supervisor::listen() {
  ::unlink(paths_.socket.c_str());
  listener_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = paths_.socketAddress();
  if (!listener_ || ::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(paths_.socket.c_str(), 0600) != 0 || ::listen(listener_.get(), 64) != 0)
    fail(strCat("cannot listen on ", paths_.socket));
}

Run& Supervisor::launch(const LaunchRequest& request) {
  if (shuttingDown_) throw Error(Errc::kHost, "the supervisor is shutting down");
  std::vector<Run*> others;
  for (const auto& [name, other] : runs_)
    if (name != request.run && other->active()) others.push_back(other.get());
  if (!request.beside && !others.empty()) throw BusyHost(others.front()->title());
  if (!any(runs_, &Run::active)) beginRecordDates();  // `others` is without this run itself: should it be active, this launch is refused
  makeNodesFolder();
  mayHaveStrays_ = true;
  auto run = std::make_unique<Run>(request, paths_.runs, containment_);
  for (Run* other : others) {
    other->shares(run->title());
    run->shares(other->title());
  }
  return *runs_.insert_or_assign(request.run, std::move(run)).first->second;
}

Run& Supervisor::find(const std::string& run) {
  const auto found = runs_.find(run);
  if (found == runs_.end()) throw Error(Errc::kHost, strCat("run ", run, " is not known to this supervisor"));
  return *found->second;
}

void Supervisor::forget(const std::string& name) {
  const std::string folder = paths_.runs + "/" + name;
  if (!runs_.contains(name) && spool::RunFolder::isRunName(name) && std::filesystem::is_directory(folder)) {
    spool::RunFolder{.run = name, .host = "", .nodes = {}, .path = folder}.remove();  // left alone because it cannot be read
    return;
  }
  Run& run = find(name);
  if (run.active()) throw Error(Errc::kHost, strCat("run ", name, " still runs: end it first"));
  run.forget();  // who follows it reads on: its cursors have the files open
  runs_.erase(name);
}

void Supervisor::shutDown(double graceSeconds) {
  shuttingDown_ = true;
  for (const auto& [name, run] : runs_) run->end(graceSeconds, "shutdown");
}

void Supervisor::accept() {
  Fd connection(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
    if (!std::exchange(toldFull_, true)) std::cerr << "paceline-agent: takes no connection for now: " << std::strerror(errno) << std::endl;
    acceptAt_ = steadySeconds() + kAcceptPauseSeconds;  // it stays in the queue, which would wake us at once again
    return;
  }
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!connection || ::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  if (peer.uid != ::geteuid() && peer.uid != 0) return;
  if (clients_.size() >= kMaxClients) return;  // it sees the end of the stream instead of a greeting
  clients_.push_back(std::make_unique<Client>(std::move(connection),
                                              [this](Client& client, const LineSplitter::Line& line) { return answer(*this, client, line); }));
  clients_.back()->say(greeting(*this));
  toldFull_ = false;
}

void Supervisor::takeSignals() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) shutDown(kSignalGraceSeconds);
  reap();
}

// The group of a dead node is killed while its pid is still a zombie: so the number cannot belong to anybody else.
void Supervisor::reap() {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
    const pid_t pid = info.si_pid;
    for (const auto& [name, run] : runs_)
      if (run->nodeOf(pid) != nullptr) ::kill(-pid, SIGKILL);
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid) return;
    for (const auto& [name, run] : runs_)
      if (run->reaped(pid, status)) break;
  }
}

int Supervisor::pollTimeoutMs() const {
  double wake = idleSince_ + idleSeconds_;
  bool timed = clients_.empty();
  const auto wakeAt = [&](double when) {
    wake = timed ? std::min(wake, when) : when;
    timed = true;
  };
  for (const auto& [name, run] : runs_)
    if (run->active() || run->unwritten()) wakeAt(run->nextWake());
  for (const auto& client : clients_)
    if (const auto when = client->nextWake()) wakeAt(*when);
  if (acceptAt_ > 0) wakeAt(acceptAt_);
  if (!timed) return -1;
  return static_cast<int>(std::clamp(std::ceil((wake - steadySeconds()) * 1000), 0.0, 60'000.0));
}

void Supervisor::pollOnce() {
  Watches watches;
  for (const auto& [name, run] : runs_) run->watch(watches);
  if (steadySeconds() >= acceptAt_) acceptAt_ = 0;
  if (acceptAt_ == 0) watches.push_back({listener_.get(), POLLIN, [this](short) { accept(); }});
  watches.push_back({signals_.get(), POLLIN, [this](short) { takeSignals(); }});
  for (const auto& client : clients_) client->watch(watches);  // last: requests may end nodes and forget runs
  std::vector<pollfd> polled;
  for (const Watch& watch : watches) polled.push_back({watch.fd, watch.events, 0});
  if (::poll(polled.data(), polled.size(), pollTimeoutMs()) < 0 && errno != EINTR) fail("cannot poll");
  for (std::size_t i = 0; i < watches.size(); ++i)
    if (polled[i].revents != 0) watches[i].ready(polled[i].revents);
}

// When no node lives, whatever is below this process was left by one: also what has changed its environment.
void Supervisor::killStrays() {
  if (!mayHaveStrays_ || any(runs_, &Run::alive)) return;
  const auto strays = contain::descendantsOf(::getpid());
  for (const pid_t pid : strays) ::kill(pid, SIGKILL);
  mayHaveStrays_ = !strays.empty();
}

void Supervisor::watchFolder() {
  if (steadySeconds() < nextFolderCheck_) return;
  nextFolderCheck_ = steadySeconds() + kFolderCheckSeconds;
  if (shuttingDown_ || ownsFolder()) return;
  std::cerr << "paceline-agent: the folder " << paths_.folder << " was taken away; ending" << std::endl;
  shutDown(kSignalGraceSeconds);
}

void Supervisor::serve() {
  watchFolder();
  for (const auto& [name, run] : runs_)
    run->tick(std::ranges::any_of(clients_, [&run = run](const auto& client) { return client->follows(run->name()); }));
  killStrays();
  const auto active = [this](const std::string& run) { return runs_.contains(run) && runs_.at(run)->active(); };
  for (const auto& client : clients_) {
    client->keepLease();
    client->pump(active);
  }
  std::erase_if(clients_, [](const auto& client) { return client->gone(); });
  if (!clients_.empty() || any(runs_, &Run::active) || any(runs_, &Run::unwritten)) idleSince_ = steadySeconds();
}

bool Supervisor::mayEnd() {
  if (any(runs_, &Run::active)) return false;
  if (shuttingDown_) return true;
  return clients_.empty() && steadySeconds() - idleSince_ >= idleSeconds_;
}

void Supervisor::run() {
  do {
    pollOnce();
    serve();
  } while (!mayEnd());
}

}  // namespace paceline::supervise
