// Collectives of other libraries for the same means as an aggregation of ours, on real runs only: the values of a document's
// aggregation.engine beside "paceline". They open connections of their own, so nothing that is layered over our wires (protection, emulated links, wire
// formats, the meter) applies to them; validate() refuses such combinations, and the bytes are booked by the aggregation's formula.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/core/collective.h"

namespace paceline::aggregators {

// Bytes as the values of a message, one each, and back; bytesOf() throws Error{kFormat} naming the node whose values are none.
std::vector<Real> realsOf(std::span<const char> bytes);
std::vector<char> bytesOf(const Message& message);

// The barrier around every collective, over Transport: the only part that may wait for long; stops and lost peers are met there.
class EngineBarrier {
 public:
  explicit EngineBarrier(const AggregatorSetup& setup) : rank_(static_cast<std::size_t>(setup.rank)), workers_(setup.workers) {}

  // Returns when everybody is here, in ceil(log2 N) steps: whether all said `good`. Dissemination barrier, Hensgen, Finkel & Manber 1988.
  // Throws the errors of Transport, and Error{kFormat} naming a node that is elsewhere.
  bool allGood(Transport& transport, std::int64_t round, bool good) const;

  // Everybody tells everybody else a few bytes (addresses, ids), at most as many as a message has elements. By rank; the own ones too.
  std::vector<std::vector<char>> tellAll(Transport& transport, std::span<const char> own) const;

 private:
  std::size_t rank_;
  NodeList workers_;
};

// All are there when a collective begins, and one that dies closes its connections: only one that hangs is waited for.
constexpr std::chrono::seconds kEngineTimeout{120};

// A mean by a collective between two barriers: the first makes the collective short; after the second no node reads from another, and all know
// of a failure anywhere: Error{kHost} then. A peer that died is Error{kPeerLost} from Transport.
class EngineAggregator : public Aggregator {
 public:
  EngineAggregator(const AggregatorSetup& setup, std::string engine, const char* costOf);
  void mean(Transport& transport, std::int64_t round, std::span<Real> data) final;

 protected:
  virtual void connect(Transport& transport, const EngineBarrier& barrier) = 0;  // once, before the first collective
  virtual void allReduce(std::span<Real> data) = 0;                              // mean in place; throws std::exception
  virtual void disconnect() noexcept = 0;                                        // after a failure: wakes the nodes that wait for this one

  const int rank_, world_;

 private:
  std::optional<std::string> tried(std::span<Real> data) noexcept;  // what went wrong

  EngineBarrier barrier_;
  std::string engine_;
  const char* costOf_;  // the aggregation whose formula counts its bytes
  std::function<void(std::int64_t)> book_;
  bool connected_ = false;
};

// Gloo over TCP as the engine of an aggregation. It has no authentication and no encryption: it listens on the loopback interface, and
// validate() keeps it to runs on one host, where any local user could still connect (engine/comm/README.md). One thread; Gloo has one more.
// It writes to connections that may be closed: the process ignores SIGPIPE, as nodes do.
// Gloo's classic algorithms. Its halving and doubling is binary blocks where the world is no power of two.
enum class GlooMethod { kRing, kHalvingDoubling };
AggregationEngine glooEngine(GlooMethod method);

// NVIDIA's NCCL between CUDA devices as the engine of an aggregation, in builds with PACELINE_CUDA; without, there is none. Vectors lie in
// host memory, so each mean copies to the device and back. Inside one host, as all foreign engines.
enum class NcclMethod { kRing, kTree };  // NCCL's own, by its NCCL_ALGO

// The engines given and, where this program has it, NCCL.
std::vector<AggregationEngine> withNccl(NcclMethod method, std::vector<AggregationEngine> engines);

// LibTorch's process groups (c10d) as the engine of an aggregation, in programs that have offered theirs: the library itself is engine/nn's. Before
// aggregators() is first called; an empty one offers nothing. It listens on the loopback interface, unprotected, as Gloo does.
void offerC10d(CollectiveFactory make);

// The engines given and, where it was offered, c10d.
std::vector<AggregationEngine> withC10d(std::vector<AggregationEngine> engines);

}  // namespace paceline::aggregators
