// The way to one peer: a DEALER that only sends, the monitor that tells when its connection ends, and what ZeroMQ has not taken yet.
// Private to the ZeroMQ wire; used by its thread. Throws zmq::error_t, which the wire translates.
#pragma once

#include <deque>
#include <string>

#include <zmq.hpp>

#include "engine/comm/zmq_frames.h"
#include "engine/comm/zmq_wire.h"

namespace paceline {

std::string zmqRoutingId(int node);  // "n3"
// Every limit that a socket may have; both kinds.
void setZmqLimits(zmq::socket_t& socket, const WireLimits& limits);

class ZmqPeer {
 public:
  struct Address {
    int self = 0, peer = 0;      // node indices
    std::string name, endpoint;  // of the peer
  };
  ZmqPeer(zmq::context_t& context, Address address, const WireLimits& limits);

  void tryConnect(double now);  // connects, or connects anew when the last try failed a while ago
  void send(Frames frames);     // never waits; keeps what ZeroMQ has no room for
  void flush();
  void readMonitor(double now);
  void heard(MessageKind kind, double now);
  void close(int lingerMs);     // drops what is kept; afterwards sends go nowhere

  const std::string& name() const { return address_.name; }
  const std::string& endpoint() const { return address_.endpoint; }
  const std::string& routingId() const { return routingId_; }  // of what it sends
  bool connected() const { return state_ == State::kConnected; }
  bool ended() const { return state_ == State::kEnded; }    // was connected and is no more
  bool open() const { return static_cast<bool>(dealer_); }
  bool hasPending() const { return !pending_.empty(); }
  // It went without a word: when the connection is gone, no bye was said, and nothing has come for the grace time.
  bool lost(double now) const { return ended() && !saidBye_ && now >= lostAt(); }
  double lostAt() const;        // infinity unless a loss is coming
  zmq::pollitem_t monitorItem() { return {monitor_.handle(), 0, ZMQ_POLLIN, 0}; }
  zmq::pollitem_t sendItem() { return {dealer_.handle(), 0, ZMQ_POLLOUT, 0}; }

 private:
  enum class State { kIdle, kConnecting, kFailed, kConnected, kEnded };
  bool offer(Frames& frames);

  zmq::context_t& context_;
  Address address_;
  std::string routingId_;
  WireLimits limits_;
  zmq::socket_t dealer_, monitor_;
  State state_ = State::kIdle;
  bool saidBye_ = false;
  double triedAt_ = 0, endedAt_ = 0, heardAt_ = 0;
  int tries_ = 0;
  std::deque<Frames> pending_;
};

}  // namespace paceline
