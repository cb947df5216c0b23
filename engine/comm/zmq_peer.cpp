#include "engine/comm/zmq_peer.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr double kRetrySeconds = 0.1;
constexpr double kGraceSeconds = 0.5;        // for a bye that is still under way when the connection has ended
constexpr std::size_t kMaxPending = 1 << 16;  // messages

constexpr int kGoodEvents = ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
constexpr int kBadEvents = ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                           ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;

}  // namespace

std::string zmqRoutingId(int node) { return strCat("n", node); }

void setZmqLimits(zmq::socket_t& socket, const WireLimits& limits) {
  socket.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(kMaxDenseBytes));  // a header frame is shorter
  socket.set(zmq::sockopt::sndhwm, limits.sendQueue);
  socket.set(zmq::sockopt::rcvhwm, limits.receiveQueue);
  socket.set(zmq::sockopt::handshake_ivl, limits.handshakeMs);
  socket.set(zmq::sockopt::connect_timeout, limits.handshakeMs);
  socket.set(zmq::sockopt::heartbeat_ivl, limits.heartbeatMs);
  socket.set(zmq::sockopt::heartbeat_timeout, limits.heartbeatTimeoutMs);
  socket.set(zmq::sockopt::heartbeat_ttl, limits.heartbeatTimeoutMs);
  socket.set(zmq::sockopt::reconnect_ivl, -1);  // a connection that ended is a lost peer, never silently a new one
  socket.set(zmq::sockopt::linger, 0);          // until it is closed in order
}

ZmqPeer::ZmqPeer(zmq::context_t& context, Address address, const WireLimits& limits)
    : context_(context), address_(std::move(address)), routingId_(zmqRoutingId(address_.peer)), limits_(limits) {}

void ZmqPeer::tryConnect(double now) {
  if (state_ != State::kIdle && (state_ != State::kFailed || now < triedAt_ + kRetrySeconds)) return;
  monitor_.close();
  dealer_ = zmq::socket_t(context_, zmq::socket_type::dealer);
  setZmqLimits(dealer_, limits_);
  dealer_.set(zmq::sockopt::ipv6, address_.endpoint.find('[') != std::string::npos);
  dealer_.set(zmq::sockopt::routing_id, zmqRoutingId(address_.self));
  // Messages wait in the pipe for the connection: a node may send and then compute without looking at its wire.
  dealer_.set(zmq::sockopt::immediate, 0);
  const std::string events = strCat("inproc://monitor-", this, "-", tries_++);
  if (zmq_socket_monitor(dealer_.handle(), events.c_str(), kGoodEvents | kBadEvents) != 0) throw zmq::error_t();
  monitor_ = zmq::socket_t(context_, zmq::socket_type::pair);
  monitor_.set(zmq::sockopt::linger, 0);
  monitor_.connect(events);
  dealer_.connect(address_.endpoint);
  state_ = State::kConnecting;
  triedAt_ = now;
}

void ZmqPeer::readMonitor(double now) {
  zmq::message_t event, address;
  while (monitor_ && monitor_.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more()) (void)monitor_.recv(address, zmq::recv_flags::dontwait);
    std::uint16_t kind = 0;
    if (event.size() < sizeof kind) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    if (kind & kGoodEvents) {
      if (state_ == State::kConnecting) state_ = State::kConnected;
    } else if (state_ == State::kConnecting) {
      state_ = State::kFailed;
    } else if (state_ == State::kConnected) {
      state_ = State::kEnded;
      endedAt_ = now;
    }
  }
}

double ZmqPeer::lostAt() const {
  if (!ended() || saidBye_) return std::numeric_limits<double>::infinity();
  return std::max(endedAt_, heardAt_) + kGraceSeconds;
}

void ZmqPeer::heard(MessageKind kind, double now) {
  heardAt_ = now;
  if (kind == MessageKind::kBye) saidBye_ = true;
}

// False: ZeroMQ has no room. Once it takes the header it takes the dense part too, unless the connection just ended; then the message
// is lost with its peer.
bool ZmqPeer::offer(Frames& frames) {
  const auto more = frames.count > 1 ? zmq::send_flags::sndmore : zmq::send_flags::none;
  if (!dealer_.send(frames.header, zmq::send_flags::dontwait | more)) return false;
  if (frames.count > 1) (void)dealer_.send(frames.dense, zmq::send_flags::dontwait);
  return true;
}

void ZmqPeer::flush() {
  if (ended()) pending_.clear();
  while (!pending_.empty() && offer(pending_.front())) pending_.pop_front();
}

void ZmqPeer::send(Frames frames) {
  if (!dealer_ || ended()) return;
  flush();
  if (pending_.empty() && offer(frames)) return;
  if (pending_.size() >= kMaxPending)
    throw Error(Errc::kPeerLost, strCat(address_.name, " takes no messages: ", pending_.size(), " are waiting for it"));
  pending_.push_back(std::move(frames));
}

void ZmqPeer::close(int lingerMs) {
  pending_.clear();
  monitor_.close();
  if (!dealer_) return;
  dealer_.set(zmq::sockopt::linger, ended() ? 0 : lingerMs);
  dealer_.close();
}

}  // namespace paceline
