// FedBuff: asynchronous local training whose changes are applied K at a time.
// A worker: k local steps from w, d = w - w_end, pushed. The server: sum += s(tau) d; with the K-th, w -= eta sum / K and sum = 0. s = 1 / sqrt(1 + tau), tau the updates since
// the worker's values. Nguyen et al. 2022, "Federated Learning with Buffered Asynchronous Aggregation" (arXiv 2106.06639). Everybody is answered at once with the values of
// now, whether its own change is in them or waits. With K = 1, one local step and no weighting it is ASGD. The document's optimizer is of the local steps, a worker's own.
// On the wire per round: every element once to the servers and once back. Batch-norm statistics stay local. Servers count each shard on its own. Nothing overlaps
// (wire.overlap): the change is there after the last step only.
#include <cmath>

#include "engine/algorithms/asgd.h"
#include "engine/algorithms/exchange/push_change.h"
#include "engine/algorithms/exchange/push_pull.h"

namespace paceline {
namespace {

class FedbuffServer final : public exchange::PushServer {
 public:
  explicit FedbuffServer(const ServerSetup& setup)
      : exchange::PushServer(setup), most_(setup.params.integer("buffer_size")), weighting_(setup.params.boolean("weighting")) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    archive.fixed("buffer", buffer_.values(), values().values().size());
    archive.number("buffered", buffered_);
  }

 private:
  void started() override { buffer_ = Owned<Real>::zeros(values().values()), buffered_ = 0; }

  void pushed(Push push, Outbox& out) override {
    const double weight = weighting_ ? 1 / std::sqrt(1 + static_cast<double>(stalenessOf(push))) : 1;
    addScaled<Real>(buffer_, static_cast<Real>(weight), push.gradient.values());
    if (++buffered_ >= most_) {
      const Real rate = push.rate / static_cast<Real>(buffered_);
      update({}, [&](std::span<const Real> w, std::span<Real> next) { asgdStep(w, buffer_, rate, next); });
      buffer_ = Owned<Real>::zeros(values().values());
      buffered_ = 0;
    }
    answer(push.rank, out);
  }

  std::int64_t most_;
  bool weighting_;
  Owned<Real> buffer_;  // weighted changes since the last update
  std::int64_t buffered_ = 0;
};

}  // namespace

AlgorithmDef fedbuff() {
  AlgorithmDef def = exchange::pushDef("fedbuff",
                                       {integerParam("local_steps", 4, 1, 1e9, "Local steps between two pushes of a worker."),
                                        realParam({"global_lr", "Global learning rate"}, 1.0, 0, std::nullopt, "Share of the mean change that the servers take."),
                                        integerParam("buffer_size", 3, 1, 1e9, "Changes that are applied together (K). Published: 10."),
                                        advanced(booleanParam("weighting", true, "Each change counts 1 / sqrt(1 + its staleness)."))},
                                       "Step size of the local steps.");
  def.title = "FedBuff";
  def.summary = "Asynchronous local training: servers apply changes several at a time, stale ones weighing less.";
  def.reference = "J. Nguyen et al., Federated Learning with Buffered Asynchronous Aggregation, AISTATS 2022";
  def.overlaps = false;
  def.makeWorker = [](const Params& params) { return std::make_unique<exchange::PushChangeWorker>(params, "global_lr"); };
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<FedbuffServer>(setup); };
  return def;
}

}  // namespace paceline
