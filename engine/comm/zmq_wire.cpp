#include "engine/comm/zmq_wire.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <limits>

#include <zmq.hpp>

#include "engine/comm/zmq_peer.h"
#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr int kMessagesPerMonitorRead = 64;  // losses are noticed under load too
constexpr int kMaxSockets = 16384;           // two per peer

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Any thread may raise it; the wire's thread finds it in its poll set.
class Alarm {
 public:
  Alarm() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (fd_ < 0) throw Error(Errc::kHost, strCat("cannot make an eventfd: errno ", errno));
  }
  ~Alarm() { ::close(fd_); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  void raise() {
    raised_.store(true);
    const std::uint64_t one = 1;
    (void)!::write(fd_, &one, sizeof one);
  }
  bool taken() {  // whether it was raised since the last call
    if (!raised_.load(std::memory_order_relaxed) || !raised_.exchange(false)) return false;
    std::uint64_t count = 0;
    (void)!::read(fd_, &count, sizeof count);
    return true;
  }
  zmq::pollitem_t item() const { return {nullptr, fd_, ZMQ_POLLIN, 0}; }

 private:
  int fd_;
  std::atomic<bool> raised_ = false;
};

// False: nothing there. Signals do not end it.
bool receivePart(zmq::socket_t& socket, zmq::message_t& frame, zmq::recv_flags flags) {
  while (zmq_msg_recv(frame.handle(), socket.handle(), static_cast<int>(flags)) < 0) {
    if (zmq_errno() == EAGAIN) return false;
    if (zmq_errno() != EINTR) throw zmq::error_t();
  }
  return true;
}

std::string bindAddress(const std::string& address, int self) {
  if (address.starts_with("ipc://")) return strCat(address, "/", zmqRoutingId(self), ".sock");
  if (address.find(':') != std::string::npos && !address.starts_with('[')) return strCat("tcp://[", address, "]:*");
  return strCat("tcp://", address, ":*");
}

class ZmqWire final : public BoundWire {
 public:
  ZmqWire(int self, const std::string& address, const WireLimits& limits);
  ~ZmqWire() override;

  int self() const override { return self_; }
  std::string endpoint() const override { return endpoint_; }
  void connect(const std::vector<std::string>& endpoints, const std::vector<std::string>& names) override;
  void send(int to, Message message) override;
  std::optional<Message> receive(double timeoutSeconds) override;
  void settle() override;
  std::int64_t droppedFromStrangers() const override { return strangers_; }
  void interrupt() { alarm_.raise(); }

 private:
  void reachAll(double deadline);
  std::optional<Message> take();
  ZmqPeer* sender(const zmq::message_t& routingId, int& node);
  void watch();           // reads the monitors; throws when a peer is lost
  void flush();
  bool hasPending() const;
  void poll(double seconds, bool receiving);
  void letGo();
  void stopIfAsked();

  int self_;
  WireLimits limits_;
  BorrowedCount borrowed_ = 0;  // before the contexts: their threads count it down
  Alarm alarm_;
  // Two contexts, so two I/O threads: what we send is out before our ROUTER closes and the others see us go.
  zmq::context_t receiving_, sending_;
  zmq::socket_t router_;
  std::string endpoint_;
  std::vector<std::unique_ptr<ZmqPeer>> peers_;  // by node; null: none
  bool connected_ = false;
  int sinceWatch_ = 0;
  std::int64_t strangers_ = 0;
};

ZmqWire::ZmqWire(int self, const std::string& address, const WireLimits& limits) : self_(self), limits_(limits) {
  try {
    sending_.set(zmq::ctxopt::max_sockets, kMaxSockets);
    router_ = zmq::socket_t(receiving_, zmq::socket_type::router);
    setZmqLimits(router_, limits_);
    router_.set(zmq::sockopt::router_handover, 0);
    const std::string where = bindAddress(address, self);
    router_.set(zmq::sockopt::ipv6, where.find('[') != std::string::npos);
    router_.bind(where);
    endpoint_ = router_.get(zmq::sockopt::last_endpoint);
  } catch (const zmq::error_t& error) {
    throw Error(Errc::kHost, strCat("cannot listen on ", address, ": ", error.what()));
  }
}

ZmqWire::~ZmqWire() {
  try {
    const double deadline = steadySeconds() + limits_.lingerMs * 1e-3;
    while (hasPending() && steadySeconds() < deadline) {
      poll(deadline - steadySeconds(), false);
      for (const auto& peer : peers_)
        if (peer) peer->readMonitor(steadySeconds());
      flush();
    }
    for (const auto& peer : peers_)
      if (peer) peer->readMonitor(steadySeconds()), peer->close(limits_.lingerMs);
    sending_.close();  // waits until all is sent, at most lingerMs
    router_.close();
    receiving_.close();
  } catch (const std::exception&) {
    // Leaving anyway; members close what is left.
  }
}

void ZmqWire::connect(const std::vector<std::string>& endpoints, const std::vector<std::string>& names) {
  PACELINE_CHECK(!connected_ && endpoints.size() == names.size(), "connect() is called once, with a name for every endpoint");
  peers_.resize(endpoints.size());
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    if (static_cast<int>(i) == self_ || endpoints[i].empty()) continue;
    peers_[i] = std::make_unique<ZmqPeer>(
        sending_, ZmqPeer::Address{.self = self_, .peer = static_cast<int>(i), .name = names[i], .endpoint = endpoints[i]}, limits_);
    try {
      peers_[i]->tryConnect(steadySeconds());
    } catch (const zmq::error_t& error) {
      throw Error(Errc::kHost, strCat("cannot connect to ", names[i], " at \"", endpoints[i], "\": ", error.what()));
    }
  }
  reachAll(steadySeconds() + limits_.reachMs * 1e-3);
  connected_ = true;
}

void ZmqWire::reachAll(double deadline) {
  while (true) {
    const ZmqPeer* missing = nullptr;
    for (const auto& peer : peers_) {
      if (!peer) continue;
      peer->readMonitor(steadySeconds());
      peer->tryConnect(steadySeconds());
      if (!peer->connected() && !peer->ended()) missing = peer.get();
    }
    if (!missing) return;
    stopIfAsked();
    if (steadySeconds() >= deadline)
      throw Error(Errc::kPeerLost,
                  strCat(missing->name(), " cannot be reached at ", missing->endpoint(), " within ", limits_.reachMs, " ms"));
    poll(0.05, false);
  }
}

void ZmqWire::stopIfAsked() {
  if (alarm_.taken()) throw Error(Errc::kStopped, "asked to stop while waiting for a message");
}

void ZmqWire::send(int to, Message message) {
  PACELINE_CHECK(connected_ && to >= 0 && to < static_cast<int>(peers_.size()) && peers_[static_cast<std::size_t>(to)],
                 strCat("send to node ", to, ", which is no peer of node ", self_));
  try {
    peers_[static_cast<std::size_t>(to)]->send(framesOf(message, borrowed_));
  } catch (const zmq::error_t& error) {
    throw Error(Errc::kHost, strCat("cannot send to ", peers_[static_cast<std::size_t>(to)]->name(), ": ", error.what()));
  }
}

ZmqPeer* ZmqWire::sender(const zmq::message_t& routingId, int& node) {
  for (std::size_t i = 0; i < peers_.size(); ++i)
    if (peers_[i] && routingId.to_string_view() == peers_[i]->routingId()) {
      node = static_cast<int>(i);
      return peers_[i].get();
    }
  return nullptr;
}

// What is here; nobody's and strangers' messages are dropped and counted.
std::optional<Message> ZmqWire::take() {
  while (true) {
    zmq::message_t routingId, surplus;
    if (!receivePart(router_, routingId, zmq::recv_flags::dontwait)) return std::nullopt;
    Frames frames{.header = {}, .dense = {}, .count = 0};
    for (bool more = routingId.more(); more; ++frames.count) {
      zmq::message_t& frame = frames.count == 0 ? frames.header : frames.count == 1 ? frames.dense : surplus;
      receivePart(router_, frame, zmq::recv_flags::none);  // a message arrives whole: this does not wait
      more = frame.more();
    }
    int node = -1;
    if (ZmqPeer* peer = sender(routingId, node)) {
      Message message = messageOf(std::move(frames), peer->name());
      message.from = node;
      peer->heard(message.kind, steadySeconds());
      return message;
    }
    ++strangers_;
  }
}

void ZmqWire::watch() {
  const double now = steadySeconds();
  sinceWatch_ = 0;
  for (const auto& peer : peers_) {
    if (!peer) continue;
    peer->readMonitor(now);
    if (peer->lost(now)) throw Error(Errc::kPeerLost, strCat(peer->name(), " is gone: its connection closed"));
  }
}

bool ZmqWire::hasPending() const {
  return std::any_of(peers_.begin(), peers_.end(), [](const auto& peer) { return peer && peer->hasPending() && !peer->ended(); });
}

void ZmqWire::flush() {
  for (const auto& peer : peers_)
    if (peer && peer->hasPending()) peer->flush();
}

// Waits for a change of a connection, room for what is pending, and, unless leaving, the interrupt and (receiving) a message.
void ZmqWire::poll(double seconds, bool receiving) {
  std::vector<zmq::pollitem_t> items;
  if (receiving || !connected_) items.push_back(alarm_.item());
  if (receiving) items.push_back({router_.handle(), 0, ZMQ_POLLIN, 0});
  for (const auto& peer : peers_) {
    if (!peer || !peer->open()) continue;
    items.push_back(peer->monitorItem());
    if (peer->hasPending()) items.push_back(peer->sendItem());
  }
  const double ms = std::ceil(std::clamp(seconds, 0.0, 3600.0) * 1e3);
  try {
    zmq::poll(items, std::chrono::milliseconds(static_cast<long>(ms)));
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) throw;
  }
}

std::optional<Message> ZmqWire::receive(double timeoutSeconds) {
  PACELINE_CHECK(connected_, "receive() before connect()");
  const double deadline = timeoutSeconds > 0 ? steadySeconds() + timeoutSeconds : 0;
  try {
    while (true) {
      stopIfAsked();
      flush();
      if (++sinceWatch_ >= kMessagesPerMonitorRead) watch();
      if (std::optional<Message> message = take()) return message;
      watch();
      const double now = steadySeconds();
      if (now >= deadline) return std::nullopt;
      double until = deadline;
      for (const auto& peer : peers_)
        if (peer) until = std::min(until, peer->lostAt());
      poll(until - now, true);
    }
  } catch (const zmq::error_t& error) {
    throw Error(Errc::kHost, strCat("cannot receive: ", error.what()));
  }
}

// Closed peers drop what they have not sent.
void ZmqWire::letGo() {
  for (const auto& peer : peers_)
    if (peer) peer->close(0);
}

void ZmqWire::settle() {
  const double patience = limits_.lingerMs * 1e-3;
  const double deadline = steadySeconds() + patience;
  bool closed = false;
  try {
    while (borrowed_.load(std::memory_order_acquire) > 0) {
      const double now = steadySeconds();
      for (const auto& peer : peers_) {
        if (!peer) continue;
        peer->readMonitor(now);
        if (peer->ended()) peer->close(0);
      }
      if (now >= deadline && !closed) letGo(), closed = true;
      if (now >= deadline + patience) return;
      flush();
      // ZeroMQ's thread lets go within microseconds of sending or closing; nothing in the poll set tells of it.
      poll(1e-3, false);
    }
  } catch (const zmq::error_t&) {
    letGo();
  }
}

}  // namespace

std::unique_ptr<BoundWire> bindZmqWire(int self, const std::string& address, const WireLimits& limits) {
  return std::make_unique<ZmqWire>(self, address, limits);
}

void interrupt(BoundWire& wire) { dynamic_cast<ZmqWire&>(wire).interrupt(); }

}  // namespace paceline
