// Synchronous SGD with backup workers: each step takes the first k of N gradients and does not wait for the rest.
// w -= lr * (g_1 + ... + g_k) / k: Chen et al. 2016, "Revisiting Distributed Synchronous SGD"; ps_pytorch's --num-aggregate, with what its
// code got wrong put right: the divisor is the number of gradients summed, and a late gradient is dropped by its step, not mixed into the next.
// A worker that has its gradient asks the first server whether it is among the first k of the step that it belongs to. If so it pushes to
// all shards, which wait for exactly these k: a gradient counts whole or not at all. If not, its gradient is dropped, and the worker takes
// the values of the newest step and goes on with that. All who work on a step have the same parameters.
// A dropped gradient shows in the event log: that round's staleness, the steps that went by, is above 0; it is 0 where it counted.
// The document's momentum is the servers'. On the wire per round: a question and its answer, every element once to the servers (a dropped
// gradient: not at all) and once back. Batch-norm statistics stay local.
#include <algorithm>
#include <utility>

#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct IsWanted {  // kAsk: is my gradient of this step among the first k?
  std::int64_t step = 0;
  template <class S, class V> static void fields(S& s, V& v) { v.count(s.step); }
};

class SyncBackupWorker final : public WorkerAlgorithm {
 public:
  explicit SyncBackupWorker(const Params& params) : rate_(params.real("learning_rate")) {}

  void round(WorkerContext& ctx) override {
    const std::span<Real> g = ctx.gradient();
    ctx.learningRate(rate_);
    if (!ctx.ask<Verdict>(IsWanted{step_}).yes) {
      step_ = ctx.pull(step_ + 1);
      return;
    }
    ctx.pushPull(g);
    ++step_;
  }

  void state(Archive& archive, const StateSizes&) override { archive.number("step", step_); }
  LockStep lockStep(std::int64_t) const override { return {.set = 0, .clock = step_}; }

 private:
  double rate_;
  std::int64_t step_ = 0;  // of its parameters
};

class SyncBackupServer final : public exchange::PushServer {
 public:
  explicit SyncBackupServer(const ServerSetup& setup) : exchange::PushServer(setup), needed_(static_cast<std::size_t>(setup.params.integer("num_aggregate"))) {
    if (needed_ > world())
      throw Error(Errc::kSpec, strCat("/algorithm/params/num_aggregate: ", needed_, " gradients a step cannot come from ", world(), " workers"));
    if (needed_ == 0) needed_ = world();
  }

  void state(Archive& archive) override {  // between rounds nobody has been accepted who has not pushed
    exchange::PushServer::state(archive);
    archive.number("step", step_);
  }

  void owed(Archive& archive) override {
    exchange::PushServer::owed(archive);
    auto accepted = static_cast<std::int64_t>(accepted_);
    archive.number("accepted", accepted);
    accepted_ = static_cast<std::size_t>(accepted);
    archivePushes(archive, "pushes", pushes_);
    archiveMessages(archive, "pulls", waiting_);
    archiveDense(archive, "before", before_);
  }

 private:
  // At the first server's first shard: is this among the first k gradients of its step?
  void asked(Message question, Outbox& out) override {
    const std::int64_t step = fieldsOf<IsWanted>(question).step;
    if (!rankOf(question.from) || step > step_)
      throw Error(Errc::kFormat, strCat("node ", question.from, " asked whether its gradient of step ", step, " counts in step ", step_));
    const bool counts = step == step_;
    if (counts && ++accepted_ == needed_) {
      ++step_;
      accepted_ = 0;
    }
    out.send(question.from, answerTo(question, counts));
  }

  void pushed(Push push, Outbox& out) override {
    if (push.version != version())
      throw Error(Errc::kFormat, strCat("worker ", push.rank, " pushed a gradient of step ", push.version, " in step ", version()));
    pushes_.push_back(std::move(push));
    if (pushes_.size() < needed_) return;
    std::ranges::sort(pushes_, {}, &Push::rank);
    const Dense before = values();
    descend(pushes_, Real{1} / static_cast<Real>(pushes_.size()));
    before_ = before;
    for (const Push& push : pushes_) answer(push.rank, out);
    pushes_.clear();
    for (Message& pull : std::exchange(waiting_, {})) pulled(std::move(pull), out);
  }

  // The version that is asked for, or the newest where that is gone; a version to come is waited for.
  void pulled(Message pull, Outbox& out) override {
    if (pull.version > version()) return waiting_.push_back(std::move(pull));
    const bool previous = pull.version + 1 == version() && !before_.empty();
    out.send(pull.from, {.kind = MessageKind::kReply,
                         .shard = pull.shard,
                         .round = pull.round,
                         .version = previous ? pull.version : version(),
                         .dense = previous ? before_ : values()});
  }

  std::size_t needed_, accepted_ = 0;  // k; of the step in progress
  std::int64_t step_ = 0;              // for which gradients are accepted now
  std::vector<Push> pushes_;
  std::deque<Message> waiting_;        // pulls
  Dense before_;                       // the values of the step before
};

}  // namespace

AlgorithmDef sync_backup() {
  AlgorithmDef def = exchange::pushDef(
      "sync_backup",
      {limited(integerParam({"num_aggregate", "Gradients per step"}, 0, 0, 1e6, "How many gradients a step takes, at most the number of workers; 0: one of every worker."),
               Limit::kWorkers)},
      "Step size on the mean of the gradients that count.");
  def.survivesLoss = false;  // whose gradients count is told before they come
  def.overlaps = false;  // wire.overlap: whether a gradient counts is asked when it is whole
  def.title = "SSGD with backup workers";
  def.summary = "Synchronous SGD that takes the first gradients of every step and drops those of the slowest workers.";
  def.reference = "J. Chen et al., Revisiting Distributed Synchronous SGD, 2016";
  def.makeWorker = [](const Params& params) { return std::make_unique<SyncBackupWorker>(params); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<SyncBackupServer>(setup); };
  return def;
}

}  // namespace paceline
