// The worker half of PDMM-ISVR and ADMM-ISVR in the sign-free form, with one dual vector u_ij in w-space per neighbour j.
//
//   step      w <- (1 - theta)(w - mu g) + theta * mean_j u_ij
//   exchange  v_ij = 2 w - u_ij crosses v_ji;  u_ij <- (1 - alpha) u_ij + alpha v_ji
//
// This is the closed form of the edge-consensus prox step of Niwa et al. (ICML 2021) with u_ij = A_i|j z_i|j: no signs, no order of nodes,
// nothing that a learning-rate schedule could break. theta = c/(1+c), c = sum_j c_ij, and the mean is weighted by c_ij = mu eta_ij, where
//   paper      eta_i = 1/(mu E_i (K_i - 1))        theta = 1/K          minimises sum_i E_i f_i on irregular graphs
//   published  the published program's             theta = E/(K(E+1))   minimises sum_i (E_i (K-1) + K) f_i
//   common     eta_ij = 1/(mu Emax (K_ij - 1)), the same at both ends of an edge: minimises sum_i f_i on every graph.
// E_i: neighbours, Emax: the largest number in the graph, K_ij: `every` of the edge, K_i: their harmonic mean.
//
// Batch-norm statistics are no part of the consensus problem: they travel beside v and are averaged at every crossing.
// Nothing overlaps (wire.overlap), as in d_sgd.cpp: vectors cross at the step boundary.
#pragma once

#include <vector>

#include "engine/algorithms/algorithm.h"

namespace paceline {

// What both declare alike; `relaxation` is alpha's default.
AlgorithmDef isvrDef(std::string id, double relaxation);

// c_ij of one worker's neighbours, in their order. Throws Error{kSpec} where a denominator is not positive, naming the neighbour.
std::vector<double> isvrWeights(const std::string& stepSize, const exchange::Neighbourhood& hood);

}  // namespace paceline
