// The way to one peer: a DEALER that only sends, the monitor of its connection, and the messages that ZeroMQ has not taken yet. Private to
// the ZeroMQ wire; used by its thread. Throws zmq::error_t, which the wire translates.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <string>

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <zmq.hpp>

#include "engine/comm/transport/message.h"
#include "engine/comm/zmq/connection.h"
#include "engine/comm/zmq/frames.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"

namespace paceline::zeromq {

inline constexpr double kRetrySeconds = 0.1;
inline constexpr std::uint64_t kRefusals = 4;  // that show that nobody will listen there again
inline constexpr double kGraceSeconds = 0.5;        // for a bye that is still under way when the connection has ended
inline constexpr std::size_t kMaxPending = 1 << 16;  // messages

// Behind the last message to a protected peer, which does not answer: 1 kB of padding after 2 s, 4 kB after 4 s, ... together more than a frame can lack.
inline constexpr double kQuietSeconds = 2;
inline constexpr int kPaddings = 6;
inline constexpr std::size_t kFirstPaddingBytes = 1 << 10;
static_assert(kFirstPaddingBytes * ((std::size_t{1} << (2 * kPaddings)) - 1) / 3 > kMaxDenseBytes + kFirstPaddingBytes);

// A host that went silent while nothing is under way is noticed by the kernel: 10 + 4 * 5 s. (ZeroMQ's own heartbeats are off: their answers
// wait behind whatever a busy receiver has not read, so they end connections that are merely slow; and an answer that reaches a sender who
// has just closed in order makes its kernel drop what is still under way.)
inline constexpr int kKeepAliveIdleSeconds = 10, kKeepAliveSeconds = 5, kKeepAliveProbes = 4;
inline constexpr int kConnectMs = 5000;  // of TCP alone
inline constexpr int kBacklog = 1024;    // connections that wait to be taken

// Before a message that may be overtaken is handed to ZeroMQ, at most so many frames wait there, and about so many bytes in the kernel: enough to
// keep the link busy, few enough that what comes later and is needed first does not wait behind them.
inline constexpr std::int64_t kAheadFrames = 1;
inline constexpr int kAheadBytes = 1 << 17;

inline constexpr int kGoodEvents = ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
inline constexpr int kNewsEvents = ZMQ_EVENT_CONNECTED;
inline constexpr int kBadEvents = ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                           ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;

// What the kernel knows about a TCP connection that a library made, from this side. Reads only; any thread.
struct TcpState {
  std::uint64_t ackedBytes = 0;   // the other side's kernel has them; without the SYN, which TCP numbers like a byte
  std::uint64_t againBytes = 0;   // sent again
  std::uint64_t waitingBytes = 0;  // in this kernel: not sent, or not acknowledged
  int unanswered = 0;             // retransmissions and probes in a row without any answer
  double silentSeconds = 0;       // since the last acknowledgement
};

inline int portOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

// nullopt: this descriptor is no TCP connection to that endpoint ("tcp://10.0.0.5:40123") any more, or never was.
inline std::optional<TcpState> tcpState(int descriptor, const std::string& endpoint) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  // The descriptor belongs to ZeroMQ, which may have closed it, and the number may be another file's by now.
  if (descriptor < 0 || ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      !endpoint.ends_with(strCat(':', portOf(address))))
    return std::nullopt;
  tcp_info info{};
  length = sizeof info;
  int waiting = 0;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || ::ioctl(descriptor, SIOCOUTQ, &waiting) != 0) return std::nullopt;
  return TcpState{.ackedBytes = info.tcpi_bytes_acked - std::min<std::uint64_t>(info.tcpi_bytes_acked, 1),
                  .againBytes = info.tcpi_bytes_retrans,
                  .waitingBytes = static_cast<std::uint64_t>(std::max(0, waiting)),
                  .unanswered = std::max<int>(info.tcpi_retransmits, info.tcpi_probes),
                  .silentSeconds = info.tcpi_last_ack_recv * 1e-3};
}

// Every limit that a socket may have; both kinds.
inline void setZmqLimits(zmq::socket_t& socket, const WireLimits& limits) {
  constexpr std::size_t kSealing = 64;  // CURVE adds 33 bytes to a frame, the seal 16
  socket.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(kMaxDenseBytes + kSealing));  // a header frame is shorter
  socket.set(zmq::sockopt::sndhwm, limits.sendQueue);
  socket.set(zmq::sockopt::rcvhwm, limits.receiveQueue);
  socket.set(zmq::sockopt::backlog, kBacklog);
  socket.set(zmq::sockopt::handshake_ivl, limits.handshakeMs);
  socket.set(zmq::sockopt::connect_timeout, kConnectMs);
  socket.set(zmq::sockopt::tcp_keepalive, 1);
  socket.set(zmq::sockopt::tcp_keepalive_idle, kKeepAliveIdleSeconds);
  socket.set(zmq::sockopt::tcp_keepalive_intvl, kKeepAliveSeconds);
  socket.set(zmq::sockopt::tcp_keepalive_cnt, kKeepAliveProbes);
  socket.set(zmq::sockopt::reconnect_ivl, -1);  // a connection that ended is a lost peer, never silently a new one
  socket.set(zmq::sockopt::linger, 0);          // until it is closed in order
}

struct Motion {  // changes as long as something that is sent moves
  std::int64_t queued = 0;
  std::size_t pending = 0;
  std::uint64_t acked = 0, waiting = 0;
  bool allGone() const { return queued == 0 && pending == 0 && waiting == 0; }
  bool operator==(const Motion&) const = default;
};

class ZmqPeer {
 public:
  struct Address {
    std::string name, endpoint;      // of the peer
    int node = 0;                    // the peer's
    std::string here = {};           // our own endpoint, as the peer knows it
    int self = 0;                    // our node
    const PairKeys* keys = nullptr;  // null: plain; outlives the peer
    bool seals = false;              // with keys: AES-GCM, else CURVE
  };

  ZmqPeer(zmq::context_t& context, FrameCounts& counts, Address address, const WireLimits& limits)
      : context_(context), counts_(counts), address_(std::move(address)), limits_(limits) {}

  // Connects, or connects anew when the last try failed a while ago.
  void tryConnect(double now) {
    if (state_ != State::kIdle && (state_ != State::kFailed || now < triedAt_ + (away_ ? limits_.returnMs * 1e-3 : kRetrySeconds))) return;
    endMonitor();
    descriptor_ = -1;
    greeted_ = !address_.endpoint.starts_with("tcp://");  // a private socket is not asked
    dealer_ = zmq::socket_t(context_, zmq::socket_type::dealer);
    setZmqLimits(dealer_, limits_);
    dealer_.set(zmq::sockopt::ipv6, address_.endpoint.find('[') != std::string::npos);
    ++tries_;
    protect();
    // Messages wait in the pipe for the connection: a node may send and then compute without looking at its wire.
    dealer_.set(zmq::sockopt::immediate, 0);
    const std::string events = strCat("inproc://monitor-", this, "-", tries_);
    if (zmq_socket_monitor(dealer_.handle(), events.c_str(), kGoodEvents | kNewsEvents | kBadEvents) != 0) throw zmq::error_t();
    monitor_ = zmq::socket_t(context_, zmq::socket_type::pair);
    monitor_.set(zmq::sockopt::linger, 0);
    monitor_.connect(events);
    dealer_.connect(address_.endpoint);
    state_ = State::kConnecting;
    triedAt_ = now;
  }

  // Never waits; keeps messages for which ZeroMQ has no room.
  void send(Message message) {
    if (!dealer_ || ended() || away_) return;
    sentAt_ = steadySeconds(), paddings_ = 0;
    pass(std::move(message));
  }

  // A frame of which something was left out on the way, or whose length was altered, takes what follows as its own, and its receiver waits for that.
  // Padding makes it whole, however long it says it is: then it does not open, and its connection ends.
  void pad(double now) {
    if (!address_.keys || !connected() || away_ || saidBye_ || !pending_.empty() || sentAt_ == 0 || paddings_ >= kPaddings) return;
    if (now < sentAt_ + kQuietSeconds * (1 << paddings_)) return;
    if (const auto state = tcp(); state && state->waitingBytes > 0) return;  // it is still under way
    const std::size_t bytes = std::min(kFirstPaddingBytes << (2 * paddings_++), kMaxDenseBytes);
    pass({.kind = MessageKind::kPadding, .dense = Dense::made(bytes / sizeof(Real), [](std::span<Real> values) { std::ranges::fill(values, Real{0}); })});
  }

  void flush() {
    if (ended()) pending_.clear(), ready_.reset();
    while (!pending_.empty() && offer(pending_.front())) pending_.pop_front();
  }

  // Seconds, as Wire::roomIn().
  double roomIn() {
    if (!connected() || away_) return 0;  // it takes all, or drops it
    const auto room = [this] { return pending_.empty() && counts_.queued <= kAheadFrames; };
    if (room()) return 0;
    counts_.awaited = true;
    return room() ? 0 : std::numeric_limits<double>::infinity();
  }

  void readMonitor(double now) {
    zmq::message_t event, address;
    while (monitor_ && monitor_.recv(event, zmq::recv_flags::dontwait)) {
      if (event.more()) (void)monitor_.recv(address, zmq::recv_flags::dontwait);
      std::uint16_t kind = 0;
      std::uint32_t value = 0;
      if (event.size() < sizeof kind + sizeof value) continue;
      std::memcpy(&kind, event.data(), sizeof kind);
      std::memcpy(&value, event.data<char>() + sizeof kind, sizeof value);
      if (kind & kNewsEvents) {
        descriptor_ = static_cast<int>(value);
        if (tcpState(descriptor_, address_.endpoint)) (void)::setsockopt(descriptor_, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kAheadBytes, sizeof kAheadBytes);
      } else if (kind & kGoodEvents) {
        if (state_ == State::kConnecting) state_ = State::kConnected, ++connections_;
      } else if (state_ == State::kConnecting) {
        state_ = State::kFailed;
      } else if (state_ == State::kConnected) {
        state_ = State::kEnded;
        endedAt_ = now;
      }
    }
  }

  void heard(MessageKind kind, double now) {
    heardAt_ = now;
    if (kind == MessageKind::kBye) saidBye_ = true;
  }

  // Drops the kept messages; afterwards sends go nowhere.
  void close(int lingerMs) {
    pending_.clear();
    ready_.reset();
    endMonitor();
    if (!dealer_) return;
    dealer_.set(zmq::sockopt::linger, ended() ? 0 : lingerMs);
    dealer_.close();
  }

  // A lost peer that the run goes on without. Sends go nowhere until returned() says, once, that it could be connected anew.
  void giveUp(double now) {
    close(0);
    away_ = true;
    state_ = State::kFailed;
    triedAt_ = now;
  }

  bool returned(double now) {
    if (!away_) return false;
    readMonitor(now);
    tryConnect(now);
    if (!connected()) return false;
    away_ = false;
    return true;
  }

  // Of this and earlier connections; the kernel's where it is the only one. What ZeroMQ frames a part of a message with: 2 bytes, or 9 where it is longer than 255; CURVE makes a box of it (33 bytes more).
  WayCounts way() {
    if (!greeted_) greet();
    WayCounts counts{.framed = framed_};
    if (connections_ != 1) return counts;
    const std::optional<TcpState> now = tcp();
    if (now) counts.kernel = static_cast<std::int64_t>(now->ackedBytes);
    else if (last_) counts.kernel = static_cast<std::int64_t>(last_->ackedBytes + last_->waitingBytes);  // the other side has closed, having got all
    if (now || last_) counts.again = static_cast<std::int64_t>((now ? now : last_)->againBytes);
    return counts;
  }
  bool underWay() {
    const std::optional<TcpState> now = tcp();
    bool handed = pending() == 0 && counts_.queued == 0;
    if (now && connections_ == 1) handed = handed && static_cast<std::int64_t>(now->ackedBytes + now->waitingBytes) >= framed_;  // ZeroMQ writes what is short from a copy, a moment later
    if (connected()) last_ = handed ? now : std::nullopt;
    return connected() && (!handed || (now && now->waitingBytes > 0));
  }

  // Infinity unless it is away and due to be tried again.
  double retryAt() const {
    return away_ && state_ == State::kFailed ? triedAt_ + limits_.returnMs * 1e-3 : std::numeric_limits<double>::infinity();
  }

  // Its host says, again and again, that nobody listens there.
  bool refuses() const { return state_ == State::kFailed && tries_ - before_ >= kRefusals; }

  const std::string& name() const { return address_.name; }
  const std::string& endpoint() const { return address_.endpoint; }
  bool away() const { return away_; }
  bool connected() const { return state_ == State::kConnected; }
  bool ended() const { return state_ == State::kEnded; }    // was connected and is no more
  bool open() const { return static_cast<bool>(dealer_); }
  std::size_t pending() const { return pending_.size(); }
  // Of the connection; nullopt when it has ended or is a private socket's.
  std::optional<TcpState> tcp() const { return connected() ? tcpState(descriptor_, address_.endpoint) : std::nullopt; }
  // It went without a word: when the connection is gone, no bye was said, and nothing has come for the grace time.
  bool lost(double now) const { return ended() && !saidBye_ && now >= lostAt(); }

  // Infinity unless a loss is coming.
  double lostAt() const {
    if (!ended() || saidBye_) return std::numeric_limits<double>::infinity();
    return std::max(endedAt_, heardAt_) + kGraceSeconds;
  }

  zmq::pollitem_t monitorItem() { return {monitor_.handle(), 0, ZMQ_POLLIN, 0}; }
  zmq::pollitem_t sendItem() { return {dealer_.handle(), 0, ZMQ_POLLOUT, 0}; }

 private:
  // Stopped before its reader goes: ZeroMQ loses the memory of an event that nobody can take any more.
  void endMonitor() {
    if (monitor_ && dealer_) (void)zmq_socket_monitor(dealer_.handle(), nullptr, 0);
    monitor_.close();
  }

  enum class State { kIdle, kConnecting, kFailed, kConnected, kEnded };

  void pass(Message message) {
    flush();
    if (pending_.empty() && offer(message)) return;
    if (pending_.size() >= kMaxPending)
      throw Error(Errc::kPeerLost, strCat(address_.name, " takes no messages: ", pending_.size(), " are waiting for it"));
    pending_.push_back(std::move(message));
  }

  // Every connection has a number and a stream of its own.
  void protect() {
    stream_ = {};
    if (!address_.keys) return dealer_.set(zmq::sockopt::routing_id, nodeName(address_.self));
    const PairKeys& keys = *address_.keys;
    if (address_.seals) {
      const Connection connection{.node = address_.self, .number = tries_, .nonce = freshNonce()};
      dealer_.set(zmq::sockopt::plain_username, nodeName(address_.self));
      dealer_.set(zmq::sockopt::plain_password, passwordOf(connection, keys, address_.node));
      stream_.sealer.emplace(sealKey(connection, keys, address_.node, address_.here, address_.endpoint));
      return;
    }
    stream_.numbered = true;
    for (const auto& [option, key] : {std::pair(ZMQ_CURVE_SERVERKEY, &keys.publicKey(address_.node)),
                                      std::pair(ZMQ_CURVE_PUBLICKEY, &keys.publicKey(keys.self())), std::pair(ZMQ_CURVE_SECRETKEY, &keys.secret())})
      if (zmq_setsockopt(dealer_.handle(), option, key->data(), kKeyBytes) != 0) throw zmq::error_t();
  }

  // False: ZeroMQ has no room. Once it takes the header it takes the dense part too, unless the connection just ended; then the message
  // is lost with its peer.
  bool offer(const Message& message) {
    if (!ready_) {
      if (!(dealer_.get(zmq::sockopt::events) & ZMQ_POLLOUT)) return false;
      ready_ = framesOf(message, counts_, stream_);
    }
    const auto more = ready_->count > 1 ? zmq::send_flags::sndmore : zmq::send_flags::none;
    if (!greeted_) greet();
    const std::int64_t framed = framedBytes(ready_->header.size()) + (ready_->count > 1 ? framedBytes(ready_->dense.size()) : 0);  // before ZeroMQ takes them
    if (!dealer_.send(ready_->header, zmq::send_flags::dontwait | more)) return false;
    framed_ += framed;
    if (ready_->count > 1) (void)dealer_.send(ready_->dense, zmq::send_flags::dontwait);
    ready_.reset();
    return true;
  }

  // What had crossed the connection before its first message. Without keys ZeroMQ may still be writing its last
  // word, READY with the socket's type and name (ZMTP 3.1); with keys the other end has answered to it.
  void greet() {
    const std::optional<TcpState> now = tcp();
    if (!now) return;
    greeted_ = true;
    const std::size_t ready = 64 + 2 + (1 + 5) + (1 + 11 + 4 + 6) + (1 + 8 + 4 + nodeName(address_.self).size());
    framed_ += static_cast<std::int64_t>(std::max(now->ackedBytes + now->waitingBytes, address_.keys ? 0 : std::uint64_t{ready}));
  }

  std::int64_t framedBytes(std::size_t part) const {
    constexpr std::size_t kShort = 255, kBox = 33;
    const std::size_t body = part + (stream_.numbered ? kBox : 0);
    return static_cast<std::int64_t>(body + (body <= kShort ? 2 : 9));
  }

  zmq::context_t& context_;
  FrameCounts& counts_;
  Address address_;
  WireLimits limits_;
  zmq::socket_t dealer_, monitor_;
  State state_ = State::kIdle;
  bool saidBye_ = false, away_ = false;
  double triedAt_ = 0, endedAt_ = 0, heardAt_ = 0;
  double sentAt_ = 0;               // the last message that is no padding; 0: none yet
  int paddings_ = 0;                // sent since
  std::int64_t framed_ = 0;         // bytes
  int connections_ = 0;             // so far; the kernel's count is of one
  std::optional<TcpState> last_;    // seen, behind all that was sent; none: it was not looked at then
  bool greeted_ = false;            // framed_ has the connection's greetings
  const std::uint64_t before_ = static_cast<std::uint64_t>(limits_.processes) << 32;  // higher than any connection's of a process before
  std::uint64_t tries_ = before_;   // also the number of the connection
  int descriptor_ = -1;             // of the connection, ZeroMQ's
  std::deque<Message> pending_;
  std::optional<Frames> ready_;     // of pending_.front(), refused by ZeroMQ; a message of the stream once, so never made again
  SendStream stream_;
};

}  // namespace paceline::zeromq
