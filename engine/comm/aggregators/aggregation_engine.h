// Other people's collectives that can make the same means as an aggregation of ours, on real runs only: what a document's aggregation.engine
// names beside "paceline". They open connections of their own, so nothing that is layered over our wires (protection, emulated links, wire
// formats, the meter) applies to them; validate() refuses what does not fit, and the bytes are booked by the aggregation's formula.
#pragma once

#include <functional>
#include <optional>

#include "engine/comm/aggregators/aggregator.h"

namespace paceline::aggregators {

// What all engines do around a collective, over Transport: the only part that may wait for long, and it meets stops and lost peers there.
class EngineMeeting {
 public:
  explicit EngineMeeting(const AggregatorSetup& setup) : rank_(static_cast<std::size_t>(setup.rank)), workers_(setup.workers) {}

  // Returns when everybody is here, in ceil(log2 N) steps: whether all said `good`. Dissemination barrier, Hensgen, Finkel & Manber 1988.
  // Throws what Transport throws, and Error{kFormat} naming the node that is somewhere else.
  bool allGood(Transport& transport, std::int64_t round, bool good) const;

  // Everybody tells everybody else a few bytes (addresses, ids), at most as many as a message has elements. By rank; the own ones too.
  std::vector<std::vector<char>> tellAll(Transport& transport, std::span<const char> own) const;

 private:
  std::size_t rank_;
  std::vector<int> workers_;
};

// A mean by a collective: meets before, so that the collective is short; runs; meets after, so that nobody leaves while another still
// reads from it, and all know when it failed anywhere: Error{kHost} then. A peer that died is Error{kPeerLost} from Transport.
class EngineAggregator : public Aggregator {
 public:
  EngineAggregator(const AggregatorSetup& setup, std::string engine, const char* costOf);
  void mean(Transport& transport, std::int64_t round, std::span<Real> data) final;

 protected:
  virtual void connect(Transport& transport, const EngineMeeting& meeting) = 0;  // once, before the first collective
  virtual void allReduce(std::span<Real> data) = 0;                              // mean in place; throws std::exception
  virtual void disconnect() noexcept = 0;                                        // after a failure: wakes those who wait for us

 private:
  std::optional<std::string> tried(std::span<Real> data) noexcept;  // what went wrong

  EngineMeeting meeting_;
  std::string engine_;
  const char* costOf_;  // the aggregation whose formula counts its bytes
  int rank_, world_;
  std::function<void(std::int64_t)> book_;
  bool connected_ = false;
};

}  // namespace paceline::aggregators
