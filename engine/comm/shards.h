// How a flat vector of `size` elements is cut into contiguous shards of at most kShardBytes, and which server owns which:
// equal to within one element, every server gets consecutive shards, at least one when there are enough elements.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/comm/message.h"

namespace paceline {

struct ShardRange {
  std::size_t offset = 0, size = 0;  // elements
  int server = 0;                    // node index
};

std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, std::size_t maxShardBytes = kShardBytes);

}  // namespace paceline
