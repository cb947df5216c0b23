// The real wire: one ROUTER bound to an ephemeral port, one DEALER per peer. All sockets belong to the thread that made the wire;
// interrupt() alone may be called from any thread. ZeroMQ's own I/O thread moves the bytes while the node computes. What is protected
// against whom is in engine/comm/README.md.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/comm/transport/transport.h"
#include "engine/core/record/control.h"

namespace paceline::zeromq {

struct WireLimits {
  // Messages per peer that ZeroMQ keeps (high-water marks), each of at most 1 MB. What waits to be sent is memory that the node has
  // anyway, unless frames are sealed; what waits to be received is not: see limitsFor().
  int sendQueue = 256, receiveQueue = 64;
  int handshakeMs = 2000;
  int lingerMs = 10000;   // settle() and closing go on as long as bytes move; they give up after this long without
  int reachMs = 30000;    // connect() gives every peer this long
  int returnMs = 1000;    // between two tries to reach a lost peer
  int silentMs = 20000;   // a host whose kernel answers nothing for so long is gone
  int processes = 0;      // that were this node before: its peers may be gone, and are lost then as if they had been reached; kLost has version 1 where a host says that nobody listens
  int missedMs = 2000;    // so long such a process tries to reach them
  bool plainTcp = false;  // tests and measurements only: unprotected data over TCP
};

// With so many nodes in the run: at most about 1 GB waits to be received, at least 8 messages per peer.
inline WireLimits limitsFor(std::size_t nodes) {
  constexpr int kMessages = 1024, kFewest = 8, kMost = 64;
  return {.receiveQueue = std::clamp(kMessages / std::max(1, static_cast<int>(nodes) - 1), kFewest, kMost)};
}

struct WireCounts {
  std::int64_t droppedMessages = 0;     // from nobody that connect() named, of a connection that counts no more, or not to be opened
  std::int64_t refusedConnections = 0;  // not let in: a wrong key, none, a used greeting, garbage, too slow; one under way counts until it is done
  std::int64_t spoiltConnections = 0;   // ended because a message did not open: altered, repeated, left out or reordered on the way
  std::int64_t sealedBytes = 0, openedBytes = 0;  // wireBytes() of protected messages
};

class BoundWire : public Wire {
 public:
  virtual std::string endpoint() const = 0;  // "tcp://127.0.0.1:40123"
  // Index = node; the own entry is ignored, an empty one is no peer. Call once, after everybody is bound. Returns when all are
  // reached; throws Error{kPeerLost} naming the one that is not within reachMs, Error{kStopped} after interrupt().
  virtual void connect(const std::vector<std::string>& endpoints, const std::vector<std::string>& names) = 0;
  virtual WireCounts counts() const = 0;
};

// Binds on `address` ("127.0.0.1", or "ipc:///dir" for a private socket there), protected as `keys` say. The keys are copied and wiped
// with the wire. Throws Error{kHost} when it cannot or must not (every interface at once; plain over TCP), Error{kFormat} for keys that
// are none.
// `endpoint`: where this node's last process listened; "": anywhere.
std::unique_ptr<BoundWire> bindZmqWire(int self, const std::string& address, const DataKeys& keys = {}, const WireLimits& limits = {}, const std::string& endpoint = "");
// Wakes a blocked receive() of that wire with Error{kStopped}; any thread.
void interrupt(BoundWire& wire);

// What protecting data costs on this host, measured for the run's record: any thread; takes about 20 ms.
// Seconds of one core per byte, sending and receiving together: bytes through TCP inside this host, and sealing and opening them.
struct ProtectionCost {
  double moving = 0, sealing = 0;
};

// `mode` as in DataKeys; 0 sealing for "plain". Buffers of 1 MB, the best of several. Throws Error{kHost} when the host's libraries refuse.
ProtectionCost measureProtection(const std::string& mode);

// "curve over tcp://10.0.0.5: 0.28 GB/s per core; plain would be 5.8 GB/s", "plain over private sockets: 5.8 GB/s per core".
std::string costSentence(const std::string& mode, const std::string& endpoint, const ProtectionCost& cost);
// "curve: 1.2 GB sent, 1.2 GB received; protecting them took about 1.8 s of one core".
std::string spentSentence(const std::string& mode, std::int64_t sealedBytes, std::int64_t openedBytes, const ProtectionCost& cost);

}  // namespace paceline::zeromq
