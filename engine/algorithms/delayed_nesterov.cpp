// Delayed Nesterov: asynchronous local training whose servers apply changes at once and their momentum every N changes.
// A worker: local steps from w, d = w - w_end, pushed. The server: w -= eta d / N for each; with every N-th also m = beta m + (the mean of the last N), w -= eta beta m.
// Liu et al. 2024, "Asynchronous Local-SGD Training for Language Modeling" (arXiv 2401.09135), its c = 0. Dynamic local updates: a worker takes max(1, floor(v / v_fastest H))
// steps, v measured by a warm-up step. With one worker and N = 1 it is Nesterov's momentum on its changes: DiLoCo with one worker. The document's optimizer is of the local
// steps, a worker's own.
// On the wire per round: every element once to the servers and once back; once at the start a question, how fast the fastest is. Batch-norm statistics stay local. Servers
// count each shard on its own. Nothing overlaps (wire.overlap): the change is there after the last step only.
#include <algorithm>

#include "engine/algorithms/asgd.h"
#include "engine/algorithms/exchange/push_change.h"
#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct WarmUp {  // kAsk: a worker's step; answered, when all have told theirs, with the fastest one's
  double seconds = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.real(s.seconds); }
};

class DelayedNesterovWorker final : public exchange::PushChangeWorker {
 public:
  explicit DelayedNesterovWorker(const Params& params) : exchange::PushChangeWorker(params, "outer_lr"), bySpeed_(params.boolean("by_speed")) {}

  void start(WorkerContext& ctx) override {
    if (!bySpeed_) return;
    const double own = ctx.warmUpStep();
    steps_ = stepsBySpeed(own, ctx.ask<WarmUp>(WarmUp{own}).seconds, steps_);
    ctx.note(strCat(steps_, " local steps a round: a warm-up step took ", own, " s"));
  }

  void state(Archive& archive, const StateSizes&) override {
    archive.number("local_steps", steps_);
    if (steps_ < 1) throw Error(Errc::kFormat, strCat("\"local_steps\" in the checkpoint is ", steps_));
  }

 private:
  bool bySpeed_;
};

class DelayedNesterovServer final : public exchange::PushServer {
 public:
  explicit DelayedNesterovServer(const ServerSetup& setup)
      : exchange::PushServer(setup),
        beta_(static_cast<Real>(setup.params.real("outer_momentum"))),
        period_(setup.params.integer("delay") > 0 ? setup.params.integer("delay") : static_cast<std::int64_t>(setup.workers.size())),
        stepSeconds_(setup.workers.size()) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    archive.fixed("outer_velocity", velocity_.values(), values().values().size());
    archive.fixed("sum", sum_.values(), values().values().size());
    archive.number("summed", summed_);
  }

  void owed(Archive& archive) override {
    exchange::PushServer::owed(archive);
    archive.fixedNumbers("step_seconds", stepSeconds_);
    archiveMessages(archive, "questions", asking_);
  }

 private:
  void started() override { velocity_ = Owned<Real>::zeros(values().values()), sum_ = velocity_, summed_ = 0; }

  void pushed(Push push, Outbox& out) override {
    const auto share = Real{1} / static_cast<Real>(period_);
    addScaled<Real>(sum_, share, push.gradient.values());
    const bool full = ++summed_ == period_;
    update({&push, 1}, [&](std::span<const Real> w, std::span<Real> next) {
      asgdStep(w, push.gradient.values(), push.rate * share, next);
      if (!full) return;
      const std::span<Real> m = velocity_;
      for (std::size_t i = 0; i < next.size(); ++i) {
        m[i] = beta_ * m[i] + sum_.span()[i];
        next[i] -= push.rate * beta_ * m[i];
      }
    });
    if (full) sum_ = Owned<Real>::zeros(values().values()), summed_ = 0;
    answer(push.rank, out);
  }

  void asked(Message question, Outbox& out) override {
    const std::optional<std::size_t> rank = rankOf(question.from);
    const double seconds = fieldsOf<WarmUp>(question).seconds;
    if (!rank || !(seconds > 0) || stepSeconds_[*rank] > 0)
      throw Error(Errc::kFormat, strCat("node ", question.from, " told a warm-up step of ", seconds, " s"));
    stepSeconds_[*rank] = seconds;
    asking_.push_back(std::move(question));
    if (asking_.size() < world()) return;
    for (const Message& asking : asking_) {
      Message answer = messageOf(MessageKind::kAnswer, WarmUp{*std::ranges::min_element(stepSeconds_)});
      answer.round = asking.round;
      out.send(asking.from, std::move(answer));
    }
    asking_.clear();
  }

  Real beta_;
  std::int64_t period_;
  Owned<Real> velocity_, sum_;  // m; of the changes since it moved, each over the period
  std::int64_t summed_ = 0;
  std::vector<double> stepSeconds_;  // by rank; 0: not told
  std::deque<Message> asking_;
};

}  // namespace

AlgorithmDef delayed_nesterov() {
  AlgorithmDef def = exchange::pushDef("delayed_nesterov",
                                       {integerParam("local_steps", 50, 1, 1e9, "Local steps of the fastest worker between two pushes (H)."),
                                        booleanParam("by_speed", true, "Slower workers take fewer steps, measured by a warm-up step. No: all take the same number."),
                                        realParam({"outer_lr", "Outer learning rate"}, 0.7, 0, std::nullopt, "Step size on the changes."),
                                        realParam({"outer_momentum", "Outer momentum"}, 0.9, 0, 0.9999, "Of the servers, applied once every few changes (beta)."),
                                        integerParam({"delay", "Changes a momentum step"}, 0, 0, 1e9, "How many changes come between two steps of the momentum (N); 0: as many as there are workers.")},
                                       "Step size of the local steps.");
  def.title = "Delayed Nesterov";
  def.summary = "Asynchronous local training: changes are applied at once, the servers' momentum every few of them.";
  def.reference = "B. Liu et al., Asynchronous Local-SGD Training for Language Modeling, 2024";
  def.overlaps = false;
  def.own = {"local_steps"};
  def.makeWorker = [](const Params& params) { return std::make_unique<DelayedNesterovWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<DelayedNesterovServer>(setup); };
  return def;
}

}  // namespace paceline
