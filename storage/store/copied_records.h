// What a run recorded before the checkpoint that another run goes on from. Any thread with a reader of its own.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/core/record/event.h"
#include "storage/store/store.h"

namespace paceline::store {

// Whatever belongs to a round (rounds, evaluations, edges, metrics) of `nodes` up to and including round `rounds`, in the order in which they came. Their numbers are moved
// below 1, so that they differ from all that a supervisor gives.
std::vector<StampedEvent> recordsUpTo(const StoreReader& store, const std::string& run, const std::set<std::string>& nodes, std::int64_t rounds);

}  // namespace paceline::store
