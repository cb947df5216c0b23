// Ring all-reduce without a server: the vector is cut into world chunks; world - 1 steps of reduce-scatter, then world - 1 steps of
// all-gather, every rank sending to rank + 1 only. Patarasuk & Yuan 2009, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations".
//
// Chunk c starts at rank c and is summed in the order c, c+1, ..., c-1 (mod world); rank c-1 adds last, divides by world and sends the
// result around, so all ranks end with the bits that it computed. Chunks longer than a shard travel in pieces, each passed on as soon
// as it is summed. Empty chunks (fewer elements than ranks) are not sent.
#include <algorithm>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/aggregators/pieces.h"
#include "engine/comm/aggregators/aggregation_engine.h"
#include "engine/core/base/vec.h"

namespace paceline::aggregators {
namespace {

std::size_t chunkSize(std::size_t size, std::size_t world, std::size_t c) { return size / world + (c < size % world ? 1 : 0); }
Range chunkOf(std::size_t size, std::size_t world, std::size_t c) {
  return {.offset = size / world * c + std::min(c, size % world), .size = chunkSize(size, world, c)};  // equal to within one element
}

class RingWorker final : public Aggregator {
 public:
  explicit RingWorker(const AggregatorSetup& setup)
      : world_(setup.workers.size()),
        rank_(static_cast<std::size_t>(setup.rank)),
        next_(setup.workers[(rank_ + 1) % world_]),
        previous_(setup.workers[(rank_ + world_ - 1) % world_]) {}

  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (world_ == 1) return;
    PieceExchange exchange(transport, round, data);
    // Reduce-scatter. Lending `data` is safe: a piece sent here is next written when its mean comes around, and that mean contains
    // what we sent, so rank + 1 had received all of it. An exchange that ends in an exception is settled by Transport.
    exchange.lend(next_, MessageKind::kReduce, chunkOf(data.size(), world_, rank_));
    for (std::size_t step = 1; step + 1 < world_; ++step)
      for (const std::span<Real> piece : exchange.pieces(chunkAt(step, data.size()))) {
        addScaled<Real>(piece, Real(1), exchange.receive(previous_, MessageKind::kReduce, piece).values());
        exchange.send(next_, MessageKind::kReduce, piece, Dense::borrowed(piece));
      }
    finishOwn(exchange, data.size());
    // All-gather. mean() may return, and the caller write `data`, before rank + 1 has received: what came is passed on as it came.
    for (std::size_t step = 0; step + 1 < world_; ++step)
      for (const std::span<Real> piece : exchange.pieces(chunkAt(step, data.size()))) {
        const Dense result = exchange.receive(previous_, MessageKind::kReduced, piece);
        copyValues(result.values(), piece);
        if (step + 2 < world_) exchange.send(next_, MessageKind::kReduced, piece, result);
      }
  }

 private:
  Range chunkAt(std::size_t step, std::size_t size) const { return chunkOf(size, world_, (rank_ + world_ - step) % world_); }

  // The chunk that this rank adds to last, rank + 1: into memory of its own, which may be under way when mean() returns.
  void finishOwn(PieceExchange& exchange, std::size_t size) const {
    for (const std::span<Real> piece : exchange.pieces(chunkOf(size, world_, (rank_ + 1) % world_))) {
      const Dense parts[] = {exchange.receive(previous_, MessageKind::kReduce, piece), Dense::borrowed(piece)};
      const Dense result = Dense::sum(parts, Real(1) / static_cast<Real>(world_));
      copyValues(result.values(), piece);
      exchange.send(next_, MessageKind::kReduced, piece, result);
    }
  }

  std::size_t world_, rank_;
  int next_, previous_;
};

// Each rank sends every chunk but one in each half: in the first all but rank + 1, in the second all but rank + 2.
AggregationCost ringCost(int rank, int world, std::size_t elements) {
  if (world == 1 || elements == 0) return {};
  const auto n = static_cast<std::size_t>(world), r = static_cast<std::size_t>(rank);
  return {.steps = 2 * (world - 1),
          .elementsSent = 2 * elements - chunkSize(elements, n, (r + 1) % n) - chunkSize(elements, n, (r + 2) % n)};
}

}  // namespace

AggregatorDef ring() {
  AggregatorDef def;
  def.id = "ring";
  def.title = "Ring all-reduce";
  def.summary = "Workers pass chunks around a ring; no server, each link carries 2 (N-1)/N of the vector.";
  def.reference = "Patarasuk & Yuan 2009, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, JPDC";
  def.makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<RingWorker>(setup); };
  def.cost = ringCost;
  def.foreign = withC10d(withNccl(NcclMethod::kRing, {glooEngine(GlooMethod::kRing)}));
  return def;
}

}  // namespace paceline::aggregators
