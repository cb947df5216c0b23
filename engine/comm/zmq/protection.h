// The protection of one wire: the peers that it admits, the names of nodes, the seals of frames. Private to the ZeroMQ wire; used by its
// thread. Throws Error{kHost} for a protection that is not allowed or not possible here, Error{kFormat} for malformed keys.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <zmq.hpp>

#include "engine/comm/zmq/pair_keys.h"
#include "engine/comm/zmq/peer.h"

namespace paceline::zeromq {

class ZmqProtection {
 public:
  ZmqProtection(const DataKeys& keys, int self, const std::string& address, bool plainTcp);

  bool plain() const { return !keys_; }
  std::size_t nodes() const { return keys_ ? keys_->nodes() : 0; }
  // Names that nobody outside can know keep strangers from taking a node's place.
  std::string routingId(int from, int to) const;
  std::map<std::string, int> guests() const;  // credentials of every other node, for the ZAP authenticator
  void guard(zmq::socket_t& router) const;    // before it is bound
  // The way from this node (at `here`) to another.
  std::unique_ptr<ZmqPeer> peer(zmq::context_t& context, FrameCounts& counts, const std::string& here, ZmqPeer::Address there,
                                const WireLimits& limits) const;

 private:
  int self_;
  bool seals_;
  std::optional<PairKeys> keys_;  // none: plain
};

}  // namespace paceline::zeromq
