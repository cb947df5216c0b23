// Gloo over TCP as the engine of an aggregation. It has no authentication and no encryption: it listens on the loopback interface, and
// validate() keeps it to runs on one host, where any local user could still connect (engine/comm/README.md). One thread; Gloo has one more.
// It writes to connections that may be closed: the process ignores SIGPIPE, as nodes do.
#pragma once

#include "engine/comm/aggregators/aggregator.h"

namespace paceline::aggregators {

// Gloo's classic algorithms. Its halving and doubling is binary blocks where the world is no power of two.
enum class GlooMethod { kRing, kHalvingDoubling };
AggregationEngine glooEngine(GlooMethod method);

}  // namespace paceline::aggregators
