// What a worker's round put on the network, so that the sum over a run holds every byte once. Pure; any thread.
#pragma once

#include <span>

#include "storage/store/records.h"

namespace paceline::summary {

// Only workers say what they send and receive. What goes through servers is in their books once, both ways; what goes from worker to
// worker is in two: the sender's and the receiver's. Where an aggregation among workers has servers beside it (a state server), the
// servers' few answers are left out rather than everything else counted twice.
class TrafficRule {
 public:
  TrafficRule(const store::RunRow& run, std::span<const store::NodeRow> nodes);
  std::int64_t bytesOf(const RoundRecord& round) const { return round.bytesSent + (throughServers_ ? round.bytesReceived : 0); }

 private:
  bool throughServers_ = false;
};

// Whether all workers of the run go through the same rounds, as its versions say; nullopt: they do not (imports).
std::optional<bool> recordedSynchronous(const store::RunRow& run);

}  // namespace paceline::summary
