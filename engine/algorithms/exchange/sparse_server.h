// The server half of one shard for methods that push some entries: values -= scale * entry. It answers with the largest entries of what
// the worker lacks, per layer, or with all values.
//
// What worker i has is kept here as its replica R_i, made by the very additions that the worker makes: R_i += D, D = top of (values - R_i),
// in the same order and precision, so that both hold the same bits for ever. What an answer leaves out stays in values - R_i; nothing
// else needs to be remembered. Published code sums up answers apart from the worker's own additions, so that both drift apart, and
// needs a whole answer every 150 exchanges. Layers that a shard's bounds cut are layers of their own. Memory: the values and, unless
// answers are whole, one replica per worker. Malformed messages throw Error{kFormat} that names the node.
#pragma once

#include <memory>

#include "engine/algorithms/algorithm.h"

namespace paceline::exchange {

// Reads dense_below, values, answer, down_fraction, resync_every.
std::unique_ptr<ServerAlgorithm> makeSparseServer(const ServerSetup& setup);

}  // namespace paceline::exchange
