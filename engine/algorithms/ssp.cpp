// Stale synchronous parallel: the server applies each gradient when it comes, and lets nobody run more than s clocks ahead.
// A worker that has pushed clock c may start c + 1 iff c - (the slowest worker's clock) <= s: Ho et al., "More Effective Distributed ML
// via a Stale Synchronous Parallel Parameter Server", NIPS 2013. s = 0 is lock-step: all of clock c is applied before anybody starts
// c + 1; without a bound it is ASGD. w -= lr * g_i, or w -= lr * g_i / (1 + staleness of g_i), which is the gamma of MXNet-G (Jiang et al., CCGrid
// 2019; grouping_sgd.cpp) for single workers. Published code counts s + 1 for this s, reads the clock of one fixed worker from a file every 10 ms and
// gives up after 9 s; here the reply to a push waits at the server until the bound is met, and then carries that moment's values.
// The document's momentum is the server's: one velocity that every push goes through.
// On the wire per round: every element once to the servers and once back, waiting or not. Batch-norm statistics stay local.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/algorithms/exchange/push_pull.h"

namespace paceline {
namespace {

class SspWorker final : public exchange::PushPullWorker {
 public:
  explicit SspWorker(const Params& params) : exchange::PushPullWorker(params), bounded_(params.boolean("bounded")) {}
  LockStep lockStep(std::int64_t roundsDone) const override { return {.set = bounded_ ? 0 : -1, .clock = roundsDone}; }

 private:
  bool bounded_;
};

class SspServer final : public exchange::PushServer {
 public:
  explicit SspServer(const ServerSetup& setup)
      : exchange::PushServer(setup),
        bounded_(setup.params.boolean("bounded")),
        weighting_(setup.params.boolean("weighting")),
        bound_(setup.params.integer("staleness_bound")),
        clocks_(world()) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    archive.fixedNumbers("clocks", clocks_);
  }

 private:
  void pushed(Push push, Outbox& out) override {
    descend({&push, 1}, weighting_ ? exchange::staleWeight(stalenessOf(push)) : 1);
    clocks_[push.rank] += 1;
    if (!bounded_) return answer(push.rank, out);
    release(out);
  }

  // Nobody waits for its clock any more.
  void lost(std::size_t rank, Outbox& out) override {
    clocks_[rank] = std::numeric_limits<double>::infinity();
    if (bounded_) release(out);
  }

  void found(std::size_t rank, std::size_t like) override { clocks_[rank] = clocks_[like]; }

  void release(Outbox& out) {
    const double slowest = *std::min_element(clocks_.begin(), clocks_.end());
    for (std::size_t rank = 0; rank < world(); ++rank)
      if (owes(rank) && std::isfinite(clocks_[rank]) && clocks_[rank] - slowest <= static_cast<double>(bound_)) answer(rank, out);
  }

  bool bounded_, weighting_;
  std::int64_t bound_;
  std::vector<double> clocks_;  // pushes by rank: whole numbers
};

}  // namespace

AlgorithmDef ssp() {
  AlgorithmDef def = exchange::pushDef(
      "ssp", {integerParam("staleness_bound", 3, 0, 1e9, "How many clocks a worker may be ahead of the slowest when it starts the next; 0 is lock-step."),
              advanced(booleanParam("bounded", true, "No: nobody ever waits, whatever the bound says, which is ASGD.")),
              advanced(booleanParam("weighting", false, "Each gradient counts 1 / (1 + its staleness)."))});
  def.title = "SSP";
  def.summary = "Stale synchronous parallel: asynchronous, but nobody runs more than a bound ahead of the slowest.";
  def.reference = "Q. Ho et al., More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server, NIPS 2013";
  def.makeWorker = [](const Params& params) { return std::make_unique<SspWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<SspServer>(setup); };
  return def;
}

}  // namespace paceline
