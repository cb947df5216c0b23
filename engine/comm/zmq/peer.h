// The way to one peer: a DEALER that only sends, the monitor of its connection, and the messages that ZeroMQ has not taken yet.
// Private to the ZeroMQ wire; used by its thread. Throws zmq::error_t, which the wire translates.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <zmq.hpp>

#include "engine/comm/zmq/frames.h"
#include "engine/comm/zmq/pair_keys.h"
#include "engine/comm/zmq/zmq_wire.h"

namespace paceline::zeromq {

// What the kernel knows about a TCP connection that a library made. Reads only; any thread.
struct TcpState {
  std::uint64_t ackedBytes = 0;   // the other side's kernel has them
  std::uint64_t waitingBytes = 0;  // in this kernel: not sent, or not acknowledged
  int unanswered = 0;             // retransmissions and probes in a row without any answer
  double silentSeconds = 0;       // since the last acknowledgement
};

// nullopt: this descriptor is no TCP connection to that endpoint ("tcp://10.0.0.5:40123") any more, or never was.
std::optional<TcpState> tcpState(int descriptor, const std::string& endpoint);

// Every limit that a socket may have; both kinds.
void setZmqLimits(zmq::socket_t& socket, const WireLimits& limits);

class ZmqPeer {
 public:
  struct Address {
    std::string name, endpoint;      // of the peer
    int node = 0;                    // the peer's
    std::string own = {};            // our routing id there
    std::string password = {};       // empty unless frames are sealed; `own` is the name that goes with it
    const PairKeys* keys = nullptr;  // for CURVE; outlives the peer
  };
  ZmqPeer(zmq::context_t& context, FrameCounts& counts, Address address, const WireLimits& limits);
  void sealWith(const Key& sending, const Key& receiving);

  void tryConnect(double now);  // connects, or connects anew when the last try failed a while ago
  void send(Message message);   // never waits; keeps messages for which ZeroMQ has no room
  void flush();
  void readMonitor(double now);
  void heard(MessageKind kind, double now);
  void close(int lingerMs);     // drops the kept messages; afterwards sends go nowhere

  // A lost peer that the run goes on without. Sends go nowhere until returned() says, once, that it could be connected anew; a peer whose
  // frames are sealed stays away, because its stream of frames has a hole.
  void giveUp(double now);
  bool away() const { return away_; }
  bool returned(double now);
  double retryAt() const;  // infinity unless it is away and due to be tried again

  const std::string& name() const { return address_.name; }
  const std::string& endpoint() const { return address_.endpoint; }
  Opener* opener() { return opener_ ? &*opener_ : nullptr; }
  bool connected() const { return state_ == State::kConnected; }
  bool ended() const { return state_ == State::kEnded; }    // was connected and is no more
  bool open() const { return static_cast<bool>(dealer_); }
  std::size_t pending() const { return pending_.size(); }
  // Of the connection; nullopt when it has ended or is a private socket's.
  std::optional<TcpState> tcp() const { return connected() ? tcpState(descriptor_, address_.endpoint) : std::nullopt; }
  // It went without a word: when the connection is gone, no bye was said, and nothing has come for the grace time.
  bool lost(double now) const { return ended() && !saidBye_ && now >= lostAt(); }
  double lostAt() const;        // infinity unless a loss is coming
  zmq::pollitem_t monitorItem() { return {monitor_.handle(), 0, ZMQ_POLLIN, 0}; }
  zmq::pollitem_t sendItem() { return {dealer_.handle(), 0, ZMQ_POLLOUT, 0}; }

 private:
  enum class State { kIdle, kConnecting, kFailed, kConnected, kEnded };
  void protect();
  bool offer(const Message& message);

  zmq::context_t& context_;
  FrameCounts& counts_;
  Address address_;
  WireLimits limits_;
  zmq::socket_t dealer_, monitor_;
  State state_ = State::kIdle;
  bool saidBye_ = false, away_ = false;
  double triedAt_ = 0, endedAt_ = 0, heardAt_ = 0;
  int tries_ = 0;
  int descriptor_ = -1;             // of the connection, ZeroMQ's
  std::deque<Message> pending_;
  std::optional<Frames> ready_;     // of pending_.front(), refused by ZeroMQ; sealed once, so never made again
  std::optional<Sealer> sealer_;
  std::optional<Opener> opener_;
};

}  // namespace paceline::zeromq
