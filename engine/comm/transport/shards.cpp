#include "engine/comm/transport/shards.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// The next `size` elements in `count` pieces, equal to within one element; piece i belongs to serverOf(i).
template <class ServerOf>
void cut(std::vector<ShardRange>& shards, std::size_t size, std::size_t count, const ServerOf& serverOf) {
  const std::size_t base = size / count, longer = size % count;
  std::size_t offset = shards.empty() ? 0 : shards.back().offset + shards.back().size;
  for (std::size_t i = 0; i < count; ++i) {
    shards.push_back({.offset = offset, .size = base + (i < longer ? 1 : 0), .server = serverOf(i)});
    offset += shards.back().size;
  }
}

// Where each server's range ends: the running sum of the shares, moved as little as leaves every server an element.
std::vector<std::size_t> endsOf(std::size_t size, const std::vector<double>& shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::size_t> ends;
  double sum = 0;
  std::size_t least = 1;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    PACELINE_CHECK(shares[k] > 0, "a server's share of the parameters");
    sum += shares[k];
    const std::size_t most = size - (shares.size() - 1 - k);
    const auto end = static_cast<std::size_t>(std::llround(static_cast<double>(size) * std::min(1.0, sum / total)));
    ends.push_back(k + 1 == shares.size() ? size : std::clamp(end, least, most));
    least = ends.back() + 1;
  }
  return ends;
}

}  // namespace

std::vector<ShardRange> shardsOf(std::size_t size, const std::vector<int>& serverNodes, const std::vector<double>& shares,
                                 std::size_t maxShardBytes) {
  if (size == 0) return {};
  const std::size_t servers = serverNodes.size();
  const std::size_t longest = maxShardBytes / sizeof(Real);
  PACELINE_CHECK(servers > 0 && longest > 0, "shards need a server and room for an element");
  PACELINE_CHECK(shares.empty() || shares.size() == servers, "every server has a share or none has");
  const auto needed = [longest](std::size_t elements) { return (elements + longest - 1) / longest; };
  std::vector<ShardRange> shards;
  if (shares.empty() || size < servers) {
    // As few as the limit allows, rounded up so that every server gets equally many.
    const std::size_t count = std::min(size, (needed(size) + servers - 1) / servers * servers);
    cut(shards, size, count, [&](std::size_t i) { return serverNodes[i * servers / count]; });
    return shards;
  }
  std::size_t begin = 0;
  const std::vector<std::size_t> ends = endsOf(size, shares);
  for (std::size_t k = 0; k < servers; begin = ends[k++])
    cut(shards, ends[k] - begin, needed(ends[k] - begin), [&](std::size_t) { return serverNodes[k]; });
  return shards;
}

}  // namespace paceline
