// The lowest layer: moves messages between the nodes of one run. Used by one thread. Layers stack: metered, shaped, ZeroMQ or simulated.
#pragma once

#include <optional>
#include <vector>

#include "engine/comm/transport/message.h"

namespace paceline {

class Wire {
 public:
  virtual ~Wire() = default;
  virtual int self() const = 0;                   // node index
  virtual void send(int to, Message message) = 0;  // takes the message; does not wait for the peer
  // The next message from anybody; nullopt after timeoutSeconds (0: no wait; infinity: waits for one).
  // Throws Error{kPeerLost} naming the node, Error{kStopped} after interrupt(), Error{kFormat} naming the peer that sent garbage.
  virtual std::optional<Message> receive(double timeoutSeconds) = 0;
  // Returns once no borrowed dense memory is read any more: called before buffers go while messages may be under way. Bounded;
  // messages that a peer has not taken by then are dropped. Transport calls it whenever an exchange ends in an exception.
  virtual void settle() {}
  // Before the first receive(): losing one of these nodes is no error but a message kLost from it, once; the wire goes on trying to reach
  // it and says kBack when it does.
  virtual void tolerate(const std::vector<int>& /*nodes*/) {}
};

}  // namespace paceline
