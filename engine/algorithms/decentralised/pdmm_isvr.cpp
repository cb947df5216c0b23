// PDMM-ISVR: edge-consensus learning by Peaceman-Rachford splitting with implicit stochastic variance reduction.
// w <- (1 - theta)(w - mu g) + theta mean_j u_ij;  at an exchange u_ij <- v_ji = 2 w_j - u_ji. K. Niwa, G. Zhang, W. B. Kleijn,
// N. Harada, H. Sawada, A. Fujino, "Asynchronous Decentralized Optimization with Implicit Stochastic Variance Reduction", ICML 2021.
// Form, step sizes and batch-norm statistics: isvr.h. On the wire: one vector per crossing each way (neighbours.h), so a worker with E
// neighbours at intervals K sends E/K vectors per step.
#include "engine/algorithms/decentralised/isvr.h"

namespace paceline {

AlgorithmDef pdmm_isvr() {
  AlgorithmDef def = isvrDef("pdmm_isvr", 1);
  def.title = "PDMM-ISVR";
  def.summary = "Decentralised: local steps drawn towards dual vectors that neighbours exchange; exact consensus on unequal data.";
  return def;
}

}  // namespace paceline
