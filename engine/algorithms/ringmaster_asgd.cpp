// Ringmaster ASGD: ASGD that throws away gradients which are too old.
// w -= lr * g_i if fewer than R updates were applied since the values that g_i was computed at; else nothing. Whoever pushed gets the values of now either way. Maranjyan,
// Tyurin & Richtarik 2025, "Ringmaster ASGD: The First Asynchronous SGD with Optimal Time Complexity" (arXiv 2501.16168); its best R follows from the gradients' variance,
// which is not known here, so it is a parameter. With a huge R it is ASGD; with R = 1 only gradients at the newest values count. What a round's staleness says is that of
// the gradient whether it was applied or not: all of R and more were not.
// On the wire per round: every element once to the servers and once back. Batch-norm statistics stay local. Servers count each shard on its own. The document's
// optimizer is the servers'.
#include "engine/algorithms/exchange/push_pull.h"

namespace paceline {
namespace {

class RingmasterServer final : public exchange::PushServer {
 public:
  explicit RingmasterServer(const ServerSetup& setup) : exchange::PushServer(setup), bound_(setup.params.integer("delay_bound")) {}

 private:
  void pushed(Push push, Outbox& out) override {
    if (stalenessOf(push) < bound_) descend({&push, 1});
    answer(push.rank, out);
  }

  std::int64_t bound_;
};

}  // namespace

AlgorithmDef ringmaster_asgd() {
  AlgorithmDef def = exchange::pushDef("ringmaster_asgd", {integerParam("delay_bound", 8, 1, 1e9, "Gradients that are this many updates old, or older, are thrown away (R).")});
  def.title = "Ringmaster ASGD";
  def.summary = "ASGD that throws away gradients which are too old.";
  def.reference = "A. Maranjyan, A. Tyurin, P. Richtarik, Ringmaster ASGD: The First Asynchronous SGD with Optimal Time Complexity, ICML 2025";
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<RingmasterServer>(setup); };
  return def;
}

}  // namespace paceline
