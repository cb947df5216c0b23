// Mean over all workers, in place. Written once over Transport, so the same code runs on real wires and in the simulator.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/comm/aggregators/gather.h"
#include "engine/comm/transport/fields.h"
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
  std::string address = "127.0.0.1";             // the worker's, where engines listen
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

// What a server can make of contributions that it has one by one. Travels with each contribution; append only.
enum class Combining {
  kMean,         // of those who contribute
  kMedian,       // by coordinate; of an even number the mean of the two in the middle
  kTrimmedMean,  // by coordinate, without the `numbers[0]` largest and as many smallest
  kDistances,    // squared, between any two contributions, which the server keeps for
  kKept,         // the mean of those of the ranks `numbers`
  kEach,         // nothing: each is passed on to the others as it comes
};
struct CombineFields {
  Combining how = Combining::kMean;
  std::vector<int> numbers = {};
  template <class S, class V> static void fields(S& s, V& v) { v.choice(s.how, Combining::kEach), v.rest(s.numbers); }
  bool operator==(const CombineFields&) const = default;
};

// Of aggregations with a server.
class Combiner {
 public:
  virtual ~Combiner() = default;
  // Like Aggregator::mean(); all say the same `how`. What does not contribute sends a message without values and gets the result.
  virtual void combine(Transport& transport, std::int64_t round, std::span<Real> data, const CombineFields& how, bool contributes) = 0;
  // Of whole vectors, rank x rank, the same bits on all workers; kKept of the next combine() is of these contributions.
  virtual std::vector<double> distances(Transport& transport, std::int64_t round, std::span<Real> data) = 0;
};

class Aggregator {
 public:
  virtual ~Aggregator() = default;
  virtual ShardedMean* sharded() { return nullptr; }
  virtual Combiner* combiner() { return nullptr; }
  virtual Gatherer* gatherer() { return nullptr; }  // by way of its server; null: passAround()
  virtual int contributors(int world) const { return world; }  // to the newest mean; fewer than all where workers are lost
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
