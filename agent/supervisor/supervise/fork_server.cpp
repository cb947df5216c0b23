#include "agent/supervisor/supervise/fork_server.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "engine/core/base/packets.h"

namespace paceline::supervise {
namespace {

constexpr std::size_t kMaxSaidLine = 8 << 10;
constexpr std::size_t kAhead = 4;  // orders under way, so that it forks the next node while the last one begins; each has three descriptors in the socket

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
    if (!socket_ || !sendPacket(socket_, toPacket(order), {ends.in.get(), ends.out.get(), ends.err.get()})) return lose();
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
    ::kill(-living->second, SIGKILL);  // its group; it is a zombie, so the number cannot belong to anybody else
    forked_.erase(living);
    return tellEnd(report);
  }
  const auto sent = orders_.begin() + static_cast<std::ptrdiff_t>(sent_);
  const auto asked = std::find_if(orders_.begin(), sent, [&](const Order& one) { return one.order.node == report.node; });
  if (asked == sent) throw Error(Errc::kFormat, strCat("the fork server tells of node ", report.node, ", which it was not asked for"));
  const Order order = std::move(*asked);
  orders_.erase(asked);
  --sent_;
  if (report.state == ForkState::kForked) {
    forked_[report.node] = from;
    told_.forked(report.node, from);
  } else if (report.state == ForkState::kRefused) {
    told_.said(strCat("cannot fork: ", report.problem));
    told_.refused(report.node, order.ends);
  } else {
    tellEnd(report);  // before it could say a word
  }
  sendNext();
}

void ForkServer::tellEnd(const ForkReport& report) {
  told_.ended(report.node, report.status);
  if (!socket_ || !sendPacket(socket_, toPacket(ForkOrder{.act = ForkAct::kReap, .node = report.node}))) lose();
}

void ForkServer::lose() {
  socket_.close();
  kill(SIGKILL);
  sent_ = 0;
  for (const Order& order : std::exchange(orders_, {})) told_.refused(order.order.node, order.ends);
  for (const auto& [node, pid] : std::exchange(forked_, {})) told_.ended(node, SIGKILL);  // the kernel kills them with it
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
