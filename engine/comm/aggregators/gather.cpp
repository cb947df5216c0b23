#include "engine/comm/aggregators/gather.h"

#include <algorithm>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline::aggregators {

std::vector<Payloads> passAround(Transport& transport, const NodeList& workers, int rank, std::int64_t round, Payloads own) {
  const std::size_t world = workers.size(), me = static_cast<std::size_t>(rank), parts = own.size();
  std::vector<Payloads> all(world);
  all[me] = std::move(own);
  const int next = workers[(me + 1) % world], previous = workers[(me + world - 1) % world];
  for (std::size_t step = 0; step + 1 < world; ++step) {
    const std::size_t going = (me + world - step) % world, coming = (going + world - 1) % world;
    for (std::size_t part = 0; part < parts; ++part)
      transport.send(next, {.kind = MessageKind::kReduce, .shard = static_cast<std::int32_t>(part), .round = round, .version = static_cast<std::int64_t>(going), .packed = all[going][part]});
    for (std::size_t part = 0; part < parts; ++part) {
      Message message = transport.receiveFrom(previous);
      const bool due = message.kind == MessageKind::kReduce && message.round == round && message.shard == static_cast<std::int32_t>(part) && message.version == static_cast<std::int64_t>(coming);
      if (!due || message.packed.empty()) {
        transport.settle();
        throw Error(Errc::kFormat, strCat("node ", previous, " sent a ", kindName(message.kind), " of round ", message.round, ", part ", message.shard, ", of rank ", message.version,
                                          ", where part ", part, " of rank ", coming, " was due in round ", round));
      }
      all[coming].push_back(std::move(message.packed));
    }
  }
  return all;
}

std::vector<ShardRange> gatherParts(std::size_t size) {
  constexpr std::size_t kMost = kMaxDenseBytes / sizeof(Real);
  std::vector<ShardRange> parts;
  for (std::size_t offset = 0; offset < size; offset += kMost) parts.push_back({.offset = offset, .size = std::min(kMost, size - offset)});
  return parts;
}

}  // namespace paceline::aggregators
