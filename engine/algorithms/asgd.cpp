// Asynchronous SGD: the server applies each gradient when it comes, however old the values are that it was computed at.
// w -= lr * g_i. Dean et al. 2012, "Large Scale Distributed Deep Networks" (Downpour SGD, every step pushed and pulled). The document's
// momentum is the server's: one velocity that every push goes through. On the wire per round: every element once to the servers and
// once back. Batch-norm statistics stay local.
#include "engine/algorithms/exchange/push_pull.h"

namespace paceline {

AlgorithmDef asgd() {
  AlgorithmDef def = exchange::pushDef("asgd");
  def.title = "ASGD";
  def.summary = "Asynchronous SGD: nobody waits for anybody, at the price of stale gradients.";
  def.reference = "J. Dean et al., Large Scale Distributed Deep Networks, NIPS 2012";
  return def;
}

}  // namespace paceline
