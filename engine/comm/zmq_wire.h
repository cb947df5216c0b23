// The real wire: one ROUTER bound to an ephemeral port, one DEALER per peer. All sockets belong to the thread that made the wire;
// interrupt() alone may be called from any thread. ZeroMQ's own I/O thread moves the bytes while the node computes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/comm/wire.h"

namespace paceline {

struct WireLimits {
  int sendQueue = 4096, receiveQueue = 4096;      // messages (high-water marks)
  int handshakeMs = 5000, heartbeatMs = 1000, heartbeatTimeoutMs = 10000, lingerMs = 2000;
  int reachMs = 10000;                            // connect() gives every peer this long
};

class BoundWire : public Wire {
 public:
  virtual std::string endpoint() const = 0;  // "tcp://127.0.0.1:40123"
  // Index = node; the own entry is ignored, an empty one is no peer. Call once, after everybody is bound. Returns when all are
  // reached; throws Error{kPeerLost} naming the one that is not within reachMs, Error{kStopped} after interrupt().
  virtual void connect(const std::vector<std::string>& endpoints, const std::vector<std::string>& names) = 0;
  virtual std::int64_t droppedFromStrangers() const { return 0; }  // messages from nobody that connect() named
};

// Binds on `address` ("127.0.0.1", or "ipc:///dir" for a private socket there). Throws Error{kHost} when it cannot.
std::unique_ptr<BoundWire> bindZmqWire(int self, const std::string& address, const WireLimits& limits = {});
// Wakes a blocked receive() of that wire with Error{kStopped}; any thread.
void interrupt(BoundWire& wire);
// Keep freed memory in the process: messages of 1 MB otherwise cost an mmap, a munmap and page faults each.
void keepFreedMemory();

}  // namespace paceline
