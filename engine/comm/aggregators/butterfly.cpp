// Recursive halving and doubling: with p = 2^k ranks, in step j = 1..k every rank swaps with the one p / 2^j away: each gives the half that
// the other keeps, and adds what it is given. After k steps each holds one part's sum; the same steps backwards, each passing on what it
// has, give everybody everything. Thakur, Rabenseifner & Gropp 2005, "Optimization of Collective Communication Operations in MPICH".
//
// A world of N = p + r ranks, 0 < r < p, folds: of the first 2r ranks every odd one gives its whole vector to the even one before it, and
// gets the whole mean at the end; the others play ranks 0..p-1.
//
// Wire: 2 log2(p) steps, 2 when folded more; 2 (p-1)/p of the vector from each rank, a folded pair one vector more from each of the two.
// Sums are made pair by pair: ((0 + p/2) + (p/4 + 3p/4)) + ..., every element by one rank, so all hold the same bits.
#include <bit>

#include "engine/comm/aggregators/aggregator.h"
#include "engine/comm/aggregators/pieces.h"
#include "engine/comm/aggregators/aggregation_engine.h"

namespace paceline::aggregators {
namespace {

// Who plays which rank of the power of two. The one place that knows how a world folds.
struct Fold {
  int core = 1, extra = 0;  // p and r
  explicit Fold(int world) : core(static_cast<int>(std::bit_floor(static_cast<unsigned>(world)))), extra(world - core) {}
  bool isFolded(int rank) const { return rank < 2 * extra && rank % 2 == 1; }
  bool hasFolded(int rank) const { return rank < 2 * extra && rank % 2 == 0; }
  int playedBy(int rank) const { return rank < 2 * extra ? rank / 2 : rank - extra; }
  int player(int part) const { return part < extra ? 2 * part : part + extra; }
};

class ButterflyWorker final : public Aggregator {
 public:
  explicit ButterflyWorker(const AggregatorSetup& setup)
      : workers_(setup.workers), rank_(setup.rank), fold_(static_cast<int>(setup.workers.size())) {
    for (int part = 0; part < fold_.core; ++part) players_.push_back(node(fold_.player(part)));
  }

  // Lending and copying: see halveAndDouble().
  void mean(Transport& transport, std::int64_t round, std::span<Real> data) override {
    if (workers_.size() == 1) return;
    PieceExchange exchange(transport, round, data);
    const Range all{.offset = 0, .size = data.size()};
    if (fold_.isFolded(rank_)) {
      exchange.lend(node(rank_ - 1), MessageKind::kReduce, all);
      return exchange.receiveInto(node(rank_ - 1), MessageKind::kReduced, all);
    }
    if (fold_.hasFolded(rank_)) exchange.receiveSum(node(rank_ + 1), MessageKind::kReduce, all);
    halveAndDouble(exchange, all, fold_.playedBy(rank_), players_,
                   [&](Range part) { exchange.scale(part, Real(1) / static_cast<Real>(workers_.size())); });
    if (fold_.hasFolded(rank_)) exchange.copy(node(rank_ + 1), MessageKind::kReduced, all);
  }

 private:
  int node(int rank) const { return workers_[static_cast<std::size_t>(rank)]; }

  NodeList workers_;          // by rank
  std::vector<int> players_;  // nodes, by part
  int rank_;
  Fold fold_;
};

AggregationCost butterflyCost(int rank, int world, std::size_t elements) {
  if (world == 1 || elements == 0) return {};
  const Fold fold(world);
  AggregationCost cost{.steps = 2 * std::countr_zero(static_cast<unsigned>(fold.core)) + (fold.extra > 0 ? 2 : 0), .elementsSent = 0};
  if (fold.isFolded(rank) || fold.hasFolded(rank)) cost.elementsSent = elements;
  if (!fold.isFolded(rank)) cost.elementsSent += elementsSentHalving(elements, fold.playedBy(rank), fold.core);
  return cost;
}

}  // namespace

AggregatorDef butterfly() {
  AggregatorDef def;
  def.id = "butterfly";
  def.title = "Butterfly all-reduce";
  def.summary = "Recursive halving and doubling: ranks swap halves in log2 N steps and back; few steps, so good for small models and slow answers.";
  def.reference = "Thakur, Rabenseifner & Gropp 2005, Optimization of Collective Communication Operations in MPICH, IJHPCA";
  def.makeWorker = [](const AggregatorSetup& setup) { return std::make_unique<ButterflyWorker>(setup); };
  def.cost = butterflyCost;
  def.foreign = {glooEngine(GlooMethod::kHalvingDoubling)};
  return def;
}

}  // namespace paceline::aggregators
