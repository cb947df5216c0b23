// One node's endpoint as algorithms and aggregators see it: four verbs over a Wire. Used by one thread; borrows the wire and the clock.
// receive*() throw the wire's errors and those of the control handler (Error{kStopped}).
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "engine/comm/transport/wire.h"
#include "engine/core/base/archive.h"
#include "engine/core/base/clock.h"

namespace paceline {

class Transport {
 public:
  Transport(Wire& wire, Clock& clock) : wire_(wire), clock_(clock) {}

  int self() const { return wire_.self(); }
  void send(int to, Message message);
  Message receive();                              // from anybody, oldest first
  Message receiveFrom(int peer);                  // from this peer, keeping the others

  // Oldest of this kind, keeping the others; waits for one unless done() is true, and asks again after every control message.
  std::optional<Message> receiveKind(MessageKind kind, const std::function<bool()>& done);

  // Control messages go to `handler`, whenever one is met. poll() meets those that are here without waiting.
  void onControl(std::function<void(const Message&)> handler) { handler_ = std::move(handler); }
  void poll();
  // Meets control messages until done() is true, keeping the others; waits.
  void awaitControl(const std::function<bool()>& done);

  // Before buffers go that were lent to send(). Exceptions out of receive*() and poll() have done it already.
  void settle() { wire_.settle(); }

  // Messages that have come and are not taken yet; for checkpoints.
  void state(Archive& archive);

  // Since construction or restartTimes(). Seconds inside send(); seconds waiting for messages to come.
  double sendSeconds() const { return sendSeconds_; }
  double waitSeconds() const { return waitSeconds_; }
  void restartTimes() { sendSeconds_ = waitSeconds_ = 0; }  // so that sums round the same after a resume

 private:
  Message next();  // waits
  std::optional<Message> meet();  // waits for one message; nullopt: it was control
  bool takeControl(const Message& message);

  Wire& wire_;
  Clock& clock_;
  std::deque<Message> kept_;
  std::function<void(const Message&)> handler_;
  double sendSeconds_ = 0, waitSeconds_ = 0;
};

}  // namespace paceline
