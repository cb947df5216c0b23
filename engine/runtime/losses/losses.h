// What a worker does about nodes that are lost. In a decentralised method each worker goes on without its neighbour by itself. Where there are servers all of them must have the same
// members: whoever loses a worker tells the coordinator, the coordinator tells all servers and evaluators, and the worker itself is told wherever a way to it is left, so that it ends.
// Used by the worker's thread.
#pragma once

#include <functional>
#include <set>

#include "engine/algorithms/exchange/neighbours.h"
#include "engine/comm/transport/transport.h"
#include "engine/runtime/setup.h"

namespace paceline {

class Losses {
 public:
  struct Setup {
    const NodeRun& run;
    const RunParts& parts;
    Transport& transport;
    exchange::NeighbourExchange& neighbours;
    std::function<void(int node)> dropped;  // the coordinator's: the servers have been told
  };
  explicit Losses(const Setup& setup) : setup_(setup) {}

  // All throw Error{kPeerLost} where the run has not begun, and dropped() where this worker is meant.
  void lost(int node, bool begun);
  void back(int node);
  void dropped(int node, bool begun);
  void drop(int node);   // by the coordinator, once each
  void again(int node) { changes_ += static_cast<int>(dropped_.erase(node)); }  // it takes part again, so it can be lost again
  const std::set<int>& dropped() const { return dropped_; }
  int changes() const { return changes_; }  // how often dropped() has changed
  // Another process has taken this node's place: the one before is lost, whether that was noticed or not. Throws Error{kFormat} where none can.
  void renewed(int node, bool begun);

 private:
  bool coordinates() const { return setup_.run.node == setup_.parts.coordinator; }
  const std::string& idOf(int node) const { return setup_.run.spec.nodes.at(static_cast<std::size_t>(node)).id; }

  Setup setup_;
  std::set<int> dropped_;  // the coordinator's
  int changes_ = 0;
};

}  // namespace paceline
