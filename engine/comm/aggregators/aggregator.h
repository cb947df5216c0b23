// Mean over all workers, in place. Written once over Transport, so the same code runs on real wires and in the simulator.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/comm/transport/layers.h"
#include "engine/comm/transport/transport.h"
#include "engine/core/spec/catalog.h"

namespace paceline::aggregators {

struct AggregatorSetup {
  int rank = 0;
  NodeList workers;          // node index by rank
  std::vector<int> servers;  // node indices; empty where the aggregation needs none
  std::vector<double> serverShares = {};  // of the vector, by server; empty: all the same
  std::string device = "cpu";                    // the worker's; for engines between devices
  std::function<void(std::int64_t)> book = {};   // engines: this many bytes were sent, and as many received, past the meter
};

// A mean whose shards come and go one by one: for who has some elements early and needs some of the result first.
class ShardedMean {
 public:
  virtual ~ShardedMean() = default;
  virtual void begin(std::int64_t round) = 0;  // a mean of this round is under way, one at a time,
  virtual void end() = 0;                      // until here
  // Of a vector of so many elements: its own cut, or the one that it was given.
  virtual const std::vector<ShardRange>& shards(std::size_t size) = 0;
  virtual void useShards(std::vector<ShardRange> shards) = 0;
  // This worker's contribution to the shard. `data`: the whole vector, `owner`: of its memory; null: it is lent until it is answered.
  virtual void sendShard(Transport& transport, std::int64_t round, std::size_t shard, std::span<Real> data, const std::shared_ptr<const void>& owner) = 0;
  // The shard of a vector of `size` elements whose mean the message is. Throws Error{kFormat} for anything else. `answered`: by shard.
  virtual std::size_t shardOf(Transport& transport, const Message& message, std::int64_t round, std::size_t size, std::vector<bool>& answered) = 0;
};

class Aggregator {
 public:
  virtual ~Aggregator() = default;
  virtual ShardedMean* sharded() { return nullptr; }
  // All workers call it with the same round and size; after it, all hold the same bits: the mean, summed in rank order
  // (server) or in the documented order of the method (ring). Messages of a sharded() mean that is under way stay.
  virtual void mean(Transport& transport, std::int64_t round, std::span<Real> data) = 0;
};

struct AggregationCost {
  int steps = 0;                   // message rounds one worker takes part in
  std::size_t elementsSent = 0;    // dense elements that this rank sends
};

// Somebody else's collective that makes the same mean (aggregation_engine.h).
struct AggregationEngine {
  std::string id;
  std::function<std::unique_ptr<Aggregator>(const AggregatorSetup&)> makeWorker;
};

struct AggregatorDef : AggregationEntry {  // needsServer and engines: set by aggregators(), from what follows
  std::function<std::unique_ptr<Aggregator>(const AggregatorSetup&)> makeWorker;
  std::function<std::unique_ptr<ServerAlgorithm>(const AggregatorSetup&)> makeServer;  // one per shard; empty: no server half
  std::function<AggregationCost(int rank, int world, std::size_t elements)> cost;      // documented; asserted by the contract test
  std::vector<AggregationEngine> foreign;  // engines beside ours
};

const std::vector<AggregatorDef>& aggregators();
const AggregatorDef* findAggregator(const std::string& id);
// A document's aggregation.engine: "auto" is ours, which the bench found no slower (README.md). Throws Error{kSpec} for one it does not have.
std::unique_ptr<Aggregator> makeAggregator(const AggregatorDef& def, const std::string& engine, const AggregatorSetup& setup);

}  // namespace paceline::aggregators
