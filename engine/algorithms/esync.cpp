// ESync: fast workers fill the time that the slowest needs for one step with local steps, then all aggregate.
// w_i -= local_lr * g_i, n_i times; w += global_lr * mean(w_i - w). n_i = max(1, floor((c_slowest - epsilon) / c_i)) for constant
// step times c, decided step by step by a state server: Li et al., "ESync: Accelerating Intra-Domain Federated Learning in
// Heterogeneous Data Centers", IEEE TSC 2020. Batch-norm statistics are averaged as they are; a worker's momentum is its own
// and outlives the aggregation. Where we differ from the published
// code: the server decides on its own receive times (there, workers' clocks enter), all workers register with a warm-up
// step before the first decision, and a worker asks after a step, so that no mini-batch is drawn and thrown away.
// Beyond the paper, and off unless the document says so: changes that count per step and a proximal term (local_round.h). n_i differ, so the plain mean's fixed point lies
// nearer to the fast workers' optima.
// Nothing overlaps (wire.overlap): that a step was the round's last is known when it has been taken, so none of it can leave during its backward pass.
#include <algorithm>

#include "engine/algorithms/algorithm.h"
#include "engine/algorithms/esync_state.h"
#include "engine/algorithms/local_round.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// A step that fits exactly fits, however the sums of step times round. Relative to the slowest step.
constexpr double kRounding = 1e-9;

struct Register {  // answered when all have registered
  double stepSeconds = 0;  // of the warm-up step
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.stepSeconds); }
};
struct RoundBegins {
  std::int64_t round = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.round); }
};
struct MayAggregate {
  std::int64_t steps = 0;  // in this round
  double stepSeconds = 0;  // of the last
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.steps), v.real(s.stepSeconds); }
};
using Question = std::variant<Register, RoundBegins, MayAggregate>;  // all are answered by a Verdict

class EsyncWorker final : public WorkerAlgorithm {
 public:
  explicit EsyncWorker(const Params& params)
      : localRate_(params.real("local_lr")), globalRate_(params.real("global_lr")), round_({.proximal = params.real("proximal"), .normalised = params.text("weights") == "per_step"}) {}

  void start(WorkerContext& ctx) override { ctx.ask<Verdict>(Question(Register{ctx.warmUpStep()})); }

  void round(WorkerContext& ctx) override {
    round_.begin(ctx);
    ctx.ask<Verdict>(Question(RoundBegins{ctx.round()}));
    trainLocally(ctx);
    const std::span<Real> change = round_.meanChange(ctx);
    setTrainable(ctx.blocks(), ctx.parameters(), round_.base(), static_cast<Real>(globalRate_), change);
  }

 private:
  void trainLocally(WorkerContext& ctx) {
    const double rate = ctx.learningRate(localRate_);
    std::int64_t steps = 0;
    do round_.step(ctx, rate);
    while (!ctx.ask<Verdict>(Question(MayAggregate{++steps, ctx.stepSeconds()})).yes);
  }

  double localRate_, globalRate_;
  LocalRound round_;
};

class EsyncServer final : public ServerAlgorithm {
 public:
  explicit EsyncServer(const ServerSetup& setup)
      : workers_(setup.workers),
        registrations_(setup.workers.size()),
        state_(static_cast<int>(setup.workers.size()), setup.params.real("epsilon"),
               setup.params.text("epsilon_unit") == "seconds" ? EpsilonUnit::kSeconds : EpsilonUnit::kFraction) {}

  void onMessage(Message message, Outbox& out) override {
    const std::optional<std::size_t> worker = workers_.placeOf(message.from);
    if (!worker || message.kind != MessageKind::kAsk) refuse(message);
    const int rank = static_cast<int>(*worker);
    const Question question = fieldsOf<Question>(message);
    if (!std::holds_alternative<Register>(question) && !state_.complete()) refuse(message);
    std::visit(Overloaded{[&](const Register& told) {
                            if (!(told.stepSeconds >= 0)) refuse(message);
                            registrations_[static_cast<std::size_t>(rank)] = message;
                            if (state_.registerWorker(rank, told.stepSeconds))
                              for (const Message& registration : registrations_) out.send(registration.from, answerTo(registration, true));
                          },
                          [&](const RoundBegins& told) {
                            state_.beginRound(rank, told.round, out.now());
                            out.send(message.from, answerTo(message, true));
                          },
                          [&](const MayAggregate& told) {
                            if (!(told.stepSeconds >= 0)) refuse(message);
                            out.send(message.from, answerTo(message, state_.ready(rank, told.steps, told.stepSeconds, out.now())));
                          }},
               question);
  }

  void left(int node, Outbox&) override {
    if (const std::optional<std::size_t> worker = workers_.placeOf(node)) state_.left(static_cast<int>(*worker));
  }

  void joined(int node, int) override {
    if (const std::optional<std::size_t> worker = workers_.placeOf(node)) state_.joined(static_cast<int>(*worker));
  }

  void state(Archive& archive) override { state_.state(archive); }
  void owed(Archive& archive) override {
    state_.withinRound(archive);
    archiveMessages(archive, "registrations", registrations_);
  }

 private:
  [[noreturn]] static void refuse(const Message& message) {
    throw Error(Errc::kFormat, strCat("node ", message.from, " sent the ESync state server something that is no question: message kind ",
                                      static_cast<int>(message.kind), ", ", message.scalars.size(), " numbers"));
  }

  NodeList workers_;
  std::deque<Message> registrations_;  // by rank, answered together
  EsyncState state_;
};

}  // namespace

EsyncState::EsyncState(int workers, double epsilon, EpsilonUnit unit)
    : workers_(static_cast<std::size_t>(workers)), epsilon_(epsilon), unit_(unit) {}

bool EsyncState::registerWorker(int rank, double stepSeconds) {
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  if (!worker.stepSeconds) ++registered_;
  worker.stepSeconds = stepSeconds;
  return complete();
}

void EsyncState::beginRound(int rank, std::int64_t round, double now) {
  if (round != round_) {
    round_ = round;
    for (Worker& worker : workers_) worker.ready = false;
  }
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  worker.round = round;
  worker.stepBegan = now;
}

bool EsyncState::ready(int rank, std::int64_t steps, double stepSeconds, double now) {
  PACELINE_CHECK(complete(), "ESync decides before all workers have registered");
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  worker.stepSeconds = stepSeconds;
  worker.stepBegan = now;
  worker.ready = decide(rank, steps, now);
  return worker.ready;
}

// The tests of the published state server (apply_for_aggregation), in its order.
bool EsyncState::decide(int rank, std::int64_t steps, double now) const {
  if (steps < 1) return false;
  const int s = slowest();
  const Worker& slow = workers_[static_cast<std::size_t>(s)];
  if (slow.round != round_) return false;  // it has not begun this round
  if (rank == s || slow.ready) return true;
  const double rest = *slow.stepSeconds - (now - slow.stepBegan);  // until the slowest has finished its step
  return *workers_[static_cast<std::size_t>(rank)].stepSeconds + epsilonSeconds() > rest + kRounding * *slow.stepSeconds;
}

void EsyncState::left(int rank) { workers_.at(static_cast<std::size_t>(rank)).gone = true; }

void EsyncState::joined(int rank) {
  Worker& worker = workers_.at(static_cast<std::size_t>(rank));
  worker.gone = worker.ready = false;
  worker.round = round_;
}

int EsyncState::slowest() const {
  int slowest = 0;
  double longest = -1;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank)
    if (const double seconds = workers_[rank].stepSeconds.value_or(0); !workers_[rank].gone && seconds > longest) {
      longest = seconds;
      slowest = static_cast<int>(rank);
    }
  return slowest;
}

double EsyncState::epsilonSeconds() const {
  if (unit_ == EpsilonUnit::kSeconds) return epsilon_;
  return epsilon_ * workers_[static_cast<std::size_t>(slowest())].stepSeconds.value_or(0);
}

void EsyncState::state(Archive& archive) {
  std::vector<double> steps;
  for (const Worker& worker : workers_) steps.push_back(worker.stepSeconds.value_or(-1));
  archive.numbers("step_seconds", steps);
  archive.number("round", round_);
  if (!archive.loading()) return;
  if (steps.size() != workers_.size())
    throw Error(Errc::kFormat, strCat("the checkpoint is of ", steps.size(), " workers, this run has ", workers_.size()));
  registered_ = 0;
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    workers_[rank] = {.stepSeconds = steps[rank] < 0 ? std::nullopt : std::optional(steps[rank]), .stepBegan = 0, .round = round_, .ready = false};
    if (steps[rank] >= 0) ++registered_;
  }
}

void EsyncState::withinRound(Archive& archive) {
  std::vector<double> workers;
  for (const Worker& worker : workers_) workers.insert(workers.end(), {worker.stepBegan, static_cast<double>(worker.round), worker.ready ? 1.0 : 0.0, worker.gone ? 1.0 : 0.0});
  archive.fixedNumbers("workers", workers);
  if (!archive.loading()) return;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    Worker& worker = workers_[rank];
    worker.stepBegan = workers[4 * rank], worker.round = static_cast<std::int64_t>(workers[4 * rank + 1]), worker.ready = workers[4 * rank + 2] != 0, worker.gone = workers[4 * rank + 3] != 0;
  }
}

AlgorithmDef esync() {
  AlgorithmDef def;
  def.id = "esync";
  def.title = "ESync";
  def.summary = "Fast workers take extra local steps while the slowest takes one; then all aggregate.";
  def.reference =
      "Z. Li et al., ESync: Accelerating Intra-Domain Federated Learning in Heterogeneous Data Centers, IEEE TSC 2020";
  def.topology = Topology::kAggregated;
  def.survivesLoss = true;
  def.statistics = Statistics::kAveraged;
  def.params = {
      realParam({"local_lr", "Local learning rate", "learning_rate"}, 0.032, 0, std::nullopt, "Step size of the local steps."),
      realParam({"global_lr", "Global learning rate"}, 1.0, 0, std::nullopt, "Share of the workers' mean change that the global model takes."),
      advanced(realParam("epsilon", 0.02, -1, std::nullopt,
                "How much earlier than the slowest a worker stops; below 0: how much later it may. Published: 0.5 seconds.")),
      advanced(choiceParam({"epsilon_unit", "Unit of epsilon"}, "fraction", {"fraction", "seconds"},
                  "Epsilon is a fraction of the slowest worker's step, or seconds.")),
      younger(choiceParam({"weights", "Weights of changes"}, "equal", {"equal", "per_step"},
                  "Each worker's change counts as it is, as published, or per step (FedNova), so that fast workers do not pull the model to their own optimum.")),
      younger(realParam({"proximal", "Proximal term (mu)"}, 0, 0, std::nullopt, "Pulls local steps back to where the round began (FedProx); 0: none."))};
  def.needsSgd = {.param = "weights", .values = {"per_step"}};
  def.makeWorker = [](const Params& params) { return std::make_unique<EsyncWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<EsyncServer>(setup); };
  return def;
}

}  // namespace paceline
