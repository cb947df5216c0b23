// One node's endpoint as algorithms and aggregators see it: four verbs over a Wire. Used by one thread; borrows the wire and the clock.
// receive*() throw the wire's errors and those of the control handler (Error{kStopped}).
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "engine/comm/transport/message.h"
#include "engine/comm/transport/node_list.h"
#include "engine/core/base/archive.h"
#include "engine/core/base/clock.h"

namespace paceline {

// What a wire knows of its way to one node beyond the messages themselves, since the beginning. Bytes.
struct WayCounts {
  std::int64_t shared = 0;  // of the messages' bytes those that went by memory of one host
  std::int64_t framed = 0;  // that were to cross the connection: the rest, with frames, protection and greetings; 0: none is known
  std::optional<std::int64_t> kernel = {}, again = {};  // that the other side's kernel has acknowledged; that ours sent again. None: no TCP connection
};

// The lowest layer: moves messages between the nodes of one run. Used by one thread. Layers stack: metered, shaped, ZeroMQ or simulated.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual int self() const = 0;                   // node index
  virtual void send(int to, Message message) = 0;  // takes the message; does not wait for the peer
  // The same to each of `nodes` but this one, which is among them. They are in ascending order, and it leaves in that.
  virtual void sendToAll(const NodeList& nodes, const Message& message) {
    for (const int node : nodes)
      if (node != self()) send(node, message);
  }
  // The next message from anybody; nullopt after timeoutSeconds (0: no wait; infinity: waits for one), or earlier after wake() and when there
  // is room that roomIn() did not know of.
  // Throws Error{kPeerLost} naming the node, Error{kStopped} after interrupt(), Error{kFormat} naming the peer that sent garbage.
  virtual std::optional<Message> receive(double timeoutSeconds) = 0;
  // Returns once no borrowed dense memory is read any more: called before buffers go while messages may be under way. Bounded;
  // messages that a peer has not taken by then are dropped. Transport calls it whenever an exchange ends in an exception.
  virtual void settle() {}
  // Before the first receive(): losing one of these nodes is no error but a message kLost from it, once; the wire goes on trying to reach
  // it and says kBack when it does.
  virtual void tolerate(const std::vector<int>& /*nodes*/) {}
  // Another process takes this tolerated node's place: the way to the one before counts no more, what came from it and was not received is dropped, and kBack says when there is a way
  // to the new process.
  virtual void renew(int /*node*/) {}
  // Seconds until a message to this node would leave without waiting for many others; infinity: not known, receive() returns when it is so.
  virtual double roomIn(int /*to*/) { return 0; }
  // `settled`: behind what has been handed to it so far, which it waits for, up to a second.
  virtual WayCounts wayTo(int /*to*/, bool /*settled*/ = false) { return {}; }
  virtual void wake() {}  // any thread: a receive() that waits, or else the next one, returns
};

// A layer passes on what it does not change. It borrows the wire below.
class LayerWire : public Wire {
 public:
  explicit LayerWire(Wire& below) : below_(below) {}
  int self() const override { return below_.self(); }
  void settle() override { below_.settle(); }
  void tolerate(const std::vector<int>& nodes) override { below_.tolerate(nodes); }
  void renew(int node) override { below_.renew(node); }
  double roomIn(int to) override { return below_.roomIn(to); }
  WayCounts wayTo(int to, bool settled) override { return below_.wayTo(to, settled); }
  void wake() override { below_.wake(); }

 protected:
  Wire& below_;
};

void archiveMessage(Archive& archive, Message& message);  // what a receiver sees of it
void archiveMessages(Archive& archive, std::string_view name, std::deque<Message>& messages);
// A vector that messages share. `size`: what it must have when it is loaded; none: the archive says.
void archiveDense(Archive& archive, std::string_view name, Dense& values, std::optional<std::size_t> size = {});

class Transport {
 public:
  Transport(Wire& wire, Clock& clock) : wire_(wire), clock_(clock) {}

  int self() const { return wire_.self(); }
  void send(int to, Message message);
  void nameVector(std::int32_t vector) { vector_ = vector; }  // Message::vector of what send() is given from here on
  void sendToAll(const NodeList& nodes, const Message& message);
  Message receive();                              // from anybody, oldest first
  Message receiveFrom(int peer);                  // from this peer, keeping the others

  Message receiveWanted(const std::function<bool(const Message&)>& wanted);  // the oldest for which it is true, keeping the others

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

  void renew(int node) { wire_.renew(node); }

  // Since construction or restartTimes(). Seconds inside send(); seconds waiting for messages to come.
  double sendSeconds() const { return sendSeconds_; }
  double waitSeconds() const { return waitSeconds_; }
  void restartTimes() { sendSeconds_ = waitSeconds_ = 0; }  // so that sums round the same after a resume

  // Since the last beginWaits(): the longest wait for a message, and whom it was for: the node that caused the message, where that is told and another than
  // this one, else its sender. Waits for one node that follow each other are one.
  struct Wait {
    double seconds = 0;
    int node = -1;  // nobody
  };
  void beginWaits() { longestWait_ = newestWait_ = {}; }
  const Wait& longestWait() const { return longestWait_; }
  void waitGoesOn();  // the message that was received last is not what is waited for: it ends no wait

 private:
  std::optional<Message> fromWire(double timeoutSeconds);
  template <class Wanted>
  std::optional<Message> takeKept(const Wanted& wanted);  // the oldest for which wanted() is true
  Message next();  // waits
  std::optional<Message> meet();  // waits for one message; nullopt: it was control
  bool takeControl(const Message& message);
  Message awaited(Message message);  // ends a wait

  Wire& wire_;
  Clock& clock_;
  std::deque<Message> kept_;
  std::function<void(const Message&)> handler_;
  std::int32_t vector_ = 0;
  double sendSeconds_ = 0, waitSeconds_ = 0;
  double waiting_ = 0;  // so far, for what is being received
  double carried_ = 0;  // waited already, for what is received next
  Wait longestWait_, newestWait_;
  struct {
    double seconds = 0;
    Wait longest, newest;
  } before_;  // the last message that was received
};

// The server's side of an algorithm or aggregation for one shard: a message handler with no thread, socket or clock of its own.
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void send(int to, Message message) = 0;
  virtual double now() const = 0;  // the server's clock, seconds; for receive times
};

class ServerAlgorithm {
 public:
  virtual ~ServerAlgorithm() = default;
  virtual void onMessage(Message message, Outbox& out) = 0;  // one at a time
  // This worker is lost, and nothing more comes from it: nobody waits for it from here on. What it has sent stays. Once for each.
  virtual void left(int /*node*/, Outbox& /*out*/) {}
  // This worker, which had been lost, takes part again and stands where `like` stands, which never left: what is kept by worker is the same for both. When no answer is owed.
  virtual void joined(int /*node*/, int /*like*/) {}
  virtual void state(Archive&) {}                            // everything that outlives a message; for checkpoints, when no answer is owed
  virtual void owed(Archive&) {}                             // behind state(): what has come and is not answered yet; for a server's next process
  virtual Dense parameters() const { return {}; }            // of this shard, where the half holds them; they never change afterwards
};

}  // namespace paceline
