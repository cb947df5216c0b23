// How a flat vector of `size` elements is cut into contiguous shards of at most kShardBytes, and which server owns which.
// Every server gets consecutive shards, at least one when there are enough elements. Without shares all shards are equal to within
// one element; with them a server owns its fraction of the vector to within one element and its shards are equal among themselves.
// Pure: every node computes the same.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/comm/transport/message.h"

namespace paceline {

struct ShardRange {
  std::size_t offset = 0, size = 0;  // elements
  int server = 0;                    // node index
};

// `shares`: what each server owns, in proportion, all > 0; empty: all the same.
std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares = {},
                                 std::size_t maxShardBytes = kShardBytes);

}  // namespace paceline
