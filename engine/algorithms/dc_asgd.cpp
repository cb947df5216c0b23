// ASGD with delay compensation: the gradient is corrected to first order for the change of the weights since it was computed.
// w -= lr * (g + lambda * g*g*(w - backup)), Zheng et al. 2017, "Asynchronous Stochastic Gradient Descent with Delay Compensation".
//   paper     backup: the values that the pushing worker pulled last, kept per worker; lambda constant: the paper's DC-ASGD-c
//   adaptive  the same backup; lambda_t = lambda / sqrt(meanSquare + 1e-7), meanSquare = m * meanSquare + (1 - m) * g*g: its DC-ASGD-a
//   mxnet     backup: the weights before the most recent update by anyone, one for all, as in MXNet's DCASGD optimizer and therefore in the
//             published ESync comparison; lambda constant
// A constant lambda belongs to batch-mean gradients: published code with sums over a batch of B acts like lambda * B here. The paper knows no
// momentum, so there is none. On the wire per round: every element once to the servers and once back. Batch-norm statistics stay local.
#include "engine/algorithms/asgd.h"
#include "engine/algorithms/exchange/push_pull.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

// The paper's m. No parameter: a new one would change the hashes of every stored DC-ASGD document.
constexpr Real kMeanSquareDecay = static_cast<Real>(0.95);

class DcAsgdServer final : public exchange::PushServer {
 public:
  explicit DcAsgdServer(const ServerSetup& setup)
      : exchange::PushServer(setup),
        lambda_(static_cast<Real>(setup.params.real("lambda"))),
        adaptive_(setup.params.text("variant") == "adaptive"),
        perWorker_(setup.params.text("variant") != "mxnet"),
        backups_(perWorker_ ? world() : 1) {}

  void state(Archive& archive) override {
    exchange::PushServer::state(archive);
    const std::size_t size = values().values().size();
    for (std::size_t i = 0; i < backups_.size(); ++i) archiveDense(archive, strCat("backup_", i), backups_[i], size);
    if (adaptive_) archive.fixed("mean_square", meanSquare_, size);
  }

 private:
  void started() override {
    backups_.assign(backups_.size(), values());
    meanSquare_.assign(adaptive_ && !isHollow(values().values()) ? values().values().size() : 0, 0);
  }

  void pushed(Push push, Outbox& out) override {
    const Dense before = values();
    const std::span<const Real> backup = backups_[perWorker_ ? push.rank : 0].values();
    update({&push, 1}, [&](std::span<const Real> w, std::span<Real> next) {
      const std::span<const Real> g = push.gradient.values();
      if (adaptive_) dcAsgdAdaptiveStep(w, g, backup, push.rate, lambda_, kMeanSquareDecay, meanSquare_, next);
      else dcAsgdStep(w, g, backup, push.rate, lambda_, next);
    });
    if (perWorker_) backups_[push.rank] = values();
    else backups_[0] = before;
    answer(push.rank, out);
  }

  void found(std::size_t rank, std::size_t like) override {
    if (perWorker_) backups_[rank] = backups_[like];
  }

  Real lambda_;
  bool adaptive_, perWorker_;
  std::vector<Dense> backups_;
  std::vector<Real> meanSquare_;  // of all pushes to this shard
};

}  // namespace

AlgorithmDef dc_asgd() {
  AlgorithmDef def = exchange::pushDef(
      "dc_asgd",
      {realParam({"lambda", "Compensation (lambda)"}, 0.04, 0, std::nullopt, "Strength of the compensation, for batch-mean gradients; 0 is ASGD. Adaptive: its numerator, 2 in the paper."),
       choiceParam("variant", "paper", {"paper", "mxnet", "adaptive"},
                   "Start of a gradient's delay: the weights that its worker pulled (paper, adaptive), or those before anyone's latest update "
                   "(mxnet). Adaptive divides lambda by the root mean square of the gradients.")});
  def.title = "DC-ASGD";
  def.summary = "ASGD that compensates each gradient for the delay it suffered.";
  def.reference = "S. Zheng et al., Asynchronous Stochastic Gradient Descent with Delay Compensation, ICML 2017";
  def.momentum = false;
  def.makeServer = [](const ServerSetup& setup) { return std::make_unique<DcAsgdServer>(setup); };
  return def;
}

}  // namespace paceline
