// ADMM-ISVR: edge-consensus learning by Douglas-Rachford splitting with implicit stochastic variance reduction.
// w <- (1 - theta)(w - mu g) + theta mean_j u_ij;  at an exchange u_ij <- (u_ij + v_ji) / 2, v_ji = 2 w_j - u_ji. K. Niwa et al.,
// ICML 2021. The published program averages only under an option that its ADMM script does not set, and then at every step: what its
// script runs is PDMM. Here the average is the paper's. Form, step sizes, batch-norm statistics: isvr.h. On the wire: as pdmm_isvr.
#include "engine/algorithms/decentralised/isvr.h"

namespace paceline {

AlgorithmDef admm_isvr() {
  AlgorithmDef def = isvrDef("admm_isvr", 0.5);
  def.title = "ADMM-ISVR";
  def.summary = "PDMM-ISVR with dual vectors averaged at every exchange: slower, but damped where exchanges are irregular.";
  return def;
}

}  // namespace paceline
