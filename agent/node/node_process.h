// The common part of every node process, worker or server: orders come as lines on stdin, events leave as lines on stdout.
// The line protocol is in agent/README.md.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/comm/zmq/protection_cost.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/record/control.h"
#include "engine/core/record/event.h"
#include "engine/runtime/checkpoints.h"

namespace paceline::node {

// Any thread. Each event is one line, written at once. Throws Error{kFile} when nobody reads any more.
class EventOutput {
 public:
  void write(const Event& event);
  void notice(std::string kind, std::string text, std::string level = "info", std::string reason = {});

 private:
  std::mutex mutex_;  // one line at a time on stdout
};

// Reads stdin on a thread of its own until it ends or this goes.
class ControlInput {
 public:
  explicit ControlInput(EventOutput& output);
  ~ControlInput();

  // The next order, which must be a Prepare or a Start. nullopt: asked to stop before it came. Throws Error{kFormat} for a line
  // that is no order.
  template <class Order>
  std::optional<Order> expect(const char* name) {
    std::optional<std::string> line = next();
    if (!line) return std::nullopt;
    return expected<Order>(std::move(*line), name);
  }
  const std::atomic<bool>& askedToStop() const { return asked_; }

 private:
  template <class Order>
  static Order expected(std::string line, const char* name);  // wipes the line: it may hold keys
  std::optional<std::string> next();
  void read(std::stop_token stop);
  void take(std::string line);
  void ask();

  EventOutput& output_;
  int wake_ = -1;  // eventfd: ends the reading thread
  std::atomic<bool> asked_ = false;
  std::mutex mutex_;  // guards lines_
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::jthread reader_;
};

// A wire bound and protected as the order says: on an address, or "ipc" for sockets in a private directory that goes with this. Plain data
// stay inside one host. What protection costs here is measured and said.
class NodeWire {
 public:
  explicit NodeWire(Prepare& prepare);  // the secret key is wiped from the order
  ~NodeWire();
  NodeWire(const NodeWire&) = delete;
  NodeWire& operator=(const NodeWire&) = delete;
  zeromq::BoundWire& wire() { return *wire_; }
  void connect(const Start& start, const RunSpec& spec, EventOutput& output);
  void close(EventOutput& output);  // sends what is left

 private:
  std::string folder_, mode_;
  std::unique_ptr<zeromq::BoundWire> wire_;
  zeromq::ProtectionCost cost_;
};

// Where this node's checkpoints are, as its first order says.
class NodeFolders {
 public:
  explicit NodeFolders(const Prepare& prepare);
  CheckpointFolder* checkpoints() { return own_ ? &*own_ : nullptr; }
  const CheckpointFolder* resume() const { return from_ ? &*from_ : nullptr; }
  const CheckpointFolder* follow() const { return followed_ ? &*followed_ : nullptr; }  // those of the evaluating worker, on this host

 private:
  std::optional<CheckpointFolder> own_, from_, followed_;
};

// Runs the node's life and says how it ended: a "finished" notice with the reason that `life` returns and exit code 0, or a
// "failed" notice with one sentence and exit code 1.
int runNode(const std::function<std::string(ControlInput&, EventOutput&)>& life);

}  // namespace paceline::node
