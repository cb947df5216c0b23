// ESync: fast workers fill the time that the slowest needs for one step with local steps, then all aggregate.
// w_i -= local_lr * g_i, n_i times; w += global_lr * mean(w_i - w). n_i = max(1, floor((c_slowest - epsilon) / c_i)) for constant
// step times c, decided step by step by a state server: Li et al., "ESync: Accelerating Intra-Domain Federated Learning in
// Heterogeneous Data Centers", IEEE TSC 2020. Batch-norm statistics are averaged as they are; a worker's momentum is its own
// and outlives the aggregation. Where we differ from the published
// code: the server decides on its own receive times (there, workers' clocks enter), all workers register with a full rehearsed
// step before the first decision, and a worker asks after a step, so that no mini-batch is drawn and thrown away.
#include <algorithm>
#include <cmath>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/esync_state.h"
#include "engine/algorithms/context/statistics.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// First number of a question. On the wire; append only.
constexpr double kRegister = 0;      // {., seconds of a rehearsed step}; answered when all have registered
constexpr double kRoundBegins = 1;   // {., round}
constexpr double kMayAggregate = 2;  // {., steps in this round, seconds of the last}; the answer is 1 or 0

class EsyncWorker final : public WorkerAlgorithm {
 public:
  explicit EsyncWorker(const Params& params) : localRate_(params.real("local_lr")), globalRate_(params.real("global_lr")) {}

  void start(WorkerContext& ctx) override { ctx.ask({kRegister, ctx.rehearse()}); }

  void round(WorkerContext& ctx) override {
    const std::span<Real> w = ctx.parameters();
    base_.assign(w.begin(), w.end());
    ctx.ask({kRoundBegins, static_cast<double>(ctx.round())});
    trainLocally(ctx);

    delta_.assign(w.begin(), w.end());
    addScaledTrainable(ctx.blocks(), delta_, Real{-1}, base_);
    ctx.aggregateMean(delta_);
    addScaledTrainable(ctx.blocks(), base_, static_cast<Real>(globalRate_), delta_);
    copyStatistics(ctx.blocks(), delta_, base_);
    std::copy(base_.begin(), base_.end(), w.begin());
  }

 private:
  void trainLocally(WorkerContext& ctx) {
    const double rate = ctx.learningRate(localRate_);
    for (double steps = 1;; ++steps) {
      ctx.applyGradient(rate, ctx.gradient());
      if (ctx.ask({kMayAggregate, steps, ctx.stepSeconds()}).at(0) != 0) return;
    }
  }

  double localRate_, globalRate_;
  std::vector<Real> base_, delta_;  // w at the round's begin; what this round changed
};

class EsyncServer final : public ServerAlgorithm {
 public:
  explicit EsyncServer(const ServerSetup& setup)
      : workers_(setup.workers),
        questions_(setup.workers.size()),
        state_(static_cast<int>(setup.workers.size()), setup.params.real("epsilon"),
               setup.params.text("epsilon_unit") == "seconds" ? EpsilonUnit::kSeconds : EpsilonUnit::kFraction) {}

  void onMessage(Message message, Outbox& out) override {
    const int rank = checkedRank(message);
    const double what = message.scalars[0];
    if (what == kRegister) {
      questions_[static_cast<std::size_t>(rank)] = message;
      if (state_.registerWorker(rank, message.scalars[1]))
        for (const Message& question : questions_) answer(question, 1, out);
    } else if (what == kRoundBegins) {
      state_.beginRound(rank, static_cast<std::int64_t>(message.scalars[1]), out.now());
      answer(message, 1, out);
    } else {
      answer(message, state_.ready(rank, static_cast<std::int64_t>(message.scalars[1]), message.scalars[2], out.now()) ? 1 : 0,
             out);
    }
  }

  void state(Archive& archive) override { state_.state(archive); }

 private:
  int checkedRank(const Message& message) const {
    const auto worker = std::find(workers_.begin(), workers_.end(), message.from);
    const std::vector<double>& q = message.scalars;
    const bool finite = std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x) && x >= 0 && x < 1e15; });
    const bool known =
        finite && ((q.size() == 2 && (q[0] == kRegister || q[0] == kRoundBegins)) || (q.size() == 3 && q[0] == kMayAggregate));
    if (worker == workers_.end() || message.kind != MessageKind::kAsk || !known || (q[0] != kRegister && !state_.complete()))
      throw Error(Errc::kFormat,
                  strCat("node ", message.from, " sent the ESync state server something that is no question: message kind ",
                         static_cast<int>(message.kind), ", ", q.size(), " numbers"));
    return static_cast<int>(worker - workers_.begin());
  }

  static void answer(const Message& question, double yes, Outbox& out) {
    Message reply;
    reply.kind = MessageKind::kAnswer;
    reply.round = question.round;
    reply.scalars = {yes};
    out.send(question.from, std::move(reply));
  }

  std::vector<int> workers_;
  std::vector<Message> questions_;  // registrations by rank, answered together
  EsyncState state_;
};

}  // namespace

AlgorithmDef esync() {
  AlgorithmDef def;
  def.id = "esync";
  def.title = "ESync";
  def.summary = "Fast workers take extra local steps while the slowest takes one; then all aggregate.";
  def.reference =
      "Z. Li et al., ESync: Accelerating Intra-Domain Federated Learning in Heterogeneous Data Centers, IEEE TSC 2020";
  def.topology = Topology::kAggregated;
  def.statistics = Statistics::kAveraged;
  def.params = {
      realParam("local_lr", 0.032, 0, std::nullopt, "Step size of the local steps."),
      realParam("global_lr", 1.0, 0, std::nullopt, "Share of the workers' mean change that the global model takes."),
      realParam("epsilon", 0.02, -1, std::nullopt,
                "How much earlier than the slowest a worker stops; below 0: how much later it may. Published: 0.5 seconds."),
      choiceParam("epsilon_unit", "fraction", {"fraction", "seconds"},
                  "Epsilon is a fraction of the slowest worker's step, or seconds.")};
  def.makeWorker = [](const Params& params) { return std::make_unique<EsyncWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<EsyncServer>(setup); };
  return def;
}

}  // namespace paceline
