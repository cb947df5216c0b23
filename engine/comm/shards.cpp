#include "engine/comm/shards.h"

#include <algorithm>

#include "engine/core/error.h"

namespace paceline {

std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, std::size_t maxShardBytes) {
  if (size == 0) return {};
  const std::size_t servers = serverNodes.size();
  const std::size_t longest = maxShardBytes / sizeof(Real);
  PACELINE_CHECK(servers > 0 && longest > 0, "shards need a server and room for an element");
  // As few as the limit allows, rounded up so that every server gets equally many.
  const std::size_t needed = (size + longest - 1) / longest;
  const std::size_t count = std::min(size, (needed + servers - 1) / servers * servers);
  const std::size_t base = size / count, longer = size % count;
  std::vector<ShardRange> shards(count);
  std::size_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    shards[i] = {.offset = offset, .size = base + (i < longer ? 1 : 0), .server = serverNodes[i * servers / count]};
    offset += shards[i].size;
  }
  return shards;
}

}  // namespace paceline
