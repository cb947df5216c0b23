// What a node records of its links: what crossed each since the last record, on the levels that this node can count (LinkRecord). Used by the node's thread.
#pragma once

#include <map>

#include "engine/comm/transport/layers.h"
#include "engine/core/record/event.h"
#include "engine/runtime/node_loop.h"

namespace paceline {

class LinkBook {
 public:
  LinkBook(const NodeRun& run, MeteredWire& meter) : run_(run), meter_(meter) {}
  // Of each of the meter's peers with which anything crossed since. `settled`: behind all that was sent, which it waits for.
  void tell(std::int64_t round, double t, bool settled);
  void state(Archive& archive);  // what is told already; for the server's next process

 private:
  const NodeRun& run_;
  MeteredWire& meter_;
  std::map<int, LinkRecord> told_;  // sums, by peer
};

}  // namespace paceline
