#include "agent/supervisor/supervise/fork_server.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/base/clock.h"
#include "engine/core/base/packets.h"

namespace paceline::supervise {
namespace {

constexpr std::size_t kMaxSaidLine = 8 << 10;
constexpr std::size_t kAhead = 4;  // orders under way, so that it forks the next node while the last one begins; each has three or four descriptors in the socket
constexpr double kReportSeconds = 1;  // a server that has not told an end for so long is stopped: the end is told without it

}  // namespace

ForkServer::ForkServer(const Program& program, const std::string& first, contain::Containment& containment, Told told)
    : told_(std::move(told)), lines_(kMaxSaidLine) {
  auto [ours, theirs] = packetSockets();
  Pipe said;
  Fd errors(::fcntl(said.write.get(), F_DUPFD_CLOEXEC, 3));
  askForSenders(ours);
  pid_ = startProgram(program, {.in = std::move(theirs), .out = std::move(said.write), .err = std::move(errors)}, containment);
  socket_ = std::move(ours), said_ = std::move(said.read);
  setNonBlocking(socket_), setNonBlocking(said_);
  if (!sendPacket(socket_, first)) socket_.close();  // it has ended already, as where the loader misses a library: what it said is read, its nodes are refused
}

ForkServer::~ForkServer() { kill(SIGKILL); }

void ForkServer::fork(int node, const std::string& mark, ProgramEnds ends) {
  orders_.push_back({.order = {.act = ForkAct::kFork, .node = node, .mark = mark}, .ends = std::move(ends)});
  sendNext();
}

void ForkServer::sendNext() {
  while (sent_ < std::min(orders_.size(), kAhead)) {
    const auto& [order, ends] = orders_[sent_];
    std::vector<int> given{ends.in.get(), ends.out.get(), ends.err.get()};
    if (ends.journal >= 0) given.push_back(ends.journal);
    if (!socket_ || !sendPacket(socket_, toPacket(order), given)) return lose();
    ++sent_;
  }
}

void ForkServer::watch(Watches& watches) {
  if (socket_) watches.push_back({socket_.get(), POLLIN, [this](short) { hear(); }});
  if (said_)
    watches.push_back({said_.get(), POLLIN, [this](short) {
      const bool open = readLines(said_, lines_);
      while (const auto line = lines_.next()) told_.said(line->text);
      if (!open) said_.close();
    }});
  for (const auto& [node, its] : forked_)
    if (its.process && its.endedAt == 0)
      watches.push_back({its.process.get(), POLLIN, [this, node = node](short) {
        if (const auto living = forked_.find(node); living != forked_.end()) living->second.endedAt = steadySeconds();
      }});
}

void ForkServer::tick(double now) {
  for (auto& [node, its] : forked_)
    if (its.endedAt > 0 && !its.told && now >= its.endedAt + kReportSeconds) {
      its.told = true;
      tellEnd(node, contain::waitStatusOf(its.pid));
    }
}

double ForkServer::nextWake() const {
  double wake = std::numeric_limits<double>::infinity();
  for (const auto& [node, its] : forked_)
    if (its.endedAt > 0 && !its.told) wake = std::min(wake, its.endedAt + kReportSeconds);
  return wake;
}

void ForkServer::hear() {
  try {
    while (socket_) {
      const std::optional<Packet> packet = receivePacket(socket_);
      if (!packet && errno == EAGAIN) return;
      if (!packet || packet->text.empty()) return lose();
      take(forkReportFrom(packet->text), packet->from);
    }
  } catch (const Error& error) {
    told_.said(error.what());
    lose();
  }
}

void ForkServer::take(const ForkReport& report, pid_t from) {
  const auto living = forked_.find(report.node);
  if (report.state == ForkState::kEnded && living != forked_.end()) {
    if (!living->second.told) tellEnd(report.node, report.status);
    forked_.erase(living);
    return reap(report.node);
  }
  const auto sent = orders_.begin() + static_cast<std::ptrdiff_t>(sent_);
  const auto asked = std::find_if(orders_.begin(), sent, [&](const Order& one) { return one.order.node == report.node; });
  if (asked == sent) throw Error(Errc::kFormat, strCat("the fork server tells of node ", report.node, ", which it was not asked for"));
  const Order order = std::move(*asked);
  orders_.erase(asked);
  --sent_;
  if (report.state == ForkState::kForked) {
    forked_[report.node] = {.pid = from, .process = Fd(static_cast<int>(::syscall(SYS_pidfd_open, from, 0)))};
    told_.forked(report.node, from);
  } else if (report.state == ForkState::kRefused) {
    told_.said(strCat("cannot fork: ", report.problem));
    told_.refused(report.node, order.ends);
  } else {
    told_.ended(report.node, report.status);  // before it could say a word
    reap(report.node);
  }
  sendNext();
}

// It is a zombie until the server reaps it, so its number cannot belong to anybody else.
void ForkServer::tellEnd(int node, int waitStatus) {
  ::kill(-forked_.at(node).pid, SIGKILL);  // its group
  told_.ended(node, waitStatus);
}

void ForkServer::reap(int node) {
  if (!socket_ || !sendPacket(socket_, toPacket(ForkOrder{.act = ForkAct::kReap, .node = node}))) lose();
}

void ForkServer::lose() {
  socket_.close();
  kill(SIGKILL);
  sent_ = 0;
  for (const Order& order : std::exchange(orders_, {})) told_.refused(order.order.node, order.ends);
  for (const auto& [node, its] : std::exchange(forked_, {}))
    if (!its.told) told_.ended(node, SIGKILL);  // the kernel kills them with it
}

void ForkServer::kill(int signal) {
  if (pid_ > 0) ::kill(-pid_, signal);
}

bool ForkServer::reaped(pid_t pid) {
  if (pid_ == 0 || pid != pid_) return false;
  pid_ = 0;
  return true;
}

}  // namespace paceline::supervise
