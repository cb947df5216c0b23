// All-gather of packed vectors: every worker gets what each has, unsummed. For methods whose contributions do not add up on the way, as the largest coefficients that
// each has picked for itself. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/transport.h"

namespace paceline::aggregators {

using Payloads = std::vector<Packed>;  // of one worker's vector, a payload for each of its parts

class Gatherer {
 public:
  virtual ~Gatherer() = default;
  // All workers call it with the same round and parts, the vector's shards; by rank, the own ones among them; empty what a lost worker did not send. Throws Error{kFormat} naming the node of what was not due.
  virtual std::vector<Payloads> gather(Transport& transport, std::int64_t round, std::span<const ShardRange> parts, Payloads own) = 0;
};

// Where there is no server: around the ring of ranks, N - 1 times one worker's payloads out of each and into each. Patarasuk & Yuan 2009.
std::vector<Payloads> passAround(Transport& transport, const NodeList& workers, int rank, std::int64_t round, Payloads own);

// Parts of a vector of so many elements of which each is one message, sparse or whole.
std::vector<ShardRange> gatherParts(std::size_t size);

}  // namespace paceline::aggregators
