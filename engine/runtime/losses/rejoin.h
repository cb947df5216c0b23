// A worker that was lost and takes part again: where a run is resumed, or as another process while it goes on. Its own state is of an earlier round, or on a host that is gone, so it
// stands where the coordinator stands: parameters, versions and momentum, rounds and clock are the coordinator's. Its own are its place in its data, its random stream, its pace and samples; what it owed nobody can know, so it owes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/algorithms/algorithm.h"
#include "engine/comm/transport/message.h"
#include "engine/core/record/state_table.h"

namespace paceline {

struct Joining {
  const StateTable& like;    // the coordinator's
  const StateTable& fresh;   // of this worker before it has done anything
  const StateTable* before;  // its own newest checkpoint, of whatever round; null: it has none
  int node = 0;
  const AlgorithmDef& algorithm;
  std::optional<std::int64_t> samples = {};  // that count as its own; none: as the coordinator has them
};
// What this worker loads. Throws Error{kFormat} for a state of the coordinator's that does not name what a worker's does.
StateTable joined(const Joining& joining);

// Bytes of a state as messages carry them, in this order.
std::vector<Packed> statePieces(const std::string& bytes);

}  // namespace paceline
