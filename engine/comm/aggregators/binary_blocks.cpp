// Halving and doubling for worlds that are no power of two: N = 2^a + 2^b + ... ranks form blocks of these sizes, the largest first. Each
// block halves within itself; then the smallest block gives its sums to the next larger one, which adds them and gives its own to the
// next, up to the largest block, which then holds the sums of all. The means come down the same way, and each block doubles within itself.
// Rabenseifner & Traff 2004, "More Efficient Reduction Algorithms for Non-Power-of-Two Number of Processors in Message-Passing Parallel
// Systems".
//
// Wire: 2 floor(log2 N) steps, as if the smaller blocks were not there: each has its sums in time for the next larger one, and has fewer
// steps to double. A rank of a block of s ranks sends 2 (s-1)/s of the vector within it, 1/s up unless its block is the largest, 1/s down
// unless its block is the smallest. A power of two is one block, and does what `butterfly` does.
// Every element is summed by one rank of the largest block, so all hold the same bits.
#include <bit>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/aggregators/pieces.h"
#include "engine/comm/aggregators/aggregation_engine.h"

namespace paceline::aggregators {
namespace {

struct Block {
  int first = 0, size = 0;  // ranks
};

// Where a rank sits. Blocks of a world, largest first, are the bits of its size, highest first.
struct Seat {
  Block own, larger, smaller;  // size 0: there is none
  int place = 0;               // in the own block

  Seat(int rank, int world) {
    Block before;
    for (int first = 0; first < world;) {
      const Block block{.first = first, .size = static_cast<int>(std::bit_floor(static_cast<unsigned>(world - first)))};
      if (own.size > 0) {
        smaller = block;
        break;
      }
      if (rank < first + block.size) {
        own = block;
        larger = before;
        place = rank - first;
      }
      before = block;
      first += block.size;
    }
  }
  // Ranks of a larger block for each rank of this one, and the rank of the smaller block that this one's part lies in.
  int perRank() const { return larger.size / own.size; }
  int below() const { return smaller.first + place / (own.size / smaller.size); }
};

class BinaryBlocksWorker final : public Aggregator {
 public:
  explicit BinaryBlocksWorker(const AggregatorSetup& setup)
      : workers_(setup.workers), seat_(setup.rank, static_cast<int>(setup.workers.size())) {}

  // Lending and copying: see halveAndDouble().
  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (workers_.size() == 1) return;
    PieceExchange exchange(transport, round, data);
    const std::span<const int> block = std::span(workers_).subspan(static_cast<std::size_t>(seat_.own.first), static_cast<std::size_t>(seat_.own.size));
    halveAndDouble(exchange, {.offset = 0, .size = data.size()}, seat_.place, block, [&](Range part) { withOtherBlocks(exchange, part); });
  }

 private:
  int node(int rank) const { return workers_[static_cast<std::size_t>(rank)]; }

  // `mine` holds the block's sum; afterwards the mean of all.
  void withOtherBlocks(PieceExchange& exchange, Range mine) const {
    if (seat_.smaller.size > 0) exchange.receiveSum(node(seat_.below()), MessageKind::kReduce, mine);
    if (seat_.larger.size > 0) {
      forEachAbove(mine, [&](int peer, Range part) { exchange.lend(peer, MessageKind::kReduce, part); });
      forEachAbove(mine, [&](int peer, Range part) { exchange.receiveInto(peer, MessageKind::kReduced, part); });
    } else {
      exchange.scale(mine, Real(1) / static_cast<Real>(workers_.size()));
    }
    if (seat_.smaller.size > 0) exchange.copy(node(seat_.below()), MessageKind::kReduced, mine);
  }

  // The ranks of the larger block that hold parts of `mine`.
  template <class Visit>
  void forEachAbove(Range mine, Visit visit) const {
    for (int i = 0; i < seat_.perRank(); ++i)
      visit(node(seat_.larger.first + seat_.place * seat_.perRank() + i), halvedPart(mine, i, seat_.perRank()));
  }

  NodeList workers_;
  Seat seat_;
};

AggregationCost binaryBlocksCost(int rank, int world, std::size_t elements) {
  if (world == 1 || elements == 0) return {};
  const Seat seat(rank, world);
  const std::size_t part = halvedPart({.offset = 0, .size = elements}, seat.place, seat.own.size).size;
  AggregationCost cost{.steps = 2 * (static_cast<int>(std::bit_width(static_cast<unsigned>(world))) - 1),
                       .elementsSent = elementsSentHalving(elements, seat.place, seat.own.size)};
  if (seat.larger.size > 0) cost.elementsSent += part;
  if (seat.smaller.size > 0) cost.elementsSent += part;
  return cost;
}

}  // namespace

AggregatorDef binary_blocks() {
  AggregatorDef def;
  def.id = "binary_blocks";
  def.title = "Binary blocks all-reduce";
  def.summary = "Halving and doubling in blocks of powers of two that hand their sums on: as few steps for 5, 6 or 7 workers as for 4.";
  def.reference = "Rabenseifner & Traff 2004, More Efficient Reduction Algorithms for Non-Power-of-Two Number of Processors, EuroPVM/MPI";
  def.makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<BinaryBlocksWorker>(setup); };
  def.cost = binaryBlocksCost;
  def.foreign = {glooEngine(GlooMethod::kHalvingDoubling)};
  return def;
}

}  // namespace paceline::aggregators
