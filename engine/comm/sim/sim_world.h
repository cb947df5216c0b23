// Virtual time: every node has a stack of its own, one runs at a time (fibers.h), the scheduler wakes the smallest (time, sequence). Deterministic to the byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/comm/sim/fibers.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/base/clock.h"
#include "engine/core/spec/run_spec.h"

namespace paceline::sim {

class SimWorld {
 public:
  // One link per node; time starts at 0. `names` are for messages; default "node 0" ... `stackBytes`: of every node.
  explicit SimWorld(const std::vector<Emulate>& links, std::vector<std::string> names = {}, std::size_t stackBytes = kStackBytes);
  ~SimWorld();
  Wire& wire(int node);    // messages are delivered by LinkModel; borrowed dense parts are copied when sent
  Clock& clock(int node);
  // Runs all bodies to their end. A body that throws ends the simulation: the others get Error{kPeerLost} naming the node, and the
  // first exception is thrown here. All blocked with nothing under way: Error{kStopped} "simulation is stuck: w0 waits for a message".
  void run(std::vector<std::function<void()>> bodies);
  // Called by the node's body, which ends then: it is lost. Who tolerates that hears of it behind what it has sent; what waits for its link is gone.
  void vanish(int node);
  double now() const;  // after run(): the last event's time
  std::uint64_t events() const;  // so far: messages leaving and arriving, nodes waking

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paceline::sim
