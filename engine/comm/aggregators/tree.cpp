// Reduce and broadcast over a binomial tree: the parent of rank r is r with its lowest one bit cleared, rank 0 is the root. Children's
// sums go up, the mean comes down. Thakur, Rabenseifner & Gropp 2005, "Optimization of Collective Communication Operations in MPICH".
//
// Wire: 2 floor(log2 N) steps. Every rank but the root sends the vector up once, every rank sends the mean to each of its children; the
// root has ceil(log2 N) of them and is the bottleneck of large vectors. Pipelined: each piece goes on as soon as it is summed, so that a
// long vector takes little longer than its first piece and the root's link.
// Sums are made child by child, nearest first, by one rank at a time; the root's bits go to all.
#include <algorithm>
#include <bit>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/aggregators/pieces.h"
#include "engine/comm/aggregators/aggregation_engine.h"

namespace paceline::aggregators {
namespace {

int parentOf(int rank) { return rank & (rank - 1); }

std::vector<int> childrenOf(int rank, int world) {
  std::vector<int> children;
  for (int bit = 1; (rank & bit) == 0 && rank + bit < world; bit *= 2) children.push_back(rank + bit);
  return children;
}

class TreeWorker final : public Aggregator {
 public:
  explicit TreeWorker(const AggregatorSetup& setup) : world_(setup.workers.size()), isRoot_(setup.rank == 0) {
    const auto node = [&](int rank) { return setup.workers[static_cast<std::size_t>(rank)]; };
    parent_ = node(parentOf(setup.rank));
    for (const int child : childrenOf(setup.rank, static_cast<int>(world_))) children_.push_back(node(child));
  }

  // Borrowing `data` is safe: a piece that went up is next written when its mean comes down, and that mean contains it. Means are passed
  // on as they came, the root's in memory of its own: mean() may return, and the caller write `data`, before they are received.
  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (world_ == 1) return;
    PieceExchange exchange(transport, round, data);
    const std::vector<std::span<Real>> pieces = exchange.pieces({.offset = 0, .size = data.size()});
    for (const std::span<Real> piece : pieces) {
      const Dense sum = sumOfChildren(exchange, piece);
      if (isRoot_) passDown(exchange, piece, sum);
      else exchange.send(parent_, MessageKind::kReduce, piece, sum);
    }
    if (isRoot_) return;
    for (const std::span<Real> piece : pieces) passDown(exchange, piece, exchange.receive(parent_, MessageKind::kReduced, piece));
  }

 private:
  // The root's is the mean already, in memory of its own.
  Dense sumOfChildren(PieceExchange& exchange, std::span<Real> piece) const {
    if (children_.empty()) return Dense::borrowed(piece);
    std::vector<Dense> parts{Dense::borrowed(piece)};
    for (const int child : children_) parts.push_back(exchange.receive(child, MessageKind::kReduce, piece));
    return Dense::sum(parts, isRoot_ ? Real(1) / static_cast<Real>(world_) : Real(1));
  }

  void passDown(PieceExchange& exchange, std::span<Real> piece, const Dense& result) const {
    for (auto child = children_.rbegin(); child != children_.rend(); ++child)  // the one with most below it first
      exchange.send(*child, MessageKind::kReduced, piece, result);
    copyValues(result.values(), piece);
  }

  std::size_t world_;
  bool isRoot_;
  int parent_ = 0;
  std::vector<int> children_;
};

AggregationCost treeCost(int rank, int world, std::size_t elements) {
  if (world == 1 || elements == 0) return {};
  return {.steps = 2 * (static_cast<int>(std::bit_width(static_cast<unsigned>(world))) - 1),
          .elementsSent = elements * (childrenOf(rank, world).size() + (rank == 0 ? 0 : 1))};
}

}  // namespace

AggregatorDef tree() {
  AggregatorDef def;
  def.id = "tree";
  def.title = "Tree all-reduce";
  def.summary = "Sums climb a binomial tree to worker 0 and the mean comes back down; few steps, but worker 0's link carries log2 N vectors.";
  def.reference = "Thakur, Rabenseifner & Gropp 2005, Optimization of Collective Communication Operations in MPICH, IJHPCA";
  def.makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<TreeWorker>(setup); };
  def.cost = treeCost;
  def.foreign = withNccl(NcclMethod::kTree, {});
  return def;
}

}  // namespace paceline::aggregators
