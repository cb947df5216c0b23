// Ring all-reduce without a server: the vector is cut into world chunks; world - 1 steps of reduce-scatter, then world - 1 steps of
// all-gather, every rank sending to rank + 1 only. Patarasuk & Yuan 2009, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations".
//
// Chunk c starts at rank c and is summed in the order c, c+1, ..., c-1 (mod world); rank c-1 adds last, divides by world and sends the
// result around, so all ranks end with the bits that it computed. Chunks longer than a shard travel in pieces, each passed on as soon
// as it is summed. Empty chunks (fewer elements than ranks) are not sent.
#include <algorithm>

#include "engine/comm/aggregator.h"
#include "engine/comm/codec.h"
#include "engine/core/error.h"
#include "engine/core/vec.h"

namespace paceline {
namespace {

std::size_t chunkBegin(std::size_t size, std::size_t world, std::size_t c) {
  return size / world * c + std::min(c, size % world);  // equal to within one element
}
std::size_t chunkSize(std::size_t size, std::size_t world, std::size_t c) { return size / world + (c < size % world ? 1 : 0); }

class RingWorker final : public Aggregator {
 public:
  explicit RingWorker(const AggregatorSetup& setup)
      : world_(setup.workers.size()),
        rank_(static_cast<std::size_t>(setup.rank)),
        next_(setup.workers[(rank_ + 1) % world_]),
        previous_(setup.workers[(rank_ + world_ - 1) % world_]) {}

  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (world_ == 1) return;
    // Reduce-scatter. Borrowing `data` is safe: a piece sent here is next written when its mean comes around, and that mean contains
    // what we sent, so rank + 1 had received all of it. An exchange that ends in an exception is settled by Transport.
    for (const std::span<Real> piece : piecesOf(data, rank_))
      transport.send(next_, message(MessageKind::kReduce, rank_, round, Dense::borrowed(piece)));
    for (std::size_t step = 1; step + 1 < world_; ++step) {
      const std::size_t chunk = (rank_ + world_ - step) % world_;
      for (const std::span<Real> piece : piecesOf(data, chunk)) {
        add(receive(transport, MessageKind::kReduce, chunk, round, piece.size()), piece);
        transport.send(next_, message(MessageKind::kReduce, chunk, round, Dense::borrowed(piece)));
      }
    }
    finishOwn(transport, round, data);
    // All-gather. mean() may return, and the caller write `data`, before rank + 1 has received: what came is passed on as it came.
    for (std::size_t step = 0; step + 1 < world_; ++step) {
      const std::size_t chunk = (rank_ + world_ - step) % world_;
      for (const std::span<Real> piece : piecesOf(data, chunk)) {
        const Dense result = receive(transport, MessageKind::kReduced, chunk, round, piece.size()).dense;
        std::copy(result.values().begin(), result.values().end(), piece.begin());
        if (step + 2 < world_) transport.send(next_, message(MessageKind::kReduced, chunk, round, result));
      }
    }
  }

 private:
  // The chunk that this rank adds to last, rank + 1: into memory of its own, which may be under way when mean() returns.
  void finishOwn(Transport& transport, std::int64_t round, std::span<Real> data) const {
    const std::size_t chunk = (rank_ + 1) % world_;
    for (const std::span<Real> piece : piecesOf(data, chunk)) {
      const Message partial = receive(transport, MessageKind::kReduce, chunk, round, piece.size());
      const Real* const inputs[] = {partial.dense.values().data(), piece.data()};
      std::shared_ptr<Real[]> memory = std::make_shared_for_overwrite<Real[]>(piece.size());
      const std::span<Real> result(memory.get(), piece.size());
      sumOf<Real>(inputs, Real(1) / static_cast<Real>(world_), result);
      std::copy(result.begin(), result.end(), piece.begin());
      transport.send(next_, message(MessageKind::kReduced, chunk, round, Dense::shared(result, std::move(memory))));
    }
  }

  std::vector<std::span<Real>> piecesOf(std::span<Real> data, std::size_t chunk) const {
    constexpr std::size_t kLongest = kShardBytes / sizeof(Real);
    std::span<Real> rest = data.subspan(chunkBegin(data.size(), world_, chunk), chunkSize(data.size(), world_, chunk));
    std::vector<std::span<Real>> pieces;
    while (!rest.empty()) {
      pieces.push_back(rest.first(std::min(rest.size(), kLongest)));
      rest = rest.subspan(pieces.back().size());
    }
    return pieces;
  }

  static Message message(MessageKind kind, std::size_t chunk, std::int64_t round, Dense dense) {
    return {.kind = kind, .shard = static_cast<std::int32_t>(chunk), .round = round, .dense = std::move(dense)};
  }

  static void add(const Message& partial, std::span<Real> piece) { addScaled<Real>(piece, Real(1), partial.dense.values()); }

  Message receive(Transport& transport, MessageKind kind, std::size_t chunk, std::int64_t round, std::size_t size) const {
    Message got = transport.receiveFrom(previous_);
    if (got.kind == kind && static_cast<std::size_t>(got.shard) == chunk && got.round == round && got.dense.values().size() == size)
      return got;
    transport.settle();
    throw Error(Errc::kFormat, strCat("node ", got.from, " sent a ", kindName(got.kind), " of round ", got.round, ", chunk ", got.shard,
                                      ", ", got.dense.values().size(), " values, where ", kindName(kind), " of round ", round,
                                      ", chunk ", chunk, ", ", size, " values was due"));
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
  return {.id = "ring",
          .title = "Ring all-reduce",
          .summary = "Workers pass chunks around a ring; no server, each link carries 2 (N-1)/N of the vector.",
          .reference = "Patarasuk & Yuan 2009, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, JPDC",
          .needsServer = false,
          .makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<RingWorker>(setup); },
          .makeServer = {},
          .cost = ringCost};
}

}  // namespace paceline
