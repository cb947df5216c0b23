// ASGD with delay compensation: the gradient is corrected to first order for what the weights have moved since it was computed.
// w -= lr * (g + lambda * g*g*(w - backup)), Zheng et al. 2017, "Asynchronous Stochastic Gradient Descent with Delay
// Compensation". variant "paper": backup = what the pushing worker last pulled, kept per worker. variant "mxnet": backup = the
// weight before the most recent update by anyone, one for all, as MXNet's DCASGD optimizer does and the published ESync
// comparison therefore ran. lambda belongs to batch-mean gradients: published code that sums over a batch of B acts like lambda *
// B here. The paper knows no momentum, so there is none. On the wire per round: every element once to the servers and once back.
// Batch-norm statistics stay the workers' own.
#include "engine/algorithms/dc_asgd.h"

#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

class DcAsgdServer final : public exchange::PushServer {
 public:
  explicit DcAsgdServer(const ServerSetup& setup)
      : exchange::PushServer(setup),
        lambda_(static_cast<Real>(setup.params.real("lambda"))),
        perWorker_(setup.params.text("variant") == "paper"),
        backups_(perWorker_ ? world() : 1) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    for (std::size_t i = 0; i < backups_.size(); ++i) exchange::archiveDense(archive, strCat("backup_", i), backups_[i]);
  }

 private:
  void started() override { backups_.assign(backups_.size(), values()); }

  void pushed(Push push, Outbox& out) override {
    const Dense before = values();
    const std::span<const Real> backup = backups_[perWorker_ ? push.rank : 0].values();
    update({&push, 1}, [&](std::span<const Real> w, std::span<Real> next) {
      dcAsgdStep(w, push.gradient.values(), backup, push.rate, lambda_, next);
    });
    if (perWorker_) backups_[push.rank] = values();
    else backups_[0] = before;
    answer(push.rank, out);
  }

  Real lambda_;
  bool perWorker_;
  std::vector<Dense> backups_;
};

}  // namespace

AlgorithmDef dc_asgd() {
  AlgorithmDef def;
  def.id = "dc_asgd";
  def.title = "DC-ASGD";
  def.summary = "ASGD that compensates each gradient for the delay it suffered.";
  def.reference = "S. Zheng et al., Asynchronous Stochastic Gradient Descent with Delay Compensation, ICML 2017";
  def.topology = Topology::kServer;
  def.synchronous = false;
  def.serverHoldsParameters = true;
  def.momentum = false;
  def.params = {realParam("learning_rate", 0.032, 0, std::nullopt, "Step size of every single push."),
                realParam("lambda", 0.04, 0, std::nullopt, "Strength of the compensation, for batch-mean gradients; 0 is ASGD."),
                choiceParam("variant", "paper", {"paper", "mxnet"},
                            "What a gradient's delay is measured from: the weights its worker pulled (paper), or those before "
                            "anyone's latest update (mxnet).")};
  def.makeWorker = exchange::makePushPullWorker;
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<DcAsgdServer>(setup); };
  return def;
}

}  // namespace paceline
