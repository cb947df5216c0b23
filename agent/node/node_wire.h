// A node's wire, bound and protected as its first order says: on an address, or "ipc" for sockets in a private directory that goes with this. Plain data stay inside one host,
// where long vectors lie in memory that the nodes share. What protection costs here is measured and said. Used by the node's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/comm/shm/shared_wire.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/record/control.h"

namespace paceline::node {

// Where a node's last process listened: the next one takes its place.
struct LastProcess {
  std::string endpoint, folder;  // "": there was none
  int processes = 0;             // before this one
};

class NodeWire {
 public:
  // The secret key is wiped from the order.
  NodeWire(Prepare& prepare, const LastProcess& last);
  ~NodeWire();
  NodeWire(const NodeWire&) = delete;
  NodeWire& operator=(const NodeWire&) = delete;

  std::string endpoint() const { return wire_->endpoint(); }
  const std::string& folder() const { return folder_; }  // private; "": none
  Wire& top() { return shared_ ? static_cast<Wire&>(*shared_) : *wire_; }

  // Reaches those that this node speaks to; `told` gets a sentence about what protection costs.
  void connect(const Start& start, const RunSpec& spec, const std::function<void(const std::string&)>& told);
  // Sends what is left, and tells what there was to tell.
  void close(const std::function<void(const char* kind, const std::string& text, const char* level, const char* reason)>& tell);

  void keepFolder() { keeps_ = true; }  // for the next process

 private:
  void leave();

  std::string folder_, mode_;
  bool keeps_ = false;
  std::optional<shm::SharedWire> shared_;  // for who is on this host only
  std::unique_ptr<zeromq::BoundWire> wire_;
  zeromq::ProtectionCost cost_;
};

}  // namespace paceline::node
