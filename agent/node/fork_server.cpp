#include "agent/node/fork_server.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "engine/core/base/packets.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/control.h"
#include "engine/core/record/forks.h"

namespace paceline::node {
namespace {

[[noreturn]] void fail(const char* what) { throw Error(Errc::kHost, strCat(what, ": ", std::strerror(errno))); }

// A fork copies the calling thread only: what another one holds locked stays locked in the child for ever.
void requireOneThread() {
  std::ptrdiff_t threads = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) threads++;
  if (threads != 1) throw Error(Errc::kHost, strCat("a process of ", threads, " threads cannot be forked"));
}

// In place, because /proc/PID/environ shows the memory that the program was given at its start.
void carryMark(const std::string& mark) {
  char* own = ::getenv(kNodeVariable);
  const std::size_t room = own == nullptr ? 0 : std::strlen(own);
  PACELINE_CHECK(mark.size() <= room, strCat("the mark of a node has ", mark.size(), " bytes, there is room for ", room));
  std::memset(own, 0, room);
  std::memcpy(own, mark.data(), mark.size());
}

class ForkServer {
 public:
  ForkServer() {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, &before_);
    ended_ = Fd(::signalfd(-1, &child, SFD_CLOEXEC));
    if (!ended_) fail("cannot watch child processes");
    supervisor_ = Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));  // stdin will be a node's
    if (!supervisor_) fail("cannot keep the supervisor's socket");
  }

  std::string first() { return receive().text; }

  // true: in a forked node. false: the supervisor is gone.
  bool serve() {
    for (;;) {
      pollfd polled[] = {{supervisor_.get(), POLLIN, 0}, {telling_ < 0 ? ended_.get() : -1, POLLIN, 0}};  // one end at a time
      if (::poll(polled, 2, -1) < 0 && errno != EINTR) fail("cannot poll");
      if (polled[1].revents != 0) {
        signalfd_siginfo info{};
        [[maybe_unused]] const ssize_t got = ::read(ended_.get(), &info, sizeof info);
        tellEnd();
      }
      if (polled[0].revents == 0) continue;
      Packet packet = receive();
      if (packet.text.empty()) return false;
      const ForkOrder order = forkOrderFrom(packet.text);
      if (order.act == ForkAct::kReap)
        reap(order.node);
      else if (forkNode(order, packet.fds))
        return true;
    }
  }

 private:
  Packet receive() {
    std::optional<Packet> packet = receivePacket(supervisor_);
    if (!packet) fail("cannot hear the supervisor");
    return std::move(*packet);
  }
  void say(const ForkReport& report) {
    if (!sendPacket(supervisor_, toPacket(report))) fail("cannot tell the supervisor");
  }

  // Of a child that has ended: it stays a zombie, whose number nobody else gets, until the supervisor knows.
  void tellEnd() {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
    const int code = info.si_status;
    telling_ = nodes_.at(info.si_pid);
    say({.state = ForkState::kEnded, .node = telling_, .status = info.si_code == CLD_EXITED ? W_EXITCODE(code, 0) : W_EXITCODE(0, code)});
  }

  void reap(int node) {
    for (auto child = nodes_.begin(); child != nodes_.end(); ++child)
      if (child->second == node) {
        waitedFor(child->first);
        nodes_.erase(child);
        break;
      }
    telling_ = -1;
    tellEnd();  // signals of one kind that wait are one
  }

  // true: in the child.
  bool forkNode(const ForkOrder& order, std::vector<Fd>& fds) {
    const pid_t self = ::getpid();
    PACELINE_CHECK(fds.size() == 3 || fds.size() == 4, "a node's stdin, stdout and stderr, and its journal");
    requireOneThread();
    const pid_t child = ::fork();
    if (child > 0) nodes_[child] = order.node;
    if (child < 0) say({.state = ForkState::kRefused, .node = order.node, .problem = std::strerror(errno)});
    if (child != 0) return false;
    becomeNode(order, fds, self);
    return true;
  }

  void becomeNode(const ForkOrder& order, std::vector<Fd>& fds, pid_t server) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the server has one thread, so this fires only when it is gone
    if (::getppid() != server) ::_exit(127);
    carryMark(order.mark);
    for (int fd = 0; fd < 3; ++fd) ::dup2(fds[static_cast<std::size_t>(fd)].get(), fd);
    if (fds.size() > 3) ::setenv(kJournalVariable, std::to_string(fds[3].release()).c_str(), 1);
    say({.state = ForkState::kForked, .node = order.node});  // the kernel adds who says it
    supervisor_.close();
    ended_.close();
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  Fd supervisor_, ended_;  // its end of the socket; a signalfd of SIGCHLD
  sigset_t before_{};
  std::map<pid_t, int> nodes_;  // children, by their numbers here
  int telling_ = -1;            // the node whose end the supervisor has been told; -1: none
};

}  // namespace

int serveForks(const std::function<void(const std::string& first)>& load, const std::function<int()>& run) {
  try {
    ForkServer server;
    const std::string first = server.first();
    if (first.empty()) return 0;
    load(first);
    requireOneThread();
    if (!server.serve()) return 0;
  } catch (const std::exception& error) {
    std::cerr << "paceline fork server: " << reasonOf(error) << '\n';
    return 1;
  }
  const int code = run();
  std::cout.flush();
  // Not through the destructors of what the server has loaded: they would touch, and so copy, most of the memory that is shared.
  ::_exit(code);
}

}  // namespace paceline::node
