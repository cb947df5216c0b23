// Everything a worker's algorithm may touch. It times fetch, compute, local update, send, wait, receive and query apart from each other
// and counts samples, so an algorithm contains no instrumentation. Used by the worker's thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/algorithms/pacer.h"
#include "engine/comm/aggregator.h"
#include "engine/comm/layers.h"
#include "engine/comm/shards.h"
#include "engine/comm/transport.h"
#include "engine/core/event.h"
#include "engine/core/objective.h"
#include "engine/core/rng.h"

namespace paceline {

struct WorkerSetup {
  Objective& objective;
  Transport& transport;
  const MeteredWire& meter;
  Clock& clock;
  Pacer& pacer;
  Aggregator* aggregator = nullptr;  // null: the algorithm does not aggregate
  int rank = 0;
  std::vector<int> workers, servers;  // node indices
  std::uint64_t seed = 1;
};

class WorkerContext {
 public:
  explicit WorkerContext(const WorkerSetup& setup);

  int rank() const { return setup_.rank; }
  int world() const { return static_cast<int>(setup_.workers.size()); }
  std::int64_t round() const { return round_; }  // from 1
  Rng& rng() { return rng_; }
  std::span<const Block> blocks() const { return setup_.objective.blocks(); }
  std::span<Real> parameters() { return setup_.objective.parameters(); }
  // `base` times the schedule's factor for this round; what it returns is recorded as the round's rate.
  double learningRate(double base);

  // Mean gradient of the next mini-batch at parameters(); the buffer is the context's and is overwritten by the next call.
  std::span<Real> gradient();
  // Seconds of one full forward + backward after a warm-up, as the pacer stretches it; draws no batch.
  double rehearse();
  // Seconds since the last gradient() began: one local step, once the update is applied.
  double stepSeconds() const;

  // Mean over all workers, in place, by the aggregation that the spec chose.
  void aggregateMean(std::span<Real> data);
  // Sends `values` shard by shard to the servers and writes each shard's reply into `into` as it comes (same size). One exchange:
  // the version each shard was pulled at travels with the push, so the server knows the exact staleness.
  void pushPull(std::span<const Real> values, std::span<Real> into);
  // Rank 0 gives the servers their start values (kInit).
  void initServers(std::span<const Real> values);
  // One question to the server half at the first server; waits for the answer.
  std::vector<double> ask(std::vector<double> question);

  // For the worker loop.
  void beginRound(std::int64_t round, double scheduleFactor);
  RoundRecord endRound();            // times, counts, loss of the round just closed; t and evaluate are the loop's
  std::int64_t samplesTotal() const { return samplesTotal_; }
  StepStats lastStep() const { return lastStep_; }

 private:
  class Phase;  // adds the time until its end to one field of the record; outside of phases time counts as local update

  WorkerSetup setup_;
  Rng rng_;
  std::vector<Real> gradient_;
  std::vector<ShardRange> shards_;
  std::vector<std::int64_t> versions_;  // of the values last pulled, per shard
  std::int64_t round_ = 0, samplesTotal_ = 0;
  double scheduleFactor_ = 1, roundBegan_ = 0, stepBegan_ = 0, lossSum_ = 0;
  StepStats lastStep_;
  Traffic trafficBefore_;
  RoundRecord record_;
};

}  // namespace paceline
